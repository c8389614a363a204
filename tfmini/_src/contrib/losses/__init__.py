"""`tf.contrib.losses`: predecessors of `tf.losses`, and metric learning losses."""
