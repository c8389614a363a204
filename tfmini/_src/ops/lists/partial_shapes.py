"""Partial shapes at run time: checks and error messages of list and TensorArray ops."""

from __future__ import annotations

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge, text


def merge_shapes(a: Dims, b: Dims) -> Dims:
    """Merges two partial shapes."""
    try:
        return merge(a, b)
    except InferenceError:
        if a is not None and b is not None and len(a) != len(b):
            message = f"PartialTensorShape: Incompatible ranks during merge: {len(a)} vs. {len(b)}"
        else:
            message = (
                f"PartialTensorShape: Incompatible shapes during merge: {text(a)} vs. {text(b)}"
            )
        raise InvalidArgumentError(None, None, message) from None


def is_known(dims: Dims) -> bool:
    return dims is not None and None not in dims


def dims_text(dims: Dims) -> str:
    return "<unknown>" if dims is None else text(dims)
