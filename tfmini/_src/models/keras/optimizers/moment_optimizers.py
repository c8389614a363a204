"""Optimizers with moving averages of gradients or of their squares: RMSprop, Adam, Adamax, Nadam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import change_defaults
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.optimizers.learning_rate_schedule import LearningRateSchedule
from tfmini._src.models.keras.optimizers.single_op_optimizers import checked_momentum
from tfmini._src.models.keras.optimizers.update_by_op import ARGUMENTS, UpdateByOp
from tfmini._src.nn.layers.backend.config import epsilon as default_epsilon
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule


@describe_arguments(ARGUMENTS)
class RMSprop(UpdateByOp):
    """RMSprop: divides gradients by their moving root mean square.

    Args:
      rho: decay rate of the average.
      momentum: the momentum coefficient, in [0, 1].
      centered: whether to divide by the standard deviation instead.
    """

    _numbers = ("learning_rate", "decay", "rho", "momentum")
    _in_config = ("epsilon", "centered")
    _count_may_be_missing = True

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        rho: TensorLike = 0.9,
        momentum: TensorLike = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        name: str = "RMSprop",
        **kwargs: Any,
    ):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self._momentum = checked_momentum(momentum)
        self._set_hyper("momentum", momentum)
        self.epsilon = epsilon or default_epsilon()
        self.centered = centered

    def _create_slots(self, var_list: list) -> None:
        names = [
            "rms",
            *(["momentum"] if self._momentum else []),
            *(["mg"] if self.centered else []),
        ]
        for name in names:
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        rho = ops.identity(self._get_hyper("rho", var_dtype))
        shared["neg_lr_t"] = -shared["lr_t"]
        shared["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        shared["rho"] = rho
        shared["momentum"] = ops.identity(self._get_hyper("momentum", var_dtype))
        shared["one_minus_rho"] = 1.0 - rho

    def _rule(self, shared: dict) -> UpdateRule:
        arguments = (shared["lr_t"], shared["rho"], shared["momentum"], shared["epsilon"], GRADIENT)
        if self.centered:
            return UpdateRule("CenteredRMSProp", ["mg", "rms", "momentum"], arguments)
        return UpdateRule("RMSProp", ["rms", "momentum"], arguments)

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        if self._momentum:
            return super()._resource_apply_dense(grad, var, apply_state)
        shared = self._shared_values(var, apply_state)
        locking_options: dict[str, Any] = {"use_locking": self._use_locking}
        rms = self.get_slot(var, "rms")
        squares = shared["rho"] * rms + shared["one_minus_rho"] * ops.square(grad)
        denominator = squares = ops.assign(rms, squares, **locking_options)
        if self.centered:
            mg = self.get_slot(var, "mg")
            average = shared["rho"] * mg + shared["one_minus_rho"] * grad
            average = ops.assign(mg, average, **locking_options)
            denominator = squares - ops.square(average)
        step = shared["lr_t"] * grad / (ops.sqrt(denominator) + shared["epsilon"])
        return ops.assign(var, var - step, **locking_options).op

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse(grad, var, indices, apply_state)
        shared = self._shared_values(var, apply_state)
        rms = self.get_slot(var, "rms")
        increment = grad * grad * shared["one_minus_rho"]
        with self._decay(rms, shared["rho"]):
            squares = self._resource_scatter_add(rms, indices, increment)
            denominator = rows = ops.gather(squares, indices)
        updates = [squares]
        if self.centered:
            mg = self.get_slot(var, "mg")
            increment = grad * shared["one_minus_rho"]
            with self._decay(mg, shared["rho"]):
                average = self._resource_scatter_add(mg, indices, increment)
                denominator = rows - ops.square(ops.gather(average, indices))
            updates.append(average)
        step = shared["neg_lr_t"] * grad / (ops.sqrt(denominator) + shared["epsilon"])
        return ops.group(self._resource_scatter_add(var, indices, step), *updates)


class _Moments(UpdateByOp):
    """Base class of optimizers with moving averages: `m`, of gradients, and `v`, of a second quantity.

    Args:
      beta_1, beta_2: decay rates of the averages.
    """

    _numbers = ("learning_rate", "decay", "beta_1", "beta_2")
    _in_config: tuple[str, ...] = ("epsilon",)

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta_1: TensorLike = 0.9,
        beta_2: TensorLike = 0.999,
        epsilon: float = 1e-7,
        name: str = "Adam",
        **kwargs: Any,
    ):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon or default_epsilon()

    def _create_slots(self, var_list: list) -> None:
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)


@describe_arguments(ARGUMENTS)
class Adam(_Moments):
    """Adam: divides the moving average of gradients by their moving root mean square.

    Args:
      beta_1, beta_2: decay rates of the averages.
      amsgrad: whether to use the maximum of the averaged squares so far.
    """

    _in_config = ("epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta_1: TensorLike = 0.9,
        beta_2: TensorLike = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        name: str = "Adam",
        **kwargs: Any,
    ):
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self.amsgrad = amsgrad

    def _create_slots(self, var_list: list) -> None:
        super()._create_slots(var_list)
        for var in var_list if self.amsgrad else ():
            self.add_slot(var, "vhat")

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        step = ops.cast(self.iterations + 1, var_dtype)
        beta_1 = ops.identity(self._get_hyper("beta_1", var_dtype))
        beta_2 = ops.identity(self._get_hyper("beta_2", var_dtype))
        power_1 = ops.pow(beta_1, step)
        power_2 = ops.pow(beta_2, step)
        shared["lr"] = shared["lr_t"] * (ops.sqrt(1 - power_2) / (1 - power_1))
        shared["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        shared |= {"beta_1_t": beta_1, "beta_1_power": power_1, "one_minus_beta_1_t": 1 - beta_1}
        shared |= {"beta_2_t": beta_2, "beta_2_power": power_2, "one_minus_beta_2_t": 1 - beta_2}

    def _rule(self, shared: dict) -> UpdateRule:
        names = ("beta_1_power", "beta_2_power", "lr_t", "beta_1_t", "beta_2_t", "epsilon")
        arguments = (*(shared[name] for name in names), GRADIENT)
        if self.amsgrad:
            return UpdateRule("AdamWithAmsgrad", ["m", "v", "vhat"], arguments)
        return UpdateRule("Adam", ["m", "v"], arguments)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        shared = self._shared_values(var, apply_state)
        locking_options: dict[str, Any] = {"use_locking": self._use_locking}
        m = self.get_slot(var, "m")
        increment = grad * shared["one_minus_beta_1_t"]
        with self._decay(m, shared["beta_1_t"]):
            m_t = self._resource_scatter_add(m, indices, increment)
        v = self.get_slot(var, "v")
        increment = grad * grad * shared["one_minus_beta_2_t"]
        with self._decay(v, shared["beta_2_t"]):
            v_t = self._resource_scatter_add(v, indices, increment)
        averages = [m_t, v_t]
        squares = v_t
        if self.amsgrad:
            largest = self.get_slot(var, "vhat")
            squares = ops.maximum(largest, v_t)
            with control_dependencies([squares]):
                squares = ops.assign(largest, squares, **locking_options)
            averages.append(squares)
        root = ops.sqrt(squares)
        step = shared["lr"] * m_t / (root + shared["epsilon"])
        return ops.group(ops.assign_sub(var, step, **locking_options), *averages)

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Assigns values to the variables; drops `vhat` as saved by Keras 2.2."""
        params = self.weights
        if len(weights) == 3 * ((len(params) - 1) // 2) + 1:
            weights = weights[: len(params)]
        super().set_weights(weights)


@describe_arguments(ARGUMENTS)
@change_defaults(name="Adamax")
class Adamax(_Moments):
    """Adamax: divides the moving average of gradients by the decaying maximum of their absolute values.

    Args:
      beta_1, beta_2: decay rates of the averages.
      epsilon: added to the divisor.
    """

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[var_device, var_dtype]
        step = ops.cast(self.iterations + 1, var_dtype)
        beta_1 = ops.identity(self._get_hyper("beta_1", var_dtype))
        beta_2 = ops.identity(self._get_hyper("beta_2", var_dtype))
        power = ops.pow(beta_1, step)
        shared["neg_scaled_lr"] = -shared["lr_t"] / (1 - power)
        shared["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        shared |= {"beta_1_t": beta_1, "beta_1_power": power, "one_minus_beta_1_t": 1 - beta_1}
        shared |= {"beta_2_t": beta_2, "zero": ops.zeros((), dtype=dtypes.int64)}

    def _rule(self, shared: dict) -> UpdateRule:
        names = ("beta_1_power", "lr_t", "beta_1_t", "beta_2_t", "epsilon")
        return UpdateRule("AdaMax", ["m", "v"], (*(shared[name] for name in names), GRADIENT))

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        shared = self._shared_values(var, apply_state)
        m = self.get_slot(var, "m")
        rows = ops.gather(m, indices, axis=shared["zero"])
        average = rows * shared["beta_1_t"] + grad * shared["one_minus_beta_1_t"]
        with control_dependencies([average]):
            m_t = self._resource_scatter_update(m, indices, average)
        v = self.get_slot(var, "v")
        rows = ops.gather(v, indices, axis=shared["zero"])
        largest = ops.maximum(rows * shared["beta_2_t"], ops.abs(grad))
        with control_dependencies([largest]):
            v_t = self._resource_scatter_update(v, indices, largest)
        step = shared["neg_scaled_lr"] * (average / (largest + shared["epsilon"]))
        with control_dependencies([step]):
            update = self._resource_scatter_add(var, indices, step)
        return ops.group(update, m_t, v_t)


@describe_arguments(ARGUMENTS)
class Nadam(_Moments):
    """Adam with Nesterov momentum and a momentum schedule.

    Args:
      learning_rate: a number, tensor, or a function without arguments.
      beta_1, beta_2: decay rates of the averages.
      **kwargs: `schedule_decay`: rate of the momentum schedule; `clipnorm`, `clipvalue`, `lr`.

    Raises:
      ValueError: if the learning rate is a schedule.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta_1: TensorLike = 0.9,
        beta_2: TensorLike = 0.999,
        epsilon: float = 1e-7,
        name: str = "Nadam",
        **kwargs: Any,
    ):
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        if isinstance(kwargs.get("lr", learning_rate), LearningRateSchedule):
            raise ValueError(
                "The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as the "
                "learning rate."
            )
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self._m_cache: Any = None

    def _create_slots(self, var_list: list) -> None:
        if self._m_cache is None:
            self._m_cache = self.add_weight(
                "momentum_cache",
                shape=[],
                dtype=var_list[0].dtype.base_dtype,
                initializer="ones",
                trainable=False,
            )
            self._weights.append(self._m_cache)
        super()._create_slots(var_list)

    def _prepare(self, var_list: list) -> dict:
        self._m_cache_read = ops.identity(self._m_cache)
        return super()._prepare(var_list)

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        rate = ops.identity(self._get_hyper("learning_rate", var_dtype))
        beta_1 = ops.identity(self._get_hyper("beta_1", var_dtype))
        beta_2 = ops.identity(self._get_hyper("beta_2", var_dtype))
        step = ops.cast(self.iterations + 1, var_dtype)
        next_step = ops.cast(self.iterations + 2, var_dtype)
        base = ops.cast(0.96, var_dtype)
        m_t = beta_1 * (1.0 - 0.5 * ops.pow(base, self._initial_decay * step))
        m_t_1 = beta_1 * (1.0 - 0.5 * ops.pow(base, self._initial_decay * next_step))
        schedule = ops.cast(self._m_cache_read, var_dtype) * m_t
        if var_dtype is self._m_cache.dtype.base_dtype:
            schedule = ops.identity(
                ops.assign(self._m_cache, schedule, use_locking=self._use_locking)
            )
        next_schedule = schedule * m_t_1
        apply_state[var_device, var_dtype] = {
            "lr_t": rate,
            "neg_lr_t": -rate,
            "epsilon": ops.convert_to_tensor(self.epsilon, var_dtype),
            "beta_1_t": beta_1,
            "beta_2_t": beta_2,
            "m_t": m_t,
            "m_t_1": m_t_1,
            "one_minus_beta_1_t": 1 - beta_1,
            "one_minus_beta_2_t": 1 - beta_2,
            "one_minus_m_t": 1.0 - m_t,
            "one_minus_m_schedule_new": 1.0 - schedule,
            "one_minus_m_schedule_next": 1.0 - next_schedule,
            "v_t_prime_denominator": 1.0 - ops.pow(beta_2, step),
        }

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        shared = self._shared_values(var, apply_state)
        locking_options: dict[str, Any] = {"use_locking": self._use_locking}
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        gradient = grad / shared["one_minus_m_schedule_new"]
        average = shared["beta_1_t"] * m + shared["one_minus_beta_1_t"] * grad
        average = ops.assign(m, average, **locking_options)
        corrected_average = average / shared["one_minus_m_schedule_next"]
        squares = shared["beta_2_t"] * v + shared["one_minus_beta_2_t"] * ops.square(grad)
        squares = ops.assign(v, squares, **locking_options)
        squares = squares / shared["v_t_prime_denominator"]
        nesterov_average = shared["one_minus_m_t"] * gradient + shared["m_t_1"] * corrected_average
        step = shared["lr_t"] * nesterov_average / (ops.sqrt(squares) + shared["epsilon"])
        return ops.assign(var, var - step, **locking_options).op

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        shared = self._shared_values(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        gradient = grad / shared["one_minus_m_schedule_new"]
        increment = grad * shared["one_minus_beta_1_t"]
        with self._decay(m, shared["beta_1_t"]):
            m_t = self._resource_scatter_add(m, indices, increment)
            rows = ops.gather(m_t, indices)
        corrected_average = rows / shared["one_minus_m_schedule_next"]
        nesterov_average = shared["one_minus_m_t"] * gradient + shared["m_t_1"] * corrected_average
        increment = grad * grad * shared["one_minus_beta_2_t"]
        with self._decay(v, shared["beta_2_t"]):
            v_t = self._resource_scatter_add(v, indices, increment)
            rows = ops.gather(v_t, indices)
        squares = rows / shared["v_t_prime_denominator"]
        root = ops.sqrt(squares) + shared["epsilon"]
        update = self._resource_scatter_add(
            var, indices, shared["neg_lr_t"] * nesterov_average / root
        )
        return ops.group(update, nesterov_average, v_t)
