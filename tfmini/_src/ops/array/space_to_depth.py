"""Moving of image blocks to the depth axis and back: SpaceToDepth, DepthToSpace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.space_to_batch import divide_size
from tfmini._src.ops.operands import ANY

_SIZE = Attr("int", minimum=2)
_FORMAT = Attr("string", "NHWC", allowed=("NHWC", "NCHW", "NCHW_VECT_C"))


def _check_rank_and_format(value: Any, data_format: str, problem: str) -> None:
    """Raises an error unless the rank is 4 and the format NHWC, the only format that TensorFlow supports on the CPU."""
    if data_format != "NHWC":
        invalid(f"Only NHWC data_format supported on CPU. Got {data_format}")
    if value.ndim != 4:
        invalid(problem.format(value.ndim))


@op(
    "SpaceToDepth", "input: T -> output: T", view=True, T=ANY, block_size=_SIZE, data_format=_FORMAT
)
def space_to_depth_op(xp, value, *, block_size, data_format):
    _check_rank_and_format(value, data_format, "Input rank should be 4 instead of {}")
    n, height, width, depth = value.shape
    if height % block_size or width % block_size:
        invalid(
            f"Image width {width} and height {height} should be divisible by block_size: "
            f"{block_size}"
        )
    rows, columns = height // block_size, width // block_size
    value = value.reshape(n, rows, block_size, columns, block_size, depth)
    return value.transpose(0, 1, 3, 2, 4, 5).reshape(
        n, rows, columns, -1 if value.size else depth * block_size**2
    )


@op(
    "DepthToSpace", "input: T -> output: T", view=True, T=ANY, block_size=_SIZE, data_format=_FORMAT
)
def depth_to_space_op(xp, value, *, block_size, data_format):
    _check_rank_and_format(value, data_format, "Input rank should be: 4 instead of: {}")
    n, rows, columns, depth = value.shape
    if depth % block_size**2:
        invalid(f"Input depth dimension {depth} should be divisible by: {block_size**2}")
    inner = depth // block_size**2
    value = value.reshape(n, rows, columns, block_size, block_size, inner)
    return value.transpose(0, 1, 3, 2, 4, 5).reshape(
        n, rows * block_size, columns * block_size, inner
    )


def _spatial(op: Any) -> tuple[tuple, tuple[int, int, int]]:
    """Returns the static input shape and the indices of height, width and depth."""
    layout = op.attrs["data_format"]
    dims = with_rank(op.inputs[0]._dims, 5 if layout == "NCHW_VECT_C" else 4)
    return dims, (1, 2, 3) if layout == "NHWC" else (2, 3, 1)


def _times(size: int | None, factor: int) -> int | None:
    return None if size is None else size * factor


def _moved_dims(op: Any, spatially: Callable, scale_depth: Callable) -> Dims:
    dims, (height, width, depth) = _spatial(op)
    size = op.attrs["block_size"]
    result = list(dims)
    result[height], result[width] = spatially(dims[height], size), spatially(dims[width], size)
    result[depth] = scale_depth(dims[depth], size**2)
    return tuple(result)


space_to_depth_op.infer(lambda op: _moved_dims(op, divide_size, _times))
depth_to_space_op.infer(lambda op: _moved_dims(op, _times, divide_size))


def _gradient_attrs(op: Any) -> tuple[int, str]:
    block_size, data_format = op.attrs["block_size"], op.attrs["data_format"]
    if data_format == "NCHW_VECT_C":
        op_type = op.type
        raise ValueError(
            f"Cannot compute {op_type} gradient with NCHW_VECT_C. NCHW_VECT_C requires qint8 data type."
        )
    return block_size, data_format


@space_to_depth_op.gradient
def _(op, grad):
    block_size, data_format = _gradient_attrs(op)
    return ops.depth_to_space(grad, block_size, data_format=data_format)


@depth_to_space_op.gradient
def _(op, grad):
    block_size, data_format = _gradient_attrs(op)
    return ops.space_to_depth(grad, block_size, data_format=data_format)


@public
def space_to_depth(
    input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Tensor:
    """Moves square blocks of an image into the depth of single pixels.

    Args:
      input: [batch, height, width, depth] tensor.
      block_size: the side of a block, an int of at least 2 that divides height and width.
      data_format: "NHWC", the only one supported on the CPU.

    Returns:
      Tensor [batch, height / block_size, width / block_size, depth * block_size^2].

    Raises:
      ValueError, InvalidArgumentError (when run): if the block size does not divide the image.
    """
    return raw.SpaceToDepth(input, block_size=block_size, data_format=data_format, name=name)


@public
def depth_to_space(
    input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Tensor:
    """Inverse of `tf.space_to_depth`: spreads the depth of a pixel over a square block.

    Args:
      input: [batch, height, width, depth] tensor.
      block_size: the side of a block, an int of at least 2 whose square divides the depth.
      data_format: "NHWC", the only one supported on the CPU.

    Returns:
      Tensor [batch, height * block_size, width * block_size, depth / block_size^2].

    Raises:
      ValueError, InvalidArgumentError (when run): if the square of the block size does not divide the depth.
    """
    return raw.DepthToSpace(input, block_size=block_size, data_format=data_format, name=name)
