from tfmini._src.models.estimator.inputs.numpy_input_fn import numpy_input_fn as numpy_input_fn
from tfmini._src.models.estimator.inputs.pandas_input_fn import pandas_input_fn as pandas_input_fn
