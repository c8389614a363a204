"""`tf.contrib.quantize`: rewrites graphs to simulate 8-bit inference, for training and export.

A rewrite first folds batch normalization into the preceding weights (`fold_fused_batch_norm`,
`fold_unfused_batch_norm`), as integer networks compute a single product there. It then rounds weights and activations
to the available bits (`quantize`), in the layers that `layers` finds with `graph_matcher`.
"""
