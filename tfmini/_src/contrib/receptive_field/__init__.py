"""`tf.contrib.receptive_field`: the receptive field of each feature of a convolutional network."""
