"""RNN: a layer that applies a cell along time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.rnn import rnn
from tfmini._src.nn.layers.backend.tensor_values import int_shape
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.arguments import are_of_layers, split_inputs
from tfmini._src.nn.layers.keras.recurrent.cell_states import (
    has_argument,
    has_multiple_states,
    is_sequence,
    map_sizes,
    to_sizes,
    zeros_for,
)
from tfmini._src.nn.layers.keras.recurrent.stacked_rnn_cells import StackedRNNCells
from tfmini._src.nn.layers.keras.recurrent.stateful import StatefulStates
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer
from tfmini._src.ops import ops


class RNN(StatefulStates, Layer):
    """Applies a cell to each step of [batch, time, ...]; returns the output of the last step, or of all steps.

    Args:
      cell: an object with `call(inputs, states) -> (output, states)` and `state_size`, or a list of cells.
      return_sequences: whether to return the outputs of all steps.
      return_state: whether to return the final states as well.
      go_backwards: whether to process the steps in reverse.
      stateful: whether each batch starts from the final states of the previous batch.
      unroll: whether to unroll the steps in the graph instead of running a loop.
      time_major: whether inputs and outputs are [time, batch, ...].

    Raises:
      ValueError: for a cell without `call` or `state_size`.

    Example:
      cells = [tf.keras.layers.LSTMCell(8), tf.keras.layers.LSTMCell(4)]
      outputs = tf.keras.layers.RNN(cells)(tf.keras.Input((10, 3)))  # [batch, 4]
    """

    _in_config: tuple[str, ...] = (
        *("return_sequences", "return_state", "go_backwards", "stateful"),
        *("unroll", "time_major"),
    )
    _counts_steps = False  # whether the loop itself is limited to the number of steps

    def __init__(
        self,
        cell: Layer | Sequence[Layer],
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        time_major: bool = False,
        **kwargs: Any,
    ):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError("`cell` should have a `call` method. The RNN was passed:", cell)
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The RNN cell should have an attribute `state_size` "
                "(tuple of integers, one integer per RNN state)."
            )
        zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            length = kwargs.pop("input_length", None)
            kwargs["input_shape"] = (length, kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.zero_output_for_mask = zero_output_for_mask
        self.cell = cell
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.stateful = stateful
        self.unroll = unroll
        self.time_major = time_major
        self.supports_masking = True
        self.state_spec: Any = None
        self.constants_spec: Any = None
        self._num_constants = 0

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the output shape; with `return_state`, a list of the output shape and the state shapes."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        try:
            shape = as_shape(input_shape)
        except (ValueError, TypeError):
            shape = as_shape(input_shape[0])
        batch, steps = (shape[1], shape[0]) if self.time_major else (shape[0], shape[1])

        def output_shape_for(size: Any) -> Any:
            first = [batch]
            if self.return_sequences:
                first = [steps, batch] if self.time_major else [batch, steps]
            return TensorShape([*first, *to_sizes(size)])

        is_list = has_multiple_states(self.cell.state_size)
        state_sizes = self.cell.state_size if is_list else [self.cell.state_size]
        if getattr(self.cell, "output_size", None) is not None:
            outputs = flatten(map_sizes(output_shape_for, self.cell.output_size))
            output: Any = outputs[0] if len(outputs) == 1 else outputs
        else:
            output = output_shape_for(state_sizes[0])
        if not self.return_state:
            return output
        states = map_sizes(lambda size: TensorShape([batch, *to_sizes(size)]), state_sizes)
        return [*(output if isinstance(output, list) else [output]), *flatten(states)]

    def compute_mask(self, inputs: Any, mask: Any) -> Any:  # type: ignore[override]
        """Returns the mask of the inputs if the outputs of all steps are returned; None for the states."""
        output_shape_for = flatten(mask)[0] if self.return_sequences else None
        return (
            [output_shape_for, *(None for _ in self.states)]
            if self.return_state
            else output_shape_for
        )

    def build(self, input_shape: Any) -> None:
        """Creates the cell's weights and, if stateful, the state variables."""
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        batch_axis, time_axis = (1, 0) if self.time_major else (0, 1)

        def input_spec(shape: Any) -> InputSpec:
            sizes = as_shape(shape).as_list()
            if not self.stateful:
                sizes[batch_axis] = None
            sizes[time_axis] = None
            return InputSpec(shape=tuple(sizes))

        def drop_time_axis(shape: Any) -> tuple:
            sizes = tuple(as_shape(shape).as_list())
            return (*sizes[:time_axis], *sizes[time_axis + 1 :])

        nested = isinstance(input_shape, (tuple, dict)) and not _is_shape(input_shape)
        if nested:
            spec: Any = map_structure(input_spec, input_shape)
            step_shape: Any = map_structure(drop_time_axis, input_shape)
        else:
            spec, step_shape = input_spec(input_shape), drop_time_axis(input_shape)
        if self.input_spec is not None:
            self.input_spec[0] = spec
        else:
            self.input_spec = [spec]
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(step_shape)
        is_list = has_multiple_states(self.cell.state_size)
        sizes = list(self.cell.state_size) if is_list else [self.cell.state_size]
        if self.state_spec is not None:
            self._check_state_spec(sizes)
        else:
            self.state_spec = [InputSpec(shape=[None, *to_sizes(size)]) for size in flatten(sizes)]
        if self.stateful:
            self.reset_states()
        self.built = True

    def _check_state_spec(self, sizes: list) -> None:
        flat_sizes, specs = flatten(sizes), flatten(self.state_spec)
        fits = len(flat_sizes) == len(specs) and all(
            TensorShape(spec.shape[1:]).is_compatible_with(as_shape(size))
            for spec, size in zip(specs, flat_sizes)
        )
        if not fits:
            raise ValueError(
                "An `initial_state` was passed that is not compatible with `cell.state_size`. Received "
                f"`state_spec`={self.state_spec}; however `cell.state_size` is {sizes}"
            )

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """Returns the cell's initial states, zeros by default, for the batch size and dtype of the inputs."""
        inputs = flatten(inputs)[0]
        batch_size = ops.shape(inputs)[1 if self.time_major else 0]
        if getattr(self.cell, "get_initial_state", None):
            state = self.cell.get_initial_state(
                inputs=None, batch_size=batch_size, dtype=inputs.dtype
            )
        else:
            state = zeros_for(self.cell.state_size, batch_size, inputs.dtype)
        return list(state) if is_sequence(state) else [state]

    def __call__(
        self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """Computes the outputs.

        Args:
          inputs: a tensor, or a list of a tensor, initial states and constants.
          initial_state: the states before the first step, a tensor or a list of them.
          constants: tensors passed to the cell at each step as its argument `constants`.
          **kwargs: passed to `call`: `mask`, [batch, time], and `training`.

        Raises:
          ValueError: if only some of the states and constants are layer outputs.
        """
        inputs, initial_state, constants = split_inputs(
            inputs, initial_state, constants, self._num_constants
        )
        if initial_state is None and constants is None:
            return super().__call__(inputs, **kwargs)
        extra_inputs: list = []
        specs: list = []
        if initial_state is not None:
            extra_inputs += initial_state
            self.state_spec = map_structure(_spec_like, initial_state)
            specs += self.state_spec
        if constants is not None:
            extra_inputs += constants
            self.constants_spec = [_spec_like(constant) for constant in constants]
            self._num_constants = len(constants)
            specs += self.constants_spec
        is_mixed = (
            "The initial state or constants of an RNN layer cannot be specified with a mix of Keras tensors and "
            'non-Keras tensors (a "Keras tensor" is a tensor that was returned by a Keras layer, or by `Input`)'
        )
        if are_of_layers(extra_inputs, is_mixed):
            self.input_spec = [map_structure(lambda _: None, inputs), *specs]
            output = super().__call__([inputs, *extra_inputs], **kwargs)
            self.input_spec = self.input_spec[: -len(specs)]
            return output
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        if constants is not None:
            kwargs["constants"] = constants
        return super().__call__(inputs, **kwargs)

    def call(
        self,
        inputs: Any,
        mask: Any = None,
        training: TensorLike | None = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """Applies the cell; the arguments are as in a call of the layer.

        Raises:
          ValueError: when unrolling an unknown number of steps, or for states or constants that the cell does not
            accept.
        """
        inputs, initial_state, constants = self._split_inputs(inputs, initial_state, constants)
        if mask is not None:
            mask = flatten(mask)[0]
        shape = int_shape(flatten(inputs)[0])
        if self.unroll and shape[0 if self.time_major else 1] is None:  # type: ignore[index]
            raise ValueError(
                "Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, specify "
                "the time dimension by passing an `input_shape` or `batch_input_shape` argument to your first "
                "layer. If your first layer is an Embedding, you can also use the `input_length` argument.\n- If "
                "using the functional API, specify the time dimension by passing a `shape` or `batch_shape` "
                "argument to your Input layer."
            )
        if constants and not has_argument(self.cell.call, "constants"):
            raise ValueError("RNN cell does not support constants")
        last, outputs, states = rnn(
            self._step(training, bool(constants)),
            inputs,
            initial_state,
            constants=constants,
            go_backwards=self.go_backwards,
            mask=mask,
            unroll=self.unroll,
            input_length=shape[1] if self._counts_steps else None,  # type: ignore[index]
            time_major=self.time_major,
            zero_output_for_mask=self.zero_output_for_mask,
        )
        if self.stateful:
            pairs = zip(flatten(self.states), flatten(states))
            self.add_update([variable.assign(state) for variable, state in pairs])
        output = outputs if self.return_sequences else last
        if not self.return_state:
            return output
        states = list(states) if isinstance(states, (list, tuple)) else [states]
        return [*(output if isinstance(output, (list, tuple)) else [output]), *states]

    def _step(self, training: Any, with_constants: bool) -> Any:
        """Returns the step function, which maps inputs and states, followed by constants, to output and new states."""
        kwargs = {"training": training} if has_argument(self.cell.call, "training") else {}
        is_tf_cell = getattr(self.cell, "_is_tf_rnn_cell", None) is not None

        def step(inputs: Any, states: Any) -> tuple:
            step_kwargs = kwargs
            if with_constants:
                constants = states[-self._num_constants :]
                states = states[: -self._num_constants]
                step_kwargs = {**kwargs, "constants": constants}
            state = states[0] if len(states) == 1 and is_tf_cell else states
            output, new_states = self.cell.call(inputs, state, **step_kwargs)
            return output, new_states if is_sequence(new_states) else [new_states]

        return step

    def _split_inputs(self, inputs: Any, initial_state: Any, constants: Any) -> tuple:
        """Returns inputs, initial states and constants, splitting a combined list if necessary."""
        if isinstance(inputs, list):
            num_constants = self._num_constants
            initial_state = inputs[1:-num_constants] if num_constants else inputs[1:]
            if num_constants:
                constants = inputs[-num_constants:]
            inputs, initial_state = inputs[0], initial_state or None
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        if len(initial_state) != len(self.states):
            raise ValueError(
                f"Layer has {len(self.states)} states but was passed {len(initial_state)} initial states."
            )
        return inputs, initial_state, constants

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = super().get_config()
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = self.zero_output_for_mask
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**config, "cell": cell}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Rebuilds a layer from `get_config` output."""
        config = dict(config)
        cell = deserialize_layer(config.pop("cell"), custom_objects)
        num_constants = config.pop("num_constants", 0)
        layer = cls(cell, **config)
        layer._num_constants = num_constants
        return layer


def _spec_like(tensor: Any) -> InputSpec:
    return InputSpec(shape=int_shape(tensor))


def _is_shape(value: Any) -> bool:
    return isinstance(value, tuple) and all(size is None or isinstance(size, int) for size in value)
