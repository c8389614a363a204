"""Deprecation notice for all names in `tf.distributions`, which has moved to another library."""

from tfmini._src.base.names.deprecation import deprecated

moved = deprecated(
    "2019-01-01",
    "The TensorFlow Distributions library has moved to TensorFlow Probability "
    "(https://github.com/tensorflow/probability). You should update all references to use "
    "`tfp.distributions` instead of `tf.distributions`.",
)
