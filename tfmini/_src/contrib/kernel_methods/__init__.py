"""`tf.contrib.kernel_methods`: linear models of features under which distances are those of a kernel."""
