"""`tf.distribute.cluster_resolver`: tells a process its cluster and its task."""
