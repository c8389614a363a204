"""TensorFlow's internal modules that need separate code, at the same paths below `tfmini.compat.python`.

`programs.hook` builds `tensorflow.python.ops.math_ops` from the file at its path here, internal objects of tfmini
(`hook/internal_objects.txt`), and public names. A file here thus contains only names without a public equivalent.
"""
