from tfmini._src.ops.string.fact import my_fact as my_fact
