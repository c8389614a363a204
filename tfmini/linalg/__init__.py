"""tf.linalg: matrices."""

from tfmini.ops.clipping import global_norm
from tfmini.ops.contractions import cross, norm, tensordot
from tfmini.ops.decompositions import adjoint, qr
from tfmini.ops.decompositions import matrix_triangular_solve as triangular_solve
from tfmini.ops.products import matmul, matvec
from tfmini.ops.reducing import trace
from tfmini.ops.statistics import l2_normalize
