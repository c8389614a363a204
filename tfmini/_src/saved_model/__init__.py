"""`tf.saved_model`: a graph, the values of its variables and its files in a folder, for serving.

    builder, simple_save         write the folder
    loader                  reads it
    signature_def_utils     signatures: what serving calls the inputs and outputs
    structured_value        signatures of functions and specs as protos
    assets                  files that the graph reads, copied along
    main_op                 what runs after a SavedModel was loaded

The folder is TensorFlow's: `saved_model.pb` (or `.pbtxt`), `variables/` with a checkpoint, and
`assets/`.
"""
