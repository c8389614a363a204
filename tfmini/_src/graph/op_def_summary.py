"""One-line op definitions for messages: `Op<name=Identity; signature=...>`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.graph import nodedef
from tfmini._src.graph.shape_inference import text
from tfmini._src.graph.tensor_proto import proto_to_literal

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef

_MAX_LIST = 15
_MAX_STRING = 80
_MAX_SHOWN_VALUES = 3


def op_summary(opdef: OpDef) -> str:
    """Formats an op as `Op<name=AddN; signature=inputs:N*T -> sum:T; attr=N:int,min=1; ...>`."""
    message = nodedef.op_def(opdef)
    parts = [
        f"name={message.name}",
        f"signature={_arguments_text(message.input_arg)} -> {_arguments_text(message.output_arg)}",
    ]
    for attr in message.attr:
        part = f"attr={attr.name}:{attr.type}"
        if attr.HasField("default_value"):
            part += f",default={attr_summary(attr.default_value)}"
        if attr.has_minimum:
            part += f",min={attr.minimum}"
        if attr.HasField("allowed_values"):
            part += f",allowed={attr_summary(attr.allowed_values)}"
        parts.append(part)
    flags = ("is_commutative", "is_aggregate", "is_stateful", "allows_uninitialized_input")
    parts += [f"{flag}=true" for flag in flags if getattr(message, flag)]
    return f"Op<{'; '.join(parts)}>"


def _arguments_text(arguments: Iterable[proto.OpDef.ArgDef]) -> str:
    return ", ".join(_argument_text(argument) for argument in arguments)


def _argument_text(argument: proto.OpDef.ArgDef) -> str:
    count = f"{argument.number_attr}*" if argument.number_attr else ""
    base = dtypes.as_dtype(argument.type).proto_name if argument.type else argument.type_attr
    arg_type = count + base
    return f"{argument.name}:{f'Ref({arg_type})' if argument.is_ref else arg_type}"


def attr_summary(value: proto.AttrValue) -> str:
    """Formats an AttrValue on one line: `DT_FLOAT`, `"SAME"`, `[1, 2]`, `<unknown>` ..."""
    field = value.WhichOneof("value")
    if field is None:
        return "<Unknown AttrValue type>"
    if field == "list":
        return _list_text(value.list)
    return _value_text(getattr(value, field), field)


def _list_text(values: proto.AttrValue.ListValue) -> str:
    items = [
        _value_text(item, field.name)
        for field, sequence in values.ListFields()
        for item in sequence
    ]
    if len(items) >= _MAX_LIST:
        items = [*items[:5], "...", *items[-5:]]
    return f"[{', '.join(items)}]"


def _value_text(value: Any, field: str) -> str:
    if field == "s":
        return _string_text(value)
    if field == "f":
        return shortest_float(value)
    if field == "b":
        return "true" if value else "false"
    if field == "type":
        return str(proto.DataType.Name(value))
    if field == "shape":
        dims = nodedef.shape_from_proto(value)
        return "<unknown>" if dims is None else text(dims)
    if field == "tensor":
        return _tensor_text(value)
    if field == "func":
        attrs = sorted(value.attr.items())
        return f"{value.name}[{', '.join(f'{k}={attr_summary(v)}' for k, v in attrs)}]"
    if field == "placeholder":
        return f"${value}"
    return str(value)


def _string_text(value: bytes) -> str:
    escaped = value.decode("latin-1").encode("unicode_escape").decode().replace('"', '\\"')
    if len(escaped) >= _MAX_STRING:
        escaped = f"{escaped[:10]}...{escaped[-10:]}"
    return f'"{escaped}"'


def shortest_float(value: float) -> str:
    """Formats a float32 with six digits if they round-trip, else nine: 0.1, 1e-05."""
    short = f"{value:.6g}"
    return short if np.float32(short) == np.float32(value) else f"{value:.9g}"


def number(value: np.generic | float) -> str:
    """Formats a numpy number with the shorter of two precisions that round-trips."""
    if isinstance(value, np.float64):
        return f"{value:.15g}" if float(f"{value:.15g}") == value else f"{value:.17g}"
    return shortest_float(float(value)) if isinstance(value, np.floating) else str(value)


def _tensor_text(message: proto.TensorProto) -> str:
    literal = proto_to_literal(message)
    elements = " ".join(number(value) for value in literal.first(_MAX_SHOWN_VALUES))
    ellipsis = "..." if literal.size > _MAX_SHOWN_VALUES else ""
    name, dims = literal.dtype.proto_name, text(literal.shape)
    return f"Tensor<type: {name} shape: {dims} values: {elements}{ellipsis}>"
