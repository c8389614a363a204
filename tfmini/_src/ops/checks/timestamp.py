"""Timestamp: the current time at run time."""

from __future__ import annotations

import time

import numpy as np

from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import scalar
from tfmini._src.graph.tensor import Tensor


@op("Timestamp", "-> ts: double", infer=scalar, differentiable=False, stateful=True)
def timestamp_op(ctx):
    return np.float64(time.time())


@public
def timestamp(name: str | None = None) -> Tensor:
    """Returns the time at which the node runs, in seconds since 1970, as a float64 scalar."""
    return raw.Timestamp(name=name)
