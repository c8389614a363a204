"""`tf.contrib.checkpoint`: saveable data structures, and contents of object checkpoints."""
