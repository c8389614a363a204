"""`NumpyState`: arrays outside the graph, saved in object-based checkpoints."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from tfmini._src.train.object_checkpoint.python_state import PythonState
from tfmini._src.variables.trackable import Trackable


class _NumpyWrapper(PythonState):
    def __init__(self, array: Any):
        self.array = array

    def serialize(self) -> bytes:
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)


class NumpyState(Trackable):
    """An object whose NumPy array attributes are saved and restored.

    Restoring creates the attributes found in a checkpoint.

    Raises:
      NotImplementedError: if an attribute is set to any other type.

    Example:
      arrays = tf.contrib.checkpoint.NumpyState()
      checkpoint = tf.train.Checkpoint(arrays=arrays)
      arrays.seen = np.zeros([3, 4])
    """

    def _lookup_dependency(self, name: str) -> Any:
        dependency = super()._lookup_dependency(name)
        return (
            self._track_trackable(_NumpyWrapper(np.array([])), name)
            if dependency is None
            else dependency
        )

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        self._maybe_initialize_trackable()
        vars(self)["_self_unconditional_dependency_names"][name] = trackable
        return trackable

    def __getattr__(self, name: str) -> Any:
        dependency = super()._lookup_dependency(name)
        if dependency is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return dependency.array

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, np.ndarray | np.generic):
            raise NotImplementedError(
                f"Assigned {value!s} to the {name} property of {self}, which is not a NumPy array. Currently mixing "
                "NumPy arrays and other trackable objects is not supported. File a feature request if this limitation "
                "bothers you."
            )
        self._lookup_dependency(name).array = value
