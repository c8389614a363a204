"""`tf.contrib.learn.ops`: embedded categories, outputs with losses, and sequence-to-sequence models as functions."""
