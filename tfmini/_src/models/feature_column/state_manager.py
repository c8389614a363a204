"""Providers of column variables: the current variable scope, or a layer."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.partitioned_variable import PartitionedVariable


class StateManager:
    """Base class of providers of column variables and tables."""

    is_layer = True

    def create_variable(
        self,
        feature_column: Any,
        name: str,
        shape: Any,
        dtype: Any = None,
        trainable: bool = True,
        use_resource: bool = True,
        initializer: Any = None,
    ) -> Any:
        """Creates a column's variable."""
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> None:
        """Registers a column's variable."""
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """Returns a column's variable."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Registers a column's table."""
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """Returns a column's table."""
        raise NotImplementedError("StateManager.get_resource")


class ScopeState(StateManager):
    """Provides variables of `tf.get_variable`, in the variable scope current at the time of the request.

    Args:
      weight_collections: keys of collections for the variables, or None.
      trainable: whether variables of trainable columns are trainable.
    """

    is_layer = False

    def __init__(self, weight_collections: list | None, trainable: bool):
        if weight_collections and GraphKeys.GLOBAL_VARIABLES not in weight_collections:
            weight_collections.append(GraphKeys.GLOBAL_VARIABLES)
        self.weight_collections, self.trainable = weight_collections, trainable
        self._variable: Any = None

    @arguments_of(StateManager.create_variable)
    def create_variable(
        self, name: str, shape: Any, dtype: Any, trainable: bool, initializer: Any, **unused: Any
    ) -> Any:
        """Creates a variable in the current scope, which determines its kind."""
        self._variable = get_variable(
            name=name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=trainable and self.trainable,
            collections=self.weight_collections,
        )
        return self._variable

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """Returns a column's variable."""
        feature_column.create_state(self)
        return self._variable

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Accepts a table, without tracking it."""


class LayerState(StateManager):
    """Provides variables of a layer, created when the layer is built.

    Args:
      layer: the layer, whose `add_weight` creates variables; None for columns with tables only.
      trainable: whether variables of trainable columns are trainable.
      uses_scopes: whether variable scopes determine the variables' names and partitioning.
    """

    def __init__(self, layer: Any, trainable: bool, uses_scopes: bool = True):
        self._layer, self._trainable = layer, trainable
        if layer is not None and not hasattr(layer, "_resources"):
            layer._resources = []
        self._getter = {"getter": get_variable} if uses_scopes else {}
        self._variables: dict[Any, dict[str, Any]] = defaultdict(dict)
        self._resources: dict[Any, dict[str, Any]] = defaultdict(dict)

    @arguments_of(StateManager.create_variable)
    def create_variable(
        self, feature_column: Any, name: str, trainable: bool, **options: Any
    ) -> Any:
        """Creates a variable of the layer; raises ValueError if the column already has a variable of this name."""
        if name in self._variables[feature_column]:
            raise ValueError("Variable already exists.")
        is_trained = self._trainable and trainable
        result = self._layer.add_weight(name=name, trainable=is_trained, **options, **self._getter)
        self._variables[feature_column][name] = result
        return result

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """Returns a column's variable; raises ValueError for an unknown name."""
        if name not in self._variables[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column][name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Stores a column's table; the layer, if any, tracks it."""
        self._resources[feature_column][name] = resource
        if self._layer is not None:
            self._layer._resources.append(resource)

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """Returns a column's table; raises ValueError for an unknown name."""
        if name not in self._resources[feature_column]:
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column][name]


def add_model_variables(weight_collections: Any) -> list:
    """Returns the collection keys plus the keys of global and model variables."""
    collections = list(weight_collections or [])
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES):
        if key not in collections:
            collections.append(key)
    return collections


def collect(variable: Any, weight_collections: list) -> None:
    """Adds a layer's variable to additional collections."""
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for key in weight_collections:
        if key != GraphKeys.GLOBAL_VARIABLES:
            for part in parts:
                add_to_collection(key, part)
