"""Ops that create, fill, read and modify lookup tables.

The run-time value of a handle is the `Table` itself, which the session owns under the shared name
of its node or the name of the node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.op_traits.handle_kinds import TABLE
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    checked_ranks,
    merge,
    scalar,
    with_rank,
    with_rank_at_least,
    with_rank_at_most,
)
from tfmini._src.ops.lookup.table import Table
from tfmini._src.ops.lookup.text_file_columns import check_index, read_columns, read_lines
from tfmini._src.ops.operands import c_name, shape_text
from tfmini._src.ops.string.string_elements import scalar_string

op = op_with_handles(table_handle=TABLE)

_TYPE = Attr("type")
_SHARING_ATTRS: dict[str, Any] = {
    "container": "",
    "shared_name": "",
    "use_node_name_sharing": False,
}


def _find_or_create(ctx: Any, value_shape: tuple, is_mutable: bool) -> Table:
    attrs = ctx.op.attrs
    return find_or_create_table(
        ctx, lambda: Table(attrs["key_dtype"], attrs["value_dtype"], value_shape, is_mutable)
    )


def find_or_create_table(ctx: Any, make: Callable[[], Table]) -> Table:
    """Returns the table of a node, which is created on first use."""
    attrs, node = ctx.op.attrs, ctx.op.name
    container, name = attrs["container"], attrs["shared_name"] or node
    is_private = not (attrs["shared_name"] or attrs["use_node_name_sharing"])

    def get_table() -> Table:
        table = make()
        table.name = f"{container or 'localhost'} {name}"
        return table

    table = ctx.resources.named(("table", container, (node,) if is_private else name), get_table)
    expected = attrs["key_dtype"], attrs["value_dtype"]
    if expected != (table.key_dtype, table.value_dtype):
        requested, actual = map(c_name, expected), map(c_name, (table.key_dtype, table.value_dtype))
        dtypes_text = f"{'->'.join(requested)} with {'-'.join(actual)}"
        invalid(f"Conflicting key/value dtypes {dtypes_text} for table {name}")
    return table


@op(
    "HashTableV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARING_ATTRS,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
)
def hash_table_v2_op(ctx):
    return _find_or_create(ctx, (), False)


@op(
    "MutableHashTableV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARING_ATTRS,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
)
def mutable_hash_table_v2_op(ctx):
    return _find_or_create(ctx, (), True)


@op(
    "MutableHashTableOfTensorsV2",
    "-> table_handle: resource",
    stateful=True,
    **_SHARING_ATTRS,
    key_dtype=_TYPE,
    value_dtype=_TYPE,
    value_shape=Attr("shape", []),
)
def mutable_hash_table_of_tensors_v2_op(ctx):
    value_shape = tuple(ctx.op.attrs["value_shape"] or ())
    if len(value_shape) != 1:
        invalid(f"Default value must be a vector, got shape {shape_text(value_shape)}")
    return _find_or_create(ctx, value_shape, True)


@op(
    "InitializeTableV2",
    "table_handle: resource, keys: Tkey, values: Tval -> ",
    differentiable=False,
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
    table.insert(keys, values, replaces_all=True)
    return ()


@op(
    "LookupTableInsertV2",
    "table_handle: resource, keys: Tin, values: Tout -> ",
    infer=checked_ranks(0, result=[]),
    differentiable=False,
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
    differentiable=False,
    stateful=True,
    Tin=_TYPE,
    Tout=_TYPE,
)
def lookup_table_find_v2_op(xp, table, keys, default_value):
    return table.find(keys, default_value)


@op(
    "LookupTableSizeV2",
    "table_handle: resource -> size: int64",
    infer=lambda op: with_rank(op.inputs[0]._dims, 0),
    differentiable=False,
    stateful=True,
)
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
    infer=checked_ranks(0, 0, result=[]),
    differentiable=False,
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
    columns = (("Key", key_index, table.key_dtype), ("Value", value_index, table.value_dtype))
    for column, index, dtype in columns:
        check_index(column, index, dtype)
    path = scalar_string(filename)
    lines = read_lines(path, vocab_size)
    if table.is_filled:
        return ()

    def fields(first: int, last: int) -> list[list]:
        return [
            read_columns(path, lines, index, dtype, separator, first, last)
            for _, index, dtype in columns
        ]

    try:
        pairs = fields(0, len(lines))
    except InvalidArgumentError:
        for line in range(len(lines)):  # errors name the first malformed line
            fields(line, line + 1)
        raise
    table.fill(*pairs)
    return ()


for _maker in (hash_table_v2_op, mutable_hash_table_v2_op, mutable_hash_table_of_tensors_v2_op):
    _maker.infer(scalar)
    _maker.differentiable = False


def _producer_node(handle: Any) -> Any:
    """Returns the node of the mutable table behind a handle, or None; its attrs have more details than the handle."""
    result = handle.op
    while result.type in ("Identity", "Enter", "Switch"):
        result = result.inputs[0].op
    return result if result.type.startswith(("MutableHashTable", "MutableDense")) else None


def _value_dims(table: Any) -> Dims:
    value = table.attrs.get("value_shape", ())
    return None if value is None else tuple(value)


@lookup_table_find_v2_op.infer
def _(op) -> Dims:
    handle, keys, default = op.inputs
    with_rank(handle._dims, 0)
    with_rank_at_most(default._dims, 1)
    result = _producer_node(handle)
    if result is None:
        return None
    _check_dtypes(result, op, "Tin", "Tout")
    value = _value_dims(result)
    held_keys: Dims = result.inputs[0]._dims if result.inputs else ()
    if keys._dims is None or value is None or held_keys is None:
        return None
    return (*keys._dims[: len(keys._dims) - len(held_keys)], *value)


def _check_dtypes(table: Any, op: Any, keys: str, values: str) -> None:
    """Checks two attrs of an op against the dtypes of the table that the op reads."""
    for attr, item in (("key_dtype", keys), ("value_dtype", values)):
        want, actual = table.attrs[attr], op.attrs[item]
        if want is not actual:
            raise InferenceError(
                f"Trying to read value with wrong dtype. Expected {want.proto_name} got "
                f"{actual.proto_name}"
            )


@lookup_table_export_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    output = _producer_node(op.inputs[0])
    if output is not None:
        _check_dtypes(output, op, "Tkeys", "Tvalues")
    value = None if output is None else _value_dims(output)
    return [(None,), None if value is None else (None, *value)]


@initialize_table_v2_op.infer
@lookup_table_import_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    merge(with_rank(op.inputs[1]._dims, 1), op.inputs[2]._dims)
    return []


@lookup_table_remove_v2_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    with_rank_at_least(op.inputs[1]._dims, 1)
    return []
