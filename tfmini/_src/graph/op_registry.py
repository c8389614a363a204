"""Op declarations by type, and rarely used functions of `ops` by name."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tfmini._src.base import errors

if TYPE_CHECKING:
    from tfmini._src.graph.attributes import Attrs
    from tfmini._src.graph.opdef import OpDef
    from tfmini._src.graph.tensor import Tensor


class Registry(dict[str, "OpDef"]):
    """Op definitions by type, filled by `opdef.op`.

    Rarely used ops are declared lazily: `late` maps a type to the function that declares it. Lookups trigger the
    declaration; iteration requires `declare_all` first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.late: dict[str, Callable[[], None]] = {}
        self.newer: frozenset[str] = frozenset()  # ops introduced after 1.15

    def declare_later(self, op_types: Iterable[str], declare: Callable[[], None]) -> None:
        """Registers `declare`, called when one of these types is first looked up."""
        self.late.update(dict.fromkeys(op_types, declare))

    def declare_all(self) -> None:
        """Calls all pending `declare` functions."""
        for op_type in list(self.late):
            self.get(op_type)

    def __missing__(self, op_type: str) -> OpDef:
        declare = self.late.get(op_type)
        if declare is None:
            opdef = super().get(op_type)  # declared by another thread in the meantime
            if opdef is None:
                raise KeyError(op_type)
            return opdef
        declare()
        self.late = {name: other for name, other in self.late.items() if other is not declare}
        return self[op_type]

    def __contains__(self, op_type: object) -> bool:
        return super().__contains__(op_type) or op_type in self.late

    def get(self, op_type: str, default: OpDef | None = None) -> OpDef | None:  # type: ignore[override]  # keys are always strings
        return self[op_type] if op_type in self else default


registry = Registry()
# Lazy declarations of rarely used `ops` functions, by name.
late_functions: dict[str, Callable[[], None]] = {}


def opdef(op_type: str) -> OpDef:
    """Returns the declaration of `op_type`; raises NotFoundError for an unsupported op."""
    declaration = registry.get(op_type)
    if declaration is None:
        raise errors.NotFoundError(None, None, unknown_op_text(op_type))
    return declaration


def function_name(op_type: str) -> str:
    """Returns the name of TensorFlow's generated function for an op: BatchMatMulV2 becomes batch_mat_mul_v2."""
    return re.sub("(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", op_type).lower()


def unknown_op_text(op_type: str) -> str:
    """Returns TensorFlow's message for an unregistered op."""
    return (
        f"Op type not registered '{op_type}' in binary running on {platform.node()}. Make sure the "
        "Op and Kernel are registered in the binary running in this process. Note that if you are "
        "loading a saved graph which used ops from tf.contrib, accessing (e.g.) "
        "`tf.contrib.resampler` should be done before importing the graph, as contrib ops are lazily "
        "registered when the module is first accessed."
    )


def complete_attrs(definition: OpDef, inputs: Sequence[Tensor], attrs: Attrs) -> None:
    """Adds to `attrs` the attrs inferred from the inputs, then the defaults."""
    start = 0
    for arg in definition.inputs:
        if arg.type_list_attr:
            count = (
                len(attrs[arg.type_list_attr])
                if arg.type_list_attr in attrs
                else len(inputs) - start
            )
            types = tuple(t.dtype.base_dtype for t in inputs[start : start + count])
            attrs.setdefault(arg.type_list_attr, types)
        else:
            count = 1
            if arg.number_attr:
                count = attrs.setdefault(arg.number_attr, len(inputs) - start)
            if arg.type_attr and count and start < len(inputs):
                attrs.setdefault(arg.type_attr, inputs[start].dtype.base_dtype)
        start += count
    for name, attr in definition.attrs.items():
        if name not in attrs:
            if attr.required:
                raise ValueError(f"NodeDef missing attr '{name}' from Op<name={definition.name}>")
            attrs[name] = attr.default
