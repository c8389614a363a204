"""A loop as one node: `While` with two library functions, which may use outer tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.functions.defun import Defun, get_extra_args
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.operation import Operation
from tfmini._src.ops import raw


def while_node(
    inputs: list, cond: Any, body: Any, hostmem: Sequence[int] = (), name: str | None = None
) -> list:
    """Applies `body` to the inputs repeatedly while `cond` is true; returns the final values.

    Args:
      inputs: initial values, tensors.
      cond: a function created by `Defun`; it may not use tensors of the enclosing graph.
      body: a function created by `Defun`; captured tensors of the enclosing graph are passed through the loop
        unchanged.
      hostmem: indices of the inputs in host memory, recorded in attrs of the node.
      name: the node's name.
    """
    if cond.captured_inputs:
        raise ValueError(
            "While op 'cond' argument must be a function without implicitly captured inputs."
        )
    if cond.declared_input_types != body.declared_input_types:
        raise ValueError(
            "While op 'cond' and 'body' signatures do not match. "
            f"{cond.declared_input_types!r} vs {body.declared_input_types!r}"
        )
    captured = body.captured_inputs
    pair = (cond, body)
    if captured:
        input_types = list(body.declared_input_types)
        types = [*input_types, *(t.dtype for t in captured)]

        @Defun(*types, func_name=f"{cond.library_name}_Wrapper")
        def only_declared(*args: Any) -> Any:
            """A wrapper that handles loop-carried captured inputs."""  # the description of the function in the graph
            return cond(*args[: len(input_types)])

        pair = (only_declared, add_captured_arguments(body))
    condition, step = (_in_library(function) for function in pair)
    results = raw.While(inputs + captured, cond=condition, body=step, name=name)
    node, results = results[0].op, results[: len(inputs)]
    if hostmem:
        attr = proto.AttrValue()
        attr.list.i.extend(hostmem)
        node._set_attr("_input_hostmem", attr)
        node._set_attr("_output_hostmem", attr)
    return list(results)


def _in_library(function: Any) -> NameAttrList:
    function.add_to_graph(library_graph())
    return NameAttrList(function.library_name)


def add_captured_arguments(body: Any) -> Any:
    """Wraps the body as a function that takes its captured tensors as arguments and returns them."""

    @Defun(*body.declared_input_types, func_name=f"{body.library_name}_Wrapper")
    def pass_captured(*args: Any) -> Any:
        """A wrapper that handles loop-carried captured inputs."""  # the description of the function in the graph
        result = body(*args)
        extra = tuple(get_extra_args())
        if isinstance(result, Operation):
            return extra
        return (*result, *extra) if isinstance(result, tuple) else (result, *extra)

    return pass_captured
