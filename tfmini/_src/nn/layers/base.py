"""`tf.layers.Layer`: a layer whose weights `tf.get_variable` makes, in a variable scope of its own."""

from __future__ import annotations

import copy
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import get_collection_ref, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.nn.layers.keras_style import keras_style_is_on
from tfmini._src.nn.layers.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.weights import trained
from tfmini._src.variables.collections import global_variables, trainable_variables
from tfmini._src.variables.get_variable import VariableScope, get_variable
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.synchronization_and_aggregation import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.variable_scope import variable_scope


class Layer(BaseLayer):
    """The base class of `tf.layers` and of the cells of recurrent networks.

    The first call opens a variable scope, named after the layer, in which `build` makes the weights
    with `add_weight`; all calls make their nodes in the name scope that was opened with it, and use
    these weights.

    Args:
      trainable: whether its weights are trained.
      name: its name, and that of its scope; by default made of the class's, unique.
      dtype: the dtype of its weights; by default that of its first input.

    Example:
      class Scale(tf.layers.Layer):
          def build(self, shape):
              self.factor = self.add_weight("factor", [shape[-1].value], initializer="ones")

          def call(self, x):
              return x * self.factor

      y = Scale(name="scale")(x)  # "scale/mul", with "scale/factor:0"
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any):
        self._use_resource_variables = False
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._keras_style = keras_style_is_on()
        if self._keras_style:
            _refuse(scope, "scope")
            _refuse(self._reuse, "reuse")
        self._scope: VariableScope | None = None
        self._current_scope: Any = None
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    _is_legacy_layer = True  # models of Keras refuse it

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)  # what it holds is not looked into

    @property
    @deprecated(
        None, "Stop using this property because tf.layers layers no longer track their graph."
    )
    def graph(self) -> None:
        """None: a layer does not keep its graph."""

    @property
    def scope_name(self) -> str:
        """The name of its variable scope.

        Raises:
          ValueError: before the first call, which opens it.
        """
        if not self._scope:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been '
                "used yet. The scope name  is determined the first time the layer instance is "
                "called. You must therefore call the layer before querying `scope_name`."
            )
        return self._scope.name

    def _init_set_name(self, name: Any) -> None:
        base_name = snake_case(type(self).__name__)
        if not name or isinstance(name, VariableScope):
            self._name = unique_object_name(base_name, first=1)
        else:
            self._name = name
        self._base_name = (name.name if isinstance(name, VariableScope) else name) or base_name

    def _name_scope(self) -> Any:
        return self._name if self._keras_style else self._current_scope.original_name_scope

    def _set_scope(self, scope: Any = None) -> None:
        """Opens the variable scope, the first time."""
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds scalar losses to those of the layer and to the collection REGULARIZATION_LOSSES.

        Args:
          losses: a tensor, a function without arguments that makes one, or a list of them.
          inputs: if given, the losses are taken to depend on the layer's inputs.
        """
        before, functions_before = len(self._losses), len(self._callable_losses)
        super().add_loss(losses, inputs=inputs)
        made = [loss() for loss in self._callable_losses[functions_before:]]
        new = self._losses[before:] + [loss for loss in made if loss is not None]
        _add_to_collection(new, GraphKeys.REGULARIZATION_LOSSES)

    def add_weight(  # type: ignore[override]  # the order of TensorFlow
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        partitioner: Any = None,
        **kwargs: Any,
    ) -> Any:
        """A variable of the layer, from `tf.get_variable` in the layer's scope.

        Args:
          name: its name in the scope.
          shape: its shape.
          dtype: its dtype; by default the layer's, or float32.
          initializer: by default the scope's.
          regularizer: a function from the variable to a loss, or None.
          trainable: whether it is trained, if the layer is.
          constraint: a function applied after each update by an optimizer, or None.
          use_resource: whether to make a resource variable.
          synchronization, aggregation: as in `tf.get_variable`.
          partitioner: what cuts it into parts, or None.

        Returns:
          The variable: new, or with `reuse`, and after `build`, the one there is.

        Raises:
          TypeError: for another keyword.
          ValueError: as `tf.get_variable`; if it is to be trained and synchronized on reading.
        """
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        if self._keras_style:
            return super().add_weight(
                name=name,
                shape=shape,
                dtype=dtype,
                initializer=initializer,
                regularizer=regularizer,
                trainable=trainable and self.trainable,
                constraint=constraint,
                partitioner=partitioner,
                use_resource=use_resource,
            )
        trainable = trained(trainable, synchronization)
        with init_scope():
            graph = get_default_graph()
            existing = set(global_variables()) if regularizer else set()
        self._set_scope(None)
        count = len(self._trainable_weights)
        reuse = self.built or self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            with name_scope(self._name_scope()):
                variable = super().add_weight(
                    name,
                    shape,
                    dtype=dtypes.as_dtype(dtype or self.dtype or dtypes.float32),
                    initializer=scope.initializer if initializer is None else initializer,
                    trainable=trainable and self.trainable,
                    constraint=constraint,
                    partitioner=partitioner,
                    use_resource=use_resource or self._use_resource_variables or scope.use_resource,
                    synchronization=synchronization,
                    aggregation=aggregation,
                    getter=get_variable,
                )
                if regularizer and not _overlap(variable, existing):
                    self._regularize_weight(name, variable, regularizer)
                with graph.as_default():
                    trained_ones = trainable_variables()
                if trainable and self.trainable and not any(variable is v for v in trained_ones):
                    # A custom getter, or its being in parts, has kept it out of the collection.
                    self._non_trainable_weights += self._trainable_weights[count:]
                    del self._trainable_weights[count:]
        return variable

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for `inputs`; the first call makes the weights.

        Args:
          inputs: a tensor, or a structure of them; numpy arrays and numbers are converted.
          *args, **kwargs: passed to `call`, but for `scope`: the variable scope to open at the first
            call, a name or VariableScope. A `call` that has an argument `scope` gets the current one.

        Raises:
          ValueError: if the inputs are not what `input_spec` wants, or `call` returns None.
        """
        scope = kwargs.pop("scope", None)
        if self._keras_style:
            _refuse(scope, "scope")
            return super().__call__(inputs, *args, **kwargs)
        self._set_scope(scope)
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            self._current_scope = current
            if "scope" in self._call_arguments()[0]:
                kwargs["scope"] = current
            outputs = super().__call__(inputs, *args, **kwargs)
        _add_to_collection(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    def __deepcopy__(self, memo: dict) -> Layer:
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for key, value in vars(self).items():
            leaves = flatten(value)
            if leaves and isinstance(leaves[0], Tensor):
                setattr(result, key, value)
            elif key == "_scope":
                setattr(result, key, copy.copy(value))
            else:
                setattr(result, key, copy.deepcopy(value, memo))
        return result


def _refuse(value: Any, what: str) -> None:
    if value is not None:
        raise ValueError(
            f"{what} argument not allowed when keras style layers are enabled, but saw: {value}"
        )


def _overlap(variable: Any, existing: set) -> bool:
    """Whether the variable, or a part of it, existed before."""
    parts = variable if isinstance(variable, PartitionedVariable) else [variable]
    return any(part in existing for part in parts)


def _add_to_collection(elements: list, key: str) -> None:
    collection = get_collection_ref(key)
    if elements:
        there = {id(x) for x in collection}
        collection.extend(x for x in elements if id(x) not in there)
