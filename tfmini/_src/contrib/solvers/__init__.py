"""`tf.contrib.solvers`: iterative solvers of linear systems whose matrices are defined by their products."""
