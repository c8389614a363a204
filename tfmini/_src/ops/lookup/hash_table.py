"""Lookup tables: their resource in a session, and the ops that fill, read and change it.

The value of a table's handle at run time is the `Table` itself. It belongs to the session, under the
name that its node shares or its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import (
    AbortedError,
    FailedPreconditionError,
    InvalidArgumentError,
    UnimplementedError,
    invalid,
)
from tfmini._src.base.locks import make_rlock
from tfmini._src.devices.native.strings import Index
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.op_traits.handle_kinds import TABLE, Resource
from tfmini._src.graph.opdef import Attr, taking
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    merge,
    scalar,
    with_rank,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.ops.lookup.text_file_columns import (
    check_index,
    columns_of,
    lines_of,
    shown,
)
from tfmini._src.ops.operands import bare, c_name, dense, shape_text
from tfmini._src.ops.string.string_elements import shape_of, single, vector

op = taking(table_handle=TABLE)

_TYPE = Attr("type")
_SHARED: dict[str, Any] = {"container": "", "shared_name": "", "use_node_name_sharing": False}


class Table(Resource):
    """Keys and values; a table that is not mutable is filled once.

    name: what errors call it.
    """

    resource_kind = TABLE

    name = ""

    def __init__(self, key_dtype: Any, value_dtype: Any, value_shape: tuple, is_mutable: bool):
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self.value_shape = value_shape
        self.is_mutable = is_mutable
        self.lock = make_rlock()
        self.items: dict[Any, Any] = {}
        self.is_filled = is_mutable
        self._native: Index | None = None

    def check(self, keys: Any, values: Any = None, gives_values: bool = False) -> None:
        """Raises InvalidArgumentError where keys or values have other dtypes than the table's."""
        kinds = [_name_of(keys)] if values is None else [_name_of(keys), _name_of(values)]
        wanted = [self.key_dtype.name, self.value_dtype.name][: len(kinds)]
        if kinds != wanted:
            have, want = (
                ", ".join(["resource", *names]) + "->" + (names[1] if gives_values else "")
                for names in map(_c_names, (kinds, wanted))
            )
            invalid(f"Signature mismatch, have: {have} expected: {want}")

    def find(self, keys: Any, default: Any) -> Any:
        """The value of each key, `default` where there is none."""
        self.check(keys, default, gives_values=True)
        if shape_of(default) != self.value_shape:
            invalid(
                f"Expected shape {shape_text(self.value_shape)} for default value, got "
                f"{shape_text(shape_of(default))}"
            )
        if not self.is_filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        keys = dense(keys)
        fallback = _plain(default)
        index = self._index()
        found = None if index is None else index.find(keys, fallback)
        if found is not None:
            return bare(found)
        get, asked = self.items.get, keys.ravel().tolist()
        with self.lock:
            found = map(get, asked, itertools.repeat(fallback))
            if self.value_shape or self.value_dtype is dtypes.string:
                return bare(self._array(list(found), keys.shape))
            kind = self.value_dtype.as_numpy_dtype
            return bare(np.fromiter(found, kind, keys.size).reshape(keys.shape))

    def _index(self) -> Index | None:
        """The integers of words in a table that does not change, as a kernel finds them."""
        if self.is_mutable or self.key_dtype is not dtypes.string:
            return None
        if self.value_dtype is not dtypes.int64:
            return None
        with self.lock:
            if self._native is None:
                values = np.fromiter(self.items.values(), np.int64, len(self.items))
                self._native = Index(vector(self.items), values)
            return self._native

    def _array(self, values: list, shape: tuple) -> Any:
        if self.value_dtype is dtypes.string:
            result = np.empty((len(values), *self.value_shape), object)
            result[:] = values
        else:
            result = np.array(values, self.value_dtype.as_numpy_dtype)
        return result.reshape((*shape, *self.value_shape))

    def check_shapes(self, keys: Any, values: Any) -> None:
        want = (*shape_of(keys), *self.value_shape)
        if shape_of(values) != want:
            invalid(
                f"Expected shape {shape_text(want)} for value, got {shape_text(shape_of(values))}"
            )

    def fill(self, keys: list, values: list) -> None:
        """Fills the table; if it is filled, only the number of keys is compared."""
        with self.lock:
            if self.is_filled:
                if len(keys) != len(self.items):
                    text = "Table was already initialized with different data."
                    raise FailedPreconditionError(None, None, text)
                return
            items: dict[Any, Any] = {}
            for key, value in zip(keys, values):
                if items.setdefault(key, value) != value:
                    raise FailedPreconditionError(
                        None,
                        None,
                        "HashTable has different value for same key. Key "
                        f"{shown(key)} has {shown(items[key])} and trying to add value "
                        f"{shown(value)}",
                    )
            self.items = items
            self.is_filled = True

    def insert(self, keys: Any, values: Any, is_whole: bool = False) -> None:
        """Inserts keys and values; `is_whole`: they replace all others."""
        self.check(keys, values)
        self.check_shapes(keys, values)
        pairs = zip(_listed(keys, 0), _listed(values, len(self.value_shape)))
        if not self.is_mutable:
            if is_whole:
                if not np.size(keys):
                    invalid("keys and values cannot be empty tensors.")
                self.fill(*map(list, zip(*pairs)))
                return
            self._refuse("Insert")
        with self.lock:
            if is_whole:
                self.items = {}
            self.items.update(pairs)

    def initialize(self, keys: Any, values: Any) -> None:
        """Fills the table; raises InvalidArgumentError for one that is mutable."""
        self.check_initializable()
        self.check(keys, values)
        for what, vector_of in (("Keys", keys), ("Values", values)):
            if len(shape_of(vector_of)) != 1:
                shape = shape_text(shape_of(vector_of))
                invalid(f"{what} must be a vector, but received shape{shape}")
        if len(keys) != len(values):
            invalid(f"Keys and values must have the same size {len(keys)} vs {len(values)}")
        self.insert(keys, values, is_whole=True)

    def check_initializable(self) -> None:
        if self.is_mutable:
            invalid(f"Table {self.name} is not initializable")

    def _refuse(self, action: str) -> None:
        text = f"{action} not supported by InitializableLookupTable implementations"
        raise UnimplementedError(None, None, text)

    def size(self) -> int:
        return len(self.items)

    def remove(self, keys: Any) -> None:
        if not self.is_mutable:
            self._refuse("Remove")
        with self.lock:
            for key in _listed(keys, 0):
                self.items.pop(key, None)

    def export(self) -> tuple:
        """All keys and their values."""
        if not self.is_filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        with self.lock:
            keys, values = list(self.items), list(self.items.values())
        if self.key_dtype is dtypes.string:
            array = np.empty(len(keys), object)
            array[:] = keys
        else:
            array = np.array(keys, self.key_dtype.as_numpy_dtype)
        return array, self._array(values, (len(keys),))


def _name_of(value: Any) -> str:
    if value.__class__ is bytes or value.dtype == object:
        return "string"
    return dtypes.as_dtype(value.dtype).name


def _c_names(names: list[str]) -> list[str]:
    return [{"float32": "float", "float64": "double"}.get(name, name) for name in names]


def _plain(value: Any) -> Any:
    """A value as a table keeps it: a Python scalar, or a list."""
    return value if value.__class__ is bytes else value.tolist()


def _listed(value: Any, inner: int) -> list:
    """The elements of a tensor, each of which has `inner` axes."""
    array = dense(value)
    rest = array.shape[array.ndim - inner :]
    return array.reshape(-1, *rest).tolist()


def _table(ctx: Any, value_shape: tuple, is_mutable: bool) -> Table:
    attrs = ctx.op.attrs
    return named_table(
        ctx, lambda: Table(attrs["key_dtype"], attrs["value_dtype"], value_shape, is_mutable)
    )


def named_table(ctx: Any, make: Callable[[], Table]) -> Table:
    """The table of a node, made at its first use."""
    container, name = ctx.op.attrs["container"], ctx.op.attrs["shared_name"] or ctx.op.name

    def named() -> Table:
        table = make()
        table.name = f"{container or 'localhost'} {name}"
        return table

    table = ctx.resources.named(("table", container, name), named)
    wanted = ctx.op.attrs["key_dtype"], ctx.op.attrs["value_dtype"]
    if wanted != (table.key_dtype, table.value_dtype):
        asked, held = map(c_name, wanted), map(c_name, (table.key_dtype, table.value_dtype))
        kinds = f"{'->'.join(asked)} with {'-'.join(held)}"
        invalid(f"Conflicting key/value dtypes {kinds} for table {name}")
    return table


@op(
    "HashTableV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARED,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
)
def hash_table_v2_op(ctx):
    return _table(ctx, (), False)


@op(
    "MutableHashTableV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARED,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
)
def mutable_hash_table_v2_op(ctx):
    return _table(ctx, (), True)


@op(
    "MutableHashTableOfTensorsV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARED,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
    value_shape=Attr("shape", []),
)
def mutable_hash_table_of_tensors_v2_op(ctx):
    value_shape = tuple(ctx.op.attrs["value_shape"] or ())
    if len(value_shape) != 1:
        invalid(f"Default value must be a vector, got shape {shape_text(value_shape)}")
    return _table(ctx, value_shape, True)


@op(
    "InitializeTableV2",
    "table_handle: resource, keys: Tkey, values: Tval -> ",
    stateful=True,
    Tkey=_TYPE,
    Tval=_TYPE,
)
def initialize_table_v2_op(xp, table, keys, values):
    table.initialize(keys, values)
    return ()


@op(
    "LookupTableImportV2",
    "table_handle: resource, keys: Tin, values: Tout -> ",
    stateful=True,
    Tin=_TYPE,
    Tout=_TYPE,
)
def lookup_table_import_v2_op(xp, table, keys, values):
    table.insert(keys, values, is_whole=True)
    return ()


@op(
    "LookupTableInsertV2",
    "table_handle: resource, keys: Tin, values: Tout -> ",
    stateful=True,
    Tin=_TYPE,
    Tout=_TYPE,
)
def lookup_table_insert_v2_op(xp, table, keys, values):
    table.insert(keys, values)
    return ()


@op("LookupTableRemoveV2", "table_handle: resource, keys: Tin -> ", stateful=True, Tin=_TYPE)
def lookup_table_remove_v2_op(xp, table, keys):
    table.check(keys)
    table.remove(keys)
    return ()


@op(
    "LookupTableFindV2",
    "table_handle: resource, keys: Tin, default_value: Tout -> values: Tout",
    stateful=True,
    Tin=_TYPE,
    Tout=_TYPE,
)
def lookup_table_find_v2_op(xp, table, keys, default_value):
    return table.find(keys, default_value)


@op("LookupTableSizeV2", "table_handle: resource -> size: int64", stateful=True)
def lookup_table_size_v2_op(xp, table):
    return np.int64(table.size())


@op(
    "LookupTableExportV2",
    "table_handle: resource -> keys: Tkeys, values: Tvalues",
    stateful=True,
    Tkeys=_TYPE,
    Tvalues=_TYPE,
)
def lookup_table_export_v2_op(xp, table):
    return table.export()


@op(
    "InitializeTableFromTextFileV2",
    "table_handle: resource, filename: string -> ",
    stateful=True,
    key_index=Attr("int", minimum=-2),
    value_index=Attr("int", minimum=-2),
    vocab_size=Attr("int", -1, minimum=-1),
    delimiter="\t",
    uses_files=True,
)
def initialize_table_from_text_file_v2_op(
    xp, table, filename, *, key_index, value_index, vocab_size, delimiter
):
    separator = to_bytes(delimiter)
    if len(separator) != 1:
        invalid("delimiter should be only 1 char")
    table.check_initializable()
    kinds = (("Key", key_index, table.key_dtype), ("Value", value_index, table.value_dtype))
    for what, index, dtype in kinds:
        check_index(what, index, dtype)
    path = single(filename)
    lines = lines_of(path, vocab_size)
    if table.is_filled:
        return ()

    def fields(first: int, last: int) -> list[list]:
        return [
            columns_of(path, lines, index, dtype, separator, first, last)
            for _, index, dtype in kinds
        ]

    try:
        pairs = fields(0, len(lines))
    except InvalidArgumentError:
        for number in range(len(lines)):  # the first line that is wrong is the one to name
            fields(number, number + 1)
        raise
    table.fill(*pairs)
    return ()


for _maker in (hash_table_v2_op, mutable_hash_table_v2_op, mutable_hash_table_of_tensors_v2_op):
    _maker.infer(scalar)
    _maker.not_differentiable()


def _made_by(handle: Any) -> Any:
    """The node of a mutable table behind a handle, whose attrs say more than the handle, or None."""
    made = handle.op
    while made.type in ("Identity", "Enter", "Switch"):
        made = made.inputs[0].op
    return made if made.type.startswith(("MutableHashTable", "MutableDense")) else None


def _value_dims(made: Any) -> Dims:
    value = made.attrs.get("value_shape", ())
    return None if value is None else tuple(value)


@lookup_table_find_v2_op.infer
def _(op) -> Dims:
    handle, keys, default = op.inputs
    with_rank(handle._dims, 0)
    with_rank_at_most(default._dims, 1)
    made = _made_by(handle)
    if made is None:
        return None
    for held, given in (("key_dtype", "Tin"), ("value_dtype", "Tout")):
        want, got = made.attrs[held], op.attrs[given]
        if want is not got:
            raise InferenceError(
                f"Trying to read value with wrong dtype. Expected {want.proto_name} got "
                f"{got.proto_name}"
            )
    value = _value_dims(made)
    held_keys: Dims = made.inputs[0]._dims if made.inputs else ()
    if keys._dims is None or value is None or held_keys is None:
        return None
    return (*keys._dims[: len(keys._dims) - len(held_keys)], *value)


@lookup_table_export_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    made = _made_by(op.inputs[0])
    value = None if made is None else _value_dims(made)
    return [(None,), None if value is None else (None, *value)]


@initialize_table_v2_op.infer
@lookup_table_import_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    merge(with_rank(op.inputs[1]._dims, 1), op.inputs[2]._dims)
    return []


@lookup_table_insert_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    return []


@lookup_table_remove_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    with_rank_at_least(op.inputs[1]._dims, 1)
    return []


@initialize_table_from_text_file_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    with_rank(op.inputs[1]._dims, 0)
    return []


@lookup_table_size_v2_op.infer
def _(op) -> Dims:
    return with_rank(op.inputs[0]._dims, 0)


for _user in (
    initialize_table_v2_op,
    initialize_table_from_text_file_v2_op,
    lookup_table_find_v2_op,
    lookup_table_insert_v2_op,
    lookup_table_size_v2_op,
):
    _user.not_differentiable()
