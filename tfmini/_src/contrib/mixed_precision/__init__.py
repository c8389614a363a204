"""`tf.contrib.mixed_precision`: loss scaling, which keeps small float16 gradients from underflowing."""
