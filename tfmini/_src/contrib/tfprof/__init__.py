"""`tf.contrib.tfprof`: older names of the profiler in `tf.profiler`."""
