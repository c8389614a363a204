"""Networks of `tf.contrib.slim.nets`: functions from images to logits and layer outputs."""
