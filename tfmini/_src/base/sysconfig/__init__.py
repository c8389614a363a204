"""`tf.sysconfig`: what is asked for ops in C++ to be compiled, of which tfmini loads none."""
