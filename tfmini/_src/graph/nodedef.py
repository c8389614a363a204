"""Conversion of nodes, op definitions and attr values to protos (NodeDef, OpDef, AttrValue), and attr values back."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.shapes import Dims, TensorShape
from tfmini._src.graph.attributes import Literal, NameAttrList, to_bytes, to_str
from tfmini._src.graph.tensor_proto import literal_to_proto, proto_to_literal

if TYPE_CHECKING:
    from tfmini._src.graph.graph import Graph
    from tfmini._src.graph.opdef import Arg, Attr, OpDef
    from tfmini._src.graph.operation import Operation
    from tfmini._src.graph.tensor import Tensor

LIST_FIELDS = {
    "string": "s",
    "int": "i",
    "float": "f",
    "bool": "b",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}

# Maximum number of tensors of one node argument.
MAX_TENSORS = 1 << 20


class AttrKind(Protocol):
    """The part of an attr's declaration that serialization needs."""

    @property
    def kind(self) -> str: ...


Element = TypeVar("Element")


def infer_attr_kind(value: object) -> str:
    """Infers the kind of an attr that no OpDef declares (`_class`, `_gradient_op_type`) from its value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "string"
    if isinstance(value, DType):
        return "type"
    if isinstance(value, Literal):
        return "tensor"
    if isinstance(value, NameAttrList):
        return "func"
    if isinstance(value, TensorShape):
        return "shape"
    if isinstance(value, tuple | list):
        return f"list({infer_attr_kind(value[0])})" if value else "list(string)"
    raise TypeError(f"no attr kind for {value!r}")


def _attr_field(value: Any, kind: str) -> Any:
    """Converts a single attr value to its AttrValue field."""
    if kind == "string":
        return to_bytes(value)
    if kind == "type":
        return value.as_datatype_enum
    if kind == "shape":
        return shape_proto(value)
    if kind == "tensor":
        return literal_to_proto(value)
    if kind == "func":
        message = proto.NameAttrList(name=value.name)
        for key, item in value.attrs.items():
            message.attr[key].CopyFrom(attr_value(item, None))
        return message
    return value


def shape_proto(dims: TensorShape | Dims) -> proto.TensorShapeProto:
    """Converts a static shape to a TensorShapeProto."""
    if isinstance(dims, TensorShape):
        dims = dims._dims
    message = proto.TensorShapeProto()
    if dims is None:
        message.unknown_rank = True
        return message
    for size in dims:
        message.dim.add(size=-1 if size is None else size)
    return message


def shape_from_proto(message: proto.TensorShapeProto) -> Dims:
    if message.unknown_rank:
        return None
    return tuple([None if d.size < 0 else d.size for d in message.dim])


def attr_value(value: Any, attr: AttrKind | None) -> proto.AttrValue:
    """Converts a plain attr value to an AttrValue proto; `attr` is its declaration, None if undeclared."""
    kind = attr.kind if attr is not None else infer_attr_kind(value)
    message = proto.AttrValue()
    if kind.startswith("list("):
        kind = kind[5:-1]
        message.list.SetInParent()
        getattr(message.list, LIST_FIELDS[kind]).extend(_attr_field(v, kind) for v in value)
    elif kind in ("shape", "tensor", "func"):
        getattr(message, kind).CopyFrom(_attr_field(value, kind))
    else:
        setattr(message, LIST_FIELDS[kind], _attr_field(value, kind))
    return message


def _plain_value(item: Any, kind: str) -> Any:
    """Converts a single AttrValue field to a plain attr value."""
    if kind == "s":
        return to_str(item)
    if kind == "type":
        return dtypes.as_dtype(item)
    if kind == "shape":
        return shape_from_proto(item)
    if kind == "tensor":
        return proto_to_literal(item)
    if kind == "func":
        return NameAttrList(item.name, {k: python_value(v, None) for k, v in item.attr.items()})
    return item


def python_value(message: proto.AttrValue, attr: Attr | None) -> Any:
    """Converts an AttrValue proto to a plain attr value."""
    field = message.WhichOneof("value")
    if field is None:
        if attr is None:
            return None
        return () if attr.kind.startswith("list(") else attr.default
    if field == "placeholder":
        return message.placeholder
    if field != "list":
        value = _plain_value(getattr(message, field), field)
        return TensorShape(value) if attr is None and field == "shape" else value
    if attr is not None:
        name = LIST_FIELDS[attr.kind[5:-1]]
        return tuple([_plain_value(item, name) for item in getattr(message.list, name)])
    for descriptor, items in message.list.ListFields():
        if descriptor.name == "shape":
            return tuple([TensorShape(shape_from_proto(item)) for item in items])
        return tuple([_plain_value(item, descriptor.name) for item in items])
    return ()


def public_value(value: Any, attr: AttrKind | None) -> Any:
    """Converts an attr value to the form returned by `Operation.get_attr`."""
    kind = attr.kind if attr is not None else infer_attr_kind(value)
    if kind.startswith("list("):
        kind = kind[5:-1]
        return [v if kind == "type" else _attr_field(v, kind) for v in value]
    return value if kind == "type" else _attr_field(value, kind)


def node_def(op: Operation) -> proto.NodeDef:
    """Serializes an operation to a NodeDef: inputs, then control inputs, all attrs, device."""
    message = proto.NodeDef()
    _fill_node_def(message, op, [c.name for c in op._control_inputs])
    for index in op.__dict__.get("_replaced_inputs", ()):
        # TensorFlow writes a replaced input with its ":0".
        message.input[index] = op.inputs[index].name
    return message


def _fill_node_def(message: proto.NodeDef, op: Operation, controls: list[str]) -> None:
    message.name = op.name
    message.op = op.type
    message.device = op.device
    message.input.extend(t._as_node_def_input() for t in op.inputs)
    message.input.extend("^" + name for name in controls)
    for name, value in op.attrs.items():
        if value is not None or name in op.opdef.attrs:
            message.attr[name].CopyFrom(attr_value(value, op.opdef.attrs.get(name)))


def graph_def(graph: Graph, add_shapes: bool = False) -> proto.GraphDef:
    """Serializes a graph to a GraphDef: control inputs sorted by name, static shapes as attrs if `add_shapes`."""
    message = proto.GraphDef(versions=graph.graph_def_versions)
    for op in graph._ops:
        node = message.node.add()
        _fill_node_def(node, op, sorted(c.name for c in op._control_inputs))
        if add_shapes and op.outputs:
            shapes = [shape_proto(t._dims) for t in op.outputs]
            node.attr["_output_shapes"].list.shape.extend(shapes)
    write_library(graph, message, add_shapes)
    return message


def write_library(graph: Graph, message: proto.GraphDef, add_shapes: bool = False) -> None:
    """Writes a graph's functions and their gradients into a GraphDef."""
    for function in graph._functions.values():
        definition = message.library.function.add()
        definition.CopyFrom(function.definition)
        body: Any = getattr(function, "graph", None)  # known if the function was traced
        if add_shapes and hasattr(body, "inputs"):
            shapes = definition.attr["_input_shapes"].list.shape
            shapes.extend(shape_proto(_static_dims(tensor)) for tensor in body.inputs)
            for node in definition.node_def:
                if node.name in body._nodes_by_name:
                    outputs = body._nodes_by_name[node.name].outputs
                    shapes = node.attr["_output_shapes"].list.shape
                    shapes.extend(shape_proto(tensor._dims) for tensor in outputs)
        if function.grad_func_name is not None:
            message.library.gradient.add(
                function_name=function.name, gradient_func=function.grad_func_name
            )


def _static_dims(tensor: Tensor) -> Dims:
    """Returns the shape of a function's argument; unknown for resources."""
    return None if tensor.dtype is dtypes.resource else tensor._dims


def _arg_def(message: proto.OpDef.ArgDef, arg: Arg) -> None:
    message.name = arg.name
    message.is_ref = arg.is_ref
    message.number_attr = arg.number_attr
    message.type_list_attr = arg.type_list_attr
    message.type_attr = arg.type_attr
    if arg.dtype is not None:
        message.type = arg.dtype.as_datatype_enum


def op_def(opdef: OpDef) -> proto.OpDef:
    """Converts an op declaration to an OpDef proto."""
    message = proto.OpDef(
        name=opdef.name,
        is_commutative=opdef.commutative,
        is_aggregate=opdef.aggregate,
        is_stateful=opdef.stateful,
        allows_uninitialized_input=opdef.uninitialized_input,
    )
    for arg in opdef.inputs:
        _arg_def(message.input_arg.add(), arg)
    for arg in opdef.outputs:
        _arg_def(message.output_arg.add(), arg)
    for attr in opdef.attrs.values():
        field = message.attr.add(name=attr.name, type=attr.kind)
        if not attr.required:
            field.default_value.CopyFrom(attr_value(attr.default, attr))
        if attr.minimum is not None:
            field.has_minimum = True
            field.minimum = attr.minimum
        if attr.allowed is not None:
            kind = attr.kind.removeprefix("list(").removesuffix(")")
            allowed = field.allowed_values.list
            getattr(allowed, LIST_FIELDS[kind]).extend(_attr_field(v, kind) for v in attr.allowed)
    return message


def check_int32(name: str, count: int) -> None:
    """Raises ValueError for a tensor count outside int32 range."""
    if not -(2**31) <= count < 2**31:
        raise ValueError(f"Attr {name} has value {count} out of range for an int32")


def repeat_dtype(dtype: Element, name: str, count: int) -> list[Element]:
    """Repeats an argument's dtype `count` times, the value of attr `name`; raises ValueError if there are too many."""
    check_int32(name, count)
    if count > MAX_TENSORS:
        raise ValueError(
            f"Attr {name} has value {count}, but a node has at most {MAX_TENSORS} tensors"
        )
    return [dtype] * count


def check_arg_type(argument: proto.OpDef.ArgDef, attrs: Container[str]) -> None:
    """Raises NotFoundError if an ArgDef names undeclared attrs, ValueError if it has no type."""
    for name in (argument.number_attr, argument.type_attr, argument.type_list_attr):
        if name and name not in attrs:
            raise NotFoundError(None, None, f"No attr named '{name}' in NodeDef:")
    if not (argument.type or argument.type_attr or argument.type_list_attr):
        raise ValueError(f"No type fields in {argument}".rstrip())
