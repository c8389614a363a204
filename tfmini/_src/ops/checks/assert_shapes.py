"""`tf.debugging.assert_shapes`: checks that tensor shapes are consistent with symbolic descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.assert_rank import assert_rank, assert_rank_at_least, assert_rank_in
from tfmini._src.ops.checks.asserts import Assert
from tfmini._src.ops.checks.eager_check_messages import display_name
from tfmini._src.ops.control_flow.cond import cond
from tfmini._src.ops.control_flow.no_op_groups import group


@dataclass(frozen=True)
class _Sizes:
    """A tensor with its actual sizes and their symbols, which describe the last axes if `innermost`."""

    x: Tensor
    innermost: bool
    actual: Any
    symbols: tuple


@public
def assert_shapes(
    shapes: Any,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless tensors have the shapes that symbols describe.

    A symbol is a size (an int, or a value accepted by `int`), "." or None for any size, or a name: all sizes with that
    name must be equal. A shape may begin with `...` or "*" for any number of axes. Scalars are treated as one-element
    vectors.

    Args:
      shapes: pairs of a tensor and its symbols, or a dict of them; None as symbols skips the check.
      data: the tensors to show in the error; by default a message and the shape.
      summarize: the number of elements to show per tensor.
      message: the error message prefix.

    Returns:
      An operation to use as a control input.

    Raises:
      ValueError: if static shapes are inconsistent; InvalidArgumentError (when run): for run-time shapes.

    Example: `tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("N", "D")), (scale, ("Q",))])`.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    title = message or ""
    with name_scope(name, "assert_shapes", [pairs, data]):
        constraints = [
            (convert_to_tensor(x), symbols) for x, symbols in pairs if symbols is not None
        ]
        specs = [_symbolic_sizes(x, symbols, title) for x, symbols in constraints]
        options = {"data": data, "summarize": summarize, "message": title, "name": name}
        rank_checks = [check for sizes in specs for check in _rank_check(sizes, options)]
        size_checks = _size_checks(specs, data, summarize, title)
        with control_dependencies(rank_checks):
            return group(size_checks)


def _symbolic_sizes(x: Tensor, shape: Any, title: str) -> _Sizes:
    if not (hasattr(shape, "__iter__") or hasattr(shape, "__getitem__")):
        raise ValueError(
            f"{title}.  Tensor {display_name(x)}.  Specified shape must be an iterable.  An iterable has "
            "the attribute "
            f"`__iter__` or `__getitem__`.  Received specified shape: {shape}"
        )
    symbols = tuple(shape)
    is_innermost = False
    for i, symbol in enumerate(symbols):
        if symbol not in [Ellipsis, "*"]:
            continue
        if i:
            raise ValueError(
                f"{title}.  Tensor {display_name(x)} specified shape index {i}.  Symbol `...` or `*` for a "
                "variable "
                "number of unspecified dimensions is only allowed as the first entry"
            )
        is_innermost = True
    actual = _actual_sizes(x)
    return _Sizes(x, is_innermost, actual, (symbols[1:] if is_innermost else symbols) or (1,))


def _actual_sizes(x: Tensor) -> Any:
    """Returns the size of each axis, an int if known, else a tensor."""
    shape = ops.shape(x)
    dims = x._dims
    if dims is None:
        is_scalar = ops.equal(ops.rank(x), 0)
        return cond(is_scalar, lambda: ops.constant([1]), lambda: shape)
    if not dims:
        return (1,)
    return [shape[i] if size is None else size for i, size in enumerate(dims)]


def _rank_check(sizes: _Sizes, options: dict) -> list[Operation]:
    rank = len(sizes.symbols)
    if sizes.innermost:
        return [] if rank <= 1 else [assert_rank_at_least(x=sizes.x, rank=rank, **options)]
    if rank <= 1:
        return [assert_rank_in(x=sizes.x, ranks=[0, 1], **options)]
    return [assert_rank(x=sizes.x, rank=rank, **options)]


def _is_known(size: Any) -> bool:
    try:
        int(size)
    except (ValueError, TypeError):
        return False
    return True


def _size_checks(
    specs: list[_Sizes], data: Any, summarize: int | None, title: str
) -> list[Operation]:
    checks = []
    first_use: dict[Any, tuple[Any, Tensor, int]] = {}
    for sizes in specs:
        x = sizes.x
        for i, symbol in enumerate(sizes.symbols):
            if symbol in [None, "."]:
                continue
            axis = i - len(sizes.symbols) if sizes.innermost else i
            actual = sizes.actual[axis]
            if _is_known(symbol):
                expected, origin = int(symbol), "Specified explicitly"
            elif symbol in first_use:
                expected, other, other_axis = first_use[symbol]
                origin = f"Specified by tensor {display_name(other)} dimension {other_axis}"
            else:
                first_use[symbol] = (actual, x, axis)
                continue
            if _is_known(actual) and _is_known(expected):
                if int(actual) != int(expected):
                    raise ValueError(
                        f"{title}.  {origin}.  Tensor {display_name(x)} dimension {axis} must have size "
                        f"{expected}.  "
                        f"Received size {actual}, shape {x.get_shape()}"
                    )
                continue
            condition = ops.equal(convert_to_tensor(actual), convert_to_tensor(expected))
            message_parts = data
            if data is None:
                text = f"Tensor {display_name(x)} dimension"
                message_parts = [
                    title,
                    origin,
                    text,
                    axis,
                    "must have size",
                    expected,
                    "Received shape: ",
                ]
                message_parts.append(ops.shape(x))
            checks.append(Assert(condition, message_parts, summarize=summarize))
    return checks
