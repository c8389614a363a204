"""`tf.contrib.distribute`: older names of `tf.distribute`, and strategies whose datasets yield per-replica batches.

It may import everything below `contrib`.
"""
