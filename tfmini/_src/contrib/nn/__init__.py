"""`tf.contrib.nn`: dropout for selu, a softplus, losses, and two functions also available in `tf.nn`."""
