"""`tf.saved_model`: a graph, the values of its variables and its files in a folder, for serving.

    builder, simple         write the folder
    loader                  reads it
    signature_def_utils     signatures: what serving calls the inputs and outputs
    assets                  files that the graph reads, copied along
    main_op                 what runs after a SavedModel was loaded

The folder is TensorFlow's: `saved_model.pb` (or `.pbtxt`), `variables/` with a checkpoint, and `assets/`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
