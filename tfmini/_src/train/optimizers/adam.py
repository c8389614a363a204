"""Adam."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.init_scope import graph_of_variables


class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2014), in the form before section 2.1, with epsilon as the paper's "epsilon hat".

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one.
      beta1: the decay of the first moments, of one of these types.
      beta2: the decay of the second moments, of one of these types.
      epsilon: a small number for stability, of one of these types.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.

    A sparse gradient decays the moments of all rows, as in TensorFlow.

    Example: `train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)`.
    """

    _kind = "Adam"  # of the op, ApplyAdam or ResourceApplyAdam
    _op_options: dict[str, Any] = {}

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        beta2: TensorLike = 0.999,
        epsilon: TensorLike = 1e-08,
        use_locking: bool = False,
        name: str = "Adam",
    ):
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        """Returns the variables for the powers of beta1 and beta2."""
        graph = graph_of_variables()
        return (
            self._get_non_slot_variable("beta1_power", graph),
            self._get_non_slot_variable("beta2_power", graph),
        )

    def _create_slots(self, var_list: Any) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(
            initial_value=self._beta1, name="beta1_power", colocate_with=first
        )
        self._create_non_slot_variable(
            initial_value=self._beta2, name="beta2_power", colocate_with=first
        )
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        rate = self._call_if_callable(self._lr)
        beta1 = self._call_if_callable(self._beta1)
        beta2 = self._call_if_callable(self._beta2)
        epsilon = self._call_if_callable(self._epsilon)
        self._lr_t = convert_to_tensor(rate, name="learning_rate")
        self._beta1_t = convert_to_tensor(beta1, name="beta1")
        self._beta2_t = convert_to_tensor(beta2, name="beta2")
        self._epsilon_t = convert_to_tensor(epsilon, name="epsilon")

    def _hyperparameters(self, dtype: Any) -> list:
        """Returns beta1_power, beta2_power, the learning rate, beta1, beta2 and epsilon in `dtype`."""
        tensors = (
            *self._get_beta_accumulators(),
            self._lr_t,
            self._beta1_t,
            self._beta2_t,
            self._epsilon_t,
        )
        return [ops.cast(t, dtype) for t in tensors]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        slots = [self.get_slot(var, "m"), self.get_slot(var, "v")]
        inputs = [var, *slots, *self._hyperparameters(var.dtype.base_dtype), grad]
        return self._apply("Apply", inputs).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        slots = [self.get_slot(handle, "m").handle, self.get_slot(handle, "v").handle]
        inputs = [handle.handle, *slots, *self._hyperparameters(grad.dtype.base_dtype), grad]
        return self._apply("ResourceApply", inputs)

    def _apply(self, form: str, inputs: list) -> Any:
        op = getattr(raw, form + self._kind)
        return op(*inputs, use_locking=self._use_locking, **self._op_options)

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
        v = self.get_slot(var, "v")
        scaled = (grad * grad) * (1 - beta2)
        v_t = ops.assign(v, v * beta2, use_locking=self._use_locking)
        with control_dependencies([v_t]):
            v_t = scatter_add(v, indices, scaled)
        root = ops.sqrt(v_t)
        update = ops.assign_sub(var, step * m_t / (root + epsilon), use_locking=self._use_locking)
        return ops.group(update, m_t, v_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        scatter_add = partial(ops.scatter_add, use_locking=self._use_locking)
        return self._apply_sparse_shared(grad.values, var, grad.indices, scatter_add)

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Any:
        """Adds rows `v` at indices `i` of variable `x`; returns the new value. For user subclasses."""
        with control_dependencies([raw.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._apply_sparse_shared(grad, handle, indices, self._resource_scatter_add)

    def _finish(self, update_ops: list, name_scope: str) -> Any:
        with control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with colocate_with(beta1_power):
                update1 = beta1_power.assign(
                    beta1_power * self._beta1_t, use_locking=self._use_locking
                )
                update2 = beta2_power.assign(
                    beta2_power * self._beta2_t, use_locking=self._use_locking
                )
        return ops.group(*update_ops, update1, update2, name=name_scope)
