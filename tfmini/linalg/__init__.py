"""tf.linalg: matrices."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.clipping import global_norm
from tfmini.ops.contractions import cross, norm, tensordot
from tfmini.ops.decompositions import adjoint, qr
from tfmini.ops.decompositions import matrix_triangular_solve as triangular_solve
from tfmini.ops.diagonals import diag as tensor_diag
from tfmini.ops.diagonals import diag_part as tensor_diag_part
from tfmini.ops.diagonals import eye
from tfmini.ops.diagonals import matrix_band_part as band_part
from tfmini.ops.diagonals import matrix_diag as diag
from tfmini.ops.diagonals import matrix_diag_part as diag_part
from tfmini.ops.diagonals import matrix_set_diag as set_diag
from tfmini.ops.moving import matrix_transpose
from tfmini.ops.moving import matrix_transpose as transpose
from tfmini.ops.products import matmul, matvec
from tfmini.ops.reducing import trace
from tfmini.ops.statistics import l2_normalize

__getattr__ = _no_attributes(__name__, globals())
