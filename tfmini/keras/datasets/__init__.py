"""`tf.keras.datasets`: small data sets, read from ~/.keras/datasets, where they are fetched if they are not there."""

from tfmini.keras.datasets import (
    boston_housing,
    cifar10,
    cifar100,
    fashion_mnist,
    imdb,
    mnist,
    reuters,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "boston_housing",
    "cifar10",
    "cifar100",
    "fashion_mnist",
    "imdb",
    "mnist",
    "reuters",
]

_namespace(globals())
