"""Canned Estimators: a model of feature columns, a head, and an optimizer by name.

optimizer_by_name      optimizers by name
linear          weighted sums of columns
dnn_logit_fn, dnn   connected layers over dense columns
dnn_linear_combined   both, their logits added
baseline        no features at all
"""
