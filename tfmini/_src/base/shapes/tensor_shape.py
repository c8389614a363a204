"""A tensor's static shape: a tuple of sizes, any of which, or even the rank, may be unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from tfmini._src.base import proto
from tfmini._src.base.shapes.dimension import Dimension, to_size

Dims = tuple[int | None, ...] | None

_ambiguous_text = "A string has ambiguous TensorShape, please wrap in a list or convert to an int: "
_values_for_dimensions = False


def enable_v2_tensorshape() -> None:
    """Makes indexing and iterating a TensorShape return plain numbers, as in TensorFlow 2."""
    global _values_for_dimensions
    _values_for_dimensions = True


def disable_v2_tensorshape() -> None:
    """Makes indexing and iterating a TensorShape return `Dimension` objects (the default)."""
    global _values_for_dimensions
    _values_for_dimensions = False


class TensorShape:
    """The static shape of a tensor: known `(16, 256)`, partially known `(?, 256)`, or `<unknown>`.

    Args:
      dims: None for unknown rank, a sequence of sizes (numbers, Dimensions or None), a single size, a
        TensorShape, or a TensorShapeProto.

    Raises:
      TypeError: if `dims` is a string or contains anything but sizes.
      ValueError: if a size is negative or not an integer.

    Example:

      >>> shape = TensorShape([None, 784])
      >>> shape.as_list(), shape.rank, str(shape)
      ([None, 784], 2, '(?, 784)')
    """

    __slots__ = ("_dims",)
    __hash__ = None  # type: ignore[assignment]
    _dims: Dims

    def __init__(self, dims: Any) -> None:
        if dims is None:
            self._dims = None
        elif isinstance(dims, (tuple, list)):
            is_known = set(map(type, dims)) == {int} and min(dims) >= 0
            self._dims = tuple(dims if is_known else [to_size(dim) for dim in dims])
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif isinstance(dims, (str, bytes)):
            raise TypeError(f"{_ambiguous_text}{dims!s}")
        elif hasattr(dims, "unknown_rank"):
            sizes = [None if dim.size == -1 else to_size(dim.size) for dim in dims.dim]
            self._dims = None if dims.unknown_rank else tuple(sizes)
        else:
            try:
                iterator = iter(dims)
            except TypeError:
                iterator = iter((dims,))
            self._dims = tuple([to_size(dim) for dim in iterator])

    @classmethod
    def from_dims(cls, dims: Dims) -> TensorShape:
        """Wraps a tuple of int and None, or None, without validation."""
        shape = cls.__new__(cls)
        shape._dims = dims
        return shape

    @property
    def rank(self) -> int | None:
        """Number of dimensions, or None if unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | Any:
        """A list of Dimensions, or None if the rank is unknown."""
        return None if self._dims is None else [Dimension(dim) for dim in self._dims]

    def as_list(self) -> list[Any]:
        """Returns the sizes as a list of numbers and None; raises ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self) -> Any:
        """Converts the shape to a `TensorShapeProto`."""
        if self._dims is None:
            return proto.TensorShapeProto(unknown_rank=True)
        dim = proto.TensorShapeProto.Dim
        return proto.TensorShapeProto(
            dim=[dim(size=-1 if size is None else size) for size in self._dims]
        )

    def __repr__(self) -> str:
        return (
            f"TensorShape({self.as_list() if self._dims and _values_for_dimensions else self.dims})"
        )

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        unknown = "None" if _values_for_dimensions else "?"
        sizes = [unknown if dim is None else str(dim) for dim in self._dims]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(
            self._dims if _values_for_dimensions else [Dimension(dim) for dim in self._dims]
        )

    def __getitem__(self, key: Any) -> Any:
        """Returns a Dimension, or the TensorShape of a slice; unknown if the rank is unknown."""
        if isinstance(key, slice):
            return TensorShape.from_dims(
                self._dims[key] if self._dims is not None else _slice_of_unknown(key)
            )
        try:
            dim = None if self._dims is None else self._dims[key]
        except IndexError:
            raise IndexError("list index out of range") from None
        return dim if _values_for_dimensions else Dimension(dim)

    def num_elements(self) -> int | None:
        """Returns the number of elements, or None if a size is unknown."""
        if self._dims is None:
            return None
        product = 1
        for dim in self._dims:
            if dim is None:
                return None
            product *= dim
        return product

    def merge_with(self, other: ShapeLike) -> TensorShape:
        """Merges two shapes.

        Args:
          other: a TensorShape or anything convertible to one.

        Raises:
          ValueError: if the shapes are incompatible.
        """
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return TensorShape.from_dims(self._dims)
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        pairs = zip(self._dims, other._dims, strict=True)
        return TensorShape.from_dims(
            tuple([other_dim if own_dim is None else own_dim for own_dim, other_dim in pairs])
        )

    def concatenate(self, other: ShapeLike) -> TensorShape:
        """Returns this shape's sizes followed by the sizes of `other`; unknown if either rank is unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return TensorShape.from_dims(None)
        return TensorShape.from_dims(self._dims + other._dims)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __concat__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def assert_same_rank(self, other: ShapeLike) -> None:
        """Raises ValueError if both ranks are known and differ."""
        other = as_shape(other)
        if (
            self._dims is not None
            and other._dims is not None
            and len(self._dims) != len(other._dims)
        ):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and is not `rank`."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank:d}")

    def with_rank(self, rank: int) -> TensorShape:
        """Returns this shape with rank `rank`; raises ValueError if its rank differs."""
        if self._dims is None:
            return unknown_shape(rank=rank)
        self.assert_has_rank(rank)
        return TensorShape.from_dims(self._dims)

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Returns this shape; raises ValueError if its rank is known and less than `rank`."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank:d}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Returns this shape; raises ValueError if its rank is known and more than `rank`."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank:d}")
        return self

    def is_compatible_with(self, other: ShapeLike) -> bool:
        """Whether a tensor can have both shapes: sizes known in both are equal."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        if len(self._dims) != len(other._dims):
            return False
        pairs = zip(self._dims, other._dims, strict=True)
        return all(
            own_dim is None or other_dim is None or own_dim == other_dim
            for own_dim, other_dim in pairs
        )

    def assert_is_compatible_with(self, other: ShapeLike) -> None:
        """Raises ValueError if the shapes are incompatible."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def most_specific_compatible_shape(self, other: ShapeLike) -> TensorShape:
        """Returns the sizes common to both, None elsewhere; unknown if the ranks differ."""
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return TensorShape.from_dims(None)
        pairs = zip(self._dims, other._dims, strict=True)
        return TensorShape.from_dims(
            tuple([own_dim if own_dim == other_dim else None for own_dim, other_dim in pairs])
        )

    def is_fully_defined(self) -> bool:
        """Whether the rank and every size are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless the rank and every size are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def __eq__(self, other: Any) -> Any:
        # A shape equals itself; an unknown size equals nothing in other shapes.
        if self is other:
            return True
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is other._dims:
            return True
        return self._dims is not None and None not in self._dims and self._dims == other._dims

    def __ne__(self, other: Any) -> Any:
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is None or other._dims is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self == other

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def copy_dims(dims: Dims) -> Dims:
    """Copies partially known dims: unknown sizes are equal only by identity, so each tensor needs its own tuple."""
    return dims if dims is None or None not in dims else (*dims,)


def dims_allow(dims: Dims, shape: Dims) -> bool:
    """Whether the known sizes in `dims` match `shape`."""
    if dims is None:
        return True
    return (
        shape is not None
        and len(dims) == len(shape)
        and all(d is None or d == size for d, size in zip(dims, shape))
    )


def _slice_of_unknown(key: slice) -> Dims:
    """Returns the sizes of a slice of a shape of unknown rank."""
    if key.step is not None:
        raise ValueError("Steps are not yet handled")
    start = 0 if key.start is None else key.start
    if key.stop is None or start < 0 or key.stop < 0:
        return None
    return (None,) * (key.stop - start)


def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """Returns the Dimension at `index` of a TensorShape; unknown if the rank is unknown."""
    assert isinstance(shape, TensorShape)
    return Dimension(None if shape._dims is None else list(shape._dims)[index])


# Arguments accepted by `as_shape`, in addition to a TensorShapeProto.
ShapeLike: TypeAlias = TensorShape | Iterable[int | Dimension | None] | Dimension | int | None


def as_shape(shape: Any) -> TensorShape:
    """Converts `shape` to a TensorShape; a TensorShape is returned unchanged."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """Returns a shape of `rank` unknown sizes, or of unknown rank; `ndims` is an older name of `rank`."""
    if rank is None and "ndims" in kwargs:
        rank = kwargs.pop("ndims")
    if kwargs:
        raise TypeError(f"Unknown argument: {kwargs}")
    return TensorShape.from_dims(None if rank is None else (None,) * rank)


def scalar() -> TensorShape:
    """Returns the shape of a scalar."""
    return TensorShape.from_dims(())


def vector(length: Any) -> TensorShape:
    """Returns the shape of a vector of `length` elements, which may be None."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """Returns the shape of a matrix; `rows` and `cols` may be None."""
    return TensorShape([rows, cols])
