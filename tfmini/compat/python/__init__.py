"""Internal modules of TensorFlow that have code of their own here, at the same paths below `tfmini.compat.python`.

`tensorflow.python.ops.math_ops` is made by `programs.hook`: of what stands here at its path, of internal objects of
tfmini (`hook/internal_objects.txt`), and of public names. So a file is here only for what no public name means.
"""
