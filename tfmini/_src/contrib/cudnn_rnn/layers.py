"""Layers backed by cuDNN's recurrent networks: one variable and one op for all layers and directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DType, float16, float32, float64
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import as_shape, dimension_value
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.contrib.cudnn_rnn.checkpoint_parts import CellParts
from tfmini._src.contrib.cudnn_rnn.cudnn_net_nodes import (
    GRU,
    LSTM,
    PARAMS_PER_LAYER,
    RNN_RELU,
    RNN_TANH,
    UNIDIRECTIONAL,
    check_direction,
    check_input_mode,
    num_directions,
    pack_params,
    run_net,
)
from tfmini._src.contrib.cudnn_rnn.opaque_params_saveable import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
    OpaqueParamsSaveable,
)
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import Constant, GlorotUniform
from tfmini._src.variables.variable_scope import variable_scope

_REQUEST = "File a feature request if this limitation bothers you."


class CudnnLayer(Layer):
    """Base class of the layers, which run on GPUs only.

    All parameters are in one variable, `opaque_kernel`, in cuDNN's own layout; a Saver writes them as the variables of
    equivalent cells for any device.

    Args:
      num_layers: number of layers of the network.
      num_units: units per layer.
      input_mode: "linear_input"; "skip_input", which adds inputs directly to the first layer's gates and requires as
        many inputs as units; or "auto_select", which skips the product if possible.
      direction: "unidirectional" or "bidirectional".
      dropout: dropout rate of the outputs of all layers but the last, in training.
      seed: seed of dropout and of the initial weights.
      dtype: tf.float16, tf.float32 or tf.float64.
      kernel_initializer: initializer of the matrices, [units, width] for each gate; by default Glorot uniform.
      bias_initializer: initializer of the biases; by default zeros.
      name: name of the layer and its scope.

    Raises:
      ValueError: for an unknown direction, input mode or dtype.
    """

    _rnn_mode: str
    _saveable_cls: type[OpaqueParamsSaveable]

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = "linear_input",
        direction: str = UNIDIRECTIONAL,
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: DType = float32,
        kernel_initializer: Callable[..., Any] | None = None,
        bias_initializer: Callable[..., Any] | None = None,
        name: str | None = None,
    ):
        super().__init__(dtype=dtype, name=name)
        check_direction(direction)
        check_input_mode(input_mode)
        if dtype not in (float16, float32, float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        self._plain_dtype = dtype
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_mode = input_mode
        self._direction = direction
        self._dropout = dropout
        self._seed = seed
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer
        self._input_size: int | None = None
        self._saveable: OpaqueParamsSaveable | None = None
        self._cell_parts: CellParts | None = None

    num_layers: int = read_only("Number of layers.")
    num_units: int = read_only("Number of units per layer.")
    input_mode: str = read_only(
        "Input mode of the first layer: `linear_input`, `skip_input` or `auto_select`."
    )
    rnn_mode: str = read_only("`lstm`, `gru`, `rnn_relu` or `rnn_tanh`.")
    direction: str = read_only("`unidirectional` or `bidirectional`.")
    num_dirs = property(lambda self: num_directions(self._direction), doc="Directions: 1 or 2.")
    saveable: Any = read_only(
        "The saveable object with its parameters; available once the layer is built."
    )

    @property
    def input_size(self) -> int:
        """Number of input features.

        Raises:
          ValueError: if the layer is not built.
        """
        if not self._input_size:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._input_size

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, int]]:
        """Shapes of the weight matrices, by layer and direction: first for the inputs, then for the state.

        Raises:
          RuntimeError: if the layer is not built.
        """
        if not self._input_size:
            name = type(self).__name__
            raise RuntimeError(
                f"{name}.canonical_weight_shapes invoked before input shape is known"
            )
        units, gates = self._num_units, PARAMS_PER_LAYER[self._rnn_mode] // 2
        shapes = []
        for layer in range(self._num_layers):
            width = self._input_size if layer == 0 else units * self.num_dirs
            shapes += [*[(units, width)] * gates, *[(units, units)] * gates] * self.num_dirs
        return shapes

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """Bias shapes, in the order of the matrices."""
        count = self._num_layers * self.num_dirs * PARAMS_PER_LAYER[self._rnn_mode]
        return [[self._num_units]] * count

    def state_shape(self, batch_size: TensorLike) -> tuple[list[Any], ...]:
        """Returns the state shapes, each [layers * directions, batch, units]: two for an LSTM, else one."""
        shape = [self._num_layers * self.num_dirs, batch_size, self._num_units]
        return (shape, list(shape)) if self._rnn_mode == LSTM else (shape,)

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the variable for inputs [time, batch, size], and the saveable.

        Raises:
          ValueError: if inputs do not have three axes, or their size is unknown.
        """
        if self.built:
            return
        shape = as_shape(input_shape)
        if shape.ndims != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {shape.ndims}")
        if dimension_value(shape[-1]) is None:
            raise ValueError(
                "The last dimension of the inputs to `CudnnRNN` should be defined. Found `None`."
            )
        self._input_size = dimension_value(shape[-1])
        self.input_spec = InputSpec(ndim=3, axes={-1: self._input_size})
        self._set_scope(None)
        with variable_scope(self._scope, reuse=self.built, custom_getter=self._add_to_weights):
            self.kernel = self._initial_params()
        if get_variable_scope().reuse is not True:
            self._save()
        self.built = True

    def _add_to_weights(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """Returns a custom getter that adds the variable to the layer's weights."""
        variable = getter(*args, **kwargs)
        self._hold_weight(variable, kwargs.get("trainable", True))
        return variable

    def _initial_params(self) -> Any:
        dtype = self._plain_dtype
        if self._kernel_initializer is None:
            self._kernel_initializer = GlorotUniform(seed=self._seed, dtype=dtype)
        if self._bias_initializer is None:
            self._bias_initializer = Constant(0.0, dtype=dtype)
        weights = [self._kernel_initializer(s, dtype=dtype) for s in self.canonical_weight_shapes]
        biases = [self._bias_initializer(s, dtype=dtype) for s in self.canonical_bias_shapes]
        with device("/gpu:0"):
            opaque_params = pack_params(
                self._rnn_mode,
                self._num_layers,
                self._num_units,
                self.input_size,
                weights,
                biases,
                self._input_mode,
                self._direction,
                self._dropout,
                self._seed,
            )
        if get_variable_scope().partitioner is not None:
            logs.warning(
                "A cuDNN layer's variable cannot be partitioned: ignoring the scope's partitioner."
            )
        return get_variable(
            "opaque_kernel", dtype=dtype, initializer=opaque_params, validate_shape=False
        )

    def _save(self) -> None:
        """Creates the saveable in the scope around the layer, where cells look for their variables."""
        variable = self.trainable_variables[0]
        self._saveable = self._saveable_cls(
            opaque_params=variable,
            num_layers=self._num_layers,
            num_units=self._num_units,
            input_size=self.input_size,
            input_mode=self._input_mode,
            direction=self._direction,
            scope=get_variable_scope(),
            name=f"{variable.name.split(':')[0]}_saveable",
        )
        # TensorFlow reads the device from an element, which adds nodes.
        device_of = variable[0].device
        if not self._unsaved_reason():
            self._cell_parts = CellParts(variable, self._saveable, self._num_layers, device_of)
            for name, part in self._cell_parts.children():
                self._track_trackable(part, name)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def _unsaved_reason(self) -> str:
        """Returns why object-based checkpoints cannot contain the layer, "" if they can."""
        if self._rnn_mode != LSTM:
            return f"This cell does not yet support object-based saving. {_REQUEST}"
        if self._direction != UNIDIRECTIONAL:
            return f"Object-based saving does not currently support bidirectional LSTM cells. {_REQUEST}"
        return ""

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        reason = self._unsaved_reason()
        if reason:
            raise NotImplementedError(reason)
        return {}

    def call(
        self,
        inputs: Tensor,
        initial_state: Any = None,
        sequence_lengths: TensorLike | None = None,
        time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]:
        """Runs the network; returns (outputs, final states).

        Args:
          inputs: [time, batch, size], or [batch, time, size] if `time_major` is False.
          initial_state: a tuple of states, (h, c) for an LSTM: [layers * directions, batch, units], or
            [batch, layers * directions, units] if `time_major` is False; by default zeros.
          sequence_lengths: int32 [batch]; by default all sequences have full length.
          time_major: whether inputs and outputs are [time, batch, ...] rather than [batch, time, ...].
          training: whether to apply dropout and store data for gradients.

        Returns:
          Outputs [time, batch, units * directions] and a tuple of states.

        Raises:
          TypeError: if the initial state is not a tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"Invalid initial_state type: {initial_state}, expecting tuple.")
        dtype = self.dtype
        inputs = ops.convert_to_tensor(inputs, dtype=dtype)
        batch_size = ops.shape(inputs)[1]
        if initial_state is None:
            shapes = self.state_shape(batch_size)
            initial_state = tuple(ops.zeros(shape, dtype=dtype) for shape in shapes)
        if self._rnn_mode == LSTM:
            h, c = initial_state
        else:
            (h,) = initial_state
        h = ops.convert_to_tensor(h, dtype=dtype)
        if self._rnn_mode == LSTM:
            c = ops.convert_to_tensor(c, dtype=dtype)
        else:
            c = ops.constant([], dtype=dtype)
        outputs, last_h, last_c = run_net(
            inputs, h, c, self.kernel, training, self._rnn_mode, sequence_lengths, time_major,
            self._input_mode, self._direction, self._dropout, self._seed,
        )  # fmt: skip
        return outputs, (last_h, last_c) if self._rnn_mode == LSTM else (last_h,)


class CudnnLSTM(CudnnLayer):
    """cuDNN LSTM of one or more layers.

    Takes the arguments of the base class: num_layers, num_units, input_mode, direction, dropout, seed, dtype,
    kernel_initializer, bias_initializer, name.

    Example: `outputs, (h, c) = tf.contrib.cudnn_rnn.CudnnLSTM(2, 64)(x)` for x [time, batch, size]
    """

    _rnn_mode = LSTM
    _saveable_cls = CudnnLSTMSaveable


class CudnnGRU(CudnnLayer):
    """cuDNN GRU of one or more layers.

    Takes the arguments of the base class: num_layers, num_units, input_mode, direction, dropout, seed, dtype,
    kernel_initializer, bias_initializer, name.

    Example: `outputs, (h,) = tf.contrib.cudnn_rnn.CudnnGRU(2, 64)(x)` for x [time, batch, size]
    """

    _rnn_mode = GRU
    _saveable_cls = CudnnGRUSaveable


class CudnnRNNTanh(CudnnLayer):
    """cuDNN plain RNN of one or more layers, with tanh.

    Takes the arguments of the base class: num_layers, num_units, input_mode, direction, dropout, seed, dtype,
    kernel_initializer, bias_initializer, name.
    """

    _rnn_mode = RNN_TANH
    _saveable_cls = CudnnRNNTanhSaveable


class CudnnRNNRelu(CudnnLayer):
    """cuDNN plain RNN of one or more layers, with ReLU.

    Takes the arguments of the base class: num_layers, num_units, input_mode, direction, dropout, seed, dtype,
    kernel_initializer, bias_initializer, name.
    """

    _rnn_mode = RNN_RELU
    _saveable_cls = CudnnRNNReluSaveable
