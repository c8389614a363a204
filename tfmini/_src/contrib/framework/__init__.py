"""`tf.contrib.framework`: conditionals, nested structures, names, checks, variables by name, global step."""
