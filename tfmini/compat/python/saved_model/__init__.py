"""`tensorflow.python.saved_model`: the modules that `tf.saved_model` has, at their own paths."""
