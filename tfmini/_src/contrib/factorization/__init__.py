"""`tf.contrib.factorization`: clusters of points, by k-means and Gaussian mixtures; matrices as products of factors."""
