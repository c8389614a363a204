"""`tf.contrib.checkpoint`: what checkpoints of objects save, and what they have."""
