"""Tensors as TensorProto messages, byte for byte as TensorFlow writes them, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini import dtypes, proto
from tfmini.graph.attributes import Literal


def literal_to_proto(literal: Literal) -> Any:
    message = proto.TensorProto(dtype=literal.dtype.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in literal.array.shape:
        message.tensor_shape.dim.add(size=size)
    message.tensor_content = literal.array.tobytes()
    return message


def proto_to_literal(message: Any) -> Literal:
    dtype = dtypes.as_dtype(message.dtype)
    shape = [d.size for d in message.tensor_shape.dim]
    array = np.frombuffer(message.tensor_content, dtype.as_numpy_dtype).reshape(shape)
    return Literal(array, dtype)
