"""Tables with hash buckets for missing keys."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.static_hash_table import (
    LookupInterface,
    StaticHashTable,
    check_keys,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.data.lookup_tables.initializers import TableInitializerBase


class HasherSpec(namedtuple("HasherSpec", ["hasher", "key"])):
    """A hash function from keys to buckets: "fasthash", "stronghash" (keyed) or "legacy"."""

    __slots__ = ()


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """The keyed hash; without the key, strings that collide in a bucket are infeasible to construct.

    Args:
      key: a list of two 64-bit integers.

    Raises:
      ValueError: for another number of integers.
      TypeError: for other elements.
    """

    __slots__ = ()

    def __new__(cls, key: Any) -> Any:
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(part, int) for part in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", key)


def _hash_function(spec: Any) -> Callable:
    if spec.hasher == "fasthash":
        return ops.string_to_hash_bucket_fast
    if spec.hasher == "legacy":
        return ops.string_to_hash_bucket
    if spec.hasher == "stronghash":
        return functools.partial(ops.string_to_hash_bucket_strong, key=spec.key)
    raise ValueError(f"Unknown hasher {spec.hasher}")


def _check_lookup_dtype(key_dtype: Any, dtype_to_check: Any, dtype: Any, description: Any) -> None:
    """Raises TypeError if a table does not support lookup keys of `dtype`."""
    supported = (dtypes.int64, dtypes.string)
    if key_dtype not in supported:
        raise TypeError(f"Invalid key dtype, expected one of {supported}, but got {description}.")
    if key_dtype.is_integer != dtype.is_integer:
        expected_type = "integer" if dtype.is_integer else "non-integer"
        raise TypeError(f"Invalid key dtype, expected {expected_type} but got {key_dtype}.")
    if dtype_to_check != dtypes.int64:
        raise TypeError(f"Invalid value dtype, expected {dtypes.int64} but got {dtype_to_check}.")


class _HashBucketTable(LookupInterface):
    """Base class of id tables with hash buckets, whose ids follow the ids of the table."""

    _table: Any
    _num_oov_buckets: int
    _hasher_spec: Any = FastHashSpec
    _table_name: str | None
    name: Any = read_only("The name of the table.", "_table_name")

    def _create_resource(self) -> Any:
        return None if self._table is None else self._table._create_resource()

    def _initialize(self) -> Any:
        return self._no_op() if self._table is None else self._table._initialize()

    def _no_op(self) -> Any:
        with name_scope(None, "init"):
            return ops.no_op()

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        return self._no_op() if self._table is None else self._table.initializer

    @property
    def resource_handle(self) -> Any:
        """The handle of the table, or None."""
        return None if self._table is None else self._table.resource_handle

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of ids: the table size plus the number of buckets."""
        with name_scope(name, f"{self.name}_Size"):
            if self._table is not None:
                size = self._table.size()
            else:
                size = ops.convert_to_tensor(0, dtype=dtypes.int64)
            return size + self._num_oov_buckets

    def _values(self, keys: Any) -> Tensor:
        check_keys(self, keys)
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table is not None and self._table.key_dtype.base_dtype == dtypes.int64:
            values = ops.cast(values, dtypes.int64)
        return values

    def _ids(self, values: Tensor) -> Tensor:
        """Returns ids from the table, or hash bucket ids for missing keys."""
        strings = values
        hash_function = _hash_function(self._hasher_spec)
        if values.dtype.base_dtype != dtypes.string:
            strings = ops.as_string(values)
        buckets = hash_function(strings, num_buckets=self._num_oov_buckets, name="hash_bucket")
        if self._table is None:
            return buckets
        ids = self._table.lookup(values)
        buckets = ops.add(buckets, self._table.size())
        is_known = ops.not_equal(ids, self._table.default_value)
        return ops.where_v2(is_known, ids, buckets)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Returns the id of each key, or its hash bucket id if it is missing from the table.

        Args:
          keys: a Tensor or SparseTensor of the key dtype of the table.

        Returns:
          An int64 Tensor or SparseTensor with the shape of `keys`.

        Raises:
          TypeError: if `keys` is of another dtype.
        """
        values = self._values(keys)
        if self._num_oov_buckets == 0:
            ids = self._table.lookup(values, name=name)
        else:
            with name_scope(name, f"{self.name}_Lookup"):
                ids = self._ids(values)
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, ids, keys.dense_shape)
        return ids


class IdTableWithHashBuckets(_HashBucketTable):
    """A table from keys to ids, with hash buckets for out-of-vocabulary keys.

    Args:
      table: a table with int64 values; None maps all keys to buckets.
      num_oov_buckets: number of out-of-vocabulary buckets, with ids after the ids of the table.
      hasher_spec: a HasherSpec.
      name: the name of the table.
      key_dtype: the dtype of lookup keys.

    Raises:
      ValueError: if there are neither a table nor buckets.
      TypeError: if a dtype is incompatible with the table.
    """

    def __init__(
        self,
        table: LookupInterface,
        num_oov_buckets: int,
        hasher_spec: HasherSpec = FastHashSpec,
        name: str | None = None,
        key_dtype: Any = None,
    ):
        name = name.rstrip("/") if name else name
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            _check_lookup_dtype(table.key_dtype, table.value_dtype, key_dtype, key_dtype)
            self._table = table
            name = name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            self._table = None
            name = name or "hash_bucket"
        if not key_dtype.is_integer and dtypes.string != key_dtype:
            raise TypeError(f"Invalid key_dtype, expected integer or string, got {key_dtype}.")
        self._num_oov_buckets = num_oov_buckets
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        self._hasher_spec = hasher_spec
        self._table_name = name.split("/")[-1] if name else None
        super().__init__(key_dtype, dtypes.int64)

    @property
    @deprecated("2018-12-15", "Use `initializer` instead.")
    def init(self) -> Any:
        """The operation that fills the table; older name of `initializer`."""
        return self.initializer


class StaticVocabularyTable(_HashBucketTable):
    """A table from keys to ids, filled by an initializer, with hash buckets for out-of-vocabulary keys.

    Args:
      initializer: initializer of the table, with int64 values; None maps all keys to buckets.
      num_oov_buckets: number of out-of-vocabulary buckets, with ids after the ids of the table.
      lookup_key_dtype: the dtype of lookup keys.
      name: the name of the table.

    Raises:
      ValueError: if `num_oov_buckets` is not positive.
      TypeError: if a dtype is incompatible with the initializer.
    """

    def __init__(
        self,
        initializer: TableInitializerBase,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
    ):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        name = name.rstrip("/") if name else name
        if initializer:
            key_dtype = initializer.key_dtype
            lookup_key_dtype = key_dtype if lookup_key_dtype is None else lookup_key_dtype
            _check_lookup_dtype(key_dtype, initializer.value_dtype, lookup_key_dtype, key_dtype)
            self._table = StaticHashTable(initializer, default_value=-1)
            name = name or self._table.name
        else:
            lookup_key_dtype = dtypes.string
            self._table = None
            name = name or "hash_bucket"
        if not lookup_key_dtype.is_integer and dtypes.string != lookup_key_dtype:
            raise TypeError(
                f"Invalid key_dtype, expected integer or string, got {lookup_key_dtype}."
            )
        self._num_oov_buckets = num_oov_buckets
        self._table_name = None if name is None else name.split("/")[-1]
        super().__init__(lookup_key_dtype, dtypes.int64)
