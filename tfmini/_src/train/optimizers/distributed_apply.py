"""Optimizer updates under a distribution strategy, where gradients are first summed over replicas."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_indexed_slices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.replica_modes import current_mode, current_strategy, is_cross_replica
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.train_op_collection import add_train_op
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable_identity import node_name


def distributed_container(var: Any) -> Any:
    """Returns the distributed variable to which this copy belongs; None for other variables."""
    reference = vars(var).get("_distributed_container") if hasattr(var, "__dict__") else None
    return None if reference is None else reference()


def scaled_loss(loss: Any) -> Any:
    """Divides the loss of a replica by the number of replicas if the Estimator's loss is a batch mean."""
    graph = get_default_graph()
    graph._is_loss_scaled_by_optimizer = False
    strategy = current_strategy()
    if strategy is None or not strategy._scale_loss_for_estimator:
        return loss
    if graph._last_loss_reduction == "weighted_sum" or strategy.num_replicas_in_sync <= 1:
        return loss
    graph._is_loss_scaled_by_optimizer = True
    return loss * (1.0 / strategy.num_replicas_in_sync)


def apply_in_replica(optimizer: Any, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
    """Merges all replicas, and returns the operation that applies their gradients."""
    if is_cross_replica():
        raise RuntimeError(
            "Use `_distributed_apply()` instead of `apply_gradients()` in a cross-replica context."
        )
    pairs = tuple(grads_and_vars)
    selected = tuple((grad, var) for grad, var in pairs if grad is not None)
    if not selected:
        raise ValueError(
            f"No gradients provided for any variable: {[var.name for _, var in pairs]}."
        )
    mode: Any = current_mode()
    return mode.replica.merge_call(optimizer._distributed_apply, args=(selected, global_step, name))


def apply_to_all(
    optimizer: Any, strategy: Any, grads_and_vars: Any, global_step: Any, name: Any
) -> Any:
    """Returns the operation that updates all copies of variables, in cross-replica context."""
    extended = strategy.extended
    var_list = [var for _, var in grads_and_vars]
    grads = extended.batch_reduce_to("SUM", grads_and_vars)
    with init_scope():
        optimizer._create_slots(var_list)

    def update(var: Any, grad: Any) -> Any:
        grad = convert_to_tensor_or_indexed_slices(grad)
        with name_scope("update_" + node_name(var)):
            return optimizer._update(grad, var)

    with name_scope(name, optimizer._name) as scope:
        optimizer._prepare()
        updates = [
            op
            for grad, var in zip(grads, var_list)
            for op in extended.update(var, update, args=(grad,), group=False)
        ]
        finished = extended.update_non_slot(
            extended.non_slot_devices(var_list),
            lambda updates: optimizer._finish(updates, "update"),
            args=(updates,),
            group=False,
        )
        if global_step is None:
            train_op = strategy.group(finished, name=scope)
        else:
            with control_dependencies(finished):
                train_op = extended.update(
                    global_step, ops.assign_add, args=(1,), kwargs={"name": scope}
                )
        return add_train_op(train_op)
