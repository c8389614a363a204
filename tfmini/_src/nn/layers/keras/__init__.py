"""Layers as `tf.keras` has them: weights are variables of their own. `tf.layers` derives its classes from them."""
