"""Composition of bijectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Chain(Bijector):
    """The bijector y = g1(g2(... gn(x))), which applies the last bijector in the list first.

    Args:
      bijectors: g1 ... gn, or None for the identity.
      validate_args: whether to check arguments at run time.
      name: the name scope of the nodes, by default "chain" and the bijectors' names, joined by "_of_".

    Raises:
      NotImplementedError: for a bijector that is not injective.
      ValueError: if their dtypes differ.

    Example:
      b = tf.contrib.distributions.bijectors
      b.Chain([b.AffineScalar(shift=1.0), b.Exp()]).forward(0.0)  # 2
    """

    bijectors: Sequence[Any] = read_only("The functions; the last one is applied first.")

    @moved
    def __init__(
        self,
        bijectors: Sequence[Any] | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ):
        bijectors = () if bijectors is None else bijectors
        self._bijectors = bijectors
        for bijector in bijectors:
            if not bijector._is_injective:
                raise NotImplementedError(
                    f"Invert is not implemented for non-injective bijector ({bijector.name})"
                )
        names = [bijector.name for bijector in bijectors]
        super().__init__(
            graph_parents=[parent for bijector in bijectors for parent in bijector.graph_parents],
            forward_min_event_ndims=_min_rank(bijectors, forward=True),
            inverse_min_event_ndims=_min_rank(bijectors, forward=False),
            is_constant_jacobian=all(bijector.is_constant_jacobian for bijector in bijectors),
            validate_args=validate_args,
            dtype=_common_dtype(bijectors),
            name=name or "_of_".join(["chain", *names] if names else ["identity"]),
        )

    def _shape_after(self, method: str, shape: Any, order: Iterable[Any]) -> Any:
        for bijector in order:
            shape = getattr(bijector, method)(shape)
        return shape

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self._shape_after("forward_event_shape", input_shape, reversed(self.bijectors))

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        order = reversed(self.bijectors)
        return self._shape_after("forward_event_shape_tensor", input_shape, order)

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return self._shape_after("inverse_event_shape", output_shape, self.bijectors)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._shape_after("inverse_event_shape_tensor", output_shape, self.bijectors)

    def _forward(self, x: Tensor, **condition: Any) -> Tensor:
        for bijector in reversed(self.bijectors):
            x = bijector.forward(x, **condition.get(bijector.name, {}))
        return x

    def _inverse(self, y: Tensor, **condition: Any) -> Tensor:
        for bijector in self.bijectors:
            y = bijector.inverse(y, **condition.get(bijector.name, {}))
        return y

    def _inverse_log_det_jacobian(self, y: Tensor, **condition: Any) -> Tensor:
        order = list(self.bijectors)
        return self._sum("inverse", "y", y, order, self.inverse_min_event_ndims, condition)

    def _forward_log_det_jacobian(self, x: Tensor, **condition: Any) -> Tensor:
        order = list(reversed(self.bijectors))
        return self._sum("forward", "x", x, order, self.forward_min_event_ndims, condition)

    def _sum(
        self,
        direction: str,
        name: str,
        x: Tensor,
        order: list[Any],
        event_ndims: Any,
        condition: dict[str, Any],
    ) -> Tensor:
        """Returns the sum of the log-determinants along the chain, each at its intermediate value."""
        x = convert_to_tensor(x, name=name)
        total = ops.cast(0.0, dtype=x.dtype.base_dtype)
        if not order:
            return total
        shape: Any
        if _is_static(x, event_ndims):
            shape = x.shape[x.shape.ndims - event_ndims :]
        else:
            shape = ops.shape(x)[ops.rank(x) - event_ndims :]
        for bijector in order:
            bijector_kwargs = condition.get(bijector.name, {})
            total += getattr(bijector, f"{direction}_log_det_jacobian")(
                x, event_ndims=event_ndims, **bijector_kwargs
            )
            if _is_static(x, event_ndims):
                shape = getattr(bijector, f"{direction}_event_shape")(shape)
                event_ndims = _static_rank(shape.ndims)
            else:
                shape = getattr(bijector, f"{direction}_event_shape_tensor")(shape)
                event_ndims = ops.size(shape)
                static = _static_rank(event_ndims)
                event_ndims = event_ndims if static is None else static
            x = getattr(bijector, direction)(x, **bijector_kwargs)
        return total


def _is_static(x: Tensor, event_ndims: Any) -> bool:
    return x.shape.is_fully_defined() and isinstance(event_ndims, int)


def _static_rank(rank: Any) -> Any:
    value = get_static_value(rank) if is_tensor(rank) else rank
    return int(value) if isinstance(value, np.generic | np.ndarray) else value


def _common_dtype(bijectors: Sequence[Any]) -> Any:
    distinct = list({bijector.dtype for bijector in bijectors})
    if len(distinct) > 2:
        raise ValueError(f"incompatible dtypes: {distinct}")
    if len(distinct) == 2:
        return distinct[1] if distinct[0] is None else distinct[0]
    return distinct[0] if distinct else None


@moved
def _min_rank(bijectors: Sequence[Any], forward: bool) -> int:
    """Returns the minimum event rank of the chain, from the input and output ranks of its bijectors."""
    min_rank = now = 0
    for bijector in reversed(bijectors) if forward else bijectors:
        expected, produced = bijector.forward_min_event_ndims, bijector.inverse_min_event_ndims
        if not forward:
            expected, produced = produced, expected
        if now < expected:
            min_rank += expected - now
        now = max(expected, now) - (expected - produced)
    return min_rank
