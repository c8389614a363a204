"""`tensorflow.python.framework.op_def_registry`: the op declarations."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.nodedef import op_def
from tfmini._src.graph.opdef import registry

__all__ = ["get_registered_ops"]


def get_registered_ops() -> dict[str, Any]:
    """Returns the OpDefs of all ops in tfmini, by type."""
    registry.declare_all()
    return {
        name: op_def(definition)
        for name, definition in registry.items()
        if name not in registry.newer
    }
