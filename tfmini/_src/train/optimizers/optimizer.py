"""Optimizer: computes the gradients of a loss and updates variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import (
    convert_to_tensor,
    convert_to_tensor_or_indexed_slices,
)
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.replica_modes import colocated_with, current_strategy
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers import slot_creator
from tfmini._src.train.optimizers.distributed_apply import (
    apply_in_replica,
    apply_to_all,
    distributed_container,
    scaled_loss,
)
from tfmini._src.train.optimizers.loss_gradients import (
    call_gradients,
    gradient_source,
    has_handle,
)
from tfmini._src.train.optimizers.train_op_collection import add_train_op
from tfmini._src.variables.collections import trainable_variables
from tfmini._src.variables.init_scope import (
    graph_of_variables,
    init_scope,
)
from tfmini._src.variables.resource_variable import (
    BaseResourceVariable,
    is_resource_variable,
)
from tfmini._src.variables.trackable import Trackable, TrackableReference
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_creator import create
from tfmini._src.variables.variable_identity import (
    node_name,
    variable_graph,
    variable_key,
)


class Optimizer(Trackable):
    """Base class of optimizers.

    `minimize` is `compute_gradients` followed by `apply_gradients`. Subclasses define variable updates:
    `_apply_dense` and `_apply_sparse` for reference variables, `_resource_apply_dense` and `_resource_apply_sparse` for
    resource variables; `_create_slots` creates state for each variable, and `_prepare` the hyperparameter tensors.

    Args:
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.

    Raises:
      ValueError: if the name is empty.

    Example: `train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)`.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict] = {}
        self._non_slot_dict: dict[tuple, Any] = {}

    def get_name(self) -> str:
        """Returns the name passed to the constructor."""
        return self._name

    def minimize(
        self,
        loss: Tensor,
        global_step: TensorLike | None = None,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: TensorLike | None = None,
    ) -> Operation:
        """Adds operations that minimize `loss` by updating `var_list`.

        Args:
          loss: the value to minimize.
          global_step: a variable to increment after the updates.
          var_list: the variables to update, by default all trainable variables.
          gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH, which gradients must be complete before any of them is used:
            none, those of the same op, or all.
          aggregation_method: an `AggregationMethod`.
          colocate_gradients_with_ops: whether to place gradients on the devices of the forward operations.
          grad_loss: the gradient of `loss` to start from.

        Returns:
          The operation that updates the variables, then `global_step`.

        Raises:
          ValueError: if no variable has a gradient.
        """
        grads_and_vars = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        assert_some_gradient(grads_and_vars, loss)
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Tensor,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """The first half of `minimize`: returns a list of (gradient or None, variable) pairs.

        `loss` may also be a function that builds the loss. Only its computation is then differentiated, by default with
        respect to the resource variables it reads, and `grad_loss` is the only argument used after `var_list`.

        Raises:
          ValueError: if there are no variables to optimize, or arguments are invalid.
        """
        return self._gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            colocate_gradients_with_ops,
            grad_loss,
        )

    def _gradients(
        self,
        loss: Any,
        var_list: Any,
        gate_gradients: int,
        aggregation_method: int | None,
        colocate_gradients_with_ops: bool,
        grad_loss: Any,
        stop_gradients: Any = None,
    ) -> list[tuple[Any, Any]]:
        if callable(loss):
            return call_gradients(loss, var_list, grad_loss)
        if executing_eagerly():
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        loss = scaled_loss(loss)
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = trainable_variables() + get_collection(
                GraphKeys.TRAINABLE_RESOURCE_VARIABLES
            )
        else:
            var_list = flatten(var_list)
        var_list = [*var_list, *get_collection(GraphKeys._STREAMING_MODEL_PORTS)]
        targets = [gradient_source(v) for v in var_list]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients(
            loss,
            targets,
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            stop_gradients=stop_gradients,
        )
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = ops.tuple(grads)
        pairs = list(zip(grads, var_list))
        self._assert_valid_dtypes(
            [v for g, v in pairs if g is not None and v.dtype != dtypes.resource]
        )
        return pairs

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: TensorLike | None = None,
        name: str | None = None,
    ) -> Operation:
        """The second half of `minimize`: updates variables by their gradients, summed over the replicas of a strategy.

        Args:
          grads_and_vars: pairs (gradient or None, variable).
          global_step: a variable to increment after the updates.

        Raises:
          TypeError: if a gradient is not a tensor.
          ValueError: if there are no gradients.
        """
        if current_strategy() is not None:
            return apply_in_replica(self, grads_and_vars, global_step, name)
        pairs = [(convert_gradient(g), v) for g, v in tuple(grads_and_vars)]
        if not pairs:
            raise ValueError("No variables provided.")
        for _, var in pairs:
            if isinstance(var, EagerTensor):
                raise NotImplementedError("Trying to update a Tensor ", var)
            gradient_source(var)
        var_list = [v for g, v in pairs if g is not None]
        if not var_list:
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        with init_scope():
            self._create_slots(var_list)
        updates = []
        with name_scope(name, self._name) as scope:
            self._prepare()
            for grad, var in pairs:
                if grad is not None:
                    with name_scope("update_" + node_name(var)), colocate_with(var):
                        updates.append(self._update(grad, var))
            train_op = self._finish_with_step(updates, global_step, scope)
        return add_train_op(train_op)

    def _distributed_apply(
        self, distribution: Any, grads_and_vars: Any, global_step: Any = None, name: Any = None
    ) -> Any:
        """Implements `apply_gradients` in cross-replica context, with the gradients of all replicas."""
        return apply_to_all(self, distribution, grads_and_vars, global_step, name)

    def _finish_with_step(self, updates: list, global_step: Any, scope: str) -> Any:
        if global_step is None:
            return self._finish(updates, scope)
        with control_dependencies([self._finish(updates, "update")]), colocate_with(global_step):
            if isinstance(global_step, BaseResourceVariable):
                one = convert_to_tensor(1, dtype=global_step.dtype)
                return raw.AssignAddVariableOp(global_step.handle, one, name=scope)
            return ops.assign_add(global_step, 1, name=scope)

    def _update(self, grad: Any, var: Any) -> Any:
        """Returns the operation that updates one variable and applies its constraint."""
        if isinstance(var, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", var)
        resource = has_handle(var)
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            if resource:
                return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
            return self._apply_sparse_duplicate_indices(grad, var)
        update = self._resource_apply_dense(grad, var) if resource else self._apply_dense(grad, var)
        if var.constraint is None:
            return update
        with control_dependencies([update]):
            return var.assign(var.constraint(var))

    # Slots ---------------------------------------------------------------------------------------

    def get_slot(self, var: Variable, name: str) -> Any:
        """Returns the slot `name` of a variable; None if it was not created."""
        slots = self._slots.get(name)
        if not slots:
            return None
        container = distributed_container(var)
        if container is None:
            return slots.get(variable_key(var))
        slot = slots.get(variable_key(container.primary))
        if slot is None:
            return None
        return next(part for copy, part in zip(container.values, slot.values) if copy is var)

    def get_slot_names(self) -> list[str]:
        """Returns the sorted slot names."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """Returns the optimizer's own variables in the default graph, sorted by name."""
        graph = graph_of_variables()
        variables = [*self._non_slot_variables()]
        variables += [slot for slots in self._slots.values() for slot in slots.values()]
        return sorted((v for v in variables if variable_graph(v) is graph), key=lambda v: v.name)

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """Creates an optimizer variable, one per graph, colocated with the variable `colocate_with`."""
        key = (name, variable_graph(colocate_with))
        variable = self._non_slot_dict.get(key)
        if variable is None:
            with colocated_with(colocate_with):
                variable = create(
                    initial_value,
                    name=name,
                    trainable=False,
                    use_resource=is_resource_variable(colocate_with),
                )
            self._non_slot_dict[key] = variable
            self._handle_deferred_dependencies(name, variable)
        return variable

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        variable: Any = self._non_slot_dict.get((name, graph))
        return variable.get() if getattr(variable, "is_distributed_variable", False) else variable

    def _non_slot_variables(self) -> Any:
        return self._non_slot_dict.values()

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """The checkpoint dependencies, including the variables in the default graph, sorted by name."""
        graph = graph_of_variables()
        references = [
            TrackableReference(name, variable)
            for (name, owner), variable in self._non_slot_dict.items()
            if owner is graph
        ]
        return super()._checkpoint_dependencies + sorted(references, key=lambda entry: entry.name)

    def _lookup_dependency(self, name: str) -> Any:
        dependency = super()._lookup_dependency(name)
        return (
            self._get_non_slot_variable(name, graph_of_variables())
            if dependency is None
            else dependency
        )

    def _slot_dict(self, slot_name: str) -> dict:
        return self._slots.setdefault(slot_name, {})

    def _find_or_create_slot(
        self, var: Any, slot_name: str, create_slot: Callable[[], Variable]
    ) -> Any:
        slots = self._slot_dict(slot_name)
        key = variable_key(var)
        if key not in slots:
            slots[key] = create_slot()
            self._handle_deferred_dependencies((slot_name, key), slots[key])
        return slots[key]

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        create_slot = partial(slot_creator.create_slot, var, val, op_name)
        return self._find_or_create_slot(var, slot_name, create_slot)

    def _make_slot(self, var: Any, slot_name: str, value: Any) -> Any:
        """Creates a slot before training, so that it can be restored from a checkpoint; returns it."""
        return self._get_or_make_slot(var, value, slot_name, self._name)

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        create_slot = partial(
            slot_creator.create_slot_with_initializer, var, initializer, shape, dtype, op_name
        )
        return self._find_or_create_slot(var, slot_name, create_slot)

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        create_slot = partial(slot_creator.create_zeros_slot, var, op_name)
        return self._find_or_create_slot(var, slot_name, create_slot)

    # Defined by subclasses -----------------------------------------------------------------------

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Creates the slots of the variables to update; by default, none."""

    def _prepare(self) -> None:
        """Creates the tensors shared by all updates, in the scope of the train op; by default, none."""

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no dense update of reference variables"
        )

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no dense update of resource variables"
        )

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no sparse update of reference variables"
        )

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no sparse update of resource variables"
        )

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """Returns the sparse update for possibly repeated indices; by default, sums their rows first."""
        values, indices = sum_duplicates(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Tensor, handle: Any, indices: Tensor
    ) -> Any:
        values, unique = sum_duplicates(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _finish(self, update_ops: list, name_scope: str) -> Any:
        """Returns the operation that runs after all updates, by default a group."""
        return ops.group(*update_ops, name=name_scope)

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param

    def _valid_dtypes(self) -> set:
        """Returns the supported dtypes of losses, variables and gradients."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: Sequence[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(
                    f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}."
                )


def assert_some_gradient(grads_and_vars: Sequence[tuple[Any, Any]], loss: Any) -> None:
    if all(grad is None for grad, _ in grads_and_vars):
        raise ValueError(
            "No gradients provided for any variable, check your graph for ops that do not support "
            f"gradients, between variables {[str(v) for _, v in grads_and_vars]} and loss {loss}."
        )


def convert_gradient(grad: Any) -> Any:
    """Returns a gradient as a tensor or IndexedSlices; returns None unchanged."""
    if grad is None:
        return None
    try:
        return convert_to_tensor_or_indexed_slices(grad)
    except TypeError:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {grad}"
        ) from None


def sum_duplicates(values: Tensor, indices: Tensor) -> tuple[Tensor, Tensor]:
    """Sums the rows of equal indices; returns (sums, unique indices)."""
    unique, positions = ops.unique(indices)
    return ops.unsorted_segment_sum(values, positions, ops.shape(unique)[0]), unique
