"""TensorFlow's internal modules with their own code, at the same paths below `tfmini.compat.python`.

`programs.hook` builds `tensorflow.python.ops.math_ops` from the file here at its path, from internal objects of tfmini
(`hook/internal_objects.txt`), and from public names. A file here thus contains only names without a public equivalent.
"""
