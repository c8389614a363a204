"""`tf.contrib.layers`: layers as functions that create model variables; initializers and regularizers."""
