"""`tf.contrib.image`: images turned, moved and warped; parts that hang together; pairs by distance."""
