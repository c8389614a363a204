"""Op signatures: their inputs, outputs and attrs, parsed from text, and calls bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.tensor import TensorLike

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef

_REQUIRED = object()


class Attr:
    """An attr of an op: kind, default and constraints.

    kind: "type", "int", "float", "bool", "string", "shape", "tensor", "func" or "list(KIND)".
    """

    __slots__ = ("name", "kind", "default", "required", "minimum", "allowed", "allowed_set")

    def __init__(
        self,
        kind: str,
        default: Any = _REQUIRED,
        *,
        minimum: int | None = None,
        allowed: tuple[Any, ...] | None = None,
    ):
        self.name = ""
        self.kind = kind
        self.default = default
        self.required = default is _REQUIRED
        self.minimum = minimum
        self.allowed = allowed
        self.allowed_set = None if allowed is None else frozenset(allowed)

    @classmethod
    def from_keyword(cls, name: str, value: object) -> Attr:
        """Creates the attr declared by a keyword of `op`; plain values are shorthands."""
        if isinstance(value, Attr):
            attr = (
                value
                if not value.name
                else cls(value.kind, value.default, minimum=value.minimum, allowed=value.allowed)
            )
        elif isinstance(value, bool):
            attr = cls("bool", value)
        elif isinstance(value, int):
            attr = cls("int", value)
        elif isinstance(value, float):
            attr = cls("float", value)
        elif isinstance(value, str):
            attr = cls("string", value)
        elif isinstance(value, DType):
            attr = cls("type", value)
        elif isinstance(value, tuple) and value and all(isinstance(v, DType) for v in value):
            attr = cls("type", allowed=value)
        else:
            raise TypeError(f"attr {name!r}: declare it with Attr(...), not {value!r}")
        attr.name = name
        return attr


class Arg(NamedTuple):
    """An input or output of an op's signature."""

    name: str
    dtype: DType | None = None
    type_attr: str = ""
    number_attr: str = ""
    type_list_attr: str = ""
    is_ref: bool = False

    @property
    def is_list(self) -> bool:
        return bool(self.number_attr or self.type_list_attr)

    def count(self, attrs: Attrs) -> int:
        """Returns the number of tensors in this argument for a node with these attrs."""
        if self.number_attr:
            count: int = attrs[self.number_attr]
            return count
        return len(attrs[self.type_list_attr]) if self.type_list_attr else 1


def _parse_arg(text: str, attrs: dict[str, Attr]) -> Arg:
    name, _, kind = (part.strip() for part in text.partition(":"))
    is_ref = kind.startswith("Ref(")
    if is_ref:
        kind = kind[4:-1]
    number_attr, _, element = kind.rpartition("*")
    kind = element.strip()
    if kind in attrs and attrs[kind].kind == "list(type)":
        return Arg(name, type_list_attr=kind, is_ref=is_ref)
    if kind in attrs:
        return Arg(name, type_attr=kind, number_attr=number_attr.strip(), is_ref=is_ref)
    return Arg(name, dtype=dtypes.as_dtype(kind), number_attr=number_attr.strip(), is_ref=is_ref)


def parse_args(text: str, attrs: dict[str, Attr]) -> tuple[Arg, ...]:
    """Parses the inputs or outputs of a signature."""
    return tuple(_parse_arg(part, attrs) for part in text.split(",") if part.strip())


def bind(
    opdef: OpDef, args: tuple[TensorLike, ...], kwargs: dict[str, Any], name: str | None
) -> tuple[Sequence[Any], dict[str, Any], str | None]:
    """Splits a call into ordered inputs, explicit attrs and the name; raises TypeError on a signature mismatch."""
    count = len(opdef.inputs)
    params = opdef.params
    if len(args) > len(params) + 1:
        required = count + opdef.required_attrs
        raise TypeError(
            f"{opdef.__name__}() takes from {required} to {len(params) + 1} positional arguments but "
            f"{len(args)} were given"
        )
    if len(args) > len(params):
        if name is not None:
            raise TypeError(f"{opdef.__name__}() got multiple values for argument 'name'")
        *args, name = args  # type: ignore[assignment]
    bound = dict(zip(params, args))
    for key, value in kwargs.items():
        if key in bound:
            raise TypeError(f"{opdef.__name__}() got multiple values for argument '{key}'")
        if key not in params:
            raise TypeError(f"{opdef.__name__}() got an unexpected keyword argument '{key}'")
        bound[key] = value
    needed = params[: count + opdef.required_attrs]
    if not all(map(bound.__contains__, needed)):
        missing = [key for key in needed if key not in bound]
        raise TypeError(
            f"{opdef.__name__}() missing {len(missing)} required positional "
            f"argument{'s' if len(missing) > 1 else ''}: {join_names(missing)}"
        )
    return list(map(bound.pop, opdef.input_names)), bound, name


def join_names(names: Sequence[str]) -> str:
    """Joins quoted names: 'a'; 'a' and 'b'; 'a', 'b', and 'c'."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return ", ".join(quoted[:-1]) + ", and " + quoted[-1]
