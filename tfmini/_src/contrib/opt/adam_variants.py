"""Variants of Adam: lazy for sparse gradients, with Nesterov momentum, and with the infinity norm."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.adam import AdamOptimizer
from tfmini._src.variables.init_scope import graph_of_variables


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that leaves the moments of rows without a sparse gradient unchanged.

    Takes the arguments of `tf.train.AdamOptimizer`; equal to it for dense gradients.
    """

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._hyperparameters(
            var.dtype.base_dtype
        )
        step = rate * ops.sqrt(1 - beta2_power) / (1 - beta1_power)
        options: dict[str, Any] = {"use_locking": self._use_locking}
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        moment = beta1 * ops.gather(m, grad.indices) + (1 - beta1) * grad.values
        m_t = ops.scatter_update(m, grad.indices, moment, **options)
        moment = beta2 * ops.gather(v, grad.indices) + (1 - beta2) * ops.square(grad.values)
        v_t = ops.scatter_update(v, grad.indices, moment, **options)
        m_rows = ops.gather(m_t, grad.indices)
        v_rows = ops.gather(v_t, grad.indices)
        divisor = ops.sqrt(v_rows) + epsilon
        update = ops.scatter_sub(var, grad.indices, step * m_rows / divisor, **options)
        return ops.group(update, m_t, v_t)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._hyperparameters(
            handle.dtype.base_dtype
        )
        step = rate * ops.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(handle, "m")
        m_rows = beta1 * ops.gather(m, indices) + (1 - beta1) * grad
        m_update = raw.ResourceScatterUpdate(m.handle, indices, m_rows)
        v = self.get_slot(handle, "v")
        v_rows = beta2 * ops.gather(v, indices) + (1 - beta2) * ops.square(grad)
        v_update = raw.ResourceScatterUpdate(v.handle, indices, v_rows)
        change = step * m_rows / (ops.sqrt(v_rows) + epsilon)
        update = raw.ResourceScatterSub(handle.handle, indices, change)
        return ops.group(update, m_update, v_update)


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov momentum; takes the arguments of `tf.train.AdamOptimizer`.

    T. Dozat, "Incorporating Nesterov momentum into Adam", ICLR workshop 2016.
    """

    _op_options = {"use_nesterov": True}

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Callable) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._hyperparameters(
            var.dtype.base_dtype
        )
        step = rate * ops.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(var, "m")
        scaled = grad * (1 - beta1)
        m_t = ops.assign(m, m * beta1, use_locking=self._use_locking)
        with control_dependencies([m_t]):
            m_t = scatter_add(m, indices, scaled)
            nesterov_m = scaled + beta1 * ops.gather(m_t, indices)
        v = self.get_slot(var, "v")
        scaled = grad * grad * (1 - beta2)
        v_t = ops.assign(v, v * beta2, use_locking=self._use_locking)
        with control_dependencies([v_t]):
            v_t = scatter_add(v, indices, scaled)
        root = ops.sqrt(ops.gather(v_t, indices))
        update = scatter_add(var, indices, -step * nesterov_m / (root + epsilon))
        return ops.group(update, nesterov_m, v_t)


class AdaMaxOptimizer(AdamOptimizer):
    """AdaMax (Kingma and Ba, 2014, section 7.1): the running maximum of gradients replaces the second moment.

    Takes the arguments of `tf.train.AdamOptimizer`. Sparse gradients change only the moments of their rows.
    """

    _kind = "AdaMax"

    @arguments_of(AdamOptimizer, name="AdaMax")
    def __init__(self, *args: Any):
        super().__init__(*args)

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power", graph=graph_of_variables())

    def _create_slots(self, var_list: Any) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(
            initial_value=self._beta1, name="beta1_power", colocate_with=first
        )
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _hyperparameters(self, dtype: Any) -> list:
        """Returns beta1_power, the learning rate, beta1, beta2 and epsilon in `dtype`."""
        tensors = (
            self._get_beta_accumulators(),
            *(self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t),
        )
        return [ops.cast(t, dtype) for t in tensors]

    def _rows(
        self, grad: Any, var: Any, indices: Any, scatter_add: Callable, scatter_update: Callable
    ) -> Any:
        beta1_power, rate, beta1, beta2, epsilon = self._hyperparameters(var.dtype.base_dtype)
        m = self.get_slot(var, "m")
        m_rows = ops.gather(m, indices) * beta1 + grad * (1 - beta1)
        with control_dependencies([m_rows]):
            m_t = scatter_update(m, indices, m_rows)
        v = self.get_slot(var, "v")
        v_rows = ops.maximum(ops.gather(v, indices) * beta2, ops.abs(grad))
        with control_dependencies([v_rows]):
            v_t = scatter_update(v, indices, v_rows)
        change = -rate / (1 - beta1_power) * (m_rows / (v_rows + epsilon))
        with control_dependencies([change]):
            update = scatter_add(var, indices, change)
        return ops.group(update, m_t, v_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        scatter_add = partial(ops.scatter_add, use_locking=self._use_locking)
        scatter_update = partial(ops.scatter_update, use_locking=self._use_locking)
        return self._rows(grad.values, var, grad.indices, scatter_add, scatter_update)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        def scatter_update(to: Any, indices: Any, rows: Any) -> Any:
            with control_dependencies([raw.ResourceScatterUpdate(to.handle, indices, rows)]):
                return to.value()

        return self._rows(grad, handle, indices, self._resource_scatter_add, scatter_update)

    def _finish(self, update_ops: list, name_scope: str) -> Any:
        with control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with colocate_with(power):
                update = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return ops.group(*update_ops, update, name=name_scope)
