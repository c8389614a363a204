"""Whether a graph is for training, where a layer's call does not say: a placeholder of the graph, False by default."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.opdef import ops
from tfmini.ops.control_flow.cases import smart_constant_value
from tfmini.variables.variable import Variable

_phases: WeakKeyDictionary = WeakKeyDictionary()


def learning_phase() -> Any:
    """The graph's `keras_learning_phase`, a bool placeholder that is False unless it is fed."""
    graph = get_default_graph()
    if graph not in _phases:
        _phases[graph] = ops.placeholder_with_default(False, shape=(), name="keras_learning_phase")
    return _phases[graph]


def chosen(training: Any, for_training: Any, otherwise: Any) -> Any:
    """What one of the functions returns: at once where `training` is known, else by `tf.cond`."""
    if isinstance(training, Variable):
        return ops.cond(training, true_fn=for_training, false_fn=otherwise)
    return ops.smart_cond(training, true_fn=for_training, false_fn=otherwise)


def known_training(training: Any) -> bool | None:
    """`training`, if it is known while the graph is built."""
    return None if isinstance(training, Variable) else smart_constant_value(training)
