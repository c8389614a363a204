"""`tf.contrib.factorization`: k-means and Gaussian mixture clustering; matrix factorization."""
