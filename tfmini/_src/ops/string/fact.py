"""Fact, TensorFlow's demonstration op."""

from __future__ import annotations

import numpy as np

from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import unknown
from tfmini._src.graph.tensor import Tensor


@op("Fact", "-> fact: string", infer=unknown)
def fact_op(xp):
    return np.array(b"0! == 1", object)


def my_fact() -> Tensor:
    """Returns a mathematical fact as a string scalar."""
    return raw.Fact()
