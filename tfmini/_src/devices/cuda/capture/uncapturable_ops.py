"""Ops known in advance to be uncapturable: a failed recording would cost the step its time, and the plan a
recompilation.

Their kernels call libraries whose CuPy wrappers reject a capturing stream (cuSOLVER and cuBLAS, `setStream` in
cupy_backends/cuda/libs), or synchronize with the GPU. cuFFT itself can be captured (cupy/cuda/cufft.pyx does not ask),
but a plan that CuPy keeps has its work area outside the graph's memory, where another plan's transform may be under
way.
"""

from __future__ import annotations

_TRANSFORMS = tuple(
    f"{kind}FFT{rank}" for kind in ("", "I", "R", "IR") for rank in ("", "2D", "3D")
)
_SOLVERS = (
    *("Cholesky", "LogMatrixDeterminant", "MatrixDeterminant", "MatrixInverse", "MatrixSolve"),
    *("SelfAdjointEigV2", "Svd"),
)
# cupy.einsum, whose products are cuBLAS's.
_PRODUCTS = ("Einsum",)
# How many rows there are is asked of the card: by `nonzero` (cupy/_core/_routines_indexing.pyx), of the last id.
_COUNTS = ("DynamicPartition", "SegmentSum", "Where")

# Whose functions of CuPy wait for the card, for how many places there are or whether a matrix has what is asked for.
WAITING = frozenset(
    ("Cholesky", "MatrixInverse", "MatrixSolve", "SelfAdjointEigV2", "Svd", "Where")
)

# By kind and op, as plans record failures.
KNOWN_UNCAPTURABLE = frozenset(
    ("op", name) for name in (*_TRANSFORMS, *_SOLVERS, *_PRODUCTS, *_COUNTS)
)
