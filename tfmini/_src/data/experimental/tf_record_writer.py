"""`tf.data.experimental.TFRecordWriter`, which writes a dataset of strings to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.data.element_spec import legacy_shapes, legacy_types
from tfmini._src.data.experimental.dataset_consumers import check_dataset
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.data.dataset import DatasetV2


class TFRecordWriter:
    """Writes the elements of a dataset to a TFRecord file.

    Args:
      filename: the file path, a scalar string.
      compression_type: "", "ZLIB" or "GZIP".

    Example: `session.run(tf.data.experimental.TFRecordWriter(path).write(dataset))`.
    """

    def __init__(self, filename: str, compression_type: str | None = None):
        self._filename = ops.convert_to_tensor(filename, dtypes.string, name="filename")
        compression = "" if compression_type is None else compression_type
        self._compression_type = ops.convert_to_tensor(
            compression, dtype=dtypes.string, name="compression_type"
        )

    def write(self, dataset: DatasetV2) -> Any:
        """Returns the operation that writes a dataset of scalar strings.

        Raises:
          TypeError: for another dataset.
        """
        check_dataset(dataset)
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
