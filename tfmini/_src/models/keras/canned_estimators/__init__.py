"""Canned Estimators of `tf.compat.v2`: models, heads and optimizers of tf.keras, mean loss over a batch.

optimizer_by_name      optimizers of tf.keras by name
baseline        no features at all
linear          weighted sums of columns
dnn_model, dnn   connected layers over dense columns
dnn_linear_combined   both, their logits added

Checkpoint variables have the same names as in `tf.estimator`.
"""
