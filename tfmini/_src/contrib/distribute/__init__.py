"""`tf.contrib.distribute`: older names of `tf.distribute`, and strategies with per-replica dataset batches.

It may import everything below `contrib`.
"""
