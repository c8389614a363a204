"""`tf.contrib.losses.metric_learning`: losses that bring embeddings with equal labels close together."""
