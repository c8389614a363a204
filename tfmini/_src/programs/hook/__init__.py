"""The name `tensorflow`: an import finder that builds its modules from tfmini's objects.

    import tfmini.as_tensorflow  # or: python -m tfmini run train.py
    import tensorflow as tf
    from tensorflow.python.ops import array_ops

`module_names.txt.gz` lists the public and internal modules of TensorFlow 1.15.5 and the kind of each name in them
(`module_names` reads it). A module is a `Facade`, which looks each name up on first access (`object_lookup`): among
the `extra_names`, in `tfmini.compat.python` if an internal name has its own code, or by the public name of the same
object. A name of 1.15.5 that tfmini lacks becomes a stand-in that raises on use (`missing_names`). Child processes load
`child_processes` at start-up; it imports nothing of tfmini until `tensorflow` is imported. Nothing here is imported
without the runner or `tfmini.as_tensorflow`.
"""
