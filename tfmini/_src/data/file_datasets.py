"""Datasets of the contents of files: text lines, TFRecords, fixed-length records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import registry
from tfmini._src.data.dataset import AUTOTUNE, DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import legacy_shapes, legacy_types
from tfmini._src.data.function_datasets import DatasetFunctionDataset
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.data.unary_datasets import int64
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

_BUFFER = 256 * 1024
_TEXT = TensorSpec([], dtypes.string)


def _or_default(value: Any, default: Any, dtype: Any, name: str) -> Any:
    return ops.convert_to_tensor(default if value is None else value, dtype=dtype, name=name)


def _compression(compression_type: Any) -> Any:
    return _or_default(compression_type, "", dtypes.string, "compression_type")


def _filenames(filenames: Any) -> DatasetV2:
    if not isinstance(filenames, DatasetV2):
        names = ops.convert_to_tensor(filenames, dtype=dtypes.string)
        names = ops.reshape(names, [-1], name="flat_filenames")
        return DatasetV2.from_tensor_slices(names)
    spec = filenames.element_spec
    if legacy_types(spec) != dtypes.string:
        raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
    if not legacy_shapes(spec).is_compatible_with(TensorShape([])):
        raise TypeError("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.")
    return filenames


def _reader(make: Callable, filenames: DatasetV2, num_parallel_reads: Any) -> DatasetV2:
    """Returns the elements of `make(filename)` for all files, read sequentially or in parallel."""

    def read_one_file(filename: Any) -> Any:
        return make(ops.convert_to_tensor(filename, dtypes.string, name="filename"))

    if num_parallel_reads is None:
        return filenames.flat_map(read_one_file)
    if isinstance(num_parallel_reads, int) and num_parallel_reads == AUTOTUNE:
        return filenames.interleave(read_one_file, num_parallel_calls=num_parallel_reads)
    return OldParallelInterleaveDataset(filenames, read_one_file, num_parallel_reads, 1)


class OldParallelInterleaveDataset(DatasetFunctionDataset):
    """Interleaves the datasets returned by a function, each of which is read by its own thread."""

    _name = "tf.data.experimental.parallel_interleave()"

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
        sloppy: Any = False,
        buffer_output_elements: Any = None,
        prefetch_input_elements: Any = None,
    ):
        self._build(input_dataset, map_func)
        settings = (
            int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"),
            ops.convert_to_tensor(sloppy, dtype=dtypes.bool, name="sloppy"),
            _or_default(
                buffer_output_elements, 2 * block_length, dtypes.int64, "buffer_output_elements"
            ),
            _or_default(
                prefetch_input_elements, 2 * cycle_length, dtypes.int64, "prefetch_input_elements"
            ),
        )
        self._add(
            raw.ParallelInterleaveDataset,
            input_dataset,
            self._captured_inputs(),
            *settings,
            f=self._attr(),
        )


class _FileDataset(DatasetV1Adapter):
    """Base class of file datasets."""

    def __init__(
        self, filenames: TensorLike, make: Callable[..., Any], num_parallel_reads: TensorLike
    ):
        self._filenames = _filenames(filenames)
        reader = _reader(make, self._filenames, num_parallel_reads)
        super().__init__(reader)

    @property
    def element_spec(self) -> Any:
        """The TypeSpec of a scalar string."""
        return _TEXT


class _CompressedFileDataset(_FileDataset):
    """Base class of datasets of files that may be compressed."""

    _read: Callable

    def __init__(
        self,
        filenames: TensorLike,
        compression_type: TensorLike | None = None,
        buffer_size: TensorLike | None = None,
        num_parallel_reads: TensorLike | None = None,
    ):
        def make(filename: Any) -> Any:
            compression = _compression(compression_type)
            size = _or_default(buffer_size, _BUFFER, dtypes.int64, "buffer_size")
            return KnownSpecDataset(type(self)._read(filename, compression, size), _TEXT)

        super().__init__(filenames, make, num_parallel_reads)


class TextLineDatasetV1(_CompressedFileDataset):
    """The lines of text files, without their line endings.

    Args:
      filenames: file names, as strings, a string tensor, or a dataset of scalars.
      compression_type: "", "ZLIB" or "GZIP".
      buffer_size: size of the read buffer in bytes; recorded in the graph, otherwise unused.
      num_parallel_reads: number of files to read in parallel; by default sequential.
    """

    _read = raw.TextLineDataset


class TFRecordDatasetV1(_CompressedFileDataset):
    """The records of TFRecord files, each as a scalar string.

    The arguments are as in `tf.data.TextLineDataset`.

    Raises:
      TypeError: for a dataset of other elements.
      NotFoundError: at run time, for a missing file.
      DataLossError: at run time, for a corrupt file.

    Example: `tf.data.TFRecordDataset(["a.tfrecord"]).map(parse).shuffle(1000).batch(32)`.
    """

    _read = raw.TFRecordDataset


class FixedLengthRecordDatasetV1(_FileDataset):
    """Fixed-length records of binary files.

    The other arguments are as in `tf.data.TextLineDataset`.

    Args:
      record_bytes: size of a record in bytes.
      header_bytes, footer_bytes: number of bytes to skip at the start and end of each file.
    """

    def __init__(
        self,
        filenames: TensorLike,
        record_bytes: TensorLike,
        header_bytes: TensorLike | None = None,
        footer_bytes: TensorLike | None = None,
        buffer_size: TensorLike | None = None,
        compression_type: TensorLike | None = None,
        num_parallel_reads: TensorLike | None = None,
    ):
        def make(filename: Any) -> Any:
            size = int64(record_bytes, "record_bytes")
            header = _or_default(header_bytes, 0, dtypes.int64, "header_bytes")
            footer = _or_default(footer_bytes, 0, dtypes.int64, "footer_bytes")
            buffer = _or_default(buffer_size, _BUFFER, dtypes.int64, "buffer_size")
            compression = _compression(compression_type)
            handle = raw.FixedLengthRecordDatasetV2(
                filename, header, size, footer, buffer, compression
            )
            return KnownSpecDataset(handle, _TEXT)

        super().__init__(filenames, make, num_parallel_reads)


registry.register_dataset(TFRecordDatasetV1)
