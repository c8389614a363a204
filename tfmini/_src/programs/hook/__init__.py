"""The name `tensorflow`: an import finder that builds its modules from tfmini's objects.

    import tfmini.as_tensorflow  # or: python -m tfmini run train.py
    import tensorflow as tf
    from tensorflow.python.ops import array_ops

`module_names.txt.gz` lists the modules of TensorFlow 1.15.5, public and internal, and what each name in them is
(`module_names` reads it). A module is a `Facade`, which finds a name when it is first asked for (`object_lookup`):
among the `extra_names`, in `tfmini.compat.python` where an internal name has code of its own, by the public name of
the same object. What 1.15.5 has and tfmini lacks is a stand-in that raises where it is used (`missing_names`).
`child_processes` is the part that child processes load when they start; it imports nothing of tfmini until the name
`tensorflow` is. Nothing here is imported without the runner or `tfmini.as_tensorflow`.
"""
