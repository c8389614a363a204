"""Model states: replicated for a batch, flattened by name."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.contrib.timeseries.feature_keys import State
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def replicate_state(start_state: Any, batch_size: Any) -> Any:
    """Returns the state tiled for each series of a batch: tensors [...] become [batch_size, ...]."""

    def repeat_for_batch(part: Any) -> Tensor:
        rows = ops.expand_dims(part, 0)
        ones = ops.ones([ops.rank(part)], dtype=dtypes.int32)
        return ops.tile(rows, ops.concat([[batch_size], ones], 0))

    return pack_sequence_as(start_state, [repeat_for_batch(part) for part in flatten(start_state)])


def state_to_dictionary(state_tuple: Any) -> dict[str, Any]:
    """Returns the parts of a nested tuple by their signature names: "model_state_00" ..."""
    parts = flatten(state_tuple)
    return {f"{State.STATE_PREFIX}_{i:02d}": part for i, part in enumerate(parts)}


def state_names(features: Any) -> list[str]:
    """Returns the names of the features that are parts of a state, in order."""
    start = f"{State.STATE_PREFIX}_"
    names = [n for n in features if n.startswith(start) and n.removeprefix(start).isdecimal()]
    return sorted(names, key=lambda name: int(name.removeprefix(start)))
