"""High-level models: feature columns, Estimators, Keras, and `tf.test`, which depends on all of them.

Each part imports only the preceding ones, in the order `feature_column`, `estimator`, `keras`, `test`, and the levels
below this package.
"""
