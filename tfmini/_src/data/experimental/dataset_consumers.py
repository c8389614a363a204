"""Results computed from a whole dataset: its single element, or its cardinality."""

from __future__ import annotations

from typing import Any

from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import from_tensors
from tfmini._src.ops import raw

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


def get_single_element(dataset: DatasetV2) -> Any:
    """Returns the single element of a dataset as tensors, without an iterator.

    Args:
      dataset: a dataset of one element.

    Returns:
      Tensors, in the structure of an element.

    Raises:
      TypeError: if it is not a dataset.
      InvalidArgumentError: at run time, unless the dataset contains exactly one element.
    """
    check_dataset(dataset)
    tensors = raw.DatasetToSingleElement(dataset._variant_tensor, **dataset._flat_structure)
    return from_tensors(dataset.element_spec, tensors)


def check_dataset(dataset: Any) -> None:
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")


def cardinality(dataset: DatasetV2) -> Any:
    """Returns the number of elements in a dataset, if known without reading it.

    Returns:
      An int64 scalar, possibly `INFINITE_CARDINALITY` or `UNKNOWN_CARDINALITY`.
    """
    return raw.DatasetCardinality(dataset._variant_tensor)
