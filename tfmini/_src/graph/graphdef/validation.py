"""Validation of NodeDefs against op declarations, with TensorFlow's checks, order and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.base import dtypes, proto
from tfmini._src.graph import nodedef
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.op_def_summary import op_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfmini._src.graph.opdef import Attr, OpDef
    from tfmini._src.graph.tensor import Tensor

_MAX_LISTED = 1000  # maximum number of inputs listed in a message
# Maximum per node with a variable number of inputs or outputs.
MAX_OUTPUTS = nodedef.MAX_TENSORS

_ATTR_TYPES = {
    "s": "string",
    "i": "int",
    "f": "float",
    "b": "bool",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}


def checked_attrs(node: proto.NodeDef, opdef: OpDef, name: str) -> Attrs:
    """Returns the attrs of a NodeDef as plain values, with defaults filled in, undeclared ones last."""
    declared_attrs = opdef.attrs
    attr_values = node.attr
    for key in attr_values:
        if key.startswith("_"):
            continue
        if key not in declared_attrs:
            raise ValueError(_not_declared(key, opdef, name))
        # Attr of an uninstantiated function.
        if attr_values[key].WhichOneof("value") == "placeholder":
            shapes = "" if node.input else " with input shapes: ."
            raise ValueError(
                f"AttrValue had value with unexpected type 'placeholder' for '{name}' "
                f"(op: '{node.op}'){shapes}"
            )
        problem = attr_error(attr_values[key], declared_attrs[key], opdef, name)
        if problem:
            raise ValueError(problem)
    missing = sorted(
        k for k, attr in declared_attrs.items() if attr.required and k not in attr_values
    )
    if missing:
        plural, names = "s" if len(missing) > 1 else "", "', '".join(missing)
        raise ValueError(
            f"NodeDef missing attr{plural} '{names}' from {op_summary(opdef)}; "
            f"NodeDef: {{{{node {name}}}}}"
        )
    attrs = {
        key: nodedef.python_value(attr_values[key], attr) if key in attr_values else attr.default
        for key, attr in declared_attrs.items()
    }
    attrs.update(
        (key, nodedef.python_value(attr_values[key], None))
        for key in attr_values
        if key not in declared_attrs
    )
    return attrs


def _not_declared(key: str, opdef: OpDef, name: str) -> str:
    return (
        f"NodeDef mentions attr '{key}' not in {op_summary(opdef)}; NodeDef: {{{{node {name}}}}}. (Check whether "
        "your GraphDef-interpreting binary is up to date with your GraphDef-generating binary.)."
    )


def check_new_node(opdef: OpDef, name: str, inputs: Sequence[Tensor], attrs: Attrs) -> None:
    """Raises ValueError for attrs of a new node that disagree with its inputs or its op."""
    types: dict[str, dtypes.DType] = {}
    start = 0
    for arg in opdef.inputs:
        count = 1
        if arg.type_list_attr:
            count = len(attrs[arg.type_list_attr])
        elif arg.number_attr:
            count = attrs[arg.number_attr]
        if arg.type_attr and count and start < len(inputs):
            dtype = inputs[start].dtype.base_dtype
            _check_same(types.setdefault(arg.type_attr, dtype), dtype, arg.type_attr, opdef, name)
        start += count
    for key, dtype in types.items():
        _check_same(dtype, attrs[key], key, opdef, name)
    for key, value in attrs.items():
        if key in opdef.attrs:
            attr = opdef.attrs[key]
            problem = attr_error(nodedef.attr_value(value, attr), attr, opdef, name)
            if problem:
                raise ValueError(problem)
        elif not key.startswith("_"):
            raise ValueError(_not_declared(key, opdef, name))


def _check_same(
    first: dtypes.DType, second: dtypes.DType, key: str, opdef: OpDef, name: str
) -> None:
    if first is not second:
        raise ValueError(
            f"Inconsistent values for attr '{key}' DT_{first.proto_name.upper()} vs. DT_{second.proto_name.upper()} "
            f"while building NodeDef '{name}' using {op_summary(opdef)}"
        )


def attr_error(value: proto.AttrValue, attr: Attr, opdef: OpDef, name: str) -> str | None:
    """Returns the error message, with the node, for an AttrValue of a declared attr; None if it is valid."""
    problem = _attr_error_text(value, attr)
    return problem and f"{problem}\n\t; NodeDef: {{{{node {name}}}}}; {op_summary(opdef)}"


def _attr_error_text(value: proto.AttrValue, attr: Attr) -> str | None:
    """Returns the error message for an AttrValue of a declared attr; None if it is valid."""
    field = value.WhichOneof("value")
    problem = _kind_problem(value, field, attr.kind) or _type_problem(value, attr.kind)
    if problem:
        return f"{problem}\n\t for attr '{attr.name}'"
    is_list = attr.kind.startswith("list(")
    kind = attr.kind[5:-1] if is_list else attr.kind
    if is_list:
        items = list(getattr(value.list, nodedef.LIST_FIELDS[kind]))
    else:
        items = [getattr(value, nodedef.LIST_FIELDS[kind])]
    if attr.minimum is not None:
        requirement = f"must be at least minimum {attr.minimum}"
        if is_list and len(items) < attr.minimum:
            return f"Length for attr '{attr.name}' of {len(items)} {requirement}"
        if attr.kind == "int" and items[0] < attr.minimum:
            return f"Value for attr '{attr.name}' of {items[0]} {requirement}"
    if attr.allowed is None or attr.allowed_set is None:
        return None
    if kind == "type":
        dtypes_in_list = [dtypes.as_dtype(item) for item in items]
        wrong = [dtype.proto_name for dtype in dtypes_in_list if dtype not in attr.allowed_set]
        allowed = [dtype.proto_name for dtype in attr.allowed]
    else:
        names = [item.decode("utf-8", "replace") for item in items]
        wrong = [f'"{item}"' for item in names if item not in attr.allowed_set]
        allowed = [f'"{item}"' for item in attr.allowed]
    if not wrong:
        return None
    return (
        f"Value for attr '{attr.name}' of {wrong[0]} is not in the list of allowed values: "
        f"{', '.join(allowed)}"
    )


def _kind_problem(value: proto.AttrValue, field: str | None, kind: str) -> str | None:
    if field is None and kind.startswith("list("):
        return None
    if field is None:
        return f"AttrValue missing value with expected type '{kind}'"
    if field != "list":
        actual = _ATTR_TYPES[field]
        return None if actual == kind else _type_mismatch_text(actual, kind)
    set_fields = [descriptor.name for descriptor, _ in value.list.ListFields()]
    for name in set_fields:
        if kind != f"list({_ATTR_TYPES[name]})":
            return _type_mismatch_text(f"list({_ATTR_TYPES[name]})", kind)
    if not set_fields and not kind.startswith("list("):
        return f"AttrValue missing value with expected type '{kind}'"
    return None


def _type_mismatch_text(actual: str, expected: str) -> str:
    return f"AttrValue had value with type '{actual}' when '{expected}' expected"


def _type_problem(value: proto.AttrValue, kind: str) -> str | None:
    """Returns the error message for a dtype that no attr may have; None if there is no such dtype."""
    if kind not in ("type", "list(type)"):
        return None
    for item in [value.type] if kind == "type" else value.list.type:
        if item == 0:
            return "AttrValue has invalid DataType"
        try:
            dtype = dtypes.DType(item)
        except TypeError:
            return f"AttrValue has invalid DataType enum: {item}"
        if dtype._is_ref_dtype:
            return f"AttrValue must not have reference type value of {dtype.proto_name}"
    return None


def check_numbers(opdef: OpDef, attrs: Attrs, count: int, capacity: int, name: str) -> int:
    """Raises ValueError for a node that declares far more than its `count` inputs, or more than `capacity` outputs.

    Returns the remaining room. This bounds the memory that a small file can allocate.
    """
    for arg in (*opdef.inputs, *opdef.outputs):
        if arg.number_attr:
            nodedef.check_int32(arg.number_attr, attrs[arg.number_attr])
    for arg in opdef.inputs:
        if arg.number_attr and attrs[arg.number_attr] > count + _MAX_LISTED:
            raise ValueError(
                f"NodeDef expected {attrs[arg.number_attr]} inputs '{arg.name}' do not match {count} inputs "
                f"specified; {op_summary(opdef)}; NodeDef: {{{{node {name}}}}}"
            )
    for arg in opdef.outputs:
        if arg.number_attr:
            capacity -= attrs[arg.number_attr]
            if capacity < 0:
                raise ValueError(
                    f"NodeDef has {attrs[arg.number_attr]} outputs '{arg.name}': too many; "
                    f"{op_summary(opdef)}; NodeDef: {{{{node {name}}}}}"
                )
    return capacity


def input_types(opdef: OpDef, attrs: Attrs) -> list[dtypes.DType]:
    """Returns the dtypes of a node's inputs by its op's signature, including reference types."""
    types: list[dtypes.DType] = []
    for arg in opdef.inputs:
        if arg.type_list_attr:
            arg_types = list(attrs[arg.type_list_attr])
        else:
            count = attrs[arg.number_attr] if arg.number_attr else 1
            arg_types = [arg.dtype or attrs[arg.type_attr]] * count
        types += [dtype._as_ref for dtype in arg_types] if arg.is_ref else arg_types
    return types


def check_input_count(opdef: OpDef, types: list[dtypes.DType], count: int, name: str) -> None:
    """Raises ValueError unless the number of inputs matches the op's signature."""
    if len(types) != count:
        expected = ", ".join(dtype.proto_name for dtype in types)
        raise ValueError(
            f"NodeDef expected inputs '{expected}' do not match {count} inputs specified; "
            f"{op_summary(opdef)}; NodeDef: {{{{node {name}}}}}"
        )
