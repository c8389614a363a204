"""Base class of Keras optimizers: gradients, slots, and one update per trained variable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.replica_modes import (
    colocated_with,
    current_replica,
    is_cross_replica,
)
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.optimizers.hyperparameters import Hyperparameters
from tfmini._src.models.keras.optimizers.schedule_by_name import deserialize
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.session import set_values, track, variable_values
from tfmini._src.nn.layers.backend.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.ops import ops, raw
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import is_eager, variable_key

_OPTIONS = ("clipnorm", "clipvalue", "lr", "decay")
_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


class OptimizerV2(Hyperparameters):
    """Base class of optimizers.

    Args:
      name: optimizer name, and scope name of its variables and updates.
      **kwargs: `clipnorm`: maximum norm of each gradient; `clipvalue`: maximum absolute value of its elements;
        `decay`: learning rate decay by 1 / (1 + decay * steps); `lr`: the learning rate.

    Attributes:
      iterations: int64 update count variable.

    Raises:
      TypeError: for other keywords.
      ValueError: for negative values.
    """

    _object_identifier = "optimizer"
    _numbers: tuple[str, ...] = ()  # hyperparameters that `get_config` lists before
    _in_config: tuple[str, ...] = ()  # the attributes
    _count_may_be_missing = False  # omitted from weights, as in those saved by Keras 2.2

    def __init__(self, name: str | None, **kwargs: Any):
        for key, value in kwargs.items():
            if key not in _OPTIONS:
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(key))
            if value < 0:
                raise ValueError(f"Expected {key} >= 0, received: {value}")
        self._use_locking = True
        self._name = name or unique_object_name(snake_case(type(self).__name__), first=0)
        self._hyper = {}
        self._slots: dict[str, dict[str, Any]] = {}
        self._slot_names: list[str] = []
        self._weights: list = []
        self._iterations: Any = None
        self._initial_decay = kwargs.pop("decay", 0.0)
        if "clipnorm" in kwargs:
            self.clipnorm = kwargs.pop("clipnorm")
        if "clipvalue" in kwargs:
            self.clipvalue = kwargs.pop("clipvalue")
        self._hypers_created = False

    # For derived classes -------------------------------------------------------------------------

    def _create_slots(self, var_list: list) -> None:
        """Creates the slots of all variables."""

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any) -> Any:
        """Updates a variable by a dense gradient."""
        raise NotImplementedError

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any) -> Any:
        """Updates distinct rows of a variable by a sparse gradient."""
        raise NotImplementedError

    def _valid_dtypes(self) -> Collection[dtypes.DType]:
        """Returns the dtypes of variables that the optimizer can update."""
        return _FLOATS

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: dict) -> None:
        """Fills `apply_state[device, dtype]` with values shared by all updates of that device and dtype."""
        if "learning_rate" in self._hyper:
            rate = ops.identity(self._decayed_lr(var_dtype))
            apply_state[var_device, var_dtype]["lr_t"] = rate

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, with the current hyperparameters."""
        config: dict[str, Any] = {"name": self._name}
        for name in ("clipnorm", "clipvalue"):
            if name in vars(self):
                config[name] = getattr(self, name)
        arguments = description(self, type(self)._in_config)
        return {**config, **self._serialize_all(*type(self)._numbers), **arguments}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates an optimizer from a result of `get_config`.

        Args:
          config: a result of `get_config`; `lr` is an alias of `learning_rate`.
          custom_objects: custom schedules, by name.
        """
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = deserialize(config["learning_rate"], custom_objects)
        return cls(**config)

    # Gradients and updates -----------------------------------------------------------------------

    def minimize(
        self,
        loss: TensorLike,
        var_list: Sequence[Any] | None,
        grad_loss: TensorLike | None = None,
        name: str | None = None,
    ) -> Any:
        """Returns the operation that minimizes a loss.

        Args:
          loss: a function without arguments that returns a scalar.
          var_list: the variables, or a function that returns them.
          grad_loss: the gradient of the loss, by default 1.
          name: scope name of the updates.
        """
        return self.apply_gradients(self._compute_gradients(loss, var_list, grad_loss), name=name)

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list:
        """Returns (clipped gradient, variable) pairs."""
        with GradientTape() as tape:
            if not callable(var_list):
                tape.watch(var_list)
            value = loss()
        params = flatten(var_list() if callable(var_list) else var_list)
        with name_scope(self._name + "/gradients"):
            grads = self._clip(tape.gradient(value, params, grad_loss))
        return list(zip(grads, params))

    def get_gradients(self, loss: TensorLike, params: TensorLike) -> list[Any]:
        """Returns the clipped gradients of a loss with respect to variables.

        Raises:
          ValueError: if the loss does not depend on a variable.
        """
        params = flatten(params)
        with get_graph().as_default(), name_scope(self._name + "/gradients"):
            grads = gradients(loss, params)
            for grad, param in zip(grads, params):
                if grad is None:
                    raise ValueError(
                        f"Variable {param} has `None` for gradient. Please make sure that all of your ops have a "
                        "gradient defined (i.e. are differentiable). Common ops without gradient: K.argmax, "
                        "K.round, K.eval."
                    )
            return self._clip(grads)

    def _clip(self, grads: list) -> list:
        if "clipnorm" in vars(self):
            grads = [ops.clip_by_norm(g, self.clipnorm) for g in grads]
        if "clipvalue" in vars(self):
            grads = [ops.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def get_updates(self, loss: TensorLike, params: list[Any]) -> list[Any]:
        """Returns the operations that minimize a loss."""
        pairs = list(zip(self.get_gradients(loss, params), params))
        self._assert_valid_dtypes([v for _, v in pairs])
        return [self.apply_gradients(pairs)]

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for v in tensors:
            dtype = v.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {v.name}, expected: {[*valid]}.")

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], name: str | None = None
    ) -> Any:
        """Returns the operation that updates variables.

        Args:
          grads_and_vars: (gradient, variable) pairs; pairs without a gradient are skipped with a warning.
          name: scope name of the updates.

        Raises:
          ValueError: if no variable has a gradient.
          AttributeError: under a strategy, outside of its replicas.
          NotImplementedError: in eager mode under a strategy whose variables have copies.
        """
        if is_cross_replica():
            raise AttributeError(
                "`apply_gradients` of a Keras optimizer requires a replica context: call it in a function run by "
                "`tf.distribute.Strategy.experimental_run_v2`"
            )
        pairs = _with_gradients(list(grads_and_vars))
        var_list = [v for _, v in pairs]
        with name_scope(self._name):
            with init_scope():
                _ = self.iterations
                self._create_hypers()
                self._create_slots(var_list)
            apply_state = self._prepare(var_list)
            replica = current_replica()
            if replica is None:
                return self._apply(pairs, name, apply_state)
            return replica.merge_call(
                lambda strategy, pairs: self._apply(
                    list(zip(strategy.extended.batch_reduce_to("sum", pairs), var_list)),
                    name,
                    apply_state,
                    strategy.extended,
                ),
                args=(pairs,),
            )

    def _apply(self, pairs: list, name: str | None, apply_state: dict, extended: Any = None) -> Any:
        """Returns the updates of all variables, and of all their copies under a strategy."""
        updates = []
        is_eager = executing_eagerly()
        with name_scope(name or self._name):
            for grad, var in pairs:
                with (
                    name_scope("update" if is_eager else "update_" + _variable_name(var)),
                    nullcontext() if is_eager else colocated_with(var),
                ):
                    if extended is None:
                        updates.append(self._update(var, grad, apply_state))
                    else:
                        update_args = grad, apply_state
                        updates += extended.update(var, self._update, args=update_args, group=False)
            if is_eager:
                return self.iterations.assign_add(1)
            with control_dependencies(updates):
                return self.iterations.assign_add(1).op

    def _update(self, var: Any, grad: Any, apply_state: dict) -> Any:
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            state = self._state_for(self._resource_apply_sparse, apply_state)
            return self._resource_apply_sparse_duplicate_indices(
                grad.values, var, grad.indices, **state
            )
        state = self._state_for(self._resource_apply_dense, apply_state)
        update = self._resource_apply_dense(grad, var, **state)
        if var.constraint is None:
            return update
        with control_dependencies([update]):
            return var.assign(var.constraint(var))

    def _state_for(self, method: Callable, apply_state: dict) -> dict[str, Any]:
        """Returns the keyword argument `apply_state` if a method, possibly of an older subclass, accepts it."""
        takes = "apply_state" in inspect.getfullargspec(method).args
        return {"apply_state": apply_state} if takes else {}

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Any, var: Any, indices: Any, **kwargs: Any
    ) -> Any:
        distinct, positions = ops.unique(indices)
        summed = ops.unsorted_segment_sum(grad, positions, ops.shape(distinct)[0])
        return self._resource_apply_sparse(summed, var, distinct, **kwargs)

    def _prepare(self, var_list: list) -> dict:
        apply_state: dict = {}
        positions = [(v, getattr(v, "devices", None) or (v.device,)) for v in var_list]
        for key in dict.fromkeys(
            (d, v.dtype.base_dtype) for v, devices in positions for d in devices
        ):
            apply_state[key] = {}
            with device(key[0]):
                self._prepare_local(*key, apply_state)
        return apply_state

    def _shared_values(self, var: Any, apply_state: Any) -> dict[str, Any]:
        """Returns the values shared by all updates of a variable's device and dtype."""
        key = var.device, var.dtype.base_dtype
        if apply_state and key in apply_state:
            return apply_state[key]
        return self._fallback_apply_state(*key)

    def _fallback_apply_state(self, var_device: Any, var_dtype: Any) -> dict[str, Any]:
        """Returns the shared values without the state of `apply_gradients`; subclasses also call it."""
        results: dict = {(var_device, var_dtype): {}}
        self._prepare_local(var_device, var_dtype, results)
        return results[var_device, var_dtype]

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Any:
        with control_dependencies([raw.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_scatter_update(self, x: Any, i: Any, v: Any) -> Any:
        with control_dependencies([raw.ResourceScatterUpdate(x.handle, i, v)]):
            return x.value()

    def _decay(self, slot: Any, rate: Any) -> Any:
        """Multiplies a slot by `rate`; returns a scope for the nodes to run afterwards."""
        decayed = ops.assign(slot, slot * rate, use_locking=self._use_locking)
        return control_dependencies([decayed])

    # Variables -----------------------------------------------------------------------------------

    def get_slot_names(self) -> list[str]:
        """Returns the slot names."""
        return self._slot_names

    def add_slot(
        self, var: Variable, slot_name: str, initializer: str | Callable[..., Any] | None = "zeros"
    ) -> Any:
        """Creates a slot of a variable, or returns the existing one.

        Args:
          var: the trained variable.
          slot_name: name of the slot.
          initializer: an initializer, its name, or an initial value.
        """
        if slot_name not in self._slot_names:
            self._slot_names.append(slot_name)
        slots = self._slots.setdefault(_slots_key(var), {})
        slot = slots.get(slot_name)
        if slot is None:
            first = initializer
            if isinstance(initializer, str) or callable(initializer):
                result = find_initializer(initializer)
                first = partial(result, shape=var.shape, dtype=var.dtype.base_dtype)
            with colocated_with(var):
                slot = Variable(
                    name=f"{var._shared_name}/{slot_name}",
                    dtype=var.dtype,
                    trainable=False,
                    initial_value=first,
                    use_resource=True,
                )
            track(slot)
            slots[slot_name] = slot
            self._weights.append(slot)
            self._handle_deferred_dependencies((slot_name, variable_key(var)), slot)
        return slot

    def _make_slot(self, var: Any, slot_name: str, value: Any) -> Any:
        """Creates and returns a slot whose value is to be restored from a checkpoint before training."""
        return self.add_slot(var, slot_name, value)

    def get_slot(self, var: Variable, slot_name: str) -> Any:
        """Returns a variable's slot; raises KeyError if missing."""
        return self._slots[_slots_key(var)][slot_name]

    def variables(self) -> list[Any]:
        """Returns the variables of the optimizer: the update count followed by the slots."""
        return self._weights

    weights: list = read_only("`variables()`.")

    def get_weights(self) -> list[Any]:
        """Returns the variable values as numpy arrays."""
        return variable_values(self.weights)

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Assigns values to the variables.

        Args:
          weights: numpy arrays of the same shapes.

        Raises:
          ValueError: if the number of arrays or a shape does not match.
        """
        params = self.weights
        if self._count_may_be_missing and len(params) == len(weights) + 1:
            weights = [np.array(0), *weights]
        if len(params) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list of length "
                f"{len(weights)}, but the optimizer was expecting {len(params)} weights. Provided weights: "
                f"{str(weights)[:50]}..."
            )
        for now, weight in zip(variable_values(params), weights):
            if now.shape != weight.shape:
                raise ValueError(
                    f"Optimizer weight shape {now.shape} not compatible with provided weight shape {weight.shape}"
                )
        set_values(list(zip(params, weights)))


def _slots_key(var: Any) -> str:
    """Returns the key of a variable's slots: its name, which may be ambiguous in eager mode."""
    container = getattr(var, "_distributed_container", None)
    if container is not None:  # a copy under a strategy
        var = container()
    key: str = var._unique_id if is_eager(var) else var._shared_name
    return key


def _variable_name(var: Any) -> str:
    """Returns the name of a variable's op; in eager mode, the name of the variable."""
    name: str = var.name.partition(":")[0] if executing_eagerly_outside_functions() else var.op.name
    return name


def _with_gradients(pairs: list) -> list:
    with_grad = [(grad, v) for grad, v in pairs if grad is not None]
    without = [v.name for grad, v in pairs if grad is None]
    if pairs and not with_grad:
        raise ValueError(f"No gradients provided for any variable: {without}.")
    if without:
        logs.warning("Gradients do not exist for variables %s when minimizing the loss.", without)
    return with_grad
