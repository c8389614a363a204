"""Normalization of vectors by their norm."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def l2_normalize(
    x: TensorLike,
    axis: TensorLike | None = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: TensorLike | None = None,
) -> Tensor:
    """Normalizes to unit Euclidean norm along `axis`: x / sqrt(max(sum(x^2), epsilon)).

    Args:
      x: a float tensor.
      axis: an axis or a list of axes; None for all axes.
      epsilon: the lower bound of the squared norm.
      dim: the old name of `axis`.

    Returns:
      A tensor of the same shape and dtype.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        square_sum = ops.reduce_sum(ops.square(x), axis, keepdims=True)
        inverse_norm = ops.rsqrt(ops.maximum(square_sum, epsilon))
        return ops.multiply(x, inverse_norm, name=name)


@public
def normalize(
    tensor: TensorLike,
    ord: str | float = "euclidean",
    axis: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Divides a tensor by its norms along axes and returns both; see `tf.norm`.

    Args:
      tensor: a float or complex tensor.
      ord: the order of the norm: "euclidean", "fro", `np.inf` or a positive number.
      axis: None for the norm of the entire tensor, one axis for vector norms, two axes for matrix norms.

    Returns:
      (a tensor of the same shape, the norms with the axes kept).
    """
    with name_scope(name, "normalize", [tensor]) as name:
        tensor = ops.convert_to_tensor(tensor)
        norm = ops.cast(ops.norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / norm, norm
