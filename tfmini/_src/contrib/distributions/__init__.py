"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and some that exist only here."""
