"""`tf.sysconfig`: build flags for C++ ops, which tfmini does not load."""
