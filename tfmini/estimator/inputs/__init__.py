"""tf.estimator.inputs: input functions of arrays and data frames, by queues."""

from tfmini.estimator.inputs.data_frames import pandas_input_fn
from tfmini.estimator.inputs.numpy_arrays import numpy_input_fn
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["numpy_input_fn", "pandas_input_fn"]

_namespace(globals())
