"""Element types of tensors: one `DType` object per type, with plain attributes.

TensorFlow numbers its types (the `DataType` enum of its messages); a number above 100 is the reference type of the type
100 below, used by variables. Each type is a singleton, so `is` compares them, and pickling or copying returns the same
object. In addition to TensorFlow's attributes, a `DType` has `numpy` (the `np.dtype` of its in-memory arrays)
and `proto_name` (the spelling in messages and OpDefs: `float` where Python says `float32`).
"""

from __future__ import annotations

import builtins
import sys
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tfmini._src.base.names.lazy_imports import ml_dtypes

# Names in `tf.dtypes`; tfmini itself also uses the reference types.


class DType:
    """The type of a tensor's elements: `tf.float32`, `tf.string`, `tf.int32_ref` ...

    `DType(1)` converts a value of the `DataType` enum to the singleton of that type;
    `tf.as_dtype` also accepts names, numpy types and Python types.

    Raises:
      TypeError: if the number is not a valid type.
    """

    name: str
    as_datatype_enum: int
    base_dtype: DType
    real_dtype: DType
    is_numpy_compatible: builtins.bool
    is_bool: builtins.bool
    is_integer: builtins.bool
    is_floating: builtins.bool
    is_complex: builtins.bool
    is_quantized: builtins.bool
    is_unsigned: builtins.bool
    as_numpy_dtype: Any
    numpy: Any
    proto_name: str
    _is_ref_dtype: builtins.bool
    _as_ref: DType
    _hash: Any
    __slots__ = {
        "name": "Its name: `float32`, `string`, `int32_ref`.",
        "as_datatype_enum": "Its number in the `DataType` enum of messages.",
        "base_dtype": "The type itself, and of a reference type the type that it refers to.",
        "real_dtype": "The type of a complex type's parts; of other types the type itself.",
        "is_numpy_compatible": "Whether arrays can hold its values: not so for handles.",
        "is_bool": "Whether it is bool.",
        "is_integer": "Whether it is a signed or unsigned integer type; quantized ones are not.",
        "is_floating": "Whether it is a real floating point type.",
        "is_complex": "Whether it is a complex type.",
        "is_quantized": "Whether it is a quantized integer type.",
        "is_unsigned": "Whether it is an unsigned integer type.",
        "as_numpy_dtype": "The numpy type of its elements; KeyError for handles.",
        "numpy": "The `np.dtype` that arrays of it have in memory.",
        "proto_name": "How messages and OpDefs spell it: `float`, `half`, `double`.",
        "_is_ref_dtype": "Whether it is a reference type.",
        "_as_ref": "The reference type to it.",
        "_hash": "The method of its number that hashes it.",
    }

    def __new__(cls, type_enum: int) -> DType:
        enum_value = int(type_enum)
        if enum_value not in _DTYPES_BY_ENUM:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {enum_value}")
        return _DTYPES_BY_ENUM[enum_value]

    def __getattr__(self, attribute: str) -> Any:
        # Reached only if a slot is empty: TensorFlow has no numpy type for handles.
        if attribute in ("as_numpy_dtype", "numpy") and self.base_dtype is bfloat16:
            _load_bfloat16()
            return getattr(self, attribute)
        if attribute == "as_numpy_dtype":
            raise KeyError(self.as_datatype_enum)
        raise AttributeError(f"'DType' object has no attribute '{attribute}'")

    @property
    def min(self) -> Any:
        """The minimum value of a real number type; raises TypeError for other types."""
        return self._limit("min", "minimum")

    @property
    def max(self) -> Any:
        """The maximum value of a real number type; raises TypeError for other types."""
        return self._limit("max", "maximum")

    def _limit(self, end: str, word: str) -> Any:
        if self.base_dtype is bfloat16:
            return getattr(ml_dtypes.finfo(ml_dtypes.bfloat16), end)
        if self.is_floating:
            return getattr(np.finfo(self.as_numpy_dtype), end)
        if self.is_integer:
            return getattr(np.iinfo(self.as_numpy_dtype), end)
        raise TypeError(f"Cannot find {word} value of {self}.")

    @property
    def limits(self) -> tuple[Any, Any]:
        """The pair (0, maximum intensity) for images; raises KeyError for types that images cannot have."""
        return 0, _INTENSITY[self.as_numpy_dtype]

    @property
    def size(self) -> int:
        """Size of an array element in bytes: 8 for a string, which is a reference, and 1 for a handle."""
        if self is resource or self is variant:
            return 1
        return np.dtype(self.as_numpy_dtype).itemsize

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Whether a tensor of type `other` can be used where this type is required.

        True for the type itself and its reference type. `other` is anything that `as_dtype` accepts.
        """
        if other.__class__ is not DType:
            other = as_dtype(other)
        return self is other or self is other.base_dtype

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or other.__class__ is DType:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    if TYPE_CHECKING:

        def __hash__(self) -> builtins.int: ...
    else:
        __hash__ = property(attrgetter("_hash"))  # called for each new node, hence implemented in C

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __repr__(self) -> str:
        return "tf." + self.name


_DTYPES_BY_ENUM: dict[int, DType] = {}
_BFLOAT16 = 14  # the NumPy type is loaded on first access


def _define(
    enum_value: int, name: str, as_numpy_dtype: Any = None, category: str = "", proto_name: str = ""
) -> DType:
    """Defines a type and its reference type; without `as_numpy_dtype` arrays hold objects, except for bfloat16."""
    pair = []
    for is_ref in (False, True):
        suffix = "_ref" if is_ref else ""
        dtype = object.__new__(DType)
        dtype.name = name + suffix
        dtype.proto_name = (proto_name or name) + suffix
        dtype.as_datatype_enum = enum_value + 100 * is_ref
        dtype._hash = dtype.as_datatype_enum.__hash__
        dtype.real_dtype = dtype
        if enum_value != _BFLOAT16:
            if as_numpy_dtype is not None:
                dtype.as_numpy_dtype = as_numpy_dtype
            dtype.numpy = np.dtype(object if as_numpy_dtype is None else as_numpy_dtype)
        dtype.is_numpy_compatible = enum_value == _BFLOAT16 or as_numpy_dtype is not None
        dtype.is_bool = category == "bool"
        dtype.is_integer = category in ("signed", "unsigned")
        dtype.is_floating = category == "floating"
        dtype.is_complex = category == "complex"
        dtype.is_quantized = category == "quantized"
        dtype.is_unsigned = category == "unsigned"
        dtype._is_ref_dtype = is_ref
        _DTYPES_BY_ENUM[dtype.as_datatype_enum] = dtype
        pair.append(dtype)
    for dtype in pair:
        dtype.base_dtype, dtype._as_ref = pair
    return pair[0]


float32 = _define(1, "float32", np.float32, "floating", "float")
float64 = _define(2, "float64", np.float64, "floating", "double")
int32 = _define(3, "int32", np.int32, "signed")
uint8 = _define(4, "uint8", np.uint8, "unsigned")
int16 = _define(5, "int16", np.int16, "signed")
int8 = _define(6, "int8", np.int8, "signed")
string = _define(7, "string", object)
complex64 = _define(8, "complex64", np.complex64, "complex")
int64 = _define(9, "int64", np.int64, "signed")
bool = _define(10, "bool", builtins.bool, "bool")
qint8 = _define(11, "qint8", np.dtype([("qint8", np.int8)]), "quantized")
quint8 = _define(12, "quint8", np.dtype([("quint8", np.uint8)]), "quantized")
qint32 = _define(13, "qint32", np.dtype([("qint32", np.int32)]), "quantized")
bfloat16 = _define(_BFLOAT16, "bfloat16", category="floating")
qint16 = _define(15, "qint16", np.dtype([("qint16", np.int16)]), "quantized")
quint16 = _define(16, "quint16", np.dtype([("quint16", np.uint16)]), "quantized")
uint16 = _define(17, "uint16", np.uint16, "unsigned")
complex128 = _define(18, "complex128", np.complex128, "complex")
float16 = _define(19, "float16", np.float16, "floating", "half")
resource = _define(20, "resource")
variant = _define(21, "variant")
uint32 = _define(22, "uint32", np.uint32, "unsigned")
uint64 = _define(23, "uint64", np.uint64, "unsigned")
half = float16
double = float64

for _complex, _real in ((complex64, float32), (complex128, float64)):
    _complex.real_dtype = _complex._as_ref.real_dtype = _real

float32_ref = float32._as_ref
float64_ref = float64._as_ref
int32_ref = int32._as_ref
uint8_ref = uint8._as_ref
int16_ref = int16._as_ref
int8_ref = int8._as_ref
string_ref = string._as_ref
complex64_ref = complex64._as_ref
int64_ref = int64._as_ref
bool_ref = bool._as_ref
qint8_ref = qint8._as_ref
quint8_ref = quint8._as_ref
qint32_ref = qint32._as_ref
bfloat16_ref = bfloat16._as_ref
qint16_ref = qint16._as_ref
quint16_ref = quint16._as_ref
uint16_ref = uint16._as_ref
complex128_ref = complex128._as_ref
float16_ref = float16._as_ref
resource_ref = resource._as_ref
variant_ref = variant._as_ref
uint32_ref = uint32._as_ref
uint64_ref = uint64._as_ref
half_ref = float16_ref
double_ref = float64_ref

QUANTIZED_DTYPES = frozenset(dtype for dtype in _DTYPES_BY_ENUM.values() if dtype.is_quantized)

_INTENSITY: dict[Any, Any] = {
    dtype.as_numpy_dtype: int(dtype.max)
    for dtype in (uint8, uint16, uint32, uint64, int8, int16, int32, int64)
}
_INTENSITY[np.float32] = _INTENSITY[np.float64] = 1

_DTYPES_BY_SCALAR_TYPE: dict[Any, DType] = {
    dtype.numpy.type: dtype
    for dtype in _DTYPES_BY_ENUM.values()
    if dtype.is_numpy_compatible
    and not (dtype.is_quantized or dtype._is_ref_dtype or dtype is bfloat16)
}
_DTYPES_BY_SCALAR_TYPE[np.bytes_] = _DTYPES_BY_SCALAR_TYPE[np.str_] = string
# Longlong and similar types are aliases of a sized type, or classes with the same layout.
for _platform in (np.intc, np.uintc, np.int_, np.uint, np.longlong, np.ulonglong):
    _DTYPES_BY_SCALAR_TYPE.setdefault(
        _platform, _DTYPES_BY_SCALAR_TYPE[np.dtype(np.dtype(_platform).str).type]
    )

_DTYPES_BY_STRUCT = {dtype.numpy: dtype for dtype in QUANTIZED_DTYPES if not dtype._is_ref_dtype}


def quantized_to_integers(value: Any) -> Any:
    """Converts a quantized array to plain integers, as in user-facing values; other values are returned unchanged."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or dtype.names is None:
        return value
    return np.asarray(value).view(dtype[0])[()]


_DTYPES_BY_KEY: dict[Any, DType] = {
    **_DTYPES_BY_ENUM,
    **{dtype.name: dtype for dtype in _DTYPES_BY_ENUM.values()},
    **{dtype.proto_name: dtype for dtype in _DTYPES_BY_ENUM.values()},
    **_DTYPES_BY_SCALAR_TYPE,
    builtins.float: float32,
    builtins.bool: bool,
    builtins.object: string,
}


def _load_bfloat16() -> None:
    """Sets bfloat16's numpy type; loaded lazily, as it would take a tenth of the time of `import tfmini`."""
    for dtype in (bfloat16, bfloat16._as_ref):
        dtype.as_numpy_dtype = ml_dtypes.bfloat16
        dtype.numpy = np.dtype(ml_dtypes.bfloat16)
    _DTYPES_BY_SCALAR_TYPE[ml_dtypes.bfloat16] = _DTYPES_BY_KEY[ml_dtypes.bfloat16] = bfloat16


# Arguments accepted by `as_dtype`.
DTypeLike: TypeAlias = DType | np.dtype[Any] | type | str | int


def as_dtype(type_value: object) -> DType:
    """Converts a value to a `DType`.

    Args:
      type_value: a `DType`; a number of the `DataType` enum; a name (`"float32"`, also `"float"`, `"half"`, `"double"`
        and any of them with `_ref`); a numpy type or dtype (byte and unicode strings of any length are `tf.string`);
        Python's `float` (float32), `bool` or `object` (string).

    Returns:
      The `DType` singleton: `as_dtype(np.int64) is tf.int64`.

    Raises:
      TypeError: for other values; Python's `int`, `str` and `complex` are not accepted.
    """
    if type_value.__class__ is DType:
        return type_value
    if type_value.__class__ is str and type_value in _DTYPES_BY_KEY:
        return _DTYPES_BY_KEY[type_value]
    dtype = _lookup(type_value)
    if dtype is None and "ml_dtypes" in sys.modules:  # possibly bfloat16's NumPy type
        _load_bfloat16()
        dtype = _lookup(type_value)
    if dtype is None:
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.")
    return dtype


def _lookup(type_value: Any) -> DType | None:
    if isinstance(type_value, np.dtype):
        return _DTYPES_BY_SCALAR_TYPE.get(type_value.type) or _DTYPES_BY_STRUCT.get(type_value)
    return _DTYPES_BY_KEY.get(type_value)


# Ops, defined in higher layers and added by `tfmini/__init__.py`.
as_string: Any
cast: Any
complex: Any
saturate_cast: Any
