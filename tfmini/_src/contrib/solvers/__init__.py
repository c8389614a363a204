"""`tf.contrib.solvers`: iterative solvers of linear systems, for matrices defined by their products."""
