"""`tf.layers.Layer`: a layer with its own variable scope and weights from `tf.get_variable`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.nn.layers.layer_call import call_parameters
from tfmini._src.nn.layers.weight_styles import (
    add_to_collection,
    check_unset_in_keras_style,
    is_in_scope,
    keras_style_is_on,
    weight_in_scope,
)
from tfmini._src.nn.layers.weights import is_trained
from tfmini._src.variables.copy_modes import VariableAggregation, VariableSynchronization
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


class Layer(BaseLayer):
    """Base class of the layers in `tf.layers` and of RNN cells.

    The first call opens a variable scope named after the layer, in which `build` creates the weights with
    `add_weight`. All calls share these weights and add their nodes to the corresponding name scope.

    Args:
      trainable: whether its weights are trained.
      name: its name, and the name of its scope; by default a unique name derived from the class.
      dtype: the dtype of its weights; by default the dtype of its first input.

    Example:
      class Scale(tf.layers.Layer):
          def build(self, shape):
              self.factor = self.add_weight("factor", [shape[-1].value], initializer="ones")

          def call(self, x):
              return x * self.factor

      y = Scale(name="scale")(x)  # "scale/mul", with "scale/factor:0"
    """

    def __init__(
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        self._use_resource_variables = False
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        kwargs.setdefault("autocast", False)
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._keras_style = keras_style_is_on()
        if self._keras_style:
            check_unset_in_keras_style(scope=scope, reuse=self._reuse)
        self._scope: VariableScope | None = None
        self._current_scope: Any = None
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    _is_legacy_layer = True  # Keras models reject it
    _infers_dtype = True
    _keras_style = False  # for derived classes that skip this constructor

    __setattr__ = object.__setattr__  # type: ignore[assignment]  # attributes are not tracked

    @property
    @deprecated(
        None, "Stop using this property because tf.layers layers no longer track their graph."
    )
    def graph(self) -> None:
        """None, because layers do not store their graph."""

    @property
    def scope_name(self) -> str:
        """Name of the layer's variable scope.

        Raises:
          ValueError: before the first call.
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

    def _builds_outside_functions(self) -> bool:
        return self._keras_style and super()._builds_outside_functions()

    def _name_scope(self) -> Any:
        return self.name if self._keras_style else self._current_scope.original_name_scope

    def _set_scope(self, scope: Any = None) -> None:
        """Creates the layer's variable scope on first use."""
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def _make_variable_scope(self) -> variable_scope:
        reuse = self.built or self._reuse
        return variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False)

    def add_loss(self, losses: TensorLike, inputs: Any = None) -> None:
        """Adds scalar losses to the layer and, in graph mode, to the collection REGULARIZATION_LOSSES.

        Args:
          losses: a tensor, a function without arguments that returns one, or a list of these.
          inputs: if not None, the losses are considered dependent on the layer's inputs.
        """
        loss_count, function_count = len(self._losses), len(self._callable_losses)
        super().add_loss(losses, inputs=inputs)
        if executing_eagerly():
            return
        losses_added = [loss() for loss in self._callable_losses[function_count:]]
        new = self._losses[loss_count:] + [loss for loss in losses_added if loss is not None]
        add_to_collection(new, GraphKeys.REGULARIZATION_LOSSES)

    def add_weight(  # type: ignore[override]  # TensorFlow's argument order
        self,
        name: str,
        shape: TensorLike,
        dtype: DTypeLike | None = None,
        initializer: str | Callable[..., Any] | None = None,
        regularizer: str | Callable[..., Any] | None = None,
        trainable: bool | None = None,
        constraint: str | Callable[..., Any] | None = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        partitioner: Callable[..., Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Creates or reuses a weight through `tf.get_variable` in the layer's scope.

        Args:
          name: its name in the scope.
          shape: its shape.
          dtype: its dtype; by default the layer's, or float32.
          initializer: by default the scope's.
          regularizer: a function from the variable to a loss, or None.
          trainable: whether it is trained, if the layer is.
          constraint: a function applied after each update by an optimizer, or None.
          use_resource: whether to create a resource variable.
          synchronization, aggregation: as in `tf.get_variable`.
          partitioner: a partitioner, or None.

        Returns:
          The variable: new, or an existing one with `reuse` or after `build`.

        Raises:
          TypeError: for an unknown keyword argument.
          ValueError: as for `tf.get_variable`; if `trainable` is set with ON_READ synchronization.
        """
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        options = {
            "shape": shape,
            "dtype": dtype,
            "initializer": initializer,
            "regularizer": regularizer,
            "constraint": constraint,
            "use_resource": use_resource,
            "partitioner": partitioner,
            **kwargs,
        }
        if self._keras_style:  # ignores synchronization and aggregation, as in TensorFlow
            return super().add_weight(name, trainable=trainable and self.trainable, **options)
        options["trainable"] = is_trained(trainable, synchronization) and self.trainable
        options.update(synchronization=synchronization, aggregation=aggregation)
        self._set_scope(None)
        if is_in_scope(self):
            return weight_in_scope(self, super().add_weight, name, options)
        with self._make_variable_scope() as self._current_scope, name_scope(self._name_scope()):
            return weight_in_scope(self, super().add_weight, name, options)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes the outputs for `inputs`; the first call creates the weights.

        Args:
          inputs: a tensor, or a structure of them; numpy arrays and numbers are converted.
          *args, **kwargs: passed to `call`, except `scope`: the variable scope to open at the first call, by name or as
            a VariableScope. A `call` with a parameter `scope` receives the current one.

        Raises:
          ValueError: if the inputs violate `input_spec`, or `call` returns None.
        """
        scope = kwargs.pop("scope", None)
        if self._keras_style:
            check_unset_in_keras_style(scope=scope)
            return super().__call__(inputs, *args, **kwargs)
        self._set_scope(scope)
        with self._make_variable_scope() as self._current_scope:
            if "scope" in call_parameters(self.call).names:
                kwargs["scope"] = self._current_scope
            outputs = super().__call__(inputs, *args, **kwargs)
        if not executing_eagerly():
            add_to_collection(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    def __deepcopy__(self, memo: dict[Any, Any]) -> Layer:
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
