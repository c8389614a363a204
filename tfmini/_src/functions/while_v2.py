"""Loops in function bodies: condition and body are library functions, called by a While.

Both take a counter, the iteration limit, the loop variables and all outer tensors that either of them uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.nest.containers import is_composite, is_sequence_or_composite
from tfmini._src.base.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)
from tfmini._src.base.shapes import TensorShape, dims_allow
from tfmini._src.functions.cond_v2 import Branch, part_name
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.type_spec import TypeSpec
from tfmini._src.ops import ops, raw
from tfmini._src.ops.control_flow.shape_invariants import shape_invariant
from tfmini._src.ops.lists.tensor_array import TensorArray, restore_tensor_arrays

_FIRST_VARIABLE = 2  # the counter and the iteration limit precede the variables


def build_while(
    graph_class: Any,
    cond: Callable,
    body: Callable,
    loop_vars: Sequence[Any],
    shape_invariants: Any,
    parallel_iterations: int,
    maximum_iterations: Any,
    name: Any,
    return_same_structure: bool,
) -> Any:
    """Builds the node of `tf.while_loop`; returns the final loop variables.

    graph_class: the class of the graphs of the two functions.
    """
    leaves = flatten(loop_vars, expand_composites=True)
    first = map_structure(_as_variable, list(loop_vars))
    tensors = [ops.convert_to_tensor(part) for part in flatten(first, expand_composites=True)]
    if shape_invariants is None:
        invariants = map_structure(shape_invariant, first)
    else:
        assert_same_structure(list(loop_vars), list(shape_invariants))
        invariants = map_structure(_declared_invariant, first, list(shape_invariants))
    shapes = [TensorShape(shape) for shape in flatten(invariants)]

    def pack(flows: Sequence[Any]) -> Any:
        values = restore_tensor_arrays(leaves, list(flows))
        return pack_sequence_as(loop_vars, values, expand_composites=True)

    with name_scope(name or "while") as scope:
        parts = [part_name(scope, role) for role in ("cond", "body")]
        max_count = -1 if maximum_iterations is None else maximum_iterations
        limit = ops.convert_to_tensor(max_count, dtypes.int32, name="maximum_iterations")
        counter = ops.constant(0, dtype=limit.dtype, name="loop_counter")
        variables = [counter, limit, *tensors]
        specs = list(zip([t.dtype for t in variables], [counter.shape, limit.shape, *shapes]))
        names = [counter.op.name, limit.op.name, *["placeholder"] * len(tensors)]

        def test(counter: Any, max_count: Any, *flows: Any) -> Any:
            continues = cond(*pack(flows))
            if isinstance(continues, Tensor) and continues.shape.ndims != 0:
                continues = ops.squeeze(continues)
            if maximum_iterations is None:
                return continues
            return ops.logical_and(counter < max_count, continues)

        tested = Branch(parts[0], test, graph_class, specs, names)

        def step(counter: Any, max_count: Any, *flows: Any) -> list:
            graph: Any = get_default_graph()
            for tensor in tested.captured:
                graph.capture(tensor)
            results = body(*pack(flows))
            if not is_sequence_or_composite(results):
                results = [results]
            assert_same_structure(list(results), list(loop_vars), expand_composites=True)
            flat = flatten(list(results), expand_composites=True)
            return [counter + 1, max_count, *map(_flow, flat)]

        stepped = Branch(parts[1], step, graph_class, specs, names)
        captured = stepped.captured
        with tested.graph.as_default():
            for tensor in captured:
                tested.graph.capture(tensor)
        tested.take(captured)
        stepped.take(captured)
        stepped.graph.outputs = [
            *stepped.graph.outputs,
            *(stepped.graph.captured[tensor] for tensor in captured),
        ]
        output = stepped.graph.outputs[_FIRST_VARIABLE:]
        for tensor, shape, result in zip(tensors, shapes, output):
            if not dims_allow(shape._dims, result._dims):
                raise ValueError(
                    f"Input tensor '{tensor.name}' enters the loop with shape {tensor.shape}, but has shape "
                    f"{result.shape} after one iteration. To allow the shape to vary across iterations, use the "
                    "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
                )
        if (tests := len(tested.graph.outputs)) != 1:
            raise AssertionError(f"cond_graph has {tests} outputs; Expected: 1")
        expected, actual = len(variables) + len(captured), len(stepped.graph.outputs)
        if actual != expected:
            raise AssertionError(f"body_graph has {actual} outputs; Expected: {expected}")
        for tensor, result in zip(tensors, output):
            if tensor.dtype.base_dtype is not result.dtype.base_dtype:
                raise TypeError(
                    f"Loop var {tensor.name} enters the loop with type {tensor.dtype} but has type {result.dtype} "
                    "after 1 iteration."
                )
        definitions = [tested.add_to_library(), stepped.add_to_library()]
        waits_for = [op for part in (tested, stepped) for op in part.graph.control_captures]
        with control_dependencies(waits_for):
            results = raw.While(
                [*variables, *captured],
                cond=definitions[0],
                body=definitions[1],
                output_shapes=[
                    counter.shape,
                    limit.shape,
                    *shapes,
                    *(tensor.shape for tensor in captured),
                ],
                parallel_iterations=parallel_iterations,
                name=scope,
            )
        operation = results[0].op
        for inner, tensor in zip(stepped.graph.outputs, results):
            copy_handle_data(inner, tensor)
        operation._set_attr("_lower_using_switch_merge", proto.AttrValue(b=True))
        count = proto.AttrValue(i=len(variables) + len(captured))
        operation._set_attr("_num_original_outputs", count)
        final = [ops.identity(tensor) for tensor in results][
            _FIRST_VARIABLE : _FIRST_VARIABLE + len(tensors)
        ]
    outputs = pack(final)
    if return_same_structure:
        return outputs
    flat = flatten(outputs, expand_composites=True)
    return flat[0] if len(flat) == 1 else outputs


def _as_variable(value: Any) -> Any:
    return value if is_composite(value) else ops.convert_to_tensor(_flow(value))


def _declared_invariant(var: Any, shape: Any) -> Any:
    if not isinstance(shape, TensorShape | TypeSpec | None):
        raise TypeError(f"Expected shape to be a TypeSpec or TensorShape, got {shape!r}")
    return shape_invariant(var, shape)


def _flow(value: Any) -> Any:
    return value.flow if isinstance(value, TensorArray) else value
