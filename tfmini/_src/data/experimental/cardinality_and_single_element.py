"""Single results of a whole dataset: its only element, a file of records, its cardinality."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import from_tensors, legacy_shapes, legacy_types
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


def get_single_element(dataset: Any) -> Any:
    """The only element of a dataset, as tensors: no iterator is needed.

    Args:
      dataset: a dataset of one element.

    Returns:
      Tensors, in the structure of an element.

    Raises:
      TypeError: if it is no dataset. InvalidArgumentError: when it runs, if there is another number of elements.
    """
    _check(dataset)
    tensors = raw.DatasetToSingleElement(dataset._variant_tensor, **dataset._flat_structure)
    return from_tensors(dataset.element_spec, tensors)


def _check(dataset: Any) -> None:
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")


def cardinality(dataset: DatasetV2) -> Any:
    """Number of elements of a dataset, as far as it can be told without reading them.

    Args:
      dataset: a dataset.

    Returns:
      An int64 scalar: `INFINITE_CARDINALITY` if there is no end, `UNKNOWN_CARDINALITY` if nobody knows.
    """
    return raw.DatasetCardinality(dataset._variant_tensor)


class TFRecordWriter:
    """Writes the elements of a dataset to a file of records.

    Args:
      filename: the file, a scalar string.
      compression_type: "", "ZLIB" or "GZIP".

    Example: `session.run(tf.data.experimental.TFRecordWriter(path).write(dataset))`.
    """

    def __init__(self, filename: Any, compression_type: Any = None):
        self._filename = ops.convert_to_tensor(filename, dtypes.string, name="filename")
        given = "" if compression_type is None else compression_type
        self._compression_type = ops.convert_to_tensor(
            given, dtype=dtypes.string, name="compression_type"
        )

    def write(self, dataset: Any) -> Any:
        """The operation that writes a dataset of scalar strings.

        Raises:
          TypeError: for another dataset.
        """
        _check(dataset)
        spec = dataset.element_spec
        text = TensorSpec([], dtypes.string)
        if not (isinstance(spec, TensorSpec) and spec.is_compatible_with(text)):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
                f"{legacy_shapes(spec)} and types {legacy_types(spec)}"
            )
        return raw.DatasetToTFRecord(
            dataset._variant_tensor, self._filename, self._compression_type
        )
