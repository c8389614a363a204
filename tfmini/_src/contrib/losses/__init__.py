"""`tf.contrib.losses`: the losses from before `tf.losses`, and those that learn distances."""
