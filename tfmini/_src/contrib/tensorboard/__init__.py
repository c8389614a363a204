"""tf.contrib.tensorboard: what plugins of TensorBoard read."""
