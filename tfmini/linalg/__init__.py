"""tf.linalg: matrices."""

from tfmini.ops.products import matmul, matvec
from tfmini.ops.reducing import trace
