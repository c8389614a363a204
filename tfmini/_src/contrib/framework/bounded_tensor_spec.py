"""`BoundedTensorSpec`: a TensorSpec with elementwise minimum and maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import ShapeLike
from tfmini._src.graph.type_spec import TensorSpec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class BoundedTensorSpec(TensorSpec):
    """Type of a tensor whose elements are within inclusive bounds.

    Args:
      shape: a value convertible to a TensorShape; None for any.
      dtype: element dtype.
      minimum: minimum values, broadcastable to the shape.
      maximum: maximum values, broadcastable to the shape.
      name: tensor name, or None.

    Raises:
      ValueError: if a bound is None, or does not broadcast to the shape.
    """

    minimum: np.ndarray = read_only("Minimum values, a read-only array.")
    maximum: np.ndarray = read_only("Maximum values, a read-only array.")

    def __init__(
        self,
        shape: ShapeLike,
        dtype: DTypeLike,
        minimum: ArrayLike,
        maximum: ArrayLike,
        name: str | None = None,
    ):
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError(
                f"minimum and maximum must be provided; but saw '{minimum}' and '{maximum}'"
            )
        self._minimum = self._bound(minimum, "minimum")
        self._maximum = self._bound(maximum, "maximum")

    def _bound(self, value: ArrayLike, which: str) -> np.ndarray:
        rank, actual = self._shape.ndims, np.shape(value)
        sizes = actual if rank is None else self._shape.as_list()
        for size, expected in zip(reversed(actual), reversed(list(sizes))):
            if size != 1 and expected not in (1, None, size):
                raise ValueError(
                    f"{which} is not compatible with shape. Message: "
                    f"{ValueError(f'Incompatible shapes for broadcasting: {actual} and {self._shape}')!r}."
                )
        bound = np.array(value, self._dtype.as_numpy_dtype)
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec: TensorSpec | BoundedTensorSpec) -> BoundedTensorSpec:  # type: ignore[override]
        """Returns a bounded spec, whose bounds default to the limits of the dtype."""
        dtype = dtypes.as_dtype(spec.dtype)
        minimum, maximum = getattr(spec, "minimum", None), getattr(spec, "maximum", None)
        return cls(
            spec.shape,
            dtype,
            dtype.min if minimum is None else minimum,
            dtype.max if maximum is None else maximum,
            spec.name,
        )

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and TensorSpec.from_spec(self) == TensorSpec.from_spec(other)
            and np.allclose(self._minimum, other.minimum)
            and np.allclose(self._maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return hash((type(self), self._dtype, self._name))

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self._minimum!r}, maximum={self._maximum!r})"
        )
