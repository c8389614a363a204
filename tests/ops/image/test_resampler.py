"""tf.contrib.resampler: shapes that do not fit are found where it runs, as in TensorFlow 1.15.5."""
