"""Optimizers that update a variable with a single op: SGD, Adagrad, Adadelta, Ftrl."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.nn.layers.backend.config import epsilon as default_epsilon
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Constant


def checked_momentum(momentum: Any) -> bool:
    """Whether momentum is used; raises ValueError for a number outside [0, 1]."""
    has_momentum = isinstance(momentum, Tensor) or callable(momentum) or momentum > 0
    if isinstance(momentum, (int, float)) and (momentum < 0 or momentum > 1):
        raise ValueError("`momentum` must be between [0, 1].")
    return has_momentum


class SGD(OptimizerV2):
    """Gradient descent, optionally with momentum.

    Args:
      learning_rate: a number, tensor, schedule, or a function without arguments.
      momentum: how much of an update goes on in the next, from 0 to 1.
      nesterov: whether gradients count as those ahead of the momentum.
      name: the name of its scopes.
      **kwargs: `clipnorm`, `clipvalue`, `decay`, `lr`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: Any = 0.0,
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

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        shared = self._shared(var, apply_state)
        if not self._momentum:
            return raw.ResourceApplyGradientDescent(
                var.handle, shared["lr_t"], grad, use_locking=self._use_locking
            )
        return raw.ResourceApplyKerasMomentum(
            *(var.handle, self.get_slot(var, "momentum").handle, shared["lr_t"], grad),
            shared["momentum"],
            use_locking=self._use_locking,
            use_nesterov=self.nesterov,
        )

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Any, var: Any, indices: Any, **kwargs: Any
    ) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        shared = self._shared(var, kwargs.get("apply_state"))
        return raw.ResourceScatterAdd(var.handle, indices, -grad * shared["lr_t"])

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        shared = self._shared(var, apply_state)
        return raw.ResourceSparseApplyKerasMomentum(
            *(var.handle, self.get_slot(var, "momentum").handle, shared["lr_t"], grad, indices),
            shared["momentum"],
            use_locking=self._use_locking,
            use_nesterov=self.nesterov,
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an optimizer again."""
        numbers = self._numbers_now("learning_rate", "decay", "momentum")
        return {**super().get_config(), **numbers, "nesterov": self.nesterov}


def with_count(optimizer: OptimizerV2, weights: Any) -> list:
    """Weights, with a count of updates prepended if it is missing, as in those saved by Keras 2.2."""
    weights = list(weights)
    return [np.array(0), *weights] if len(optimizer.weights) == len(weights) + 1 else weights


class Adagrad(OptimizerV2):
    """Adagrad: each element's rate falls with the sum of its squared gradients.

    Args:
      learning_rate: a number, tensor, schedule, or a function without arguments.
      initial_accumulator_value: what the sums start from.
      epsilon: added to roots.
      name: the name of its scopes.
      **kwargs: `clipnorm`, `clipvalue`, `decay`, `lr`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
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

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        shared = self._shared(var, apply_state)
        return raw.ResourceApplyAdagradV2(
            *(var.handle, self.get_slot(var, "accumulator").handle),
            *(shared["lr_t"], shared["epsilon"], grad),
            use_locking=self._use_locking,
        )

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        shared = self._shared(var, apply_state)
        return raw.ResourceSparseApplyAdagradV2(
            *(var.handle, self.get_slot(var, "accumulator").handle),
            *(shared["lr_t"], shared["epsilon"], grad, indices),
            use_locking=self._use_locking,
        )

    def set_weights(self, weights: Any) -> None:
        """Assigns values to its variables; the count of updates may be missing."""
        super().set_weights(with_count(self, weights))

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer that `get_config` described; accumulators default to 0."""
        config.setdefault("initial_accumulator_value", 0.0)
        return super().from_config(config, custom_objects)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an optimizer again."""
        return {
            **super().get_config(),
            **self._numbers_now("learning_rate", "decay"),
            "initial_accumulator_value": self._initial_accumulator_value,
            "epsilon": self.epsilon,
        }


class Adadelta(OptimizerV2):
    """Adadelta: rates from the moving averages of squared gradients and of squared updates.

    Args:
      learning_rate: a number, tensor, schedule, or a function without arguments.
      rho: how much of the averages stays with each step.
      epsilon: added to roots.
      name: the name of its scopes.
      **kwargs: `clipnorm`, `clipvalue`, `decay`, `lr`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
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

    def _operands(self, var: Any, shared: dict) -> tuple:
        slots = [self.get_slot(var, name).handle for name in ("accum_grad", "accum_var")]
        return (var.handle, *slots, shared["lr_t"], shared["rho"], shared["epsilon"])

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        operands = [*self._operands(var, self._shared(var, apply_state)), grad]
        return raw.ResourceApplyAdadelta(*operands, use_locking=self._use_locking)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        operands = [*self._operands(var, self._shared(var, apply_state)), grad, indices]
        return raw.ResourceSparseApplyAdadelta(*operands, use_locking=self._use_locking)

    def set_weights(self, weights: Any) -> None:
        """Assigns values to its variables; the count of updates may be missing."""
        super().set_weights(with_count(self, weights))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an optimizer again."""
        numbers = self._numbers_now("learning_rate", "decay", "rho")
        return {**super().get_config(), **numbers, "epsilon": self.epsilon}


class Ftrl(OptimizerV2):
    """Follow the regularized leader.

    Args:
      learning_rate: a number, tensor, schedule, or a function without arguments.
      learning_rate_power: how the rate falls with the sums of squares, at most 0.
      initial_accumulator_value: what the sums start from.
      l1_regularization_strength, l2_regularization_strength: penalties on weights.
      name: the name of its scopes.
      l2_shrinkage_regularization_strength: a penalty that only weights' size has.
      **kwargs: `clipnorm`, `clipvalue`, `decay`.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
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
                given, sign = (-value, "negative") if power else (value, "positive")
                raise ValueError(f"{key} {given:f} needs to be {sign} or zero")
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

    def _operands(self, var: Any, apply_state: Any) -> tuple[tuple, tuple]:
        shared = self._shared(var, apply_state)
        slots = [self.get_slot(var, name).handle for name in ("accumulator", "linear")]
        strengths: tuple = (
            shared["l1_regularization_strength"],
            shared["l2_regularization_strength"],
        )
        if self._l2_shrinkage_regularization_strength > 0.0:
            strengths += (shared["l2_shrinkage"],)
        return (var.handle, *slots), (shared["lr_t"], *strengths, shared["learning_rate_power"])

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        variables, numbers = self._operands(var, apply_state)
        shrinks = self._l2_shrinkage_regularization_strength > 0.0
        op: Any = raw.ResourceApplyFtrlV2 if shrinks else raw.ResourceApplyFtrl
        return op(*variables, grad, *numbers, use_locking=self._use_locking)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        variables, numbers = self._operands(var, apply_state)
        shrinks = self._l2_shrinkage_regularization_strength > 0.0
        op: Any = raw.ResourceSparseApplyFtrlV2 if shrinks else raw.ResourceSparseApplyFtrl
        return op(*variables, grad, indices, *numbers, use_locking=self._use_locking)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an optimizer again."""
        shrinkage = self._l2_shrinkage_regularization_strength
        return {
            **super().get_config(),
            **self._numbers_now("learning_rate", "decay"),
            "initial_accumulator_value": self._initial_accumulator_value,
            **self._numbers_now(
                "learning_rate_power", "l1_regularization_strength", "l2_regularization_strength"
            ),
            "l2_shrinkage_regularization_strength": shrinkage,
        }
