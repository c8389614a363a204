"""High-level models: feature columns, Estimators, Keras, and `tf.test`, which knows all of them.

Each part imports only those before it: `feature_column`, `estimator`, `keras`, `test`; and all that lies below the
room.
"""
