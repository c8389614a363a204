"""`tf.contrib.losses.metric_learning`: losses that pull together embeddings with equal labels."""
