"""Private modules of TensorFlow that programs import, at the same paths below `tfmini.compat.python`."""
