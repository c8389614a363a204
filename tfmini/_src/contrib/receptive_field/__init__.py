"""`tf.contrib.receptive_field`: receptive fields of the features of convolutional networks."""
