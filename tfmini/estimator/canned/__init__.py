"""Estimators that are ready: a model of feature columns, a head, and an optimizer by name.

optimizing      optimizers by name
linear          weighted sums of columns
networks, dnn   connected layers over dense columns
wide_and_deep   both, their logits added
baseline        no features at all
"""
