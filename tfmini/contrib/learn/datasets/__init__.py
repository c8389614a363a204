"""`tf.contrib.learn.datasets`: small data sets, from files that are there or from their home on the web.

`mnist` has `read_data_sets`, which `tensorflow.examples.tutorials.mnist.input_data` offers too. The tables of irises
and of houses lie in `data/`.
"""

from tfmini.contrib.learn.datasets import base, mnist, synthetic
from tfmini.contrib.learn.datasets.base import load_boston, load_iris
from tfmini.contrib.learn.datasets.by_name import DATASETS, SYNTHETIC, load_dataset, make_dataset
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "DATASETS",
    "SYNTHETIC",
    "base",
    "load_boston",
    "load_dataset",
    "load_iris",
    "make_dataset",
    "mnist",
    "synthetic",
]

_namespace(globals())
