"""Learning phase: the default training flag of a graph, False unless fed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, ref

from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.activations import (
    elu,  # noqa: F401  re-exported
    hard_sigmoid,  # noqa: F401  re-exported
    relu,  # noqa: F401  re-exported
    tanh,  # noqa: F401  re-exported
)
from tfmini._src.nn.layers.backend.keras_graph import get_graph, in_keras_graph
from tfmini._src.nn.layers.backend.tensor_values import is_tensor, ndim
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.case import smart_constant_value
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable import Variable

# By graph: a fixed number, or a weak reference to the graph's placeholder, which would keep the graph alive.
_phases: WeakKeyDictionary[Graph, int | ReferenceType[Tensor]] = WeakKeyDictionary()
_eager: dict[str, int] = {}  # the phase of eager mode, once set


def learning_phase() -> Any:
    """Returns the graph's `keras_learning_phase` (a bool placeholder that defaults to False) or the value set."""
    if in_keras_graph():
        return symbolic_learning_phase()
    with init_scope():
        return _eager.get("phase", 0) if executing_eagerly() else symbolic_learning_phase()


def symbolic_learning_phase() -> Any:
    """Returns the learning phase of the default graph, in eager mode of the graph in which Keras builds models."""
    graph = get_graph()
    if graph in _phases:
        return _dereference(_phases[graph])
    with graph.as_default(), name_scope(""):
        placeholder = ops.placeholder_with_default(False, shape=(), name="keras_learning_phase")
    _phases[graph] = ref(placeholder)
    return placeholder


def _dereference(phase: int | ReferenceType[Tensor]) -> Any:
    return phase() if isinstance(phase, ReferenceType) else phase


def is_learning_phase(tensor: Any) -> bool:
    """Whether a tensor is some graph's learning phase."""
    return any(tensor is _dereference(phase) for phase in _phases.values())


def set_learning_phase(value: int) -> None:
    """Sets the learning phase of the default graph: 1 for training, 0 for inference.

    Raises:
      ValueError: for any other value.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    with init_scope():
        if executing_eagerly():
            _eager["phase"] = value
        _phases[get_graph()] = value


def learning_phase_is_set() -> bool:
    """Whether a learning phase was set in eager mode."""
    return bool(_eager)


@contextmanager
def eager_learning_phase_scope(value: int) -> Iterator[None]:
    """Context manager that sets the learning phase in eager mode and in functions called there."""
    previous_phases = dict(_eager)
    _eager["phase"] = value
    try:
        yield
    finally:
        _eager.clear()
        _eager.update(previous_phases)


@contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """Context manager that sets the learning phase to `value`, 0 or 1.

    Raises:
      ValueError: for any other value.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    with init_scope():
        graph = get_graph()
        previous_phase, eager_phases = _phases.get(graph), dict(_eager)
    set_learning_phase(value)
    try:
        yield
    finally:
        if previous_phase is None:
            _phases.pop(graph, None)
        else:
            _phases[graph] = previous_phase
        _eager.clear()
        _eager.update(eager_phases)


def renew_learning_phases() -> None:
    """Discards the learning phases of all graphs and creates one for the default graph."""
    _phases.clear()
    _eager.clear()
    symbolic_learning_phase()


def choose(training: Any, for_training: Any, for_inference: Any) -> Any:
    """Returns the result of one of two functions, selected statically if `training` is known, else by `tf.cond`."""
    if isinstance(training, Variable):
        return ops.cond(training, true_fn=for_training, false_fn=for_inference)
    return ops.smart_cond(training, true_fn=for_training, false_fn=for_inference)


def static_training(training: Any) -> bool | None:
    """Returns the static value of `training`, if known at graph construction."""
    value = None if isinstance(training, Variable) else smart_constant_value(training)
    return None if value is None else bool(value)


def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """Selects one of two tensors, or the result of one of two functions, by a condition.

    Args:
      condition: a scalar, or a tensor whose rank does not exceed the rank of the expressions.
      then_expression, else_expression: tensors, or functions without arguments.

    Raises:
      ValueError: if the rank of the condition exceeds the rank of the expressions.
    """
    if condition.dtype != "bool":
        condition = ops.cast(condition, "bool")
    rank = ndim(condition)
    if not rank:
        if_training, other = (
            expression if callable(expression) else (lambda expression=expression: expression)
            for expression in (then_expression, else_expression)
        )
        return ops.cond(condition, if_training, other)
    if_training = then_expression() if callable(then_expression) else then_expression
    other = else_expression() if callable(else_expression) else else_expression
    result_rank = ndim(if_training) or 0
    if rank > result_rank:
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and "
            f"`else_expression`. ndim(condition)={rank}, ndim(then_expression)={result_rank}"
        )
    if rank > 1:
        sizes = ops.concat([ops.shape(condition), [1] * (result_rank - rank)], axis=0)
        condition = ops.reshape(condition, sizes)
        target_shape = ops.shape(if_training)
        counts = ops.where(target_shape - sizes > 0, target_shape, ops.ones_like(target_shape))
        condition = ops.tile(condition, counts)
    return ops.where(condition, if_training, other)


def in_train_phase(x: TensorLike, alt: TensorLike, training: TensorLike | None = None) -> Any:
    """Selects `x` in training, otherwise `alt`.

    Args:
      x, alt: tensors, or functions without arguments.
      training: a bool or a scalar tensor, by default the learning phase.
    """
    training = learning_phase() if training is None else training
    if not is_tensor(training) and training in (0, 1):
        selected = x if training else alt
        return selected() if callable(selected) else selected
    return switch(training, x, alt)


def in_test_phase(x: TensorLike, alt: TensorLike, training: TensorLike | None = None) -> Any:
    """Selects `alt` in training, otherwise `x`."""
    return in_train_phase(alt, x, training=training)
