"""Connected components of binary images."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw


def connected_components(images: TensorLike) -> Tensor:
    """Labels the connected components of images: adjacent equal nonzero pixels, without diagonals.

    Args:
      images: [rows, columns] or [batch, rows, columns]: booleans, numbers or strings.

    Returns:
      An int32 tensor of the same shape: 0 for zeros, else component numbers from 1, in order of first pixels across
        all images.

    Raises:
      TypeError: for any other rank.

    Example:
      labels = tf.contrib.image.connected_components([[True, False], [True, True]])
    """
    with name_scope("connected_components"):
        tensor = ops.convert_to_tensor(images, name="images")
        rank = len(tensor.shape)
        if rank not in (2, 3):
            raise TypeError(
                f"images should have rank 2 (HW) or 3 (NHW). Static shape is {tensor.shape}"
            )
        parts = raw.ImageConnectedComponents(tensor[None, :, :] if rank == 2 else tensor)
        ids, index = ops.unique(ops.reshape(parts, [-1]))
        zero = ops.where_v2(ops.equal(ids, 0))[:, 0]
        count = ops.shape(ids)[0] - ops.shape(zero)[0]
        sequence = ops.range(count) + 1

        def with_zero() -> Tensor:
            zero_position = ops.cast(zero[0], dtypes.int32)
            prefix, suffix = sequence[:zero_position], sequence[zero_position:]
            return ops.concat([prefix, [0], suffix], axis=0)

        labels = ops.cond(ops.equal(ops.shape(zero)[0], 0), lambda: sequence, with_zero)
        parts = ops.reshape(ops.gather(labels, index), ops.shape(parts))
        return parts[0, :, :] if rank == 2 else parts
