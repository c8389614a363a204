"""Python functions as nodes, with keyword arguments and nested results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base.nest.shallow import assert_shallow_structure, flatten_up_to
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.functions.py_func import python_node


def py_func(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    output_types: object = None,
    output_shapes: object = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """`tf.py_func` with support for keyword arguments, nested arguments and nested results.

    Args:
      func: called in each step with arrays instead of tensors; returns arrays in the structure of `output_types`.
      args: a list of tensors, or nested structures of them.
      kwargs: tensors by keyword.
      output_types: a dtype, a nested structure of dtypes, or a function that returns it, given the arguments of `func`
        as tensors.
      output_shapes: shapes in the same structure, or a function that returns them; by default unknown.
      stateful: whether `func` has side effects or is nondeterministic.

    Returns:
      Tensors in the structure of `output_types`.

    Raises:
      TypeError: if `args` is not a list, `kwargs` is not a dict, or (at run time) results have a different structure.

    Example:
      halves = py_func(lambda x, by: {"low": x / by}, [x], {"by": 2.0}, {"low": tf.float64})
      halves["low"]
    """
    options: dict[str, Any] = {} if kwargs is None else kwargs  # type: ignore[assignment]
    if not isinstance(args, list | tuple):
        raise TypeError(f"args must be list and not {type(args)}. args: {args}")
    if not isinstance(options, dict):
        raise TypeError(f"kwargs must be dict and not {type(options)}. args: {options}")
    if callable(output_types):
        output_types = output_types(*args, **options)
    if callable(output_shapes):
        output_shapes = output_shapes(*args, **options)
    structure = (args, options)

    def flat(*arrays: Any) -> list[Any]:
        positional, keywords = pack_sequence_as(structure, list(arrays))
        results = func(*positional, **keywords)
        assert_shallow_structure(output_types, results)
        return flatten(results)

    types = flatten(output_types)
    tensors: list[Tensor] = python_node(flat, flatten(structure), types, stateful, name)
    if output_shapes is not None:
        shapes = flatten_up_to(output_types, output_shapes)
        for tensor, shape in zip(tensors, shapes):
            tensor.set_shape(as_shape(shape))
    return pack_sequence_as(output_types, tensors)
