"""tf.data: datasets, which are read step by step, and their iterators.

`dataset` has the base class with its methods; a kind of dataset is a class in `sources`, `transformations` or `mapped`
that adds the node of its op and is registered by name (`registry`), so that a method can make it. What runs stands in
`ops/datasets`. A new transformation is: its op and its two classes there (the dataset of a run, its iterator); a class
here; and a method, or a function that `Dataset.apply` takes.
"""

from tfmini.data import experimental, generators, mapped, sources, transformations
from tfmini.data.dataset_v1 import DatasetV1 as Dataset
from tfmini.data.dataset_v1 import (
    get_output_classes,
    get_output_shapes,
    get_output_types,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from tfmini.data.iterator import Iterator
from tfmini.data.options import Options
from tfmini.data.readers import FixedLengthRecordDatasetV1 as FixedLengthRecordDataset
from tfmini.data.readers import TextLineDatasetV1 as TextLineDataset
from tfmini.data.readers import TFRecordDatasetV1 as TFRecordDataset
from tfmini.data.specs import DatasetSpec
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "Iterator",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "experimental",
    "get_output_classes",
    "get_output_shapes",
    "get_output_types",
    "make_initializable_iterator",
    "make_one_shot_iterator",
]

_namespace(globals())
