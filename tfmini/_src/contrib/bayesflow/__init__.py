"""`tf.contrib.bayesflow`: Monte Carlo expectations."""
