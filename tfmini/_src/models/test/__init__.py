"""`tf.test`: a test case with sessions and assertions on arrays, numeric gradients, comparing graphs, benchmarks."""
