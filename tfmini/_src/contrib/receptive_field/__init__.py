"""`tf.contrib.receptive_field`: how large a part of an image each feature of a convolutional network sees."""
