"""All declared ops by type: `raw.MatMul(a, b, transpose_b=True, name=None)`.

Ops are looked up in the registry on first access, so op files need not import each other. `raw.pyi`, generated from
the declarations by `ci/generate op_modules`, has the signatures for editors and type checkers: inputs in order, attrs
by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.graph import op_registry

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef


def __getattr__(name: str) -> OpDef:
    try:
        declaration = globals()[name] = op_registry.registry[name]
    except KeyError:
        raise AttributeError(f"tfmini has no op {name!r}") from None
    return declaration


def __dir__() -> list[str]:
    return sorted({*op_registry.registry, *op_registry.registry.late})
