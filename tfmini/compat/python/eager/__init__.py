"""`tensorflow.python.eager`: ops that run at once, tapes and functions, as TensorFlow's own modules name them."""
