"""tf.contrib.tfprof: the profiler by its older names; `tf.profiler` has what they stand for."""
