"""Attr values: user arguments converted to plain Python and validated, with TensorFlow's error messages.

A type is a DType, a string is str (bytes that are not UTF-8 survive as surrogate escapes), a shape is a tuple of
int or None (None itself: unknown rank), a tensor is a `Literal`, a list is a tuple, a function is a `NameAttrList`.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import ResourceExhaustedError
from tfmini._src.base.records import dataclass
from tfmini._src.base.shapes import Dims, TensorShape, as_shape

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import Attr, OpDef

# A node's attrs by name: plain values as described above; the op declaration defines their kinds.
Attrs: TypeAlias = dict[str, Any]


class Literal:
    """The value of a `tensor` attr.

    array: the full read-only value; strings are an object array of bytes. Where a proto lists a few elements for a
      large shape, it is a broadcast view, or materialized on first access.
    compact: the values as stored in the proto's typed field if TensorFlow would write different values: the last
      repeats (`tf.constant(0.0, shape=[3])`); else None.
    raw: whether the values were read from raw content although TensorFlow's Python would have used the typed field.
    shape: required if `array` is None: the value is then `compact` with its last element repeated.
    """

    __slots__ = ("_array", "compact", "dtype", "raw", "shape")

    def __init__(
        self,
        array: np.ndarray | None,
        dtype: dtypes.DType,
        compact: np.ndarray | None = None,
        raw: bool = False,
        shape: tuple[int, ...] = (),
    ):
        self._array = array
        self.dtype = dtype
        self.compact = compact
        self.raw = raw
        self.shape = shape if array is None else array.shape

    @property
    def array(self) -> np.ndarray:
        if self._array is None:
            assert self.compact is not None
            if self.compact.size == 1:
                self._array = np.broadcast_to(self.compact.reshape(()), self.shape)
                return self._array
            try:
                array = np.empty(self.size, self.compact.dtype)
            except MemoryError:
                raise ResourceExhaustedError(
                    None, None, f"OOM when allocating a constant of shape {list(self.shape)}"
                ) from None
            array[: self.compact.size] = self.compact
            array[self.compact.size :] = self.compact[-1]
            array.flags.writeable = False
            self._array = array.reshape(self.shape)
        return self._array

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def is_spread(self) -> bool:
        """Whether fewer elements are stored than the shape holds; the last one repeats."""
        return self.compact is not None and self.compact.size < self.size

    def first(self, count: int) -> np.ndarray:
        """Returns the first `count` elements as a vector, without materializing the full array."""
        if self._array is not None:
            return np.array(self._array.flat[:count])
        assert self.compact is not None
        count = min(count, self.size)
        repeats = count - min(count, self.compact.size)
        return np.concatenate([self.compact[:count], np.repeat(self.compact[-1:], repeats)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal) or (self.dtype, self.shape) != (other.dtype, other.shape):
            return False
        if self.is_spread and other.is_spread:
            max_count = max(self.compact.size, other.compact.size, 1)  # type: ignore[union-attr]
            return _content_key(self.first(max_count)) == _content_key(other.first(max_count))
        return _content_key(self.array) == _content_key(other.array)

    __hash__ = None  # type: ignore[assignment]


def _content_key(array: np.ndarray) -> object:
    """Returns the comparison key of the elements: NaN equals itself, and 0.0 differs from -0.0."""
    return array.tolist() if array.dtype.hasobject else array.tobytes()


@dataclass(frozen=True)
class NameAttrList:
    """The value of a `func` attr: a function name and its attrs."""

    name: str
    attrs: Attrs = field(default_factory=dict)


def to_str(value: str | bytes) -> str:
    """Decodes `value` to str; bytes that are not UTF-8 become surrogate escapes, which `to_bytes` reverses."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def to_bytes(value: str | bytes) -> bytes:
    """Encodes `value` as UTF-8 bytes; bytes are returned unchanged."""
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")


def _string(value: object, attr: Attr) -> str:
    if not isinstance(value, str | bytes):
        raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
    return to_str(value)


def _int(value: Any, attr: Attr) -> int:
    if isinstance(value, str):
        raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.")
    try:
        integer = int(value)
    except (TypeError, ValueError):
        raise TypeError(f"Expected int for argument '{attr.name}' not {value!r}.") from None
    if not -(2**63) <= integer < 2**63:
        raise ValueError(f"Value out of range: {integer}")
    return integer


def _float(value: object, attr: Attr) -> float:
    if not isinstance(value, numbers.Real):
        raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.")
    return float(value)


def _bool(value: object, attr: Attr) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
    return value


def _to_dtype(value: Any, attr: Attr) -> dtypes.DType:
    if value.__class__ is dtypes.DType:
        return value.base_dtype
    try:
        return dtypes.as_dtype(value).base_dtype
    except TypeError:
        raise TypeError(f"Expected DataType for argument '{attr.name}' not {value!r}.") from None


def _convert_shape(value: Any, attr: Attr) -> Dims:
    if value.__class__ is TensorShape:
        return value._dims
    try:
        if hasattr(value, "unknown_rank"):  # a TensorShapeProto
            value = TensorShape(value)
        return as_shape(value)._dims
    except TypeError as error:
        raise TypeError(f"Error converting {attr.name} to a TensorShape: {error}.") from None
    except ValueError as error:
        raise ValueError(f"Error converting {attr.name} to a TensorShape: {error}.") from None


def _check_literal(value: object, attr: Attr) -> Literal:
    if not isinstance(value, Literal):
        raise TypeError(
            f"Don't know how to convert {value!r} to a TensorProto for argument '{attr.name}'."
        )
    return value


def _func(value: Any, attr: Attr) -> NameAttrList:
    if isinstance(value, NameAttrList):
        return value
    if isinstance(value, str | bytes):
        return NameAttrList(to_str(value))
    if hasattr(value, "add_to_graph"):
        return NameAttrList(to_str(value.name))
    raise TypeError(f"Don't know how to convert {value!r} to a func for argument {attr.name}")


_CONVERTERS = {
    "string": _string,
    "int": _int,
    "float": _float,
    "bool": _bool,
    "type": _to_dtype,
    "shape": _convert_shape,
    "tensor": _check_literal,
    "func": _func,
}


def convert_attrs(opdef: OpDef, attrs: dict[str, object]) -> Attrs:
    """Converts the explicit attrs of a call to plain Python values, omitting None for attrs with a default.

    TensorFlow does this before checking the inputs; allowed values are checked afterwards.
    """
    result = {}
    for name, value in attrs.items():
        attr = opdef.settable_attrs[name]
        if value is None and not attr.required:
            continue
        if not attr.kind.startswith("list("):
            result[name] = _CONVERTERS[attr.kind](value, attr)
            continue
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{name}' argument to '{opdef.__name__}' Op, not {value!r}."
            )
        result[name] = tuple(_CONVERTERS[attr.kind[5:-1]](item, attr) for item in value)
    return result


def check(value: Any, attr: Attr, opdef: OpDef) -> None:
    """Raises TypeError or ValueError, as TensorFlow does, if `attr` does not allow the converted `value`."""
    is_list = attr.kind.startswith("list(")
    kind = attr.kind[5:-1] if is_list else attr.kind
    if is_list and attr.minimum is not None and len(value) < attr.minimum:
        raise ValueError(
            f"Attr '{attr.name}' of '{opdef.name}' Op passed list of length {len(value)} less than "
            f"minimum {attr.minimum}."
        )
    if kind == "int" and not is_list and attr.minimum is not None and value < attr.minimum:
        raise ValueError(
            f"Attr '{attr.name}' of '{opdef.name}' Op passed {value} less than minimum {attr.minimum}."
        )
    if attr.allowed is None or attr.allowed_set is None:
        return
    for item in value if is_list else (value,):
        if item in attr.allowed_set:
            continue
        if kind == "type":
            raise TypeError(
                f"Value passed to parameter '{attr.name}' has DataType {item.name} not in list of "
                f"allowed values: {', '.join(t.name for t in attr.allowed)}"
            )
        allowed = '", "'.join(attr.allowed)
        raise ValueError(
            f"Attr '{attr.name}' of '{opdef.name}' Op passed string '{item}' not in: \"{allowed}\"."
        )
