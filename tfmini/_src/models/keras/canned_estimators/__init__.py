"""Canned Estimators of `tf.compat.v2`: tf.keras models, heads and optimizers, with the mean loss over a batch.

optimizer_by_name      tf.keras optimizers by name
baseline        bias only, without features
linear          weighted sums of columns
dnn_model, dnn   fully connected layers over dense columns
dnn_linear_combined   sum of both models' logits

Checkpoint variables have the same names as in `tf.estimator`.
"""
