"""`tf.contrib.factorization`: clustering by k-means and Gaussian mixtures; matrix factorization."""
