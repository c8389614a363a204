"""The sinh-arcsinh distribution: a normal distribution with skewness and heavier or lighter tails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.affine_scalar import AffineScalar
from tfmini._src.contrib.distributions.bijectors.chain import Chain
from tfmini._src.contrib.distributions.bijectors.sinh_arcsinh import (
    SinhArcsinh as SinhArcsinhBijector,
)
from tfmini._src.contrib.distributions.check_scalar import check_scalar
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.prefer_static import common_broadcast_shape
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.distribution import Distribution


def scalar_base(
    distribution: Any, checked: Tensor, validate_args: bool, allow_nan_stats: bool
) -> tuple[Distribution, Tensor]:
    """Returns the base distribution, by default a standard normal, and `checked` with dependencies on its checks."""
    dtype = checked.dtype
    if distribution is None:
        zero, one = ops.zeros([], dtype=dtype), ops.ones([], dtype=dtype)
        return Normal(loc=zero, scale=one, allow_nan_stats=allow_nan_stats), checked
    checks = check_scalar(distribution, dtype, validate_args)
    return distribution, ops.with_dependencies(checks, checked) if checks else checked


def bend_and_factor(
    skewness: Tensor, tailweight: Tensor, scale: Tensor, is_symmetric: bool
) -> tuple[SinhArcsinhBijector, Tensor]:
    """Returns the bijector and the factor c that multiplies its values."""
    sinh_arcsinh = straight = SinhArcsinhBijector(skewness=skewness, tailweight=tailweight)
    if not is_symmetric:
        none = skewness.dtype.as_numpy_dtype(0.0)
        straight = SinhArcsinhBijector(skewness=none, tailweight=tailweight)
    return sinh_arcsinh, 2 * scale / straight.forward(convert_to_tensor(2, dtype=scale.dtype))


class SinhArcsinh(TransformedDistribution):
    """Distribution of loc + c sinh((arcsinh(z) + skewness) tailweight) for a standard normal z.

    c = 2 scale / sinh(arcsinh(2) tailweight) keeps the probability within two scales roughly constant.

    Args:
      loc: the location, a float tensor.
      scale: the scale, of the same dtype.
      skewness: skewness, to the right if positive; None for 0.
      tailweight: tail weight, heavier than normal above 1; None for 1.
      distribution: the transformed scalar distribution, by default a standard normal.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      TypeError: if `distribution` has a different dtype.
      ValueError: if `distribution` is not scalar.
    """

    loc: Tensor = read_only("The location.")
    scale: Tensor = read_only("The scale.")
    tailweight: Tensor = read_only("Tail weight; 1 for normal tails.")
    skewness: Tensor = read_only("Skewness; positive to the right.")

    @moved
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        skewness: TensorLike | None = None,
        tailweight: TensorLike | None = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "SinhArcsinh",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            loc = convert_to_tensor(loc, name="loc")
            dtype = loc.dtype
            scale = convert_to_tensor(scale, name="scale", dtype=dtype)
            tailweight = 1.0 if tailweight is None else tailweight
            symmetric = skewness is None
            skewness = 0.0 if skewness is None else skewness
            tailweight = convert_to_tensor(tailweight, name="tailweight", dtype=dtype)
            skewness = convert_to_tensor(skewness, name="skewness", dtype=dtype)
            batch_shape = common_broadcast_shape(loc, scale, tailweight, skewness)
            distribution, loc = scalar_base(distribution, loc, validate_args, allow_nan_stats)
            sinh_arcsinh, factor = bend_and_factor(skewness, tailweight, scale, symmetric)
            affine = AffineScalar(shift=loc, scale=factor, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=Chain([affine, sinh_arcsinh]),
                batch_shape=batch_shape,
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness
