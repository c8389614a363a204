"""Conversion of Examples encoded as JSON."""

from __future__ import annotations

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.devices.host.example_json import from_json
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.string.string_elements import map_strings


@op("DecodeJSONExample", "json_examples: string -> binary_examples: string", infer=same_shape)
def decode_json_example_op(xp, value):
    return map_strings(_from_json, value)


def _from_json(data: bytes) -> bytes:
    try:
        return from_json(data)
    except ValueError as error:
        raise InvalidArgumentError(None, None, f"Error while parsing JSON: {error}") from error


def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Converts tf.train.Example messages from JSON to serialized messages, for `tf.parse_example`.

    Args:
      json_examples: string tensor of any shape.

    Returns:
      A string Tensor of the same shape.

    Raises:
      InvalidArgumentError (when run): if a string is not a valid JSON Example.
    """
    return raw.DecodeJSONExample(json_examples, name=name)
