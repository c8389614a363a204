"""Keras optimizers in a SavedModel, with their hyperparameters and slot variables."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops import ops
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.resource_variable import ResourceVariable
from tfmini._src.variables.variable_identity import variable_key

IDENTIFIER = "optimizer"


class RestoredOptimizer(AutoTrackable):
    """An optimizer without an update rule; it stores the saved variables."""

    _object_identifier = IDENTIFIER

    def __init__(self) -> None:
        self._slots: Any = _Slots()

    def get_config(self) -> dict[str, Any]:
        """Raises NotImplementedError, because SavedModels contain no configuration."""
        raise NotImplementedError(
            "Restoring functional Optimzers from SavedModels is not currently supported. Please file a feature request "
            "if this limitation bothers you."
        )

    def add_slot(self, var: Any, slot_name: str) -> Any:
        """Creates and returns a slot of a variable, with the same shape."""
        return self._make_slot(var, slot_name, lambda: ops.zeros(var.shape, var.dtype))

    def _make_slot(self, var: Any, slot_name: str, value: Any) -> Any:
        slot = ResourceVariable(
            value,
            trainable=False,
            dtype=var.dtype,
            name=f"{var.name.removesuffix(':0')}/{slot_name}",
        )
        self._slots.slots_by_variable.setdefault(variable_key(var), {})[slot_name] = slot
        self._handle_deferred_dependencies((slot_name, variable_key(var)), slot)
        return slot

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """Returns a slot of a variable; raises KeyError for an unknown name."""
        return self._slots.slots_by_variable[variable_key(var)][slot_name]

    def get_slot_names(self) -> list[str]:
        """Returns the slot names."""
        return sorted({name for slots in self._slots.slots_by_variable.values() for name in slots})


class _Slots:
    """Slot variables of a SavedModel, by variable key."""

    def __init__(self) -> None:
        self.slots_by_variable: dict[tuple, dict[str, Any]] = {}
