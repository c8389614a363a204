"""`tf.saved_model`: exports a graph with its variable values and asset files to a directory for serving.

    builder, simple_save         write the directory
    loader                  reads it
    signature_def_utils     signatures: serving input and output names
    structured_value        signatures of functions and specs as protos
    assets                  files read by the graph, copied to the directory
    main_op                 operations to run after loading

The layout is TensorFlow's: `saved_model.pb` (or `.pbtxt`), `variables/` with a checkpoint, and
`assets/`.
"""
