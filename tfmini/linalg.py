"""tf.linalg: matrices."""

import typing as _typing

from tfmini.linear_operators import functions as _functions  # tf.matmul and others of operators
from tfmini.linear_operators.derived import (
    LinearOperatorAdjoint,
    LinearOperatorComposition,
    LinearOperatorInversion,
)
from tfmini.linear_operators.identities import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tfmini.linear_operators.late import load as _load
from tfmini.linear_operators.matrices import (
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorLowerTriangular,
)
from tfmini.linear_operators.operator import LinearOperator
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.diagonals import diag as tensor_diag
from tfmini.ops.array.diagonals import diag_part as tensor_diag_part
from tfmini.ops.array.diagonals import eye
from tfmini.ops.array.diagonals import matrix_band_part as band_part
from tfmini.ops.array.diagonals import matrix_diag as diag
from tfmini.ops.array.diagonals import matrix_diag_part as diag_part
from tfmini.ops.array.diagonals import matrix_set_diag as set_diag
from tfmini.ops.array.transposes import matrix_transpose
from tfmini.ops.array.transposes import matrix_transpose as transpose
from tfmini.ops.linalg.cholesky_lu import cholesky, cholesky_solve, lu
from tfmini.ops.linalg.contractions import cross, norm, tensordot
from tfmini.ops.linalg.decompositions import adjoint, qr
from tfmini.ops.linalg.decompositions import matrix_triangular_solve as triangular_solve
from tfmini.ops.linalg.determinants import log_matrix_determinant as slogdet
from tfmini.ops.linalg.determinants import logdet
from tfmini.ops.linalg.determinants import matrix_determinant as det
from tfmini.ops.linalg.eigenvalues import matrix_rank, pinv, svd
from tfmini.ops.linalg.eigenvalues import self_adjoint_eig as eigh
from tfmini.ops.linalg.eigenvalues import self_adjoint_eigvals as eigvalsh
from tfmini.ops.linalg.einsum import einsum
from tfmini.ops.linalg.matrix_exponentials import expm
from tfmini.ops.linalg.matrix_functions import matrix_logarithm as logm
from tfmini.ops.linalg.matrix_functions import matrix_square_root as sqrtm
from tfmini.ops.linalg.products import matmul, matvec
from tfmini.ops.linalg.solving import matrix_inverse as inv
from tfmini.ops.linalg.solving import matrix_solve as solve
from tfmini.ops.linalg.solving import matrix_solve_ls as lstsq
from tfmini.ops.math.clipping import global_norm
from tfmini.ops.math.reducing import trace
from tfmini.ops.math.statistics import l2_normalize, normalize

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.linear_operators.blocks import (
        LinearOperatorBlockDiag,
        LinearOperatorKronecker,
    )
    from tfmini.linear_operators.circulant import (
        LinearOperatorCirculant,
        LinearOperatorCirculant2D,
        LinearOperatorCirculant3D,
        LinearOperatorToeplitz,
    )
    from tfmini.linear_operators.updates import (
        LinearOperatorHouseholder,
        LinearOperatorLowRankUpdate,
    )
    from tfmini.linear_operators.zeros import (
        LinearOperatorZeros,
    )
    from tfmini.ops.linalg.tridiagonal_functions import tridiagonal_matmul, tridiagonal_solve

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorZeros",
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "transpose",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]

_namespace(globals(), _load)
