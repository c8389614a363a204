"""Operators of circulant matrices in one to three dimensions and of Toeplitz matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.array.transpose import rotate
from tfmini._src.probability.linear_operators.algebra import rule
from tfmini._src.probability.linear_operators.batches import broadcast_batches
from tfmini._src.probability.linear_operators.explicit_matrices import (
    assert_no_zeros,
    assert_real,
)
from tfmini._src.probability.linear_operators.hints import known_hints, product_hints
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator

_FFT_NAMES = {1: "fft", 2: "fft2d", 3: "fft3d"}
_IFFT_NAMES = {1: "ifft", 2: "ifft2d", 3: "ifft3d"}


def _to_complex(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return x
    return ops.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


class _BaseCirculant(LinearOperator):
    """Base class of circulant operators, which multiply by the spectrum between two Fourier transforms."""

    block_depth: int = read_only(
        "The number of dimensions of the spectrum of one matrix: 1, 2 or 3."
    )
    spectrum: Tensor = read_only("The eigenvalues: the Fourier transform of the first column.")

    def _init(self, spectrum: Any, depth: int, dtype: Any, hints: dict, name: str) -> None:
        self._name = name
        self._block_depth = depth
        with name_scope(name, values=[spectrum]):
            self._spectrum = ops.convert_to_tensor(spectrum, name="spectrum")
            rank = self._spectrum.shape.ndims
            if rank is not None and rank < depth:
                raise ValueError(
                    f"Argument spectrum must have at least {depth} dimensions.  Found: "
                    f"{self._spectrum}"
                )
            if not self._spectrum.dtype.is_complex:
                if hints["is_self_adjoint"] is False:
                    raise ValueError(
                        "A real spectrum always corresponds to a self-adjoint operator."
                    )
                hints["is_self_adjoint"] = True
            if hints["is_square"] is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            hints["is_square"] = True
            self._block = ops.shape(self._spectrum)[-depth:]
            self._spectrum_complex = _to_complex(self._spectrum)
            self._abs_spectrum = ops.abs(self._spectrum)
            self._conj_spectrum = ops.conj(self._spectrum_complex)
            super().__init__(
                dtypes.as_dtype(dtype), graph_parents=[self._spectrum], name=name, **hints
            )

    @property
    def block_shape(self) -> TensorShape:
        """Static shape of the spectrum of one matrix."""
        return self._spectrum.shape[-self._block_depth :]

    def block_shape_tensor(self) -> Tensor:
        """Returns the shape of the spectrum of one matrix as an int32 tensor."""
        return self._block

    def _axes(self) -> list[int]:
        return [-(i + 1) for i in range(self._block_depth)]

    def _fft(self, x: Tensor) -> Tensor:
        return getattr(ops, _FFT_NAMES[self._block_depth])(_to_complex(x))

    def _ifft(self, x: Tensor) -> Tensor:
        return getattr(ops, _IFFT_NAMES[self._block_depth])(_to_complex(x))

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """Returns the convolution kernel of products: the first column in the shape of the spectrum."""
        with self._name_scope(name):
            return ops.cast(self._ifft(self._spectrum_complex), self.dtype)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """Returns an op that fails unless the spectrum belongs to a real matrix, up to rounding."""
        epsilon = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            limit = epsilon * self.domain_dimension_tensor()
            part = ops.abs(ops.imag(self.convolution_kernel()))
            return ops.assert_less(part, limit, message="Spectrum was not Hermitian")

    def _shape(self) -> TensorShape:
        shape: Any = self._spectrum.shape
        block = shape[-self._block_depth :]
        size = int(np.prod(block.as_list())) if block.is_fully_defined() else None
        return shape[: -self._block_depth].concatenate(TensorShape([size, size]))

    def _shape_tensor(self) -> Tensor:
        shape = ops.shape(self._spectrum)
        batch = shape[: -self._block_depth]
        size = ops.reduce_prod(shape[-self._block_depth :])
        return ops.concat((batch, [size, size]), 0)

    def _assert_non_singular(self) -> Any:
        return assert_no_zeros(
            self._spectrum, "Singular operator:  Spectrum contained zero values."
        )

    def _assert_positive_definite(self) -> Any:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return ops.assert_positive(ops.real(self._spectrum), message=message)

    def _assert_self_adjoint(self) -> Any:
        return assert_real(
            self._spectrum, "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        )

    def _to_blocks(self, matrix: Tensor) -> Tensor:
        """Moves the columns to the front and reshapes each one to the shape of the spectrum."""
        vectors = rotate(matrix, 1)
        if vectors.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            shape: Any = vectors.shape[:-1].concatenate(self.block_shape)
        else:
            shape = ops.concat((ops.shape(vectors)[:-1], self._block), 0)
        return ops.reshape(vectors, shape)

    def _from_blocks(self, blocks: Tensor) -> Tensor:
        depth = self._block_depth
        if blocks.shape.is_fully_defined():
            dims: Any = blocks.shape.as_list()
            shape: Any = [*dims[:-depth], np.prod(dims[-depth:])]
        else:
            dims = ops.shape(blocks)
            batch = dims[:-depth]
            shape = ops.concat((batch, [ops.reduce_prod(dims[-depth:])]), 0)
        return rotate(ops.reshape(blocks, shape), -1)

    def _broadcast(self, x: Tensor, spectrum: Tensor) -> tuple[Tensor, Tensor]:
        columns = ops.reshape(spectrum, ops.concat((self.batch_shape_tensor(), [-1, 1]), axis=0))
        x, columns = broadcast_batches([x, columns])
        batch = ops.shape(x)[:-2]
        return x, ops.reshape(columns, ops.concat((batch, self._block), axis=0))

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = ops.adjoint(x) if adjoint_arg else x
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        x, spectrum = self._broadcast(ops.cast(x, spectrum.dtype), spectrum)
        transformed = self._fft(self._to_blocks(x))
        result = self._from_blocks(self._ifft(spectrum * transformed))
        return ops.cast(result, self.dtype)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        rhs, spectrum = self._broadcast(rhs, spectrum)
        transformed = self._fft(self._to_blocks(rhs))
        result = self._from_blocks(self._ifft(transformed / spectrum))
        return ops.cast(result, self.dtype)

    def _determinant(self) -> Tensor:
        return ops.cast(ops.reduce_prod(self._spectrum, axis=self._axes()), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        total = ops.reduce_sum(ops.log(self._abs_spectrum), axis=self._axes())
        return ops.cast(total, self.dtype)

    def _diag_part(self) -> Tensor:
        if self.shape.is_fully_defined():
            shape: Any = self.shape[:-1]
            size: Any = self.domain_dimension.value
        else:
            shape = self.shape_tensor()[:-1]
            size = self.domain_dimension_tensor()
        ones = ops.ones(shape, dtype=self.dtype)
        value = self.trace() / ops.cast(size, self.dtype)
        return value[..., None] * ones

    def _trace(self) -> Tensor:
        if self._spectrum.shape.is_fully_defined():
            rank: Any = self._spectrum.shape.ndims
            axes: Any = np.arange(rank - self._block_depth, rank, dtype=np.int32)
        else:
            rank = ops.rank(self._spectrum)
            axes = ops.range(rank - self._block_depth, rank)
        real = ops.reduce_sum(ops.real(self._spectrum), axis=axes)
        if not self.dtype.is_complex:
            return ops.cast(real, self.dtype)
        if self.is_self_adjoint:
            imaginary = ops.zeros_like(real)
        else:
            imaginary = ops.reduce_sum(ops.imag(self._spectrum), axis=axes)
        return ops.cast(ops.complex(real, imaginary), self.dtype)


class LinearOperatorCirculant(_BaseCirculant):
    """Circulant matrices, in which each column is the previous column rotated down by one.

        tf.linalg.LinearOperatorCirculant([6.0, 4.0, 3.0])    # eigenvalues, real: self-adjoint

    Args:
      spectrum: [..., n] tensor, the Fourier transforms of the first columns.
      input_output_dtype: dtype of operands and products.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: if `spectrum` is a scalar, `is_square` is False, or `is_self_adjoint` is False for a real spectrum.
    """

    @arguments_of(
        LinearOperator, "dtype", "graph_parents", is_square=True, name="LinearOperatorCirculant"
    )
    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: DTypeLike = dtypes.complex64,
        *,
        name: str,
        **hints: Any,
    ):
        self._init(spectrum, 1, input_output_dtype, hints, name)


class LinearOperatorCirculant2D(_BaseCirculant):
    """Block-circulant matrices with circulant blocks; products are convolutions of images.

    Args:
      spectrum: [..., n0, n1] tensor, the Fourier transforms of the kernels; the matrices have n0 * n1 rows.
      input_output_dtype: dtype of operands and products.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: as in LinearOperatorCirculant.
    """

    @arguments_of(LinearOperatorCirculant, name="LinearOperatorCirculant2D")
    def __init__(self, spectrum: Any, input_output_dtype: DTypeLike, name: str, **hints: Any):
        self._init(spectrum, 2, input_output_dtype, hints, name)


class LinearOperatorCirculant3D(_BaseCirculant):
    """Block-circulant matrices whose blocks are circulant in two dimensions.

    Args:
      spectrum: [..., n0, n1, n2] tensor, the Fourier transforms of the kernels.
      input_output_dtype: dtype of operands and products.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: as in LinearOperatorCirculant.
    """

    @arguments_of(LinearOperatorCirculant, name="LinearOperatorCirculant3D")
    def __init__(self, spectrum: Any, input_output_dtype: DTypeLike, name: str, **hints: Any):
        self._init(spectrum, 3, input_output_dtype, hints, name)


class LinearOperatorToeplitz(LinearOperator):
    """Toeplitz matrices, which have constant diagonals. Products use a circulant matrix of twice the size.

        tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0])    # [[1, 3], [2, 1]]

    Args:
      col: [..., n] tensor, the first columns.
      row: [..., n] tensor, the first rows; the first element is replaced by the first element of `col`.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints about the matrices.

    Raises:
      ValueError: for scalars, if the sizes differ, or if `is_square` is False.
    """

    col: Tensor = read_only("The first columns, [..., n].")
    row: Tensor = read_only("The first rows, [..., n].")

    @arguments_of(LinearOperator, "dtype", "graph_parents", name="LinearOperatorToeplitz")
    def __init__(self, col: Any, row: Any, is_square: bool | None, name: str, **hints: Any):
        with name_scope(name, values=[row, col]):
            self._row = ops.convert_to_tensor(row, name="row")
            self._col = ops.convert_to_tensor(col, name="col")
            self._check_sizes()
            end = ops.zeros_like(self._col[..., 0:1])
            reversed_row = ops.reverse(self._row[..., 1:], axis=[-1])
            column = ops.concat([self._col, end, reversed_row], axis=-1)
            spectrum = ops.fft(_to_complex(column))
            self._circulant = LinearOperatorCirculant(spectrum, input_output_dtype=self._row.dtype)
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            super().__init__(
                dtype=self._row.dtype,
                graph_parents=[self._row, self._col],
                is_square=True,
                name=name,
                **hints,
            )

    def _check_sizes(self) -> None:
        for name, tensor in (("row", self._row), ("col", self._col)):
            if tensor.shape.ndims is not None and tensor.shape.ndims < 1:
                raise ValueError(
                    f"Argument {name} must have at least 1 dimension.  Found: {tensor}"
                )
        rows, columns = self._row.shape[-1], self._col.shape[-1]
        if rows is not None and columns is not None and rows != columns:
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")

    def _shape(self) -> TensorShape:
        shape = ops.broadcast_static_shape(self._row.shape, self._col.shape)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Tensor:
        shape = ops.broadcast_dynamic_shape(ops.shape(self._row), ops.shape(self._col))
        return ops.concat((shape, [shape[-1]]), 0)

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return ops.assert_equal(self._row, self._col, message=message)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = ops.adjoint(x) if adjoint_arg else x
        padded_x = ops.concat([x, ops.zeros_like(x)], axis=-2)
        result = self._circulant.matmul(padded_x, adjoint=adjoint, adjoint_arg=False)
        return ops.cast(result[..., : self.domain_dimension_tensor(), :], self.dtype)

    def _trace(self) -> Tensor:
        return ops.cast(self.domain_dimension_tensor(), dtype=self.dtype) * self._col[..., 0]

    def _diag_part(self) -> Tensor:
        first = self._col[..., 0:1]
        return first * ops.ones([self.domain_dimension_tensor()], self.dtype)


@rule("Adjoint", LinearOperatorCirculant)
def _(operator):
    spectrum = operator.spectrum
    spectrum = ops.conj(spectrum) if spectrum.dtype.is_complex else spectrum
    return LinearOperatorCirculant(spectrum, **{**known_hints(operator), "is_square": True})


@rule("Inverse", LinearOperatorCirculant)
def _(operator):
    spectrum = 1.0 / operator.spectrum
    return LinearOperatorCirculant(spectrum, **{**known_hints(operator), "is_square": True})


@rule("Matmul", LinearOperatorCirculant, LinearOperatorCirculant)
def _(a, b):
    return LinearOperatorCirculant(a.spectrum * b.spectrum, **product_hints(a, b))


@rule("Solve", LinearOperatorCirculant, LinearOperatorCirculant)
def _(a, b):
    return LinearOperatorCirculant(b.spectrum / a.spectrum, **product_hints(a, b))
