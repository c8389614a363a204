"""`tf.contrib.kernel_methods`: linear models on features that approximate a kernel."""
