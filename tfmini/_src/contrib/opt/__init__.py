"""`tf.contrib.opt`: optimizers beyond those of `tf.train`."""
