"""The ready Estimators of `tf.compat.v2`: models, heads and optimizers of tf.keras, loss the mean over a batch.

optimizing      optimizers of tf.keras by name
baseline        no features at all
linear          weighted sums of columns
networks, dnn   connected layers over dense columns
wide_and_deep   both, their logits added

The variables of checkpoints have the names that those of `tf.estimator` have.
"""
