"""Cells with a projection or embedding before or after another cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import RandomUniform


class CellWrapper(RNNCell):
    """Base class of wrappers that keep the state and output sizes of a cell."""

    _cell: Any
    state_size: Any = read_only("State size of the cell.", "_cell.state_size")
    output_size: Any = read_only("Output size of the cell.", "_cell.output_size")

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns the zero state of the cell."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class EmbeddingWrapper(CellWrapper):
    """A cell whose inputs are embedding indices, looked up on the CPU.

    Inputs are ints [batch] or [batch, 1]. The variable `embedding` is [embedding_classes, embedding_size].

    Args:
      cell: the cell.
      embedding_classes: number of vectors.
      embedding_size: size of the vectors.
      initializer: embedding initializer; by default the variable scope's, or uniform with variance 1.
      reuse: True to reuse the scope's existing variables.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: if a size is not positive.
    """

    def __init__(
        self,
        cell: RNNCell,
        embedding_classes: int,
        embedding_size: int,
        initializer: Callable[..., Any] | None = None,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                "Both embedding_classes and embedding_size must be > 0: "
                f"{embedding_classes}, {embedding_size}."
            )
        self._cell = cell
        self._embedding_classes = embedding_classes
        self._embedding_size = embedding_size
        self._initializer = initializer

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (output, next state)."""
        with device("/cpu:0"):
            initializer = self._initializer or get_variable_scope().initializer
            if not initializer:
                initializer = RandomUniform(-math.sqrt(3), math.sqrt(3))
            embedding = get_variable(
                "embedding",
                [self._embedding_classes, self._embedding_size],
                initializer=initializer,
                dtype=state[0].dtype if isinstance(state, tuple) else state.dtype,
            )
            embedded = ops.embedding_lookup(embedding, ops.reshape(inputs, [-1]))
            return self._cell(embedded, state)


class InputProjectionWrapper(CellWrapper):
    """A cell whose inputs are projected first: activation(inputs @ kernel + bias).

    Args:
      cell: the cell.
      num_proj: size of the projected inputs.
      activation: activation function, or None.
      input_size: ignored, with a warning.
      reuse: True to reuse the scope's existing variables.

    Raises:
      TypeError: if `cell` is not a cell.
    """

    def __init__(
        self,
        cell: RNNCell,
        num_proj: int,
        activation: Callable[..., Any] | None = None,
        input_size: int | None = None,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logs.warn("%s: The input_size parameter is deprecated.", self)
        check_cell("cell", cell)
        self._cell = cell
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (output, next state)."""
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(CellWrapper):
    """A cell whose outputs are projected: activation(outputs @ kernel + bias).

    Args:
      cell: the cell.
      output_size: size of the projected outputs.
      activation: activation function, or None.
      reuse: True to reuse the scope's existing variables.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: if `output_size` is not positive.
    """

    output_size: int = read_only("Size of the projected outputs.")

    def __init__(
        self,
        cell: RNNCell,
        output_size: int,
        activation: Callable[..., Any] | None = None,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell = cell
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (output, next state)."""
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, state
