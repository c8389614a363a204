"""`tf.contrib.data`: deprecated aliases of `tf.data.experimental`, and a few transformations exclusive to it."""
