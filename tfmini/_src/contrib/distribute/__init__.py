"""`tf.contrib.distribute`: the older names of `tf.distribute`, and strategies whose datasets have a replica's batches.

It may import everything below `contrib`.
"""
