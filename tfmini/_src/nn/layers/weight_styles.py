"""Sources of the weights of a layer of `tf.layers`: `tf.get_variable`, or, in the style of Keras, nowhere else.

Both styles are used by `Layer` in `base.py`, whose methods pass them the behavior of Keras's `Layer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph, graph_of_ops
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.nn.layers.layer_call import parameters_of
from tfmini._src.nn.layers.weights import trained
from tfmini._src.variables.collections import global_variables
from tfmini._src.variables.get_variable import get_variable, scope_store
from tfmini._src.variables.init_scope import graph_of_variables
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable_scope import variable_scope


class SharedWeights:
    """Weights by `tf.get_variable`, in a variable scope of the layer's, which its first call opens."""

    @staticmethod
    def check(scope: Any, reuse: Any) -> None:
        """Accepts any arguments of a constructor."""

    @staticmethod
    def name_scope(layer: Any) -> str:
        """The name scope of the layer's nodes."""
        return layer._current_scope.original_name_scope

    @staticmethod
    def call(layer: Any, call: Callable, inputs: Any, args: tuple, kwargs: dict, scope: Any) -> Any:
        """Calls the layer in its variable scope; the graph's collection gets its updates."""
        layer._set_scope(scope)
        reuse = True if layer.built else layer._reuse
        with variable_scope(layer._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            layer._current_scope = current
            if "scope" in parameters_of(layer.call).names:
                kwargs["scope"] = current
            outputs = call(inputs, *args, **kwargs)
        if not executing_eagerly():
            add_to_collection(layer.updates, GraphKeys.UPDATE_OPS)
        return outputs

    @staticmethod
    def add_weight(layer: Any, add: Callable, name: Any, **options: Any) -> Any:
        """Creates or finds a weight in the layer's variable scope, whose settings are the defaults."""
        is_trained = trained(options["trainable"], options["synchronization"])
        options["trainable"] = is_trained and layer.trainable
        layer._set_scope(None)
        if _is_in_scope(layer):
            return _weight_in_scope(layer, add, name, options)
        reuse = layer.built or layer._reuse
        with variable_scope(layer._scope, reuse=reuse, auxiliary_name_scope=False) as scope:
            layer._current_scope = scope
            with name_scope(layer._name_scope()):
                return _weight_in_scope(layer, add, name, options)


def _is_in_scope(layer: Any) -> bool:
    """Whether the variable and name scopes that the layer's call has opened are the innermost ones, unchanged."""
    graph = graph_of_ops()
    if graph is None or layer._current_scope is None:
        return False
    current = scope_store().current_scope
    if current is not layer._current_scope or layer._name_scope() != f"{graph._names.name}/":
        return False
    reuse = layer.built or layer._reuse or layer._scope.reuse
    return vars(current) == {**vars(layer._scope), "_reuse": reuse, "_constraint": None}


def _weight_in_scope(layer: Any, add: Callable, name: Any, options: dict[str, Any]) -> Any:
    """A weight by the settings of the layer's variable scope, which is open."""
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
    in_scope = layer._use_resource_variables or scope.use_resource
    options["use_resource"] = options["use_resource"] or in_scope
    variable = add(name, getter=get_variable, **options)
    if regularizer and not _overlap(variable, existing):
        layer._handle_weight_regularization(name, variable, regularizer)
    if trainable and graph is not None and not _is_trained(variable, graph):
        # Excluded from the collection by a custom getter or by partitioning.
        layer._non_trainable_weights += layer._trainable_weights[count:]
        del layer._trainable_weights[count:]
    return variable


class OwnWeights:
    """Weights of the layer's own, as in Keras: no variable scope names or shares them."""

    @staticmethod
    def check(scope: Any, reuse: Any) -> None:
        """Rejects arguments that are meaningful only in variable scopes.

        Raises:
          ValueError: if any is set.
        """
        for argument, value in (("scope", scope), ("reuse", reuse)):
            if value is not None:
                raise ValueError(
                    f"{argument} argument not allowed when keras style layers are enabled, but saw: {value}"
                )

    @staticmethod
    def name_scope(layer: Any) -> str:
        """The name scope of the layer's nodes."""
        return layer.name

    @staticmethod
    def call(layer: Any, call: Callable, inputs: Any, args: tuple, kwargs: dict, scope: Any) -> Any:
        """Calls the layer."""
        OwnWeights.check(scope, None)
        return call(inputs, *args, **kwargs)

    @staticmethod
    def add_weight(layer: Any, add: Callable, name: Any, **options: Any) -> Any:
        """Makes a weight; synchronization and aggregation are not passed on, as in TensorFlow."""
        del options["synchronization"], options["aggregation"]
        options["trainable"] = options["trainable"] and layer.trainable
        return add(name, **options)


_keras_style = False  # the style of layers made now


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Context manager in which layers and cells create separate weights on their first call.

    Variable scopes neither name nor share the weights; `scope` and `reuse` are rejected.
    """
    global _keras_style
    before, _keras_style = _keras_style, True
    try:
        yield
    finally:
        _keras_style = before


def set_keras_style() -> None:
    """Makes all subsequently created layers and cells behave as in `keras_style_scope`."""
    global _keras_style
    _keras_style = True


def style_of_new_layers() -> type[SharedWeights] | type[OwnWeights]:
    """The style of layers made now."""
    return OwnWeights if _keras_style else SharedWeights


def add_to_collection(elements: list, key: str) -> None:
    """Adds missing items to a collection of the default graph, which is created if necessary."""
    collection = get_default_graph().get_collection_ref(key)
    if elements:
        there = {id(x) for x in collection}
        collection.extend(x for x in elements if id(x) not in there)


def _is_trained(variable: Any, graph: Graph) -> bool:
    """Whether a variable is in the graph's collection of trainable variables."""
    known = graph._collections.get(GraphKeys.TRAINABLE_VARIABLES) or [None]
    return known[-1] is variable or any(variable is v for v in reversed(known))


def _overlap(variable: Any, existing: set) -> bool:
    """Whether the variable, or a part of it, existed before."""
    parts = variable if isinstance(variable, PartitionedVariable) else [variable]
    return any(part in existing for part in parts)
