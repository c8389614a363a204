"""`tf.contrib.learn.datasets`: small data sets, from files that are there or from their home on the web.

`mnist` has `read_data_sets`, which `tensorflow.examples.tutorials.mnist.input_data` offers too.
"""

from tfmini.contrib.learn.datasets import base, mnist
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["base", "mnist"]

_namespace(globals())
