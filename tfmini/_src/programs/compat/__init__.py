"""`tf.compat`: text and bytes, number types, static dimensions; `tf.compat.v1` is `tf` itself.

`v2_behavior` defines the functions of `tf` that switch between TensorFlow 1 and 2 behavior.
"""
