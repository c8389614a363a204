"""Ops known to be uncapturable: recording them would fail, which costs time and forces a recompilation of the plan.

Their kernels call libraries whose CuPy wrappers reject a capturing stream (cuSOLVER and cuBLAS, `setStream` in
cupy_backends/cuda/libs), or synchronize with the GPU. cuFFT itself can be captured (cupy/cuda/cufft.pyx does not
check), but CuPy's cached plans keep their work area outside the graph's memory, where a transform of another plan may
be running.
"""

from __future__ import annotations

_TRANSFORM_OPS = tuple(
    f"{kind}FFT{rank}" for kind in ("", "I", "R", "IR") for rank in ("", "2D", "3D")
)
_SOLVER_OPS = (
    *("Cholesky", "LogMatrixDeterminant", "MatrixDeterminant", "MatrixInverse", "MatrixSolve"),
    *("SelfAdjointEigV2", "Svd"),
)
# cupy.einsum calls cuBLAS.
_PRODUCT_OPS = ("Einsum",)
# CuPy synchronizes to read the number of rows: `nonzero` (cupy/_core/_routines_indexing.pyx), or the last id.
_COUNTING_OPS = ("DynamicPartition", "SegmentSum", "Where")

# CuPy functions that synchronize to read a count or to check a matrix.
BLOCKING_OPS = frozenset(
    ("Cholesky", "MatrixInverse", "MatrixSolve", "SelfAdjointEigV2", "Svd", "Where")
)

# (node kind, op type) pairs, in the form in which plans record failures.
KNOWN_UNCAPTURABLE = frozenset(
    ("op", name) for name in (*_TRANSFORM_OPS, *_SOLVER_OPS, *_PRODUCT_OPS, *_COUNTING_OPS)
)
