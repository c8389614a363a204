"""Arrays and examples from request messages, and results as response messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import ResourceExhaustedError, invalid
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.tensor_proto import literal_to_proto, proto_to_literal
from tfmini._src.programs.serving.example_signatures import classes_and_scores, regressions
from tfmini._src.programs.serving.served_model import Arrays


def decode_inputs(request: Any, max_bytes: int) -> dict[str, np.ndarray]:
    """Returns the inputs of a PredictRequest.

    Raises:
      InvalidArgumentError: if one is not a tensor.
      ResourceExhaustedError: if one is larger than `max_bytes` bytes.
    """
    return {name: decode_tensor(name, tensor, max_bytes) for name, tensor in request.inputs.items()}


def decode_tensor(name: str, tensor: Any, max_bytes: int) -> np.ndarray:
    """Decodes a request's tensor; same errors as `decode_inputs`."""
    try:
        literal = proto_to_literal(tensor)
    except ValueError as error:
        invalid(f"input {name}: {error}")
    if literal.size * max(literal.dtype.size or 0, 1) > max_bytes:  # even if the message is small
        raise ResourceExhaustedError(None, None, f"input {name} exceeds {max_bytes} bytes")
    return literal.array


def encode_tensor(value: np.ndarray) -> Any:
    """Returns a TensorProto with its values in the typed field, where clients read them."""
    return literal_to_proto(Literal(value, as_dtype(value.dtype), value))


def decode_examples(message: Any) -> list[bytes]:
    """Returns the serialized tf.train.Examples of an Input, each with the context's features."""
    examples, context = message.example_list.examples, b""
    if message.HasField("example_list_with_context"):
        listed = message.example_list_with_context
        examples, context = listed.examples, listed.context.SerializeToString()
    return [context + example.SerializeToString() for example in examples]


def classify(result: Any, outputs: Arrays, count: int) -> None:
    """Fills a ClassificationResult for `count` examples; raises InvalidArgumentError like `classes_and_scores`."""
    labels, scores = classes_and_scores(outputs, count)
    for pair in zip(labels, scores.tolist()):
        classes = result.classifications.add().classes
        for label, score in zip(*pair):
            classes.add(label=label, score=score)


def regress(result: Any, outputs: Arrays, count: int) -> None:
    """Fills a RegressionResult for `count` examples; raises InvalidArgumentError like `regressions`."""
    for value in regressions(outputs, count).tolist():
        result.regressions.add(value=value)
