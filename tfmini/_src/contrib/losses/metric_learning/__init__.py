"""`tf.contrib.losses.metric_learning`: losses of embeddings, near where labels agree and far where they differ."""
