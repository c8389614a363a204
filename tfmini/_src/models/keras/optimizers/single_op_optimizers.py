"""Optimizers with single-op updates: SGD, Adagrad, Adadelta, Ftrl."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.keras.optimizers.update_by_op import ARGUMENTS, UpdateByOp
from tfmini._src.nn.layers.backend.config import epsilon as default_epsilon
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule
from tfmini._src.variables.initializers import Constant


def checked_momentum(momentum: Any) -> bool:
    """Whether momentum is used; raises ValueError for a number outside [0, 1]."""
    has_momentum = isinstance(momentum, Tensor) or callable(momentum) or momentum > 0
    if isinstance(momentum, (int, float)) and (momentum < 0 or momentum > 1):
        raise ValueError("`momentum` must be between [0, 1].")
    return has_momentum


@describe_arguments(ARGUMENTS)
class SGD(UpdateByOp):
    """Gradient descent, optionally with momentum.

    Args:
      momentum: the momentum coefficient, in [0, 1].
      nesterov: whether to use Nesterov momentum.
    """

    _numbers: tuple[str, ...] = ("learning_rate", "decay", "momentum")
    _in_config: tuple[str, ...] = ("nesterov",)

    def __init__(
        self,
        learning_rate: TensorLike = 0.01,
        momentum: TensorLike = 0.0,
        nesterov: bool = False,
        name: str = "SGD",
        **kwargs: Any,
    ):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._momentum = checked_momentum(momentum)
        self._set_hyper("momentum", momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list: list) -> None:
        for var in var_list if self._momentum else ():
            self.add_slot(var, "momentum")

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        momentum = ops.identity(self._get_hyper("momentum", var_dtype))
        apply_state[var_device, var_dtype]["momentum"] = momentum

    def _rule(self, shared: dict) -> UpdateRule:
        if not self._momentum:
            return UpdateRule("GradientDescent", [], (shared["lr_t"], GRADIENT))
        arguments = (shared["lr_t"], GRADIENT, shared["momentum"])
        options = {"use_nesterov": self.nesterov}
        return UpdateRule("KerasMomentum", ["momentum"], arguments, options)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Any, var: Any, indices: Any, **kwargs: Any
    ) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        shared = self._shared_values(var, kwargs.get("apply_state"))
        return raw.ResourceScatterAdd(var.handle, indices, -grad * shared["lr_t"])


@describe_arguments(ARGUMENTS)
class Adagrad(UpdateByOp):
    """Adagrad: divides gradients by the root of their accumulated squares.

    Args:
      initial_accumulator_value: initial value of the accumulators.
    """

    _count_may_be_missing = True

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        name: str = "Adagrad",
        **kwargs: Any,
    ):
        if initial_accumulator_value < 0.0:
            raise ValueError(
                f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"
            )
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial_accumulator_value))

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        shared["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        shared["neg_lr_t"] = -shared["lr_t"]
        shared["zero"] = ops.zeros((), dtype=dtypes.int64)

    def _rule(self, shared: dict) -> UpdateRule:
        return UpdateRule(
            "AdagradV2", ["accumulator"], (shared["lr_t"], shared["epsilon"], GRADIENT)
        )

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates an optimizer from a result of `get_config`; accumulators default to 0."""
        config.setdefault("initial_accumulator_value", 0.0)
        return super().from_config(config, custom_objects)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {
            **super().get_config(),
            **self._serialize_all("learning_rate", "decay"),
            "initial_accumulator_value": self._initial_accumulator_value,
            "epsilon": self.epsilon,
        }


@describe_arguments(ARGUMENTS)
class Adadelta(UpdateByOp):
    """Adadelta: scales gradients by the RMS ratio of past updates to past gradients.

    Args:
      rho: decay rate of the averages.
    """

    _numbers: tuple[str, ...] = ("learning_rate", "decay", "rho")
    _in_config: tuple[str, ...] = ("epsilon",)
    _count_may_be_missing = True

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        rho: TensorLike = 0.95,
        epsilon: float = 1e-7,
        name: str = "Adadelta",
        **kwargs: Any,
    ):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list) -> None:
        for name in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        shared["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        shared["rho"] = ops.identity(self._get_hyper("rho", var_dtype))

    def _rule(self, shared: dict) -> UpdateRule:
        arguments = (shared["lr_t"], shared["rho"], shared["epsilon"], GRADIENT)
        return UpdateRule("Adadelta", ["accum_grad", "accum_var"], arguments)


@describe_arguments(ARGUMENTS)
class Ftrl(UpdateByOp):
    """Ftrl: follows the regularized leader.

    Args:
      learning_rate_power: exponent of the accumulated squares, at most 0.
      initial_accumulator_value: initial value of the accumulators.
      l1_regularization_strength, l2_regularization_strength: L1 and L2 penalties.
      l2_shrinkage_regularization_strength: L2 penalty on the magnitude of weights only.
      **kwargs: `clipnorm`, `clipvalue`, `decay`.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        name: str = "Ftrl",
        l2_shrinkage_regularization_strength: float = 0.0,
        **kwargs: Any,
    ):
        super().__init__(name, **kwargs)
        positive = {
            "initial_accumulator_value": initial_accumulator_value,
            "learning_rate_power": -learning_rate_power,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
        }
        for key, value in positive.items():
            if value < 0.0:
                power = key == "learning_rate_power"
                magnitude, sign = (-value, "negative") if power else (value, "positive")
                raise ValueError(f"{key} {magnitude:f} needs to be {sign} or zero")
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial_accumulator_value = initial_accumulator_value
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list: list) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial_accumulator_value))
            self.add_slot(var, "linear")

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        power, l1, l2 = (
            "learning_rate_power",
            "l1_regularization_strength",
            "l2_regularization_strength",
        )
        for name in (power, l1, l2):
            shared[name] = ops.identity(self._get_hyper(name, var_dtype))
        shared["l2_shrinkage"] = ops.cast(self._l2_shrinkage_regularization_strength, var_dtype)

    def _rule(self, shared: dict) -> UpdateRule:
        shrinks = self._l2_shrinkage_regularization_strength > 0.0
        arguments = (
            *(GRADIENT, shared["lr_t"], shared["l1_regularization_strength"]),
            shared["l2_regularization_strength"],
            *((shared["l2_shrinkage"],) if shrinks else ()),
            shared["learning_rate_power"],
        )
        return UpdateRule("FtrlV2" if shrinks else "Ftrl", ["accumulator", "linear"], arguments)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        shrinkage = self._l2_shrinkage_regularization_strength
        return {
            **super().get_config(),
            **self._serialize_all("learning_rate", "decay"),
            "initial_accumulator_value": self._initial_accumulator_value,
            **self._serialize_all(
                "learning_rate_power", "l1_regularization_strength", "l2_regularization_strength"
            ),
            "l2_shrinkage_regularization_strength": shrinkage,
        }
