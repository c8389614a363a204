"""`tf.contrib.slim`: layers, variables and losses under one name; networks made of them; training operations."""
