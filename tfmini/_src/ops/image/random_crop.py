"""`tf.image.random_crop`: a random crop of a specified size."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.random.random_ops import random_uniform


@public
def random_crop(
    value: TensorLike, size: TensorLike, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Crops a tensor to a specified size at a random position.

    Args:
      value: a tensor.
      size: a vector with the size of each axis, at most the size in `value`.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of shape `size` and the dtype of `value`.

    Raises:
      InvalidArgumentError (when run): if `value` is smaller than `size`.

    Example: `tf.random_crop(image, [24, 24, 3])`.
    """
    with name_scope(name, "random_crop", [value, size]) as name:
        value = ops.convert_to_tensor(value, name="value")
        size = ops.convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = ops.shape(value)
        check = ops.Assert(
            ops.reduce_all(shape >= size),
            ["Need value.shape >= size, got ", shape, size],
            summarize=1000,
        )
        shape = ops.with_dependencies([check], shape)
        limit = shape - size + 1
        random_offset = random_uniform(
            ops.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed
        )
        return ops.slice(value, random_offset % limit, size, name=name)
