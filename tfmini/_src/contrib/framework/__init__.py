"""`tf.contrib.framework`: conditionals, nested structures, names, checks, variables by name, the global step."""
