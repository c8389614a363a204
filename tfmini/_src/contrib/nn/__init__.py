"""`tf.contrib.nn`: dropout for SELU, a scaled softplus, losses, and two functions also available in `tf.nn`."""
