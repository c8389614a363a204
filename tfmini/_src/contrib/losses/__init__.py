"""`tf.contrib.losses`: the predecessors of `tf.losses`, and metric learning losses."""
