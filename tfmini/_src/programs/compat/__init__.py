"""`tf.compat`: text and bytes, number types, static dimensions; `tf.compat.v1` is `tf` itself.

`v2_behavior` has the switches between TensorFlow 1 and 2 behavior that `tf` offers.
"""
