"""`tf.contrib.distribute`: older names of `tf.distribute`, and strategies with per-replica dataset batches.

This package may import every layer below `contrib`.
"""
