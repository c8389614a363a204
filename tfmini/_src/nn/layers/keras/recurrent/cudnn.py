"""CuDNNLSTM and CuDNNGRU: recurrent layers computed by cuDNN, on GPUs only."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import as_shape
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.base_cell import ROLES
from tfmini._src.nn.layers.keras.recurrent.recurrent_v1 import SimpleRNN
from tfmini._src.nn.layers.keras.recurrent.rnn import RNN
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Ones

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor, TensorLike


_Cell = namedtuple("_Cell", "state_size")
_OPTIONS = (
    *("return_sequences", "return_state", "go_backwards", "stateful", "time_major"),
    "units",
)
_WEIGHT_ARGUMENTS = (*ROLES["regularizer"], "activity_regularizer", *ROLES["constraint"])


class CudnnLayer(RNN):
    """Base class of CuDNNLSTM and CuDNNGRU."""

    cell: Any = read_only("A placeholder cell with a `state_size`; it computes nothing.")

    _in_config: tuple[str, ...] = (*_OPTIONS, *ROLES["initializer"], *_WEIGHT_ARGUMENTS)
    bias_initializer: Any
    _mode: str
    _gates: int
    _order: tuple[int, ...]  # indices of cuDNN's gates among the layer's

    @arguments_of(SimpleRNN, *("activation", "use_bias", "dropout", "recurrent_dropout", "unroll"))
    def __init__(
        self,
        units: int,
        return_sequences: bool,
        return_state: bool,
        go_backwards: bool,
        stateful: bool,
        *,
        kwargs: dict[str, Any],
        **arguments: Any,
    ):
        time_major = kwargs.pop("time_major", False)
        Layer.__init__(self, **kwargs)
        self.units = units
        self._cell = _Cell((units, units) if self._mode == "lstm" else units)
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.stateful = stateful
        self.time_major = time_major
        self.supports_masking = False
        self.input_spec = [InputSpec(ndim=3)]
        states = 2 if self._mode == "lstm" else 1
        self.state_spec = [InputSpec(shape=(None, units)) for _ in range(states)]
        self.constants_spec = None
        self._states = None
        self._num_constants = 0
        self._flat = ops.constant([-1])
        set_objects(self, arguments)

    def build(self, input_shape: ShapeLike) -> None:
        """Creates `kernel` [inputs, n], `recurrent_kernel` [units, n] and `bias` [2 n], n = gates * units."""
        super().build(input_shape)
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        width = self._gates * self.units
        self.kernel = self._add_role_weight("kernel", (int(as_shape(shape).as_list()[-1]), width))
        self.recurrent_kernel = self._add_role_weight(
            "recurrent", (self.units, width), "recurrent_kernel"
        )
        self.bias = self._add_role_weight("bias", (2 * width,))
        self.built = True

    def call(  # type: ignore[override]  # there are no constants
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        training: TensorLike | None = None,
        initial_state: Tensor | Sequence[Tensor] | None = None,
    ) -> Any:
        """Runs the layer on [batch, time, size]; the arguments are as in a call of `tf.keras.layers.RNN`.

        Raises:
          ValueError: for a mask, or a wrong number of states.
        """
        if isinstance(mask, list):
            mask = mask[0]
        if mask is not None:
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        inputs, initial_state, _ = self._split_inputs(inputs, initial_state, None)
        if self.go_backwards:
            inputs = ops.reverse(inputs, [1])
        output, states = self._run(inputs, list(initial_state))
        if self.stateful:
            self.add_update([old.assign(state) for old, state in zip(self.states, states)])
        return [output, *states] if self.return_state else output

    def _run(self, inputs: Any, initial_state: list) -> tuple[Any, list]:
        """Runs cuDNN; returns (output, last states)."""
        if not self.time_major:
            inputs = ops.transpose(inputs, perm=(1, 0, 2))
        states = [ops.expand_dims(state, axis=0) for state in initial_state]
        c: Any = states[1] if states[1:] else 0
        params = self._params()
        outputs, *last = raw.CudnnRNNV2(
            inputs, states[0], c, params, rnn_mode=self._mode, is_training=True
        )
        last = last[: len(states)]
        if self.stateful or self.return_state:
            last = [state[0] for state in last]
        if not self.return_sequences:
            return outputs[-1], last
        return outputs if self.time_major else ops.transpose(outputs, perm=(1, 0, 2)), last

    def _params(self) -> Any:
        """Returns all weights in cuDNN's order: input kernels, recurrent kernels, input biases, recurrent biases."""
        units, gates = self.units, self._gates

        def columns(matrix: Any, gate: int) -> Any:
            if gate == 0:
                return matrix[:, :units]
            if gate == gates - 1:
                return matrix[:, units * gate :]
            return matrix[:, units * gate : units * (gate + 1)]

        def part(gate: int) -> Any:
            if gate == 0:
                return self.bias[:units]
            if gate == 2 * gates - 1:
                return self.bias[units * gate :]
            return self.bias[units * gate : units * (gate + 1)]

        matrices = [
            columns(kernel, gate)
            for kernel in (self.kernel, self.recurrent_kernel)
            for gate in self._order
        ]
        biases = [part(first + gate) for first in (0, gates) for gate in self._order]
        flat = [ops.reshape(value, self._flat) for value in (*matrices, *biases)]
        return ops.concat(flat, axis=0)

    def get_losses_for(self, inputs: Any = None) -> list[Any]:
        """Returns the losses that depend on `inputs`; with None, the unconditional losses, from regularizers."""
        return super().get_losses_for(inputs)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return Layer.get_config(self)  # no cell

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:  # type: ignore[override]  # no cell
        """Rebuilds a layer from `get_config` output."""
        return cls(**config)


class CuDNNGRU(CudnnLayer):
    """A GRU computed by cuDNN, which maps [batch, time, size] to [batch, units] or [batch, time, units].

    The reset gate multiplies the projected state; inputs and state have separate biases. GPU only.

    Args:
      units: the size of the output.
      kernel_initializer, recurrent_initializer, bias_initializer: initializers of the weights.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: functions from weights to losses.
      activity_regularizer: a function from the outputs to a loss.
      kernel_constraint, recurrent_constraint, bias_constraint: functions applied after each update.
      return_sequences, return_state, go_backwards, stateful, time_major: as in `RNN`.

    Example:
      outputs = tf.keras.layers.CuDNNGRU(8)(tf.keras.Input((10, 3)))  # [batch, 8]
    """

    _mode = "gru"
    _gates = 3
    _order = (1, 0, 2)


class CuDNNLSTM(CudnnLayer):
    """An LSTM computed by cuDNN, which maps [batch, time, size] to [batch, units] or [batch, time, units].

    Inputs and state have separate biases. GPU only.

    Args:
      unit_forget_bias: whether to initialize the forget gate's bias with ones.
      Other arguments are as in `CuDNNGRU`.

    Example:
      outputs = tf.keras.layers.CuDNNLSTM(8)(tf.keras.Input((10, 3)))  # [batch, 8]
    """

    _in_config: tuple[str, ...] = (
        *_OPTIONS,
        *ROLES["initializer"],
        "unit_forget_bias",
        *_WEIGHT_ARGUMENTS,
    )
    _mode = "lstm"
    _gates = 4
    _order = (0, 1, 2, 3)

    @arguments_of(CudnnLayer)
    def __init__(
        self,
        bias_initializer: Any,
        unit_forget_bias: bool = True,
        *,
        kwargs: dict[str, Any],
        **arguments: Any,
    ):
        super().__init__(bias_initializer=bias_initializer, **arguments, **kwargs)
        self.unit_forget_bias = unit_forget_bias

    def _role_initializer(self, role: str) -> Any:
        if role != "bias" or not self.unit_forget_bias:
            return super()._role_initializer(role)

        def initialize(_: Any, *args: Any, **kwargs: Any) -> Any:
            units, initializer = self.units, self.bias_initializer
            parts = [
                initializer((units * 5,), *args, **kwargs),
                Ones()((units,), *args, **kwargs),
                initializer((units * 2,), *args, **kwargs),
            ]
            return ops.concat(parts, axis=0)

        return initialize
