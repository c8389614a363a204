"""`tf.contrib.distributions.bijectors`: invertible functions, for `TransformedDistribution`."""
