"""`tf.contrib.estimator`: heads, more metrics, exports of each mode."""
