"""Programs after `tf.enable_v2_behavior()`: tensors compare by value, layers have the dtype of floatx."""
