"""tf.linalg: matrices."""

from tfmini.ops.products import matmul, matvec
from tfmini.ops.reducing import trace
from tfmini.ops.statistics import l2_normalize
