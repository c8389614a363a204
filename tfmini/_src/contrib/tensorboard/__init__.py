"""`tf.contrib.tensorboard`: input files of TensorBoard plugins."""
