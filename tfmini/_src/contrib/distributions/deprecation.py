"""Deprecation notice for names exclusive to `tf.contrib.distributions`, now in TensorFlow Probability."""

from tfmini._src.base.names.deprecation import deprecated

moved = deprecated(
    "2018-10-01",
    "The TensorFlow Distributions library has moved to TensorFlow Probability "
    "(https://github.com/tensorflow/probability). You should update all references to use "
    "`tfp.distributions` instead of `tf.contrib.distributions`.",
)
