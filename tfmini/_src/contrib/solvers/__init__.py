"""`tf.contrib.solvers`: systems of equations solved step by step, of matrices that are known by their products."""
