"""Flips, right-angle rotations and transposition of images."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.image_checks import checked_image, three_or_four


def _copy_shape(image: Any, result: Any) -> Tensor:
    result.set_shape([None, None, None] if image.shape.ndims is None else image.shape)
    return result


def _flip(image: Any, axis: int, scope: str) -> Tensor:
    with name_scope(None, scope, [image]):
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        ndims = image.shape.ndims
        if ndims in (3, None):
            return _copy_shape(image, ops.reverse(image, [axis]))
        if ndims == 4:
            return ops.reverse(image, [axis + 1])
        raise three_or_four(image)


@public
def flip_left_right(image: TensorLike) -> Tensor:
    """Flips an image, or each image in a batch, horizontally.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the rank is not 3 or 4.
    """
    return _flip(image, 1, "flip_left_right")


@public
def flip_up_down(image: TensorLike) -> Tensor:
    """Flips an image, or each image in a batch, vertically; see `tf.image.flip_left_right`."""
    return _flip(image, 0, "flip_up_down")


def _flip_at_random(image: Any, axis: int, seed: int | None, scope: str) -> Tensor:
    with name_scope(None, scope, [image]) as name:
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        ndims = image.shape.ndims
        if ndims in (3, None):
            random_value = ops.random_uniform([], 0, 1.0, seed=seed)
            is_flipped = ops.less(random_value, 0.5)
            result = ops.cond(
                is_flipped, lambda: ops.reverse(image, [axis]), lambda: image, name=name
            )
            return _copy_shape(image, result)
        if ndims == 4:
            batch = ops.shape(image)[0]
            draws = ops.random_uniform([batch], 0, 1.0, seed=seed)
            flips = ops.round(ops.reshape(draws, [batch, 1, 1, 1]))
            flips = ops.cast(flips, image.dtype)
            flipped = ops.reverse(image, [axis + 1])
            return flips * flipped + (1 - flips) * image
        raise three_or_four(image)


@public
def random_flip_left_right(image: TensorLike, seed: int | None = None) -> Tensor:
    """Flips an image horizontally with probability 1/2; `seed` is an integer, see `tf.set_random_seed`."""
    return _flip_at_random(image, 1, seed, "random_flip_left_right")


@public
def random_flip_up_down(image: TensorLike, seed: int | None = None) -> Tensor:
    """Flips an image vertically with probability 1/2; `seed` is an integer, see `tf.set_random_seed`."""
    return _flip_at_random(image, 0, seed, "random_flip_up_down")


@public
def rot90(image: Any, k: TensorLike = 1, name: str | None = None) -> Tensor:
    """Rotates an image, or each image in a batch, counter-clockwise by multiples of 90 degrees.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.
      k: the number of 90-degree rotations, a scalar integer.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: if the rank is not 3 or 4, or `k` is not a scalar.
    """
    with name_scope(name, "rot90", [image, k]) as scope:
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        k = ops.convert_to_tensor(k, dtype=dtypes.int32, name="k")
        k.shape.assert_has_rank(0)
        k = ops.mod(k, 4)
        ndims = image.shape.ndims
        if ndims not in (3, 4, None):
            raise three_or_four(image)
        rows = 1 if ndims == 4 else 0  # the row axis
        order = [0, 2, 1, 3] if ndims == 4 else [1, 0, 2]

        def once() -> Tensor:
            return ops.transpose(ops.reverse(image, [rows + 1]), order)

        def twice() -> Tensor:
            return ops.reverse(image, [rows, rows + 1])

        def thrice() -> Tensor:
            return ops.reverse(ops.transpose(image, order), [rows + 1])

        turns = [(ops.equal(k, n), turn) for n, turn in enumerate((once, twice, thrice), 1)]
        result = ops.case(turns, default=lambda: image, exclusive=True, name=scope)
        if ndims == 4:
            result.set_shape([result.shape[0], None, None, result.shape[3]])
        else:
            result.set_shape([None, None, image.shape[2]])
        return result


def transpose_image(image: Any, name: str | None = None) -> Tensor:
    """Transposes rows and columns of images; shapes, dtypes and errors are as in `tf.image.flip_left_right`."""
    with name_scope(name, "transpose", [image]):
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        ndims = image.shape.ndims
        if ndims in (3, None):
            return ops.transpose(image, [1, 0, 2], name=name)
        if ndims == 4:
            return ops.transpose(image, [0, 2, 1, 3], name=name)
        raise three_or_four(image)
