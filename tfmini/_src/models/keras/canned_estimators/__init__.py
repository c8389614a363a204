"""Canned Estimators of `tf.compat.v2`, with tf.keras models, heads and optimizers; they minimize the batch's mean loss.

optimizer_by_name      tf.keras optimizers by name
baseline        bias only, without features
linear          weighted sums of columns
dnn_model, dnn   fully connected layers over dense columns
dnn_linear_combined   sum of the logits of both models

Checkpoint variables have the same names as in `tf.estimator`.
"""
