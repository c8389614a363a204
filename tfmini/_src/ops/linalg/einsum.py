"""Einstein summation, composed of transpositions and matrix products."""

from __future__ import annotations

import re
import string
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


@public
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Sums products over labeled axes, in the notation of `numpy.einsum`.

    Args:
      equation: for example "ij,jk->ik", with a letter for each axis of each input and of the result; axes missing
        from the result are summed over. `...` denotes all other axes. Without "->", the result has the axes that
        occur once, in alphabetical order.
      *inputs: Tensors of the same dtype.

    Returns:
      A Tensor with the axes of the result.

    Raises:
      TypeError: for an unknown keyword.
      ValueError: if the equation is malformed, does not match the inputs, or repeats an axis within an input
        (except for the trace, "ii").

    Example: `tf.einsum("bij,bjk->bik", x, y)` is `tf.matmul(x, y)`.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        unknown = ", ".join(sorted(kwargs))
        raise TypeError(f"invalid keyword arguments for this function: {unknown}")
    with name_scope(name, "einsum", [equation, inputs]) as name:
        values = list(inputs)
        labels, result_labels = _parse(equation, [x.get_shape().ndims for x in values])
        if _is_trace(equation, labels, result_labels):
            return ops.trace(values[0])
        all_labels = set("".join(labels) + result_labels)
        for label in all_labels:
            count = sum(label in axes for axes in labels)
            if count > 2 and label not in result_labels:
                logs.warn(
                    "Falling back to exponential-space implementation of einsum() because index "
                    '"%s" is summed over more than two inputs.',
                    label,
                )
                return _sum_products_at_once(equation, values)
        total, made_labels = values[0], labels[0]
        for value, axes in zip(values[1:], labels[1:]):
            summed = (set(made_labels) & set(axes)) - set(result_labels)
            total, made_labels = _contract_pair(total, made_labels, value, axes, summed)
        extra = [i for i, label in enumerate(made_labels) if label not in result_labels]
        if extra:
            total = ops.reduce_sum(total, axis=extra)
            made_labels = "".join(a for a in made_labels if a in result_labels)
        if sorted(made_labels) != sorted(result_labels):
            raise ValueError(f"Invalid equation: {equation}")
        return _transpose(total, [made_labels.index(a) for a in result_labels])


def _is_trace(equation: str, labels: list[str], result_labels: str) -> bool:
    """Whether an equation is the trace "ii"; raises ValueError for other repeated axes."""
    for axes in labels:
        for label in axes:
            if axes.count(label) == 1:
                continue
            palindrome = len(labels) == 1 and axes.count(label) == 2 and axes == axes[::-1]
            if palindrome and "->" not in equation:
                return True
            raise ValueError(f"Subscript not supported: an axis appears more than once: {axes}")
    return False


def _parse(equation: str, ranks: list[int | None]) -> tuple[list[str], str]:
    """Parses the axis letters of each input and of the result, expanding an ellipsis to unused letters."""
    equation = equation.replace(" ", "")
    match = re.match("^([a-zA-Z,.]+)(->[a-zA-Z.]*)?$", equation)
    if not match:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match[1].split(",")
    result = match[2][2:] if match[2] else None
    if len(ranks) != len(labels):
        raise ValueError(
            f'Got {len(ranks)} arguments for equation "{equation}", expecting {len(labels)}'
        )
    spread = ""
    if "..." in equation:
        unused = "".join(c for c in string.ascii_letters if c not in "".join(labels))
        for index, rank in enumerate(ranks):
            if "..." in labels[index]:
                letters = _ellipsis_letters(labels[index], rank, unused)
                labels[index] = labels[index].replace("...", letters)
                spread = max(spread, letters, key=len)
        if any("." in axes for axes in labels):
            raise ValueError('period "." found outside of ellipsis')
        if result is not None:
            result = result.replace("...", spread)
            if "." in result:
                raise ValueError('period "." found outside of ellipsis')
    if result is None:
        joined = "".join(labels)
        single = {a for a in joined if joined.count(a) == 1 and a not in spread}
        result = spread + "".join(sorted(single))
    return labels, result


def _ellipsis_letters(axes: str, rank: int | None, unused: str) -> str:
    parts = axes.split("...")
    if len(parts) != 2:
        raise ValueError("Unable to resolve ellipsis. Excess number found.")
    if rank is None:
        raise ValueError("Unable to statically infer ellipsis axes.")
    count = rank - len("".join(parts))
    if count < 0:
        raise ValueError("Ellipses lengths do not match.")
    if len(unused) < count:
        raise ValueError("Unable to resolve ellipsis, too many distinct labels.")
    return unused[-count:] if count > 0 else ""


def _contract_pair(
    left: Tensor, left_labels: str, right: Tensor, right_labels: str, summed: set[str]
) -> tuple[Tensor, str]:
    """Multiplies two tensors and sums over shared axes; returns the product and its axis letters.

    Shared axes that remain come first, as batch dimensions of a single matrix product.
    """
    for position, (value, axes) in enumerate(((left, left_labels), (right, right_labels))):
        if len(axes) != len(value.shape):
            raise ValueError(
                f"Tensor t{position} of rank {len(value.shape)} does not match einsum reduction of "
                f"length {len(axes)}"
            )
    batch_labels = (set(left_labels) & set(right_labels)) - summed

    def in_order(axes, inner):
        return sorted(axes, key=lambda a: (-1 if a in batch_labels else 0 if inner(a) else 1, a))

    left_order = in_order(left_labels, lambda a: a not in summed)
    right_order = in_order(right_labels, lambda a: a in summed)
    left = _transpose(left, [left_labels.find(a) for a in left_order])
    right = _transpose(right, [right_labels.find(a) for a in right_order])
    batches, inner = len(batch_labels), len(summed)
    left_free = len(left_order) - batches - inner
    right_free = len(right_order) - batches - inner
    labels = "".join(
        left_order[: batches + left_free] + right_order[len(right_order) - right_free :]
    )
    if not summed:
        for _ in range(right_free):
            left = ops.expand_dims(left, -1)
        for _ in range(left_free):
            right = ops.expand_dims(right, batches)
        return ops.multiply(left, right), labels
    left_sizes = _axis_sizes(left)
    free = _total(left_sizes[batches:-inner])
    summed_size = _total(left_sizes[-inner:])
    left = _reshape(left, [*left_sizes[:batches], free, summed_size])
    right_sizes = _axis_sizes(right)
    free = _total(right_sizes[batches + inner :])
    right = _reshape(right, [*right_sizes[:batches], summed_size, free])
    product = ops.matmul(left, right)
    sizes = left_sizes[: batches + left_free] + right_sizes[len(right_sizes) - right_free :]
    return _reshape(product, sizes), labels


def _transpose(value: Tensor, order: list[int]) -> Tensor:
    return value if order == list(range(len(order))) else ops.transpose(value, perm=order)


def _reshape(value: Tensor, sizes: list) -> Tensor:
    """Reshapes `value` to `sizes` unless they are statically equal."""
    old = value.shape.as_list()
    is_equal = len(old) == len(sizes) and all(
        not isinstance(size, Tensor) and size in (was, -1) for was, size in zip(old, sizes)
    )
    return value if is_equal else ops.reshape(value, tuple(sizes))


def _axis_sizes(value: Tensor) -> list:
    """Returns the size of each axis, a number if known, else a tensor."""
    sizes: list = value.shape.as_list()
    if None in sizes:
        shape = ops.shape(value)
        sizes = [shape[i] if size is None else size for i, size in enumerate(sizes)]
    return sizes


def _total(sizes: list) -> Any:
    total: Any = 1
    for size in sizes:
        total *= size
    return total


def _sum_products_at_once(equation: str, inputs: list) -> Tensor:
    """Broadcasts, multiplies and sums all inputs at once, for axes that more than two inputs share."""
    labels, result = _parse(equation, [x.shape.ndims for x in inputs])
    all_labels = sorted(set("".join(labels) + result))
    order = {a: i for i, a in enumerate([a for a in all_labels if a not in result])}
    order.update({a: len(order) + i for i, a in enumerate(result)})
    shapes = []
    for index, (value, axes) in enumerate(zip(inputs, labels)):
        if value.shape.ndims != len(axes):
            raise ValueError(
                f"Input {index} with axes {axes} has incorrect number of dimensions (expected "
                f"{len(axes)}, got {value.shape.ndims})"
            )
        ordered = sorted(axes, key=order.__getitem__)
        if list(axes) != ordered:
            inputs[index] = ops.transpose(value, [axes.find(a) for a in ordered])
            labels[index] = "".join(ordered)
        shapes.append([size or -1 for size in inputs[index].shape.as_list()])
    summed = []
    for axis, label in enumerate(sorted(all_labels, key=order.__getitem__)):
        sizes = set()
        for shape, axes in zip(shapes, labels):
            if label not in axes:
                shape.insert(axis, 1)
            elif shape[axis] > 1:
                sizes.add(shape[axis])
        if len(sizes) > 1:
            raise ValueError(f"Dimension mismatch on axis: {label}")
        if label not in result:
            summed.append(axis)
    product: Any = 1
    for value in [ops.reshape(value, shape) for value, shape in zip(inputs, shapes)]:
        product *= value
    return ops.reduce_sum(product, summed)
