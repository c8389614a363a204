"""Multivariate normal distributions with a scale of a diagonal plus a low-rank matrix."""

from __future__ import annotations

from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.scales import diagonal_scale, tensor_or_none
from tfmini._src.contrib.distributions.transformed.multivariate_normal import (
    MultivariateNormalLinearOperator,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.probability.linear_operators.low_rank_update import LinearOperatorLowRankUpdate


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """Multivariate normal distribution whose scale is diag(scale_diag) + U diag(d) U^T, U [k, r] with a small r.

    Args:
      loc: the mean, [..., k] float tensor; None for 0.
      scale_diag: [..., k] float tensor, or None.
      scale_identity_multiplier: [...] float tensor, added to `scale_diag`; 1 if both are None.
      scale_perturb_factor: U, [..., k, r] float tensor; None for a diagonal scale.
      scale_perturb_diag: d, [..., r] float tensor; None for ones.
      validate_args, allow_nan_stats: as in `MultivariateNormalDiag`.

    Raises:
      ValueError: if no argument determines k.
    """

    @moved
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        scale_perturb_factor: TensorLike | None = None,
        scale_perturb_diag: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ):
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        values += [scale_perturb_factor, scale_perturb_diag]
        with name_scope(name) as name, name_scope("init", values=values):
            perturbed = scale_perturb_factor is not None or scale_perturb_diag is not None
            scale = diagonal_scale(
                loc, scale_diag, scale_identity_multiplier, validate_args, positive=perturbed
            )
            factor = tensor_or_none(scale_perturb_factor, "scale_perturb_factor")
            diag = tensor_or_none(scale_perturb_diag, "scale_perturb_diag")
            if perturbed:
                scale = LinearOperatorLowRankUpdate(
                    scale,
                    u=factor,
                    diag_update=diag,
                    is_diag_update_positive=diag is None,
                    is_non_singular=True,
                    is_self_adjoint=True,
                    is_positive_definite=True,
                    is_square=True,
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
