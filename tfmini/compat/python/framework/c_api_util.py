"""`tensorflow.python.framework.c_api_util`: the op declarations."""

from __future__ import annotations

from tfmini._src.base import proto
from tfmini._src.graph import nodedef
from tfmini._src.graph.op_registry import registry


class ApiDefMap:
    """Op declarations by name."""

    def op_names(self) -> list[str]:
        """Returns the names of all ops."""
        registry.declare_all()
        return sorted(name for name in {*registry} - registry.newer if not name.startswith("_"))

    def get_op_def(self, op_name: str) -> proto.OpDef:
        """Returns the OpDef of an op; raises ValueError for an unknown op."""
        if op_name not in registry:
            raise ValueError(f"No op_def found for {op_name}.")
        return nodedef.op_def(registry[op_name])
