"""Selection by rank: the largest elements of each row, membership of a target among them, the n-th element."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda import scan_top_k as on_gpus
from tfmini._src.devices.cuda.launch import NUMBERS as NUMBERS_ON_GPU, supports
from tfmini._src.devices.host.native import argmax_in_top_k
from tfmini._src.devices.host.threads import run_parts
from tfmini._src.devices.numpy.row_blocks import row_blocks
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    merge_dim,
    size_input,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.top_k_heap import largest_in_heap, largest_with_nan
from tfmini._src.ops.operands import INDEX32, shape_text
from tfmini._src.ops.type_lists import REAL_NUMBERS


def _checked_k(values: Any, k: Any) -> int:
    """Returns `k` as an int; raises InvalidArgumentError unless rows have at least `k` elements."""
    if k.ndim:
        invalid(f"k must be scalar, got shape {shape_text(k.shape)}")
    if k < 0:
        invalid(f"Need k >= 0, got {int(k)}")
    if values.ndim < 1:
        invalid(f"input must be >= 1-D, got shape {shape_text(values.shape)}")
    columns = values.shape[-1]
    if columns < k:
        invalid(f"input must have at least k columns. Had {columns}, needed {k}")
    return int(k)


def _prefers_search(shape: tuple[int, ...], k: int) -> bool:
    """Whether repeated searches in the rows of a matrix are faster than sorting."""
    rows, columns = shape
    return k < 8 and max(columns, rows // k) >= 512


def _largest_elements(xp: Any, values: Any, k: int) -> tuple[Any, Any]:
    """Returns the k largest elements of each row and their indices; ties are in index order."""
    if k == 0 or not values.size:
        positions = xp.zeros((*values.shape[:-1], k), int)
    else:
        rows = values.reshape(-1, values.shape[-1])
        searches = _prefers_search(rows.shape, k)
        result = argmax_in_top_k.largest(rows, k) if xp is np and not searches else None
        if result is not None:
            largest, indices = (array.reshape(*values.shape[:-1], k) for array in result)
            return largest, indices
        positions = argmax_in_top_k.argmax(rows, 1, True) if xp is np and k == 1 else None
        if positions is not None:
            positions = positions.reshape(*values.shape[:-1], 1)
        elif xp is np and k <= _MAX_SEARCHED_K and not _sorts_by_insertion(rows.shape[1], k):
            positions = _search_repeatedly(values, k)
        if positions is None:
            positions = _descending_order(xp, values)[..., :k]
        if xp is np and values.dtype.kind not in "iu" and np.isnan(values.max()):
            _order_nan(values, positions)
    return xp.take_along_axis(values, positions, axis=-1), positions.astype("int32")


def _order_nan(values: np.ndarray, positions: np.ndarray) -> None:
    """Recomputes the indices in rows with NaN."""
    rows, indices = values.reshape(-1, values.shape[-1]), positions.reshape(-1, positions.shape[-1])
    for row in np.flatnonzero(np.isnan(rows).any(axis=1)):
        indices[row] = largest_with_nan(rows[row], indices.shape[1])


_MAX_SEARCHED_K = 16  # maximum k for which repeated search beats sorting a row
_BLOCK = 1 << 18  # elements searched at a time; any thread may take a block


def _sorts_by_insertion(columns: int, k: int) -> bool:
    """Whether rows are short enough that NumPy sorts them by insertion, which is faster than several searches."""
    return columns <= 16 and 3 * k > columns


def _search_repeatedly(values: np.ndarray, k: int) -> np.ndarray | None:
    """Returns the indices of the k largest elements of each row, found one at a time by masking previous ones.

    Returns None on failure, because NaN is unordered and the lowest value cannot be masked.
    """
    kind = values.dtype.kind
    if kind not in "fiu":
        return None
    min_value = -np.inf if kind == "f" else np.iinfo(values.dtype).min
    columns = values.shape[-1]
    rows = values.reshape(-1, columns)
    positions = np.empty((len(rows), k), int)
    length = max(1, _BLOCK // columns)
    failed: list[int] = []

    def work(block: int) -> None:
        part = slice(block * length, (block + 1) * length)
        remaining = rows[part].copy()
        flat, starts = remaining.reshape(-1), np.arange(0, remaining.size, columns)
        indices, largest = (
            np.empty((k, len(remaining)), int),
            np.empty((k, len(remaining)), remaining.dtype),
        )
        for rank in range(k):
            remaining.argmax(axis=1, out=indices[rank])
            position = starts + indices[rank]
            largest[rank] = flat[position]
            flat[position] = min_value
        if not (largest > min_value).all():
            failed.append(block)
        positions[part] = indices.T

    run_parts(work, -(-len(rows) // length))
    return None if failed else positions.reshape(*values.shape[:-1], k)


def _descending_order(xp: Any, values: Any) -> Any:
    """Returns the indices in descending order of value, NaN last; ties are in ascending index order."""
    if values.dtype.kind not in "iu":
        return xp.argsort(-values, axis=-1, kind="stable")
    backwards = xp.argsort(values[..., ::-1], axis=-1, kind="stable")
    return values.shape[-1] - 1 - backwards[..., ::-1]


def _short_row_kernel(ctx: Any) -> Any:
    """Returns a kernel for short rows of a known shape; None for other shapes."""
    dims, k = ctx.dims[0], ctx.constants.get("k")
    if not dims or None in dims or len(dims) != 2 or k is None or k.ndim or not 0 < k <= dims[1]:
        return None
    count = int(k)
    if not ctx.attrs["sorted"] or _prefers_search(dims, count):
        return None

    def largest(values, k):
        result = argmax_in_top_k.largest(values, count)
        return _largest_elements(np, values, count) if result is None else result

    return largest


@op(
    "TopKV2",
    "input: T, k: int32 -> values: T, indices: int32",
    static_inputs=("k",),
    sorted=True,
    T=REAL_NUMBERS,
)
def top_k_op(xp, values, k, *, sorted):
    count = _checked_k(values, k)
    if sorted or xp is not np or not 1 < count < values.shape[-1]:
        return _largest_elements(xp, values, count)
    rows = values.reshape(-1, values.shape[-1])
    positions = np.empty((len(rows), count), np.int32)
    for index, row in enumerate(rows):
        positions[index] = largest_in_heap(row, count)
    positions = positions.reshape(*values.shape[:-1], count)
    return np.take_along_axis(values, positions, axis=-1), positions


top_k_op.bind(_short_row_kernel)


@top_k_op.on_gpu
def _(gpu, values, k):
    count = _checked_k(values, k)
    if count > on_gpus.MAX_K or not supports(values.dtype, NUMBERS_ON_GPU):
        return _largest_elements(gpu.xp, values, count)
    return on_gpus.top_k(gpu.xp, values, count)


@top_k_op.infer
def _(op):
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    k = size_input(op, 1)
    if dims is None:
        return [None, None]
    if dims[-1] is not None and k is not None and dims[-1] < k:
        raise InferenceError(f"input must have last dimension >= k = {k} but is {dims[-1]}")
    return [(*dims[:-1], k)] * 2


@top_k_op.gradient
def _(op, grad, _):
    """Scatters the gradient back to the positions of the selected elements."""
    in_shape, place_shape = ops.shape(op.inputs[0]), ops.shape(op.outputs[1])
    place_columns = _last(place_shape)
    positions = ops.reshape(op.outputs[1], ops.stack([-1, place_columns]))
    columns = _last(in_shape)
    rows = ops.shape(positions)[0]
    starts = ops.range(0, ops.cast(rows, dtypes.int64) * columns, columns)
    starts = ops.cast(ops.expand_dims(starts, -1), dtypes.int32)
    flat = ops.reshape(positions + starts, [-1])
    scattered = ops.scatter_nd(
        ops.expand_dims(flat, -1), ops.reshape(grad, [-1]), [ops.reduce_prod(in_shape)]
    )
    return ops.reshape(scattered, in_shape), ops.zeros([], dtype=dtypes.int32)


def _last(shape: Tensor) -> Tensor:
    """Returns the last dimension of a shape as an int64 tensor."""
    return ops.gather(ops.cast(shape, dtypes.int64), ops.size(shape) - 1)


@public
def top_k(
    input: TensorLike, k: TensorLike = 1, sorted: bool = True, name: str | None = None
) -> Any:
    """Returns the k largest elements of each row and their indices; ties go to the lower index.

    Args:
      input: [..., columns], a tensor of real numbers.
      k: the number of elements, a scalar of at most `columns`. As in TensorFlow, NaN is neither larger nor smaller than
        a number, so a larger element may be missing from the result for a row with NaN.
      sorted: whether to return them in descending order. If False, the CPU uses the order of TensorFlow's heap.

    Returns:
      (values [..., k], indices int32 [..., k]), a named tuple.

    Example: `tf.nn.top_k([1.0, 3.0, 2.0], 2)` returns [3.0, 2.0] and [1, 2].
    """
    return raw.TopKV2(input, k=k, sorted=sorted, name=name)


def _in_top(xp: Any, predictions: Any, targets: Any, k: Any) -> Any:
    if predictions.ndim != 2:
        invalid("predictions must be 2-dimensional")
    if targets.ndim != 1:
        invalid("targets must be 1-dimensional")
    if len(predictions) != len(targets):
        invalid(
            f"First dimension of predictions {len(predictions)} must match length of targets "
            f"{len(targets)}"
        )
    output = argmax_in_top_k.in_top(predictions, targets, int(k)) if xp is np else None
    if output is not None:
        return output
    in_range = (targets >= 0) & (targets < predictions.shape[1])
    result = xp.zeros(len(targets), bool)
    for part in row_blocks(xp, predictions) if predictions.size else ():
        rows, sure = predictions[part], in_range[part]
        expected = rows[xp.arange(len(rows)), xp.where(sure, targets[part], 0)]
        if xp is np:
            # A product with zeros is zero unless an element is not finite; a product with ones counts.
            finite = np.isfinite(rows @ np.zeros(rows.shape[1], rows.dtype))
            larger = (rows > expected[:, None]).astype(rows.dtype) @ np.ones(
                rows.shape[1], rows.dtype
            )
        else:
            finite = xp.isfinite(rows).all(1)
            larger = (rows > expected[:, None]).sum(1)
        result[part] = sure & finite & (larger < k)
    return result


def _in_top_shape(op: Any) -> Dims:
    rows, _ = with_rank(op.inputs[0]._dims, 2)
    (targets,) = with_rank(op.inputs[1]._dims, 1)
    return (merge_dim(rows, targets),)


@op(
    "InTopK",
    "predictions: float, targets: T -> precision: bool",
    infer=_in_top_shape,
    k=Attr("int"),
    T=INDEX32,
)
def in_top_k_v1_op(xp, predictions, targets, *, k):
    return _in_top(xp, predictions, targets, k)


@op(
    "InTopKV2",
    "predictions: float, targets: T, k: T -> precision: bool",
    infer=_in_top_shape,
    static_inputs=("k",),
    T=INDEX32,
)
def in_top_k_op(xp, predictions, targets, k):
    if k.ndim:
        invalid("k must be 0-D, got shape " + shape_text(k.shape))
    return _in_top(xp, predictions, targets, k)


@public
def in_top_k(
    predictions: TensorLike, targets: TensorLike, k: TensorLike, name: str | None = None
) -> Tensor:
    """Returns, for each target, whether it is among the k largest predictions of its row, including ties.

    Args:
      predictions: float32 [rows, classes].
      targets: int32 or int64 [rows], class indices.
      k: the number of top predictions to consider, a scalar.

    Returns:
      A bool tensor [rows]; False if a prediction is not finite or the class is out of range.
    """
    with name_scope(name, "in_top_k"):
        return raw.InTopKV2(predictions, targets, k, name=name)


@op(
    "NthElement",
    "input: T, n: int32 -> values: T",
    static_inputs=("n",),
    reverse=False,
    T=REAL_NUMBERS,
)
def nth_element_op(xp, value, n, *, reverse):
    if n.ndim:
        invalid(f"N must be scalar, got shape {shape_text(n.shape)}")
    if n < 0:
        invalid(f"Need n >= 0, got {int(n)}")
    if value.ndim < 1:
        invalid(f"Input must be >= 1-D, got shape {shape_text(value.shape)}")
    size = value.shape[-1]
    if size <= n:
        invalid("Input must have at least n+1 columns")
    position = size - 1 - int(n) if reverse else int(n)
    return xp.partition(value, position, axis=-1)[..., position]


@nth_element_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    n = size_input(op, 1)
    if dims is None:
        return None
    if n is not None and dims[-1] is not None and dims[-1] <= n:
        raise InferenceError(f"Input must have last dimension > n = {n} but is {dims[-1]}")
    return dims[:-1]


@nth_element_op.gradient
def _(op, grad):
    """Splits the gradient evenly among equal elements."""
    value, result = op.inputs[0], op.outputs[0]
    equal = ops.cast(ops.equal(ops.expand_dims(result, -1), value), grad.dtype)
    grad = ops.expand_dims(grad, -1)
    count = ops.expand_dims(ops.reduce_sum(equal, -1), -1)
    return ops.div(equal, count) * grad, None


def nth_element(
    input: TensorLike, n: TensorLike, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Returns the n-th smallest element of each row, counting from 0, or the n-th largest if `reverse`.

    Args:
      input: [..., columns] tensor of real numbers.
      n: an int32 scalar less than `columns`.
      reverse: whether to count from the largest element.

    Returns:
      [...] Tensor.

    Raises:
      InvalidArgumentError (when run): if `n` is out of range.
    """
    return raw.NthElement(input, n, reverse=reverse, name=name)
