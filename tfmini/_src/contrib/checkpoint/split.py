"""Objects that are saved and restored together by user functions, which access all their tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tfmini._src.ops import ops
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY, Trackable


class _Buffers:
    """Tensors of all components, buffered until the last one is saved or restored."""

    def __init__(self, fill: Callable, consume: Callable, count: int):
        self._fill, self._consume, self._count = fill, consume, count
        self._saved: dict[str, Any] = {}
        self._restored: dict[str, Any] = {}

    def save(self, name: str) -> Any:
        if name not in self._saved:
            self._check_synchronized(not self._saved, name, "saved")
            self._fill(self._saved)
        return self._saved.pop(name)

    def restore(self, name: str, tensor: Any) -> Any:
        self._check_synchronized(name not in self._restored, name, "restored")
        self._restored[name] = tensor
        if len(self._restored) < self._count:
            return ops.no_op()
        result = self._consume(self._restored)
        self._restored.clear()
        return result

    def _check_synchronized(self, condition: bool, name: str, action: str) -> None:
        if not condition:
            raise AssertionError(
                f"Split dependency {name} ({self}) unsynchronized. Split dependencies must be {action} together."
            )


class _Component(SaveableObject):
    def __init__(self, buffers: _Buffers, component: str, dtype: Any, device: str, name: str):
        tensor = partial(buffers.save, component)
        super().__init__(tensor, [SaveSpec(tensor, "", name, dtype=dtype, device=device)], name)
        self._buffers, self._component = buffers, component

    def restore(self, restored_tensors: Sequence, restored_shapes: Any) -> Any:
        """Returns an operation that restores all components, or a no-op until the last tensor is available."""
        return self._buffers.restore(self._component, restored_tensors[0])


class _SplitDependency(Trackable):
    """One of the component objects; checkpoints treat it as a variable."""

    def __init__(self, buffers: _Buffers, name: str, dtype: Any, device: str):
        self._saveable = partial(_Component, buffers, name, dtype, device)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {VARIABLE_VALUE_KEY: lambda name: self._saveable(name)}


def split_dependency(
    component_names: Sequence[str],
    component_dtypes: Sequence[Any],
    fill_save_buffer_fn: Callable[[dict[Any, Any]], None],
    consume_restore_buffer_fn: Callable[[dict[Any, Any]], Any],
    device: str,
) -> dict[str, Trackable]:
    """Creates objects that must be saved and restored together; returns a dict of them by name.

    Args:
      component_names: names of the objects.
      component_dtypes: dtypes of their tensors.
      fill_save_buffer_fn: function that stores the tensors to save in a dict, by name.
      consume_restore_buffer_fn: function from a dict of restored tensors to the operation that assigns them.
      device: device of the save and restore ops.

    Example: `parts = tf.contrib.checkpoint.split_dependency(("a", "b"), (tf.float32,) * 2, fill, consume, "/cpu:0")`.
    """
    buffers = _Buffers(fill_save_buffer_fn, consume_restore_buffer_fn, len(component_names))
    pairs = zip(component_names, component_dtypes)
    return {name: _SplitDependency(buffers, name, dtype, device) for name, dtype in pairs}
