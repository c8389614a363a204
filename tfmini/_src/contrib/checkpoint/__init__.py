"""`tf.contrib.checkpoint`: saveable data structures, and inspection of object-based checkpoints."""
