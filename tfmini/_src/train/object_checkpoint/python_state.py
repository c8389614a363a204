"""`tf.train.experimental.PythonState`: Python state outside the graph, in object checkpoints."""

from __future__ import annotations

import abc
from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import Trackable


class PythonStateSaveable(SaveableObject):
    """A string that one function returns when saving and another accepts when restoring."""

    tensor: Any  # fed with the state in graph mode

    def __init__(self, name: str, state: Callable[[], Any], restore: Callable[[Any], None]):
        if executing_eagerly():
            spec = SaveSpec(
                lambda: ops.constant(state(), dtype=dtypes.string), "", name, dtypes.string, "cpu:0"
            )
        else:
            with device("/cpu:0"):
                self.tensor = ops.constant("", dtype=dtypes.string)
            spec = SaveSpec(self.tensor, "", name)
        super().__init__(self, [spec], name)
        self.state, self.python_restore = state, restore

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Does nothing, since graphs do not contain Python state."""
        return ops.no_op()


class PythonState(Trackable, abc.ABC):
    """Base class of objects with custom saved state, which `serialize` returns and `deserialize` restores.

    Example:
      class Seen(tf.train.experimental.PythonState):
          def __init__(self):
              self.names = []

          def serialize(self):
              return json.dumps(self.names)

          def deserialize(self, string_value):
              self.names = json.loads(string_value)

      checkpoint = tf.train.Checkpoint(seen=Seen())
    """

    @abc.abstractmethod
    def serialize(self) -> Any:
        """Returns the state to save, as a string or bytes."""

    @abc.abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Restores saved state.

        Args:
          string_value: the result of `serialize`, as bytes.
        """

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        result = partial(PythonStateSaveable, state=self.serialize, restore=self.deserialize)
        return {"py_state": result}
