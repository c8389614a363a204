"""Flows that scale and shift some elements as functions of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.dense import dense as layers_dense
from tfmini._src.ops import ops
from tfmini._src.variables.template import make_template


class RealNVP(Bijector):
    """The bijector y = [x0, x1 exp(log_scale(x0)) + shift(x0)], where x0 is the first `num_masked` columns of x.

    Args:
      num_masked: number of unchanged columns, an int.
      shift_and_log_scale_fn: a function of x0, [batch, num_masked], and the number of other columns that
        returns shift and log scale, each [batch, columns] or None; see `real_nvp_default_template`.
      is_constant_jacobian: whether log_scale is the same for all x0.
      validate_args: unused.
      name: the name scope of the nodes, "real_nvp" by default.

    Raises:
      ValueError: if no column is masked, or (when called) all columns are.
      NotImplementedError: when called, if the number of columns is statically unknown.

    Dinh et al., "Density estimation using Real NVP", 2017.

    Example:
      c = tf.contrib.distributions
      net = c.bijectors.real_nvp_default_template(hidden_layers=[64, 64])
      flow = c.TransformedDistribution(
          c.MultivariateNormalDiag([0.0, 0.0, 0.0]), c.bijectors.RealNVP(2, net))
    """

    @moved
    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str | None = None,
    ):
        name = name or "real_nvp"
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked = num_masked
        self._input_depth: int | None = None
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )

    def _changing_count(self, x: Tensor) -> int:
        """Returns the number of transformed columns."""
        if self._input_depth is None:
            self._input_depth = dimension_value(x.shape.with_rank_at_least(1)[-1])
            if self._input_depth is None:
                raise NotImplementedError(
                    "Rightmost dimension must be known prior to graph execution."
                )
            if self._num_masked >= self._input_depth:
                raise ValueError("Number of masked units must be smaller than the event size.")
        return self._input_depth - self._num_masked

    def _parts(self, x: Tensor) -> tuple[Tensor, Tensor, Any, Any]:
        """Returns the unchanged columns, the transformed columns, and their shift and scale."""
        changing_count = self._changing_count(x)
        masked, changed = x[:, : self._num_masked], x[:, self._num_masked :]
        return masked, changed, *self._shift_and_log_scale_fn(masked, changing_count)

    def _forward(self, x: Tensor) -> Tensor:
        masked, changed, shift, log_scale = self._parts(x)
        if log_scale is not None:
            changed *= ops.exp(log_scale)
        if shift is not None:
            changed += shift
        return ops.concat([masked, changed], axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        masked, changed, shift, log_scale = self._parts(y)
        if shift is not None:
            changed -= shift
        if log_scale is not None:
            changed *= ops.exp(-log_scale)
        return ops.concat([masked, changed], axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        log_scale = self._log_scale(y)
        if log_scale is None:
            return ops.constant(0.0, dtype=y.dtype, name="ildj")
        return -ops.reduce_sum(log_scale, axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        log_scale = self._log_scale(x)
        if log_scale is None:
            return ops.constant(0.0, dtype=x.dtype, name="fldj")
        return ops.reduce_sum(log_scale, axis=-1)

    def _log_scale(self, x: Tensor) -> Any:
        changing_count = self._changing_count(x)
        return self._shift_and_log_scale_fn(x[:, : self._num_masked], changing_count)[1]


@moved
def real_nvp_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: str | Callable[..., Any] | None = ops.relu,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns a function for `RealNVP` that computes shift and log scale by dense layers.

    Args:
      hidden_layers: the units of each hidden layer.
      shift_only: whether to omit the scale.
      activation: activation function of the hidden layers, or None.
      name: the name scope of the template's nodes, "real_nvp_default_template" by default.
      *args, **kwargs: further arguments of `tf.layers.dense`, after `units`.

    Returns:
      A `tf.make_template` function of a [batch, n] tensor and a number of columns that returns shift
      and log_scale, [batch, columns] tensors; log_scale is None with `shift_only`.
    """
    dense: Any = layers_dense
    with name_scope(name, "real_nvp_default_template"):

        def shift_and_log_scale(x: Tensor, output_units: int) -> tuple[Tensor, Any]:
            for units in hidden_layers:
                x = dense(*args, inputs=x, units=units, activation=activation, **kwargs)
            outputs = output_units if shift_only else 2 * output_units
            x = dense(*args, inputs=x, units=outputs, activation=None, **kwargs)
            if shift_only:
                return x, None
            shift, log_scale = ops.split(x, 2, axis=-1)
            return shift, log_scale

        return make_template("real_nvp_default_template", shift_and_log_scale)
