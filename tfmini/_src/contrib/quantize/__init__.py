"""`tf.contrib.quantize`: rewrites graphs to simulate 8-bit inference, for training and export.

A rewrite first folds batch normalization into the weights before it (`fold_fused_batch_norm`,
`fold_unfused_batch_norm`), since a network of small integers has one product there; then it rounds weights and
activations to the steps that the bits allow (`quantize`), where `layers` finds them by `graph_matcher`.
"""
