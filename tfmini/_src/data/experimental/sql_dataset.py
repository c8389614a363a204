"""Datasets of SQL query results."""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import flat_shapes, flat_types
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


class SqlDatasetV1(DatasetV1Adapter):
    """The rows of an SQL query, read by Python's sqlite3.

    Args:
      driver_name: "sqlite".
      data_source_name: path of the database file.
      query: a SELECT statement.
      output_types: a tuple of dtypes, one for each column: string, bool, float64, or an integer.

    Raises:
      InvalidArgumentError: at run time, for another driver, dtype or number of columns.
      UnknownError: at run time, for SQLite errors.

    Example: `tf.data.experimental.SqlDataset("sqlite", path, "SELECT name, age FROM people", (tf.string,
      tf.int32))`.
    """

    def __init__(
        self,
        driver_name: TensorLike,
        data_source_name: TensorLike,
        query: TensorLike,
        output_types: Sequence[DTypeLike],
    ):
        args = {"driver_name": driver_name, "data_source_name": data_source_name, "query": query}
        texts = [
            ops.convert_to_tensor(value, dtype=dtypes.string, name=name)
            for name, value in args.items()
        ]
        spec = dataset_nest.map_structure(lambda dtype: TensorSpec([], dtype), output_types)
        handle = raw.SqlDataset(
            *texts, output_types=flat_types(spec), output_shapes=flat_shapes(spec)
        )
        super().__init__(KnownSpecDataset(handle, spec))
