"""The sinh-arcsinh distribution of vectors with independent elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.affine import Affine
from tfmini._src.contrib.distributions.bijectors.chain import Chain
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.scales import (
    batch_and_event_shapes,
    diagonal_scale,
    tensor_or_none,
)
from tfmini._src.contrib.distributions.transformed.sinh_arcsinh import bend_and_factor, scalar_base
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.distribution import Distribution


class VectorSinhArcsinhDiag(TransformedDistribution):
    """Distribution of loc + c sinh((arcsinh(z) + skewness) tailweight) for vectors z of k standard normals.

    c = 2 scale / sinh(arcsinh(2) tailweight), as in `SinhArcsinh`.

    Args:
      loc: the location, [..., k] float tensor; None for 0.
      scale_diag: the scales, [..., k] float tensor.
      scale_identity_multiplier: [...] float tensor, added to `scale_diag`.
      skewness: skewness, to the right if positive, [..., k] tensor; None for 0.
      tailweight: tail weight, heavier than normal above 1, [..., k] tensor; None for 1.
      distribution: the transformed scalar distribution, by default a standard normal.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if no argument determines k, or `distribution` is not scalar.
      TypeError: if `distribution` has a different dtype.
    """

    loc: Tensor | None = read_only("The location; None for 0.")
    scale: LinearOperator = read_only("The operator of the scales.")
    tailweight: Tensor = read_only("Tail weight; 1 for normal tails.")
    skewness: Tensor = read_only("Skewness; positive to the right.")

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        skewness: TensorLike | None = None,
        tailweight: TensorLike | None = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier, skewness, tailweight]
        with name_scope(name, values=values) as name:
            loc = tensor_or_none(loc, "loc")
            tailweight = 1.0 if tailweight is None else tailweight
            symmetric = skewness is None
            skewness = 0.0 if skewness is None else skewness
            scale = diagonal_scale(loc, scale_diag, scale_identity_multiplier)
            batch_shape, event_shape = batch_and_event_shapes(loc, scale)
            diag = scale.diag_part()
            dtype = diag.dtype
            distribution, diag = scalar_base(distribution, diag, validate_args, allow_nan_stats)
            skewness = convert_to_tensor(skewness, dtype=dtype, name="skewness")
            tailweight = convert_to_tensor(tailweight, dtype=dtype, name="tailweight")
            sinh_arcsinh, factor = bend_and_factor(skewness, tailweight, diag, symmetric)
            affine = Affine(shift=loc, scale_diag=factor, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=Chain([affine, sinh_arcsinh]),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness
