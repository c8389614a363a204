"""tf.sparse: tensors given by their elements and the places of these."""

from tfmini.graph.values import SparseTensor
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.constants import sparse_placeholder as placeholder
from tfmini.ops.array.selecting import sparse_mask as mask
from tfmini.ops.queues.accumulator_objects import (
    SparseConditionalAccumulator,
)
from tfmini.ops.sparse.sparse_crosses import sparse_cross as cross
from tfmini.ops.sparse.sparse_crosses import sparse_cross_hashed as cross_hashed
from tfmini.ops.sparse.sparse_dense import from_dense
from tfmini.ops.sparse.sparse_dense import sparse_tensor_to_dense as to_dense
from tfmini.ops.sparse.sparse_dense import sparse_to_indicator as to_indicator
from tfmini.ops.sparse.sparse_elementwise import sparse_maximum as maximum
from tfmini.ops.sparse.sparse_elementwise import sparse_minimum as minimum
from tfmini.ops.sparse.sparse_elementwise import sparse_softmax as softmax
from tfmini.ops.sparse.sparse_matrices import sparse_eye as eye
from tfmini.ops.sparse.sparse_matrices import sparse_tensor_dense_matmul as matmul
from tfmini.ops.sparse.sparse_matrices import sparse_tensor_dense_matmul as sparse_dense_matmul
from tfmini.ops.sparse.sparse_orders import sparse_expand_dims as expand_dims
from tfmini.ops.sparse.sparse_orders import sparse_merge as merge
from tfmini.ops.sparse.sparse_orders import sparse_reorder as reorder
from tfmini.ops.sparse.sparse_orders import sparse_reset_shape as reset_shape
from tfmini.ops.sparse.sparse_orders import sparse_reshape as reshape
from tfmini.ops.sparse.sparse_orders import sparse_transpose as transpose
from tfmini.ops.sparse.sparse_parts import sparse_concat as concat
from tfmini.ops.sparse.sparse_parts import sparse_retain as retain
from tfmini.ops.sparse.sparse_parts import sparse_slice as slice
from tfmini.ops.sparse.sparse_parts import sparse_split as split
from tfmini.ops.sparse.sparse_reductions import sparse_reduce_max as reduce_max
from tfmini.ops.sparse.sparse_reductions import sparse_reduce_max_sparse as reduce_max_sparse
from tfmini.ops.sparse.sparse_reductions import sparse_reduce_sum as reduce_sum
from tfmini.ops.sparse.sparse_reductions import sparse_reduce_sum_sparse as reduce_sum_sparse
from tfmini.ops.sparse.sparse_rows import sparse_fill_empty_rows as fill_empty_rows
from tfmini.ops.sparse.sparse_segments import sparse_segment_mean as segment_mean
from tfmini.ops.sparse.sparse_segments import sparse_segment_sqrt_n as segment_sqrt_n
from tfmini.ops.sparse.sparse_segments import sparse_segment_sum as segment_sum
from tfmini.ops.sparse.sparse_sums import sparse_add as add

__all__ = [
    "SparseConditionalAccumulator",
    "SparseTensor",
    "add",
    "concat",
    "cross",
    "cross_hashed",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "mask",
    "matmul",
    "maximum",
    "merge",
    "minimum",
    "placeholder",
    "reduce_max",
    "reduce_max_sparse",
    "reduce_sum",
    "reduce_sum_sparse",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]
_namespace(globals())
