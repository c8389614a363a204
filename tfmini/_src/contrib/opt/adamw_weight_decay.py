"""Weight decay decoupled from gradient updates.

I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.adam import AdamOptimizer
from tfmini._src.train.optimizers.momentum import MomentumOptimizer
from tfmini._src.train.optimizers.optimizer import Optimizer


class DecoupledWeightDecayExtension:
    """Mixin that adds weight decay to an optimizer class, to be listed before it in the base classes.

    Before each update, `weight_decay * variable` is subtracted; for a sparse gradient, only from its rows.

    Args:
      weight_decay: a float or scalar tensor.
      kwargs: arguments of the optimizer.

    Example:
      class DecayingAdagrad(tf.contrib.opt.DecoupledWeightDecayExtension, tf.train.AdagradOptimizer):
          def __init__(self, weight_decay, learning_rate):
              super().__init__(weight_decay, learning_rate=learning_rate)
    """

    def __init__(self, weight_decay: Any, **kwargs: Any):
        self._decay_var_list: Any = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    @arguments_of(Optimizer.minimize)
    def minimize(  # type: ignore[misc]
        self, grad_loss: TensorLike, decay_var_list: Sequence[Any] | None = None, **kwargs: Any
    ) -> Any:
        """Calls the optimizer's `minimize`; only the variables of `decay_var_list`, by default all, decay."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().minimize(grad_loss=grad_loss, **kwargs)  # type: ignore[misc]

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: TensorLike | None = None,
        name: str | None = None,
        decay_var_list: Sequence[Any] | None = None,
    ) -> Any:
        """Calls the optimizer's `apply_gradients`; only the variables of `decay_var_list`, by default all, decay."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().apply_gradients(  # type: ignore[misc]
            grads_and_vars, global_step=global_step, name=name
        )

    def _prepare(self) -> None:
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = convert_to_tensor(decay, name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decays(self, var: Any) -> bool:
        return not self._decay_var_list or var in self._decay_var_list

    def _decay_weights_op(self, var: Any) -> Any:
        if not self._decays(var):
            return ops.no_op()
        return var.assign_sub(self._weight_decay * var, self._use_locking)  # type: ignore[attr-defined]

    def _decay_weights_sparse_op(self, var: Any, indices: Any, scatter_add: Callable) -> Any:
        if not self._decays(var):
            return ops.no_op()
        update = -self._weight_decay * ops.gather(var, indices)
        return scatter_add(var, indices, update, self._use_locking)  # type: ignore[attr-defined]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        with control_dependencies([self._decay_weights_op(handle)]):
            return super()._resource_apply_dense(grad, handle)  # type: ignore[misc]

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        decay = self._decay_weights_sparse_op(var, grad.indices, ops.scatter_add)
        with control_dependencies([decay]):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_scatter_add(self, x: Any, i: Any, v: Any, _: Any = None) -> Any:
        with control_dependencies([raw.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        decay = self._decay_weights_sparse_op(handle, indices, self._resource_scatter_add)
        with control_dependencies([decay]):
            return super()._resource_apply_sparse(grad, handle, indices)  # type: ignore[misc]


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """Creates an optimizer class with weight decay; all arguments but the first, `weight_decay`, are keywords.

    Example: `DecayingAdam = tf.contrib.opt.extend_with_decoupled_weight_decay(tf.train.AdamOptimizer)`, and then
    `DecayingAdam(weight_decay=0.01, learning_rate=1e-3)`.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """An optimizer with decoupled weight decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any):
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """`tf.train.MomentumOptimizer` with decoupled weight decay.

    Args:
      weight_decay: a float or scalar tensor, the fraction of the weights subtracted in each step.
      learning_rate, momentum, use_locking, name, use_nesterov: as in `tf.train.MomentumOptimizer`.
    """

    @arguments_of(MomentumOptimizer, name="MomentumW")
    def __init__(self, weight_decay: Any, **kwargs: Any):
        super().__init__(weight_decay, **kwargs)


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """`tf.train.AdamOptimizer` with decoupled weight decay.

    Args:
      weight_decay: a float or scalar tensor, the fraction of the weights subtracted in each step.
      learning_rate, beta1, beta2, epsilon, use_locking, name: as in `tf.train.AdamOptimizer`.

    Example: `tf.contrib.opt.AdamWOptimizer(1e-4, learning_rate=1e-3).minimize(loss)`.
    """

    @arguments_of(AdamOptimizer, name="AdamW")
    def __init__(self, weight_decay: Any, **kwargs: Any):
        super().__init__(weight_decay, **kwargs)
