"""`tf.while_loop`: repeats a body while a condition holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import assert_same_structure, map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import type_spec_from_value
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.shape_invariants import shape_invariant
from tfmini._src.ops.control_flow.while_context import WhileContext
from tfmini._src.ops.lists.tensor_array import TensorArray


@public
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: TensorLike | None = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeats `body` while `cond` is true.

    Both functions are called once, at graph construction. Loop variables keep their dtypes, and
    their static shapes unless relaxed by `shape_invariants`; both functions may capture external tensors. Iterations
    run sequentially, and the nodes of an iteration run in creation order.

    Args:
      cond: a function of the loop variables that returns a bool scalar tensor.
      body: a function of the loop variables that returns their next values, in the same structure.
      loop_vars: tensors, SparseTensors, IndexedSlices or values convertible to tensors, in a list, tuple or nested
        structure.
      shape_invariants: the shapes of loop variables in all iterations, in the structure of `loop_vars`; for
        a SparseTensor, `[rank]`; for IndexedSlices, the shape of their values.
      parallel_iterations: a positive int, recorded in the graph only; iterations run sequentially.
      back_prop: whether gradients are supported.
      swap_memory: recorded in the graph only; nothing is swapped.
      maximum_iterations: int scalar, the maximum number of iterations.
      return_same_structure: whether to return a single loop variable in the structure of `loop_vars`; by
        default it is unpacked.

    Returns:
      The loop variables after the last iteration.

    Raises:
      TypeError: if a function is not callable or `parallel_iterations` is below 1.
      ValueError: if there are no loop variables, outside a function body; if `body` returns a different
        structure, or a shape changes.

    Example: `tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])` is 10.
    """
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    build = None if executing_eagerly() else get_default_graph()._build_while
    if build is not None:  # function bodies contain functional loops
        settings = parallel_iterations, maximum_iterations, name, return_same_structure
        return build(cond, body, loop_vars, shape_invariants, *settings)
    with name_scope(name, "while", loop_vars):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        limit = maximum_iterations
        if limit is not None:
            limit = ops.convert_to_tensor(limit, name="maximum_iterations")
            if limit.shape.ndims != 0:
                raise ValueError(f"maximum_iterations must be a scalar, saw shape: {limit.shape}")
        if executing_eagerly():
            return _run_eagerly(cond, body, loop_vars, limit, return_same_structure)
        if limit is not None:
            counter = ops.constant(0, dtype=limit.dtype, name="iteration_counter")
            single = len(loop_vars) == 1 and not return_same_structure
            cond, body = _count_iterations(cond, body, limit, single)
            loop_vars = (counter, loop_vars[0] if single else loop_vars)
        if shape_invariants is not None:
            if limit is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
            assert_same_structure(loop_vars, shape_invariants)
            shape_invariants = map_structure(shape_invariant, loop_vars, shape_invariants)
        context = WhileContext(limit, parallel_iterations, back_prop, swap_memory)
        # Nested contexts are part of their parents' protos.
        if context.outer_context is None:
            add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        result = context.BuildLoop(cond, body, loop_vars, shape_invariants, return_same_structure)
        return result if limit is None else result[1]


def _run_eagerly(cond: Callable, body: Callable, loop_vars: Any, limit: Any, keeps: bool) -> Any:
    """Runs the loop in eager mode and returns the loop variables after the last iteration."""
    packs = len(loop_vars) == 1 and not keeps
    if limit is not None:
        return _run_limited(cond, body, loop_vars, int(limit), packs)
    single = False
    structure = map_structure(_value_spec, list(loop_vars))
    while cond(*loop_vars):
        loop_vars = body(*loop_vars)
        if packs and not isinstance(loop_vars, list | tuple):
            single = True
            loop_vars = (loop_vars,)
        assert_same_structure(structure, list(loop_vars))
    loop_vars = map_structure(_as_tensor, loop_vars, expand_composites=True)
    return loop_vars[0] if single else loop_vars


def _run_limited(cond: Callable, body: Callable, loop_vars: Any, limit: int, single: bool) -> Any:
    """`_run_eagerly` with at most `limit` iterations; the types of structures must then match."""
    structure = map_structure(_value_spec, loop_vars[0] if single else loop_vars)
    for _ in range(limit):
        if not cond(*loop_vars):
            break
        values = body(*loop_vars)
        assert_same_structure(structure, values)
        loop_vars = (values,) if single else values
    values = loop_vars[0] if single else loop_vars
    return map_structure(_as_tensor, values, expand_composites=True)


def _value_spec(value: Any) -> Any:
    return value if isinstance(value, TensorArray) else type_spec_from_value(value)


def _as_tensor(value: Any) -> Any:
    return value if isinstance(value, TensorArray) else ops.convert_to_tensor(value)


def _count_iterations(
    cond: Callable, body: Callable, limit: Any, single: bool
) -> tuple[Callable, Callable]:
    """Extends a loop's functions to count iterations up to `limit`."""

    def arguments(values: Any) -> Any:
        return (values,) if single else values

    return (
        lambda i, values: ops.logical_and(i < limit, cond(*arguments(values))),
        lambda i, values: (i + 1, body(*arguments(values))),
    )
