"""The state of an AttentionWrapper."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.framework.with_shape import with_same_shape
from tfmini._src.graph.tensor import Tensor


class AttentionWrapperState(
    namedtuple(
        "AttentionWrapperState",
        (
            "cell_state",
            "attention",
            "time",
            "alignments",
            "alignment_history",
            "attention_state",
        ),
    )
):
    """The state of an AttentionWrapper.

    cell_state: the wrapped cell's state.
    attention: the last attention, [batch, size].
    time: int32 scalar, the step index.
    alignments: the last alignments, [batch, positions]; a tuple for several mechanisms.
    alignment_history: a TensorArray of all steps' alignments, a tuple of TensorArrays, or ().
    attention_state: the mechanism's state, or a tuple.
    """

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """Returns a copy with some fields replaced; shapes must match the old ones.

        Args:
          **kwargs: the new fields.

        Returns:
          An AttentionWrapperState; statically unknown shapes are checked at run time.

        Raises:
          ValueError: if a static shape differs.

        Example: `cell.zero_state(4, tf.float32).clone(cell_state=encoder_state)`.
        """

        def check_shape(old: Any, new: Any) -> Any:
            both = isinstance(old, Tensor) and isinstance(new, Tensor)
            return with_same_shape(old, new) if both else new

        return map_structure(check_shape, self, self._replace(**kwargs))
