"""`tf.contrib.bayesflow`: expectations by drawing samples."""
