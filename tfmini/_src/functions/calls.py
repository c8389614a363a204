"""Function call nodes, and their attrs set by keywords."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.function_library import Function
from tfmini._src.graph.op_def_summary import op_summary
from tfmini._src.graph.tensor import Tensor


def call(
    function: Function, inputs: Sequence[Tensor], name: str | None = None, **kwargs: Any
) -> Any:
    """Adds the node that calls a function to the default graph."""
    signature = function.definition.signature
    if len(inputs) != len(signature.input_arg):
        raise ValueError(
            f"Expected number of arguments: {len(signature.input_arg)}, received: {len(inputs)}"
        )
    graph = get_default_graph()
    expected = name or signature.name
    attrs = call_attrs(signature.name, **kwargs)
    node_name = expected[:-1] if expected.endswith("/") else graph.unique_name(expected)
    types = tuple([tensor.dtype.base_dtype for tensor in inputs])
    wrong = []
    for arg, value in zip(signature.input_arg, types):
        expected_dtype = dtypes.as_dtype(arg.type)
        if value is not expected_dtype:
            wrong.append(
                f"Input '{arg.name}' passed {value.proto_name} expected {expected_dtype.proto_name}"
            )
    if wrong:
        where = f" while building NodeDef '{node_name}' using {op_summary(function.opdef)}"
        several = "\n\t".join([f"{len(wrong)} errors{where}:", *wrong])
        raise ValueError(wrong[0] + where if len(wrong) == 1 else several)
    return graph.add_node(function.opdef, node_name, tuple(inputs), types, attrs)


def call_attrs(func_name: str, **kwargs: Any) -> dict[str, Any]:
    """Returns the attrs set by keywords of `Defun` and of a call."""
    attrs: dict[str, Any] = {}
    noinline = kwargs.pop("noinline", None)
    if noinline is not None:
        attrs["_noinline"] = bool(noinline)
    attrs["_disable_call_shape_inference"] = True
    compiled = kwargs.pop("compiled", None)
    separate = kwargs.pop("separate_compiled_gradients", None)
    if compiled is not None:
        attrs["_XlaCompile"] = bool(compiled)
        attrs["_XlaSeparateCompiledGradients"] = bool(separate)
        scope = get_default_graph()._attr_scope_map.get("_XlaScope")
        attrs["_XlaScope"] = f"function_{func_name}" if scope is None else scope.s.decode()
    for key in list(kwargs):
        is_text = key in ("_implements", "_reference")
        if not is_text and not key.startswith("experimental_"):
            continue
        value = kwargs.pop(key)
        if not isinstance(value, str if is_text else bool | int | float | str):
            raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")
        attrs[key] = value
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}")
    return attrs
