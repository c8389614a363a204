"""Bidirectional: runs one recurrent layer forward and another backward in time and merges their outputs."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend import array_functions as k
from tfmini._src.nn.layers.backend.tensor_values import int_shape
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_shapes import is_shape, shapes_as_tuples
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.arguments import are_of_layers, split_inputs
from tfmini._src.nn.layers.keras.recurrent.cell_states import has_argument
from tfmini._src.nn.layers.keras.wrapper import Wrapper
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer
from tfmini._src.ops import ops
from tfmini._src.variables.trackable import no_automatic_dependency_tracking_scope

_SHARED_OPTIONS = ("stateful", "return_sequences", "return_state")


class Bidirectional(Wrapper):
    """Runs a recurrent layer forward in time and a copy of it backward.

    Args:
      layer: the recurrent layer.
      merge_mode: how to merge the outputs: "concat", "sum", "mul", "ave", or None for a list of both.
      weights: unused, as in TensorFlow.
      backward_layer: the backward layer, with `go_backwards`; by default a copy of `layer`.

    Raises:
      ValueError: if `layer` is not a layer, for an unsupported merge mode, or for layers that do not match.

    Example:
      outputs = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(8))(tf.keras.Input((10, 3)))  # [batch, 16]
    """

    def __init__(
        self,
        layer: Layer,
        merge_mode: str | None = "concat",
        weights: Sequence[Any] | None = None,
        backward_layer: Layer | None = None,
        **kwargs: Any,
    ):
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `Bidirectional` layer with a `Layer` instance. You passed: {layer}"
            )
        if backward_layer is not None and not isinstance(backward_layer, Layer):
            raise ValueError(
                f"`backward_layer` need to be a `Layer` instance. You passed: {backward_layer}"
            )
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                'Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}'
            )
        pattern: Any = layer
        forward = _rebuild_layer(layer)
        backward_config = None if backward_layer is None else backward_layer.get_config()
        backward: Any = backward_layer or _rebuild_layer(layer, is_reversed=True)
        forward._name = "forward_" + forward.name
        backward._name = "backward_" + backward.name
        _check_layer_pair(forward, backward)
        for part in (forward, backward):
            if getattr(part, "zero_output_for_mask", None) is not None:
                part.zero_output_for_mask = part.return_sequences
        self.forward_layer: Any = forward
        self.backward_layer: Any = backward
        with no_automatic_dependency_tracking_scope(self):  # the given layer is only a template
            super().__init__(layer, **kwargs)
        if backward_config is not None:
            vars(self)["_backward_layer_config"] = backward_config
        self.merge_mode = merge_mode
        self.return_sequences = pattern.return_sequences
        self.return_state = pattern.return_state
        self._num_constants = 0
        self.input_spec = pattern.input_spec

    def build(self, input_shape: ShapeLike) -> None:  # type: ignore[override]
        """Creates the weights of both layers."""
        for part in (self.forward_layer, self.backward_layer):
            with name_scope(part.name):
                part.build(input_shape)
                part.built = True
        self.built = True

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the output shape, one per direction without a merge mode; with `return_state`, also state shapes."""
        shapes = self.forward_layer.compute_output_shape(shapes_as_tuples(input_shape))
        is_list = isinstance(shapes, list) and not is_shape(shapes)
        shapes = shapes if is_list else [shapes]
        output, *states = [tuple(TensorShape(shape).as_list()) for shape in shapes]
        outputs = [output]
        if self.merge_mode == "concat":
            outputs = [(*output[:-1], output[-1] * 2)]
        elif self.merge_mode is None:
            outputs = [output, output]
        result_shapes = [TensorShape(shape) for shape in [*outputs, *states, *states]]
        return result_shapes if len(result_shapes) > 1 else result_shapes[0]

    def __call__(
        self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """Computes the outputs.

        Args:
          inputs: a tensor, or a list of a tensor, initial states and constants.
          initial_state: the states of the forward layer, then of the backward layer.
          constants: tensors passed to both cells at each step.
          **kwargs: passed to `call`: `mask`, [batch, time], and `training`.

        Raises:
          ValueError: for an odd number of states, or if only some of the tensors are layer outputs.
        """
        inputs, initial_state, constants = split_inputs(
            inputs, initial_state, constants, self._num_constants
        )
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)
        parts = (self.forward_layer, self.backward_layer)
        extra_inputs: list = []
        specs: list = []
        if initial_state is not None:
            if len(initial_state) % 2:
                raise ValueError(
                    "When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the "
                    f"states of the underlying RNNs. Found: {initial_state}"
                )
            kwargs["initial_state"] = initial_state
            extra_inputs += initial_state
            specs += [InputSpec(shape=int_shape(state)) for state in initial_state]
            half = len(specs) // 2
            parts[0].state_spec, parts[1].state_spec = specs[:half], specs[half:]
        if constants is not None:
            kwargs["constants"] = constants
            extra_inputs += constants
            constants_spec = [InputSpec(shape=int_shape(constant)) for constant in constants]
            specs += constants_spec
            self._num_constants = len(constants)
            for part in parts:
                part.constants_spec = constants_spec
                part._num_constants = len(constants)
        is_mixed = (
            "The initial state of a Bidirectional layer cannot be specified with a mix of Keras tensors and non-Keras "
            'tensors (a "Keras tensor" is a tensor that was returned by a Keras layer, or by `Input`)'
        )
        if not are_of_layers(extra_inputs, is_mixed):
            return super().__call__(inputs, **kwargs)
        kwargs["initial_state"] = kwargs["constants"] = None
        previous_spec, self.input_spec = self.input_spec, [None, *specs]
        output = super().__call__([inputs, *extra_inputs], **kwargs)
        self.input_spec = previous_spec
        return output

    def call(
        self,
        inputs: Any,
        training: TensorLike | None = None,
        mask: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """Applies both layers; the arguments are as in a call of the layer."""
        possible = {"training": training, "mask": mask, "constants": constants}
        kwargs = {name: v for name, v in possible.items() if has_argument(self.layer.call, name)}
        forward_inputs, backward_inputs = inputs, inputs
        states: dict[str, Any] = {}
        other_states: dict[str, Any] = {}
        if has_argument(self.layer.call, "initial_state"):
            first = second = None
            if isinstance(inputs, list) and len(inputs) > 1:
                num_constants = self._num_constants
                state_index = (len(inputs) - num_constants) // 2 + 1
                end = len(inputs) - num_constants
                forward_inputs = [inputs[0], *inputs[1:state_index], *inputs[end:]]
                backward_inputs = [inputs[0], *inputs[state_index:end], *inputs[end:]]
                if "constants" in kwargs:
                    kwargs["constants"] = None
            elif initial_state is not None:
                half = len(initial_state) // 2
                first, second = initial_state[:half], initial_state[half:]
            states, other_states = {"initial_state": first}, {"initial_state": second}
        y = self.forward_layer(forward_inputs, **states, **kwargs)
        y_back = self.backward_layer(backward_inputs, **other_states, **kwargs)
        last: list = []
        if self.return_state:
            last = y[1:] + y_back[1:]
            y, y_back = y[0], y_back[0]
        if self.return_sequences:
            y_back = ops.reverse(y_back, [1])
        output = self._merge(y, y_back)
        if not self.return_state:
            return output
        return [*(output if isinstance(output, list) else [output]), *last]

    def _merge(self, y: Any, y_back: Any) -> Any:
        if self.merge_mode == "concat":
            return k.concatenate([y, y_back])
        if self.merge_mode == "sum":
            return y + y_back
        if self.merge_mode == "ave":
            return (y + y_back) / 2
        return y * y_back if self.merge_mode == "mul" else [y, y_back]

    def reset_states(self) -> None:
        """Resets the states of both layers to zeros."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs: Any, mask: Any) -> Any:  # type: ignore[override]
        """Returns the mask of the inputs if the outputs of all steps are returned; None for the states."""
        if isinstance(mask, list):
            mask = mask[0]
        output_mask = mask if self.return_sequences else None
        masks = [output_mask] if self.merge_mode else [output_mask, output_mask]
        if self.return_state:
            masks += [None for _ in self.forward_layer.states] * 2
        return masks if self.return_state or not self.merge_mode else output_mask

    @property
    def constraints(self) -> dict[Any, Any]:
        """The constraints of both layers, if they define any."""
        constraints: dict = {}
        for part in (self.forward_layer, self.backward_layer):
            constraints.update(getattr(part, "constraints", {}))
        return constraints

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if "_backward_layer_config" in vars(self):
            config["backward_layer"] = {
                "class_name": type(self.backward_layer).__name__,
                "config": vars(self)["_backward_layer_config"],
            }
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Rebuilds a layer from `get_config` output."""
        config = dict(config)
        num_constants = config.pop("num_constants", 0)
        if config.get("backward_layer") is not None:
            config["backward_layer"] = deserialize_layer(config["backward_layer"], custom_objects)
        layer = super().from_config(config, custom_objects=custom_objects)
        layer._num_constants = num_constants
        return layer


def _rebuild_layer(layer: Any, is_reversed: bool = False) -> Any:
    """Rebuilds a layer from its configuration, reversed in time if `is_reversed` is set."""
    config = layer.get_config()
    if is_reversed:
        config["go_backwards"] = not config["go_backwards"]
    if "custom_objects" not in inspect.getfullargspec(type(layer).from_config).args:
        return type(layer).from_config(config)
    cell = getattr(layer, "cell", None)
    cells = [] if cell is None else [cell, *getattr(cell, "cells", [])]
    return type(layer).from_config(
        config, custom_objects={type(cell).__name__: type(cell) for cell in cells}
    )


def _check_layer_pair(forward: Any, backward: Any) -> None:
    if forward.go_backwards == backward.go_backwards:
        raise ValueError(
            "Forward layer and backward layer should have different `go_backwards` value."
        )
    for name in _SHARED_OPTIONS:
        first, second = getattr(forward, name), getattr(backward, name)
        if first != second:
            raise ValueError(
                "Forward layer and backward layer are expected to have the same value for attribute "
                f"{name}, got {first} and {second}"
            )
