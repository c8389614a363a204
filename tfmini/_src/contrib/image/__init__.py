"""`tf.contrib.image`: images turned, moved and warped; connected components; pairs by distance."""
