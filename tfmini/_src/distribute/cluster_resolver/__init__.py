"""`tf.distribute.cluster_resolver`: determines a process's cluster and task."""
