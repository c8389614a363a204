"""Base classes of RNN cells, which are layers with a state.

    output, state = cell(inputs, state)

`LayerRNNCell` creates its weights in `build`, as layers do; other subclasses of `RNNCell` may call `tf.get_variable`
in `call`; the cell tracks the created variables as its weights.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.nn.rnn.state_sizes import concat_sizes
from tfmini._src.ops import ops
from tfmini._src.variables.collections import trainable_variables
from tfmini._src.variables.get_variable import VariableScope, get_variable_scope
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable_scope import variable_scope


class LSTMStateTuple(namedtuple("LSTMStateTuple", ("c", "h"))):
    """The state of an LSTM: the cell state `c` and the hidden state `h`, both [batch, units].

    When used as a cell's `state_size`, it contains their sizes.
    """

    __slots__ = ()

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of c and h; raises TypeError if they differ."""
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


class RNNCell(Layer):
    """Base class of RNN cells.

    A subclass defines the properties `state_size` and `output_size`, and `call(inputs, state)`, which returns
    (output, next state). Sizes are ints or TensorShapes, without the batch size; a state size may be a nested
    structure, in which case the state has the same structure.

    Args:
      trainable, name, dtype: same as in `tf.layers.Layer`.

    Example:
      class Sum(tf.nn.rnn_cell.RNNCell):
          state_size = output_size = 3

          def call(self, inputs, state):
              total = state + inputs
              return total, total
    """

    _kept: tuple[str, ...] = ()  # arguments stored as attributes with a leading underscore

    def __init__(
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        # Distinguishes it from Keras cells, whose state is always a list.
        self._is_tf_rnn_cell = True

    def __call__(
        self, inputs: TensorLike, state: Any, scope: str | VariableScope | None = None
    ) -> Any:
        """Computes a step.

        Args:
          inputs: a tensor [batch, depth], or anything accepted by `call`.
          state: the current state, tensors [batch, size] in the structure of `state_size`.
          scope: the variable scope to run in, or its name; by default a scope named after the class.

        Returns:
          The output, [batch, output_size], and the next state.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as entered_scope:
                return super().__call__(inputs, state, scope=entered_scope)
        around = getattr(self, "rnncell_scope", None)
        if around is None:
            around = variable_scope(get_variable_scope(), custom_getter=self._rnn_get_variable)
            self.rnncell_scope = around
        with around:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """Tracks variables created by `call` as weights."""
        variable = getter(*args, **kwargs)
        first = list(variable)[0] if isinstance(variable, PartitionedVariable) else variable
        self._hold_weight(variable, any(first is v for v in trainable_variables()))
        return variable

    @property
    def state_size(self) -> Any:
        """The size of the state: an int, a TensorShape or a structure of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output: an int or a TensorShape."""
        raise NotImplementedError("Abstract method")

    def build(self, _: object) -> None:
        """Does nothing, because the first `call` creates the variables."""

    def get_initial_state(
        self,
        inputs: TensorLike | None = None,
        batch_size: TensorLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> Any:
        """Returns `zero_state`, with batch size and dtype inferred from `inputs` by default.

        Args:
          inputs: a tensor [batch, ...], or None.
          batch_size: an int or int tensor.
          dtype: the dtype of the state.

        Raises:
          ValueError: if batch size or dtype is unknown, or contradicts `inputs`.
        """
        if inputs is not None:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            rows = inputs.shape.dims[0].value
            if batch_size is not None:
                static_size = batch_size
                if isinstance(batch_size, Tensor):
                    static_size = get_static_value(batch_size, partial=True)
                if rows != static_size:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. "
                        f"Input tensor batch: {rows}, batch_size: {batch_size}"
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    "dtype from input tensor is different from the input param. "
                    f"Input tensor dtype: {inputs.dtype}, dtype: {dtype}"
                )
            batch_size = rows or ops.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns a zero state.

        Args:
          batch_size: an int or int tensor.
          dtype: the dtype of the state.

        Returns:
          Tensors [batch_size, size] in the structure of `state_size`.
        """
        size = self.state_size
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return _zero_state_tensors(size, batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of a layer and the stored arguments of a subclass."""
        return {**super().get_config(), **description(self, type(self)._kept, "_")}


class LayerRNNCell(RNNCell):
    """A cell that creates its weights in `build`, with `add_weight`."""

    def __call__(
        self,
        inputs: TensorLike,
        state: Any,
        scope: str | VariableScope | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Computes a step and returns (output, next state); further arguments are passed to `call`."""
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)


def _zero_state_tensors(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Returns zeros [batch_size, size] for each size in a structure."""

    def zeros(size: Any) -> Tensor:
        tensor = ops.zeros(concat_sizes(batch_size, size), dtype=dtype)
        tensor.set_shape(concat_sizes(batch_size, size, static=True))
        return tensor

    return map_structure(zeros, state_size)


def check_floating(dtype: Any) -> None:
    """Raises ValueError if a dtype is neither real nor complex; accepts None."""
    if dtype is None:
        return
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")


def check_inputs(inputs: Any, state: Any) -> None:
    """Calls `check_floating` on the dtypes of a cell's arguments."""
    for tensor in flatten([inputs, state]):
        check_floating(tensor.dtype)


def input_depth(shape: Any) -> int:
    """Returns the last dimension of the inputs, which must be known to create a cell's weights."""
    dims = tuple(shape.as_list()) if hasattr(shape, "as_list") else tuple(shape)
    if dims[-1] is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {dims}")
    return dims[-1]
