"""`tf.cond`: conditional execution of one of two branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.base.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.cond_context import CondContext
from tfmini._src.ops.control_flow.switch_merge import merge, switch
from tfmini._src.ops.lists.tensor_array import restore_tensor_arrays


@public
@deprecated_args(
    None,
    "fn1/fn2 are deprecated in favor of the true_fn/false_fn arguments.",
    "fn1",
    "fn2",
)
def cond(
    pred: TensorLike,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[..., Any] | None = None,
    fn2: Callable[..., Any] | None = None,
) -> Any:
    """Returns the results of `true_fn()` if `pred` is true, else the results of `false_fn()`.

    Both functions are called once, at graph construction. At run time, only the operations created in the branch
    taken are executed; operations created outside and used in either branch always run.

    Args:
      pred: bool scalar tensor.
      true_fn: a function without arguments that returns tensors in any nested structure, or an operation.
      false_fn: a function that returns the same structure of tensors of the same dtypes.
      strict: whether to keep a one-element list or tuple; by default it is unpacked.
      fn1: the old name of `true_fn`.
      fn2: the old name of `false_fn`.

    Returns:
      Tensors in the structure returned by `true_fn`.

    Raises:
      TypeError: if `pred` is a Python bool, a function is missing or not callable, or the
        branches return different structures.
      ValueError: if the branches return nothing, different numbers of tensors or different dtypes.

    Example: `tf.cond(x < y, lambda: x + z, lambda: tf.square(y))`.
    """
    build = None if executing_eagerly() else get_default_graph()._build_cond
    if build is not None:  # function bodies contain functional conditionals
        return build(pred, true_fn, false_fn, name)
    true_fn = _function("true_fn", true_fn, "fn1", fn1)
    false_fn = _function("false_fn", false_fn, "fn2", fn2)
    if not callable(true_fn):
        raise TypeError("true_fn must be callable.")
    if not callable(false_fn):
        raise TypeError("false_fn must be callable.")
    with name_scope(name, "cond", [pred]):
        if executing_eagerly():
            result = true_fn() if pred else false_fn()
            return result if strict else _unpack_singleton(result)
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        switch_false, switch_true = switch(pred, pred)
        pivot_true = ops.identity(switch_true, name="switch_t")
        pivot_false = ops.identity(switch_false, name="switch_f")
        pred = ops.identity(pred, name="pred_id")
        for tensor in (switch_true, switch_false, pivot_true, pivot_false, pred):
            tensor.graph.prevent_fetching(tensor.op)
        branches = []
        for branch, pivot, function in ((1, pivot_true, true_fn), (0, pivot_false, false_fn)):
            # Inlined: nested conditionals consume Python frames.
            context = CondContext(pred, pivot, branch=branch)
            context.Enter()
            try:
                original, result = context.BuildCondBranch(function)
                if original is None:
                    raise ValueError(
                        f"{'true' if branch else 'false'}_fn must have a return value."
                    )
                context.ExitResult(result)
            finally:
                context.Exit()
            branches.append((original, result, context))
        (original_true, result_true, context_true), (original_false, result_false, _) = branches
        if not strict:
            original_true = _unpack_singleton(original_true)
            original_false = _unpack_singleton(original_false)
        _check_structures(original_true, original_false, result_true, result_false)
        merges = _merges(result_true, result_false)
        # Nested contexts are part of their parents' protos.
        if context_true.outer_context is None:
            for *_, context in branches:
                add_to_collection(GraphKeys.COND_CONTEXT, context)
        merges = restore_tensor_arrays(_flatten_components(original_true), merges)
        merged = pack_sequence_as(original_true, merges, expand_composites=True)
        return merged if strict else _unpack_singleton(merged)


def _function(name: str, function: Callable | None, old_name: str, old: Callable | None) -> Any:
    if old is None:
        if function is None:
            raise TypeError(f"cond(): {name} argument required")
        return function
    if function is not None:
        raise TypeError(f"cond(): {name} and {old_name} may not be set simultaneously.")
    return old


def _unpack_singleton(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _merges(result_true: Any, result_false: Any) -> list:
    """Returns the results of the executed branch."""
    if not result_true:
        raise ValueError("true_fn and false_fn must return at least one result.")
    pairs = list(zip(_flatten_components(result_false), _flatten_components(result_true)))
    for false, true in pairs:
        if true.dtype.base_dtype != false.dtype.base_dtype:
            raise ValueError(
                "Outputs of true_fn and false_fn must have the same type: "
                f"{true.dtype.name}, {false.dtype.name}"
            )
    return [merge(pair)[0] for pair in pairs]


def _flatten_components(structure: Any) -> list:
    return flatten(structure, expand_composites=True)


def _check_structures(
    original_true: Any, original_false: Any, result_true: Any, result_false: Any
) -> None:
    """Raises an error unless both branches return the same structure; index dtypes of slices may differ."""
    try:
        assert_same_structure(original_true, original_false, expand_composites=True)
        return
    except (TypeError, ValueError):
        map_structure(_widen_indices, original_true, original_false)
        map_structure(_widen_indices, result_true, result_false)
    try:
        assert_same_structure(original_true, original_false, expand_composites=True)
    except TypeError as error:
        raise TypeError(f"Incompatible return types of true_fn and false_fn: {error}") from None
    except ValueError as error:
        raise ValueError(f"Incompatible return values of true_fn and false_fn: {error}") from None


def _widen_indices(a: Any, b: Any) -> None:
    if (
        isinstance(a, IndexedSlices)
        and isinstance(b, IndexedSlices)
        and a.indices.dtype != b.indices.dtype
    ):
        a._indices = ops.cast(a.indices, dtypes.int64)
        b._indices = ops.cast(b.indices, dtypes.int64)
