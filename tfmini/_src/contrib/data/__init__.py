"""`tf.contrib.data`: what became `tf.data.experimental`, and a few transformations beside it."""
