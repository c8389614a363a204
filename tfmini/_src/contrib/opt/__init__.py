"""`tf.contrib.opt`: optimizers that complement `tf.train`."""
