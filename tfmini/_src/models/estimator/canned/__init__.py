"""Canned Estimators, which combine a feature column model, a head and an optimizer.

optimizer_by_name      optimizers by name
linear          weighted sums of columns
dnn_logit_fn, dnn   fully connected layers over dense columns
dnn_linear_combined   sum of the logits of both models
baseline        bias only, without features
"""
