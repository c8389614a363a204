"""The bijector from unconstrained vectors to triangular matrices with a positive diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.contrib.distributions.bijectors.affine_scalar import AffineScalar
from tfmini._src.contrib.distributions.bijectors.chain import Chain
from tfmini._src.contrib.distributions.bijectors.fill_triangular import FillTriangular
from tfmini._src.contrib.distributions.bijectors.softplus import Softplus
from tfmini._src.contrib.distributions.bijectors.transform_diagonal import TransformDiagonal
from tfmini._src.contrib.distributions.deprecation import moved

if TYPE_CHECKING:
    from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
    from tfmini._src.graph.tensor import TensorLike


class ScaleTriL(Chain):
    """Composes `FillTriangular`, `diag_bijector` and a shift on the diagonal: `scale_tril` from unconstrained vectors.

    Args:
      diag_bijector: bijector of the diagonal, softplus by default.
      diag_shift: number added to the result, or None.
      validate_args: whether to check arguments at run time.
    """

    @moved
    def __init__(
        self,
        diag_bijector: Bijector | None = None,
        diag_shift: TensorLike = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ):
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        super().__init__(
            [TransformDiagonal(diag_bijector=diag_bijector), FillTriangular()],
            validate_args=validate_args,
            name=name,
        )
