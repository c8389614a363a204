"""`tf.sysconfig`: build flags for C++ ops, which tfmini cannot load."""
