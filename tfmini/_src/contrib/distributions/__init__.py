"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and some that only stand here."""
