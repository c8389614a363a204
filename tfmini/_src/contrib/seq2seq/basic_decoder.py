"""BasicDecoder: a cell, an output layer, and a Helper that chooses the next inputs."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.seq2seq.decoder import Decoder, layer_output_size
from tfmini._src.contrib.seq2seq.helper import Helper
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.rnn.checks import check_cell

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell


class BasicDecoderOutput(namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """Output of a BasicDecoder: `rnn_output`, after the output layer, and `sample_id`, the Helper's sample."""


class BasicDecoder(Decoder):
    """Decodes with a cell; a Helper samples from its outputs and provides the next inputs.

    Args:
      cell: an RNNCell.
      helper: a Helper.
      initial_state: initial state, tensors and TensorArrays in the structure of `cell.state_size`.
      output_layer: a `tf.layers.Layer` applied to the cell's outputs, usually a Dense for logits.

    Raises:
      TypeError: for arguments of the wrong type.
    """

    batch_size: Any = read_only("Batch size of the Helper.", "_helper.batch_size")

    def __init__(
        self,
        cell: RNNCell,
        helper: Helper,
        initial_state: object,
        output_layer: Layer | None = None,
    ):
        check_cell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    def _rnn_output_size(self) -> Any:
        return layer_output_size(self._output_layer, self._cell.output_size)

    @property
    def output_size(self) -> BasicDecoderOutput:
        """Sizes of the outputs, after the output layer, and of the Helper's samples."""
        return BasicDecoderOutput(
            rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape
        )

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """Dtypes of the outputs (the state's dtype) and of the Helper's samples."""
        dtype = flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            map_structure(lambda _: dtype, self._rnn_output_size()),
            self._helper.sample_ids_dtype,
        )

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns (finished, inputs, state) for the first step."""
        return (*self._helper.initialize(), self._initial_state)

    def step(
        self, time: Tensor, inputs: TensorLike, state: Any, name: str | None = None
    ) -> tuple[Any, Any, Any, Any]:
        """Computes one step: applies the cell and the output layer, and samples.

        Args:
          time: int32 scalar.
          inputs: the cell's inputs.
          state: the cell's state.

        Returns:
          (BasicDecoderOutput, next state, next inputs, finished).
        """
        with name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=cell_state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished
