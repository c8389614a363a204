"""Initializers of convolution kernels that preserve the norm of their input."""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Initializer, floating, orthogonal_columns
from tfmini._src.variables.save_slice_info import PartitionInfo

# A kernel under construction: one matrix per spatial position.
_Parts = dict[tuple[int, ...], Any]


class _ConvolutionInitializer(Initializer):
    _arguments = ("gain", "seed", "dtype")

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.gain = gain
        self.dtype = floating(dtype)
        self.seed = seed


class ConvolutionDeltaOrthogonal(_ConvolutionInitializer):
    """Kernel that is zero except for its center, which is a random orthogonal matrix times `gain`.

    For shapes [..., inputs, outputs] of three to five dimensions, with inputs <= outputs.

    Raises, when called:
      ValueError: for other shapes.
    """

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        if not 3 <= len(shape) <= 5:
            raise ValueError(
                "The tensor to initialize must be at least three-dimensional and at most "
                "five-dimensional"
            )
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        q = orthogonal_columns([shape[-1], shape[-1]], dtype, self.seed, full_matrices=False)
        q = q[: shape[-2], :]
        q *= ops.cast(self.gain, dtype=dtype)
        center = [(size - 1) // 2 for size in shape[:-2]]
        return ops.scatter_nd([center], ops.expand_dims(q, 0), shape)


class _ConvolutionOrthogonal(_ConvolutionInitializer):
    """Random orthogonal kernel over `_axes` axes of equal size, composed of kernels of size 2.

    Xiao et al., "Dynamical Isometry and a Mean Field Theory of CNNs", 2018.
    """

    _axes: int
    _rank_in_words: str

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        if len(shape) != self._axes + 2:
            raise ValueError(f"The tensor to initialize must be {self._rank_in_words}-dimensional")
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        if len(set(shape[: self._axes])) > 1:
            raise ValueError("Kernel sizes must be equal.")
        kernel = self._kernel(shape[0], shape[-2], shape[-1])
        return kernel * ops.cast(self.gain, dtype=dtype)

    def _kernel(self, size: int, inputs: int, outputs: int) -> Any:
        matrix = self._orthogonal(outputs)[0:inputs, :]
        if size == 1:
            for _ in range(self._axes):
                matrix = ops.expand_dims(matrix, 0)
            return matrix
        parts = self._block(outputs)
        for wider in range(3, size + 1):
            parts = self._convolve(parts, wider - 1, self._block(outputs), outputs)
        for position in product(range(size), repeat=self._axes):
            parts[position] = ops.matmul(matrix, parts[position])
        return self._stack(parts, size, ())

    def _next_seed(self) -> int | None:
        seed = self.seed
        if self.seed:
            self.seed += 1
        return seed

    def _orthogonal(self, n: int) -> Any:
        return orthogonal_columns([n, n], self.dtype, self._next_seed())

    def _projection(self, n: int) -> Any:
        q = self._orthogonal(n)
        mask = ops.random_normal([n], seed=self._next_seed()) > 0
        columns = ops.multiply(q, ops.cast(mask, self.dtype))
        return ops.matmul(columns, ops.matrix_transpose(columns))

    def _block(self, n: int) -> _Parts:
        """Returns a random orthogonal kernel of size 2."""
        projections = [self._projection(n) for _ in range(self._axes)]
        eye = ops.eye(n, dtype=self.dtype)
        return {
            position: reduce(
                ops.matmul, [self._factor(i, p, eye) for i, p in zip(position, projections)]
            )
            for position in product(range(2), repeat=self._axes)
        }

    def _factor(self, position: int, projection: Any, eye: Any) -> Any:
        return projection if position == 0 else eye - projection

    def _convolve(self, wide: _Parts, size: int, block: _Parts, n: int) -> _Parts:
        """Composes a kernel of this size with one of size 2, to a kernel that is equivalent to convolving with both."""
        result: _Parts = {}
        for position in product(range(size + 1), repeat=self._axes):
            total = ops.zeros([n, n], self.dtype)
            for first in product(*(range(min(size, i + 1)) for i in position)):
                second = tuple(i - j for i, j in zip(position, first))
                if max(second) < 2:
                    total += ops.matmul(wide[first], block[second])
            result[position] = total
        return result

    def _stack(self, parts: _Parts, size: int, position: tuple[int, ...]) -> Any:
        if len(position) == self._axes:
            return parts[position]
        return ops.stack([self._stack(parts, size, (*position, i)) for i in range(size)])


class ConvolutionOrthogonal1D(_ConvolutionOrthogonal):
    """A random orthogonal kernel [size, inputs, outputs], times `gain`; inputs <= outputs."""

    _axes = 1
    _rank_in_words = "three"


class ConvolutionOrthogonal2D(_ConvolutionOrthogonal):
    """A random orthogonal kernel [size, size, inputs, outputs], times `gain`; inputs <= outputs."""

    _axes = 2
    _rank_in_words = "four"


class ConvolutionOrthogonal3D(_ConvolutionOrthogonal):
    """A random orthogonal kernel [size, size, size, inputs, outputs], times `gain`; inputs <= outputs."""

    _axes = 3
    _rank_in_words = "five"

    def _factor(self, position: int, projection: Any, eye: Any) -> Any:
        return position * projection + (1 - position) * (eye - projection)
