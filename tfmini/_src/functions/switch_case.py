"""`tf.switch_case`: runs one of several functions, selected by index, as one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.functions.cond_v2 import (
    Branch,
    build_choice,
    check_captures,
    check_results,
    part_name,
)
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike


@public
def switch_case(
    branch_index: TensorLike,
    branch_fns: Sequence[Any] | Mapping[int, Any],
    default: Callable[..., Any] | None = None,
    name: str = "switch_case",
) -> Any:
    """Runs only the function at `branch_index` and returns its result.

    Args:
      branch_index: a scalar, int32.
      branch_fns: a list of functions without arguments, a dict of them by index, or a list of (index,
        function); indices are 0, 1 and so on without gaps. They return the same structure of tensors of the same
        dtypes.
      default: function for an index out of range, by default the last one.

    Returns:
      The result of the branches: a tensor, or a nested structure of tensors; an int32 scalar if they return operations.

    Raises:
      TypeError: if a branch is not callable, the index is not a tensor, or results differ in structure or dtype.
      ValueError: without functions, or for gaps in their indices.

    Example: `tf.switch_case(tf.constant(1), [lambda: tf.zeros([2]), lambda: tf.ones([2])])` is `[1, 1]`.
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {branch_index.dtype}")
    functions = _branch_list(branch_fns, default)
    if executing_eagerly():
        index = int(branch_index)  # type: ignore[call-overload]
        return functions[index if 0 <= index < len(functions) else -1]()
    with name_scope(name, "case", [branch_index]):
        with name_scope("indexed_case") as scope:
            return _case(branch_index, functions, scope)


def _branch_list(branch_fns: Any, default: Callable | None) -> list[Callable]:
    if not isinstance(branch_fns, list | tuple | Mapping):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    pairs: Any = branch_fns.items() if isinstance(branch_fns, Mapping) else branch_fns
    if all(callable(item) for item in pairs):
        pairs = enumerate(pairs)
    pairs = list(pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        if not isinstance(pair[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(pair[0])}")
        if not callable(pair[1]):
            raise TypeError(f"fn for key {pair[0]} must be callable.")
    pairs.sort(key=lambda pair: pair[0])
    indices = [index for index, _ in pairs]
    if indices != list(range(len(indices))):
        listing = ",".join(map(str, indices))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(indices)}) but found {{{listing}}}"
        )
    if default is not None and not callable(default):
        raise TypeError(f"'{type(default).__name__}' object is not callable")
    return [function for _, function in pairs] + ([] if default is None else [default])


def _case(branch_index: Tensor, functions: list[Callable], scope: str) -> Any:
    branches = [
        Branch(part_name(scope, f"branch{index}"), f, TracedGraph, done=branch_index)
        for index, f in enumerate(functions)
    ]
    check_captures(branches, [f"branch {index}" for index in range(len(branches))])
    branch_names = [f"branches[{index}]" for index in range(len(branches))]
    check_results(branches, "switch_case", branch_names)
    return build_choice("Case", branch_index, branches, scope)
