"""`tf.contrib.distributions.bijectors`: functions that can be inverted; `TransformedDistribution` takes them."""
