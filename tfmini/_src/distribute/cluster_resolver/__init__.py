"""`tf.distribute.cluster_resolver`: what tells a process its cluster and its place in it."""
