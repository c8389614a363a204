"""`tf.contrib.layers`: layers as functions, whose variables are the model's; initializers, regularizers."""
