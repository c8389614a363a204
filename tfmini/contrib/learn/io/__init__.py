"""`tf.contrib.learn.io`: arrays, data frames and files as inputs."""

from tfmini.contrib.learn.data_frames import (
    extract_pandas_data,
    extract_pandas_labels,
    extract_pandas_matrix,
)
from tfmini.contrib.learn.reading import (
    queue_parsed_features,
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_features,
)
from tfmini.contrib.learn.shuffled_inputs import numpy_input_fn, pandas_input_fn
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "extract_pandas_data",
    "extract_pandas_labels",
    "extract_pandas_matrix",
    "numpy_input_fn",
    "pandas_input_fn",
    "queue_parsed_features",
    "read_batch_examples",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_examples",
    "read_keyed_batch_features",
]

_namespace(globals())
