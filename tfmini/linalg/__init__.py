"""tf.linalg: matrices."""

from tfmini.hints import no_attributes as _no_attributes
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
from tfmini.linear_operators.matrices import (
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorLowerTriangular,
)
from tfmini.linear_operators.operator import LinearOperator
from tfmini.ops.clipping import global_norm
from tfmini.ops.contractions import cross, norm, tensordot
from tfmini.ops.decompositions import adjoint, qr
from tfmini.ops.decompositions import matrix_triangular_solve as triangular_solve
from tfmini.ops.determinants import log_matrix_determinant as slogdet
from tfmini.ops.determinants import logdet
from tfmini.ops.determinants import matrix_determinant as det
from tfmini.ops.diagonals import diag as tensor_diag
from tfmini.ops.diagonals import diag_part as tensor_diag_part
from tfmini.ops.diagonals import eye
from tfmini.ops.diagonals import matrix_band_part as band_part
from tfmini.ops.diagonals import matrix_diag as diag
from tfmini.ops.diagonals import matrix_diag_part as diag_part
from tfmini.ops.diagonals import matrix_set_diag as set_diag
from tfmini.ops.eigenvalues import matrix_rank, pinv, svd
from tfmini.ops.eigenvalues import self_adjoint_eig as eigh
from tfmini.ops.eigenvalues import self_adjoint_eigvals as eigvalsh
from tfmini.ops.einsum import einsum
from tfmini.ops.matrix_exponentials import expm
from tfmini.ops.matrix_functions import matrix_logarithm as logm
from tfmini.ops.matrix_functions import matrix_square_root as sqrtm
from tfmini.ops.moving import matrix_transpose
from tfmini.ops.moving import matrix_transpose as transpose
from tfmini.ops.products import matmul, matvec
from tfmini.ops.reducing import trace
from tfmini.ops.solving import matrix_inverse as inv
from tfmini.ops.solving import matrix_solve as solve
from tfmini.ops.solving import matrix_solve_ls as lstsq
from tfmini.ops.statistics import l2_normalize, normalize
from tfmini.ops.triangles import cholesky, cholesky_solve, lu

__all__ = [name for name in globals() if not name.startswith("_")]

__getattr__ = _no_attributes(__name__, globals())
