"""Bijector that permutes vectors."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_MESSAGE = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."


class Permute(Bijector):
    """The bijector y[..., i] = x[..., permutation[i]].

    Args:
      permutation: [d] integers, a permutation of 0 to d - 1.
      validate_args: whether to check a non-constant permutation at run time.
      name: the name scope of the nodes, "permute" by default.

    Raises:
      TypeError: if the permutation does not consist of integers.
      ValueError: if the constant permutation lacks an index.
    """

    permutation: Tensor = read_only("Source index of each output element.")

    @moved
    def __init__(
        self, permutation: TensorLike, validate_args: bool = False, name: str | None = None
    ):
        with name_scope(name, "permute", values=[permutation]):
            permutation = convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(
                    f"permutation.dtype ({permutation.dtype.name}) should be `int`-like."
                )
            static = get_static_value(permutation)
            if static is not None:
                if set(static) != set(np.arange(static.size)):
                    raise ValueError(_MESSAGE)
            elif validate_args:
                negative = -permutation
                size = ops.shape(permutation)[-1]
                descending, _ = ops.top_k(negative, k=size, sorted=True)
                ascending = -descending
                positions = ops.range(ops.size(descending))
                check = ops.assert_equal(ascending, positions, message=_MESSAGE)
                permutation = ops.with_dependencies([check], permutation)
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "permute",
            )

    def _forward(self, x: Tensor) -> Tensor:
        return ops.gather(x, self.permutation, axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.gather(y, ops.invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return ops.constant(0.0, dtype=y.dtype.base_dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return ops.constant(0.0, dtype=x.dtype.base_dtype)
