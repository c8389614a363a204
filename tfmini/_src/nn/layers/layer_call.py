"""Layer calls: their arguments, weight creation and outputs.

The functions with a parameter `self` are methods of `Layer` in `base_layer.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OperatorNotAllowedInGraphError
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.functions.auto_control_deps import AutomaticControlDependencies
from tfmini._src.graph.autograph_status import convert_if_enabled
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.keras_graph import (
    get_graph,
    in_keras_graph,
    is_symbolic,
    runs_as_written,
)
from tfmini._src.nn.layers.backend.learning_phase import learning_phase, learning_phase_is_set
from tfmini._src.nn.layers.call_context import calling, compute_dtype_scope, current_call
from tfmini._src.nn.layers.input_spec import check_inputs
from tfmini._src.nn.layers.node_history import (
    all_have_history,
    distinct_outputs,
    masks_in_structure,
)
from tfmini._src.nn.layers.operation_history import (
    make_history,
    make_history_of_arguments,
    needs_history,
)
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable import Variable

_PACKAGE = __name__.partition(".")[0] + "."


class CallParameters(NamedTuple):
    """The parameters of a layer's `call`.

    Attributes:
      names: the names of its positional parameters; the first is the inputs.
      any_name: whether it accepts arbitrary keywords.
    """

    names: list[str]
    any_name: bool

    def accept(self, name: str) -> bool:
        """Whether `call` accepts an argument with this name."""
        return name in self.names or self.any_name

    def by_name(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """Returns the arguments after the inputs, by name."""
        return {**dict(zip(self.names[1:], args)), **kwargs}

    def training(self, arguments: dict, kwargs: dict) -> Any:
        """Returns whether a call is for training.

        Adds a value found in the context to `kwargs`, or removes a value that `call` does not accept.

        arguments: the arguments of the call, by name.
        """
        accepts_training = self.accept("training")
        if "training" in arguments:
            if not accepts_training:
                kwargs.pop("training")
                return arguments.pop("training")
            return arguments["training"]
        training = current_call().training
        if training is None and (learning_phase_is_set() or in_keras_graph()):
            training = learning_phase()
        if training is not None and accepts_training:
            is_tensor = isinstance(training, (Tensor, Variable))
            training = ops.cast(training, dtypes.bool) if is_tensor else bool(training)
            kwargs["training"] = training
        return training


_parameters: dict[ref, CallParameters] = {}


def call_parameters(call: Callable) -> CallParameters:
    """Returns the parameters of a layer's `call`."""
    function = getattr(call, "__func__", call)
    cached = _parameters.get(ref(function))
    if cached is None:
        spec = inspect.getfullargspec(getattr(function, "python_function", function))
        names = spec.args[1:] if spec.args and spec.args[0] == "self" else spec.args
        cached = CallParameters(names, spec.varkw is not None)
        _parameters[ref(function, _parameters.pop)] = cached
    return cached


def call_in_eager_mode(self: Any, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
    """Adds nodes to Keras's graph for symbolic inputs; for other inputs, computes the outputs immediately."""
    if all(map(is_symbolic, items)):
        with get_graph().as_default():
            return self._call_in_graph(items, inputs, args, kwargs)
    return _call_on_inputs(self, False, items, inputs, args, kwargs)


def call_in_graph(self: Any, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
    """Adds the call's nodes to the graph."""
    symbolic = True
    for x in items:
        if not (isinstance(x, (Tensor, SparseTensor, Variable)) or hasattr(x, "flat_values")):
            symbolic = False
    return _call_on_inputs(self, symbolic, items, inputs, args, kwargs)


def _call_on_inputs(
    self: Any, symbolic: bool, items: list, inputs: Any, args: tuple, kwargs: dict
) -> Any:
    """Calls the layer on inputs with these leaves; `symbolic`: whether all of them are tensors in a graph."""
    if not symbolic and any(isinstance(x, (np.ndarray, float, int)) for x in items):
        inputs = map_structure(_convert, inputs)
    parameters = call_parameters(self.call)
    arguments = parameters.by_name(args, kwargs)
    masks = _masks_for(self, parameters, items, inputs, arguments, kwargs)
    training = parameters.training(arguments, kwargs)
    if symbolic and needs_history(items):
        make_history(inputs)
    if runs_as_written() and not current_call().in_call:
        self._clear_losses()
    with calling(self, inputs, training):
        if symbolic:
            check_inputs(self.input_spec, inputs, self.name)
        scope = self._name_scope()
        if not isinstance(scope, str):
            raise ValueError("name for name_scope must be a string.")
        with name_scope(scope):
            self._maybe_build(inputs)
            cast = self._maybe_cast_inputs(inputs)
            with compute_dtype_scope(self._dtypes.read_dtype()):
                outputs = _call_outputs(self, symbolic, cast, args, kwargs)
            if outputs is None and symbolic:
                raise ValueError(
                    "A layer's `call` method should return a Tensor or a list of Tensors, not "
                    f"None (layer: {self.name})."
                )
            if symbolic and all_have_history(items):
                outputs = distinct_outputs(inputs, outputs, self.name)
                make_history_of_arguments(arguments)
                self._add_inbound_node(inputs, outputs, arguments)
            if self._activity_regularizer:
                self._handle_activity_regularization(inputs, outputs)
            self._set_mask_metadata(inputs, outputs, masks)
    return outputs


def _masks_for(
    self: Any, parameters: CallParameters, items: list, inputs: Any, arguments: dict, kwargs: dict
) -> Any:
    """Returns the masks passed to a call, or else the masks of its inputs, if `call` accepts masks."""
    if "mask" in arguments:
        return arguments["mask"]
    for x in items:
        if getattr(x, "_keras_mask", None) is not None and self._should_compute_mask:
            masks = masks_in_structure(inputs)
            if parameters.accept("mask"):
                kwargs["mask"] = masks
            return masks
    return None


def _call_outputs(self: Any, symbolic: bool, inputs: Any, args: tuple, kwargs: dict) -> Any:
    if not symbolic:
        return self.call(inputs, *args, **kwargs)
    if self.dynamic:
        shapes = self.compute_output_shape(map_structure(lambda x: x.shape, inputs))
        return map_structure(lambda shape: ops.placeholder(self.dtype or floatx(), shape), shapes)
    try:
        if not in_keras_graph():
            return converted_call(self)(inputs, *args, **kwargs)
        with AutomaticControlDependencies() as block:
            outputs = converted_call(self)(inputs, *args, **kwargs)
            return map_structure(lambda output: _mark_as_return(output, block), outputs)
    except OperatorNotAllowedInGraphError as error:
        raise TypeError(
            "You are attempting to use Python control flow in a layer that was not declared to "
            "be dynamic. Pass `dynamic=True` to the class constructor.\nEncountered "
            f'error:\n"""\n{error}\n"""'
        ) from error


def _mark_as_return(output: Any, block: AutomaticControlDependencies) -> Any:
    """Returns a copy of an output and its mask that follows the effects of the call; other objects unchanged."""
    if not isinstance(output, (Tensor, SparseTensor, Variable)):
        return output
    result = block.mark_as_return(output)
    mask = getattr(output, "_keras_mask", None)
    result._keras_mask = None if mask is None else block.mark_as_return(mask)
    return result


def converted_call(self: Any) -> Any:
    """Returns `call`, converted by AutoGraph if the class of the layer is user-defined."""
    module = type(self).__module__
    if module.startswith(_PACKAGE) or "keras.engine" in module or "keras.layers" in module:
        return self.call
    return convert_if_enabled(self.call)


def maybe_build(self: Any, inputs: Any) -> None:
    """Builds the weights on the first call, for the shapes of its inputs."""
    if not self.built:
        check_inputs(self.input_spec, inputs, self.name)
        items = flatten(inputs)
        if items:
            self._dtypes.infer(items[0])
        shapes = None
        if inputs.__class__ is Tensor:
            shapes = inputs.shape
        elif all(hasattr(x, "shape") for x in items):
            shapes = map_structure(lambda x: x.shape, inputs)
        if self._builds_outside_functions():
            with init_scope():
                self._build_for(shapes)
        else:
            self._build_for(shapes)
        self.built = True
    if self._initial_weights is not None:
        self.set_weights(self._initial_weights)
        self._initial_weights = None


def _convert(x: Any) -> Any:
    return ops.convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x
