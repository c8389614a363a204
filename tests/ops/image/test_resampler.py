"""tf.contrib.resampler: shape mismatches are detected at run time, as in TensorFlow 1.15.5."""
