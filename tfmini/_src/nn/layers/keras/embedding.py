"""Embedding: looks up a matrix row for each integer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class Embedding(Layer):
    """Maps indices to rows of `embeddings` [input_dim, output_dim]: [batch, ...] becomes [batch, ..., output_dim].

    Args:
      input_dim: size of the vocabulary, the largest index plus one.
      output_dim: length of an embedding vector.
      embeddings_initializer: an initializer or its name.
      embeddings_regularizer, activity_regularizer: functions from weights or outputs to a loss.
      embeddings_constraint: a function applied after each update.
      mask_zero: whether index 0 is padding, to be masked in later layers.
      input_length: length of the sequences, or of all axes.

    Raises:
      ValueError: when called, for inputs of a different length.
    """

    _in_config = (
        *("input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer"),
        *("activity_regularizer", "embeddings_constraint", "mask_zero", "input_length"),
    )

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Identifier | None = "uniform",
        embeddings_regularizer: Any = None,
        activity_regularizer: Any = None,
        embeddings_constraint: Any = None,
        mask_zero: bool = False,
        input_length: Any = None,
        **kwargs: Any,
    ):
        if "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        kwargs["dtype"] = kwargs.pop("dtype", floatx())
        kwargs["autocast"] = False
        super().__init__(**kwargs)
        self.input_dim = input_dim
        self.output_dim = output_dim
        set_objects(self, locals())
        self.mask_zero = mask_zero
        self.supports_masking = mask_zero
        self.input_length = input_length

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the embedding matrix."""
        self.embeddings = self._add_role_weight("embeddings", (self.input_dim, self.output_dim))
        self.built = True

    def compute_mask(self, inputs: Any, mask: Tensor | None = None) -> Any:
        """Returns True where an input is not 0 if `mask_zero` is set; otherwise None."""
        return ops.not_equal(inputs, 0) if self.mask_zero else None

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the input shape with `output_dim` appended."""
        shape = TensorShape(input_shape).as_list()
        if self.input_length is None:
            return TensorShape([*shape, self.output_dim])
        lengths = self.input_length
        lengths = list(lengths) if isinstance(lengths, (list, tuple)) else [lengths]
        message = (
            f'"input_length" is {self.input_length}, but received input has shape {tuple(shape)}'
        )
        if len(lengths) != len(shape) - 1:
            raise ValueError(message)
        for n, (length, size) in enumerate(zip(lengths, shape[1:])):
            if None not in (length, size) and length != size:
                raise ValueError(message)
            lengths[n] = size if length is None else length
        return TensorShape([shape[0], *lengths, self.output_dim])

    def call(self, inputs: Tensor) -> Any:
        """Returns the embeddings of the inputs."""
        if inputs.dtype.name not in ("int32", "int64"):
            inputs = ops.cast(inputs, "int32")
        return ops.embedding_lookup(self.embeddings, inputs)
