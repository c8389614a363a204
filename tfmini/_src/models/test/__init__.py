"""`tf.test`: a test case with sessions and array assertions, numeric gradients, graph comparison and benchmarks."""
