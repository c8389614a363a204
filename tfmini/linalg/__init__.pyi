from tfmini._src.probability.linear_operators.linear_operator import LinearOperator as LinearOperator
from tfmini._src.probability.linear_operators.derived_operators import LinearOperatorAdjoint as LinearOperatorAdjoint
from tfmini._src.probability.linear_operators.block_operators import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from tfmini._src.probability.linear_operators.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from tfmini._src.probability.linear_operators.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from tfmini._src.probability.linear_operators.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from tfmini._src.probability.linear_operators.derived_operators import LinearOperatorComposition as LinearOperatorComposition
from tfmini._src.probability.linear_operators.explicit_matrices import LinearOperatorDiag as LinearOperatorDiag
from tfmini._src.probability.linear_operators.explicit_matrices import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from tfmini._src.probability.linear_operators.householder import LinearOperatorHouseholder as LinearOperatorHouseholder
from tfmini._src.probability.linear_operators.identity import LinearOperatorIdentity as LinearOperatorIdentity
from tfmini._src.probability.linear_operators.derived_operators import LinearOperatorInversion as LinearOperatorInversion
from tfmini._src.probability.linear_operators.block_operators import LinearOperatorKronecker as LinearOperatorKronecker
from tfmini._src.probability.linear_operators.low_rank_update import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from tfmini._src.probability.linear_operators.explicit_matrices import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from tfmini._src.probability.linear_operators.identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from tfmini._src.probability.linear_operators.circulant import LinearOperatorToeplitz as LinearOperatorToeplitz
from tfmini._src.probability.linear_operators.zeros import LinearOperatorZeros as LinearOperatorZeros
from tfmini._src.ops.linalg.trace_adjoint import adjoint as adjoint
from tfmini import matrix_band_part as _band_part; band_part = _band_part
from tfmini import cholesky as cholesky
from tfmini import cholesky_solve as cholesky_solve
from tfmini import cross as cross
from tfmini import matrix_determinant as _det; det = _det
from tfmini import matrix_diag as _diag; diag = _diag
from tfmini import matrix_diag_part as _diag_part; diag_part = _diag_part
from tfmini import self_adjoint_eig as _eigh; eigh = _eigh
from tfmini import self_adjoint_eigvals as _eigvalsh; eigvalsh = _eigvalsh
from tfmini import einsum as einsum
from tfmini._src.ops.linalg.expm import expm as expm
from tfmini import eye as eye
from tfmini import global_norm as global_norm
from tfmini import matrix_inverse as _inv; inv = _inv
from tfmini.nn import l2_normalize as l2_normalize
from tfmini._src.ops.linalg.determinant import logdet as logdet
from tfmini._src.ops.linalg.matrix_functions import matrix_logarithm as _logm; logm = _logm
from tfmini import matrix_solve_ls as _lstsq; lstsq = _lstsq
from tfmini._src.ops.linalg.factorizations import lu as lu
from tfmini import matmul as matmul
from tfmini._src.ops.linalg.spectral_decompositions import matrix_rank as matrix_rank
from tfmini import matrix_transpose as matrix_transpose
from tfmini._src.ops.linalg.matmul import matvec as matvec
from tfmini import norm as norm
from tfmini._src.ops.math.normalization import normalize as normalize
from tfmini._src.ops.linalg.spectral_decompositions import pinv as pinv
from tfmini import qr as qr
from tfmini import matrix_set_diag as _set_diag; set_diag = _set_diag
from tfmini._src.ops.linalg.determinant import log_matrix_determinant as _slogdet; slogdet = _slogdet
from tfmini import matrix_solve as _solve; solve = _solve
from tfmini import matrix_square_root as _sqrtm; sqrtm = _sqrtm
from tfmini import svd as svd
from tfmini import diag as _tensor_diag; tensor_diag = _tensor_diag
from tfmini import diag_part as _tensor_diag_part; tensor_diag_part = _tensor_diag_part
from tfmini import tensordot as tensordot
from tfmini import trace as trace
from tfmini import matrix_transpose as _transpose; transpose = _transpose
from tfmini import matrix_triangular_solve as _triangular_solve; triangular_solve = _triangular_solve
from tfmini._src.ops.linalg.tridiagonal import tridiagonal_matmul as tridiagonal_matmul
from tfmini._src.ops.linalg.tridiagonal import tridiagonal_solve as tridiagonal_solve
