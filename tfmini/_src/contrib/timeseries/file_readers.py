"""Readers of a series from CSV files or files of serialized examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.readers import Features, ReaderBaseTimeSeriesParser
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.queues.reader import TextLineReader, TFRecordReader

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


def _check_columns(names: Any) -> None:
    for required in (_TIMES, _VALUES):
        if required not in names:
            raise ValueError(f"'{required}' is a required column.")


class CSVReader(ReaderBaseTimeSeriesParser):
    """Reads a series from CSV files, one line per time.

    Args:
      filenames: a file name, or a list of them.
      column_names: feature name of each column, "times" once and "values" at least once; columns of the same name
        are stacked, [length, columns].
      column_dtypes: the dtype of each column; by default int64 for times and float32 for others.
      skip_header_lines: number of lines to skip at the beginning of each file.
      read_num_records_hint: number of lines read at a time.

    Raises:
      ValueError: if a column is missing, times occur twice, or the numbers of dtypes and names differ.

    Example: `tf.contrib.timeseries.CSVReader("series.csv", column_names=("times", "values", "values"))`.
    """

    def __init__(
        self,
        filenames: Any,
        column_names: Sequence[str] = (_TIMES, _VALUES),
        column_dtypes: Sequence[DTypeLike] | None = None,
        skip_header_lines: int | None = None,
        read_num_records_hint: int = 4096,
    ):
        _check_columns(column_names)
        if column_dtypes is not None and len(column_dtypes) != len(column_names):
            raise ValueError(
                "If specified, the length of column_dtypes must match the length of column_names"
                f" (got column_dtypes={column_dtypes} and column_names={column_names})."
            )
        if sum(name == _TIMES for name in column_names) != 1:
            raise ValueError(
                f"Got more than one times column ('{_TIMES}'), but exactly one is required."
            )
        self._column_names = column_names
        self._column_dtypes = column_dtypes
        self._skip_header_lines = skip_header_lines
        super().__init__(filenames, read_num_records_hint)

    def _get_reader(self) -> Any:
        return TextLineReader(skip_header_lines=self._skip_header_lines)

    def _process_records(self, lines: Tensor) -> Features:
        if self._column_dtypes is None:
            defaults = [
                (ops.zeros([], dtypes.int64),) if name == _TIMES else ()
                for name in self._column_names
            ]
        else:
            defaults = [(ops.zeros([], dtype),) for dtype in self._column_dtypes]
        columns: dict[str, list[Tensor]] = {}
        for name, column in zip(self._column_names, ops.decode_csv(lines, defaults)):
            columns.setdefault(name, []).append(column)
        return {
            name: values[0] if name == _TIMES else ops.stack(values, axis=1)
            for name, values in columns.items()
        }


class TFExampleReader(ReaderBaseTimeSeriesParser):
    """Reads a series from TFRecord files of serialized `tf.train.Example`s, one per time.

    Args:
      filenames: a file name, or a list of them.
      features: parsing specs by feature name, as in `tf.parse_example`, including "times" and "values".

    Raises:
      ValueError: if times or values are missing.
    """

    def __init__(self, filenames: Any, features: Any):
        _check_columns(features)
        self._features = features
        super().__init__(filenames)

    def _get_reader(self) -> Any:
        return TFRecordReader()

    def _process_records(self, examples: Tensor) -> Features:
        return ops.parse_example(serialized=examples, features=self._features)
