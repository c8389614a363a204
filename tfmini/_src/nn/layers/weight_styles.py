"""Weights of `tf.layers` layers: shared through `tf.get_variable`, or owned by the layer as in Keras."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph, graph_of_ops
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.variables.collections import global_variables
from tfmini._src.variables.get_variable import get_variable, scope_store
from tfmini._src.variables.init_scope import graph_of_variables
from tfmini._src.variables.partitioned_variable import PartitionedVariable

_keras_style = False  # the style of layers made now


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Context manager in which layers and cells create separate weights on their first call.

    Variable scopes do not affect the names or sharing of weights; `scope` and `reuse` are rejected.
    """
    global _keras_style
    previous_style, _keras_style = _keras_style, True
    try:
        yield
    finally:
        _keras_style = previous_style


def set_keras_style() -> None:
    """Makes all subsequently created layers and cells behave as in `keras_style_scope`."""
    global _keras_style
    _keras_style = True


def keras_style_is_on() -> bool:
    """Whether a layer that is created now owns its weights."""
    return _keras_style


def check_unset_in_keras_style(**arguments: Any) -> None:
    """Raises ValueError if an argument is set that is only meaningful in variable scopes."""
    for argument, value in arguments.items():
        if value is not None:
            raise ValueError(
                f"{argument} argument not allowed when keras style layers are enabled, but saw: {value}"
            )


def is_in_scope(layer: Any) -> bool:
    """Whether the variable and name scopes opened by the layer's call are still the innermost scopes, unchanged."""
    graph = graph_of_ops()
    if graph is None or layer._current_scope is None:
        return False
    current = scope_store().current_scope
    if current is not layer._current_scope or layer._name_scope() != f"{graph._names.name}/":
        return False
    reuse = layer.built or layer._reuse or layer._scope.reuse
    return vars(current) == {**vars(layer._scope), "_reuse": reuse, "_constraint": None}


def weight_in_scope(layer: Any, add: Callable, name: Any, options: dict[str, Any]) -> Any:
    """Creates or reuses a weight with the settings of the layer's variable scope, which must be open."""
    scope, graph = layer._current_scope, graph_of_variables()
    regularizer, trainable = options.pop("regularizer"), options["trainable"]
    existing: set = set()
    if regularizer and graph is not None:
        with graph.as_default():
            existing.update(global_variables())
    count = len(layer._trainable_weights)
    options["dtype"] = dtypes.as_dtype(options["dtype"] or layer.dtype or "float32")
    if options["initializer"] is None:
        options["initializer"] = scope.initializer
    uses_resource = layer._use_resource_variables or scope.use_resource
    options["use_resource"] = options["use_resource"] or uses_resource
    variable = add(name, getter=get_variable, **options)
    if regularizer and not _overlap(variable, existing):
        layer._handle_weight_regularization(name, variable, regularizer)
    if trainable and graph is not None and not _is_trained(variable, graph):
        # Excluded from the collection by a custom getter or by partitioning.
        layer._non_trainable_weights += layer._trainable_weights[count:]
        del layer._trainable_weights[count:]
    return variable


def add_to_collection(elements: list, key: str) -> None:
    """Adds missing items to a collection of the default graph."""
    collection = get_default_graph().get_collection_ref(key)
    if elements:
        existing_ids = {id(x) for x in collection}
        collection.extend(x for x in elements if id(x) not in existing_ids)


def _is_trained(variable: Any, graph: Graph) -> bool:
    """Whether a variable is in the graph's collection of trainable variables."""
    variables = graph._collections.get(GraphKeys.TRAINABLE_VARIABLES) or [None]
    return variables[-1] is variable or any(variable is v for v in reversed(variables))


def _overlap(variable: Any, existing: set) -> bool:
    """Whether the variable or a part of it existed before."""
    parts = variable if isinstance(variable, PartitionedVariable) else [variable]
    return any(part in existing for part in parts)
