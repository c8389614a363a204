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

    cell_state: of the wrapped cell.
    attention: what it looked at last, [batch, size].
    time: int32 scalar, the step index.
    alignments: where it looked, [batch, places]; a tuple where there are several mechanisms.
    alignment_history: a TensorArray of the alignments of all steps, a tuple of such, or ().
    attention_state: of the mechanism, or a tuple.
    """

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """This state with other fields, whose shapes must be those of the old ones.

        Args:
          **kwargs: the new fields.

        Returns:
          An AttentionWrapperState; tensors whose shape is unknown statically are checked when run.

        Raises:
          ValueError: if a static shape is another.

        Example: `cell.zero_state(4, tf.float32).clone(cell_state=encoder_state)`.
        """

        def checked(old: Any, new: Any) -> Any:
            both = isinstance(old, Tensor) and isinstance(new, Tensor)
            return with_same_shape(old, new) if both else new

        return map_structure(checked, self, self._replace(**kwargs))
