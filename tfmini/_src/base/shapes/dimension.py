"""A known or unknown size of a shape; arithmetic and comparisons propagate unknown."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only

_use_floor_division = "unsupported operand type(s) for /: '{}' and '{}', please use // instead"


def to_size(value: Any) -> int | None:
    """Converts `value` to a size, with TensorFlow's checks."""
    if value is None:
        return None
    if value.__class__ is not int:
        if isinstance(value, Dimension):
            return value._value
        if hasattr(value, "as_datatype_enum"):
            raise TypeError(f"Cannot convert {value} to Dimension")
        is_element = isinstance(value, np.ndarray) and value.size == 1
        size = int(value.item() if is_element else value)
        if not isinstance(value, (str, bytes)) and size != value:
            raise ValueError(f"Ambiguous dimension: {value}")
        value = size
    if value < 0:
        raise ValueError(f"Dimension {value} must be >= 0")
    return value


class Dimension:
    """A size of a shape: a number, or None if unknown.

    Arithmetic with numbers and other dimensions returns a Dimension, unknown if either is; comparisons then return
    None.

    Args:
      value: a number, a numeric string, a Dimension or None.

    Raises:
      ValueError: if the number is negative or not an integer.
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]
    value: int | Any = read_only("The size, or None.")

    def __init__(self, value: Any) -> None:
        self._value = to_size(value)

    def __repr__(self) -> str:
        return f"Dimension({self._value!r})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __int__(self) -> Any:
        return self._value

    def __index__(self) -> Any:
        return self._value

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)

    def is_compatible_with(self, other: Dimension | int | None) -> bool:
        """Whether the two dimensions can be equal: they have the same size, or at least one is unknown."""
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._value is None or size is None or self._value == size

    def assert_is_compatible_with(self, other: Dimension | int | None) -> None:
        """Raises ValueError if the sizes are incompatible."""
        if self.is_compatible_with(other) is False:
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Dimension | int | None) -> Dimension:
        """Merges two dimensions: returns the known size; raises ValueError if they differ."""
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    def __eq__(self, other: Any) -> Any:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or size is None else self._value == size

    def __ne__(self, other: Any) -> Any:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return None if self._value is None or size is None else self._value != size

    def __lt__(self, other: Any) -> Any:
        size = to_size(other)
        return None if self._value is None or size is None else self._value < size

    def __le__(self, other: Any) -> Any:
        size = to_size(other)
        return None if self._value is None or size is None else self._value <= size

    def __gt__(self, other: Any) -> Any:
        size = to_size(other)
        return None if self._value is None or size is None else self._value > size

    def __ge__(self, other: Any) -> Any:
        size = to_size(other)
        return None if self._value is None or size is None else self._value >= size

    def __add__(self, other: Any) -> Dimension:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or size is None else self._value + size)

    def __radd__(self, other: Any) -> Dimension:
        return self + other

    def __sub__(self, other: Any) -> Dimension:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or size is None else self._value - size)

    def __rsub__(self, other: Any) -> Dimension:
        return as_dimension(other) - self

    def __mul__(self, other: Any) -> Dimension:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or size is None else self._value * size)

    def __rmul__(self, other: Any) -> Dimension:
        return self * other

    def __floordiv__(self, other: Any) -> Dimension:
        try:
            size = to_size(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or size is None else self._value // size)

    def __rfloordiv__(self, other: Any) -> Dimension:
        return as_dimension(other) // self

    __div__, __rdiv__ = __floordiv__, __rfloordiv__  # for Python 2 programs

    def __mod__(self, other: Any) -> Dimension:
        size = to_size(other)
        return Dimension(None if self._value is None or size is None else self._value % size)

    def __rmod__(self, other: Any) -> Dimension:
        return as_dimension(other) % self

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(_use_floor_division.format("Dimension", type(other).__name__))

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(_use_floor_division.format(type(other).__name__, "Dimension"))


def as_dimension(value: Any) -> Dimension:
    """Converts `value` to a Dimension; a Dimension is returned unchanged."""
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension: Dimension | int | None) -> Any:
    """Returns the plain number (or None) of a Dimension; other values are returned unchanged."""
    return dimension._value if isinstance(dimension, Dimension) else dimension
