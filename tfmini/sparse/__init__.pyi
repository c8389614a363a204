from tfmini import SparseConditionalAccumulator as SparseConditionalAccumulator
from tfmini import SparseTensor as SparseTensor
from tfmini import sparse_add as _add; add = _add
from tfmini import sparse_concat as _concat; concat = _concat
from tfmini._src.ops.sparse.sparse_cross import sparse_cross as _cross; cross = _cross
from tfmini._src.ops.sparse.sparse_cross import sparse_cross_hashed as _cross_hashed; cross_hashed = _cross_hashed
from tfmini._src.ops.sparse.sparse_index_ops import sparse_expand_dims as _expand_dims; expand_dims = _expand_dims
from tfmini._src.ops.sparse.sparse_tensor_dense_matmul import sparse_eye as _eye; eye = _eye
from tfmini import sparse_fill_empty_rows as _fill_empty_rows; fill_empty_rows = _fill_empty_rows
from tfmini._src.ops.sparse.sparse_to_dense import from_dense as from_dense
from tfmini import sparse_mask as _mask; mask = _mask
from tfmini import sparse_tensor_dense_matmul as _matmul; matmul = _matmul
from tfmini import sparse_maximum as _maximum; maximum = _maximum
from tfmini import sparse_merge as _merge; merge = _merge
from tfmini import sparse_minimum as _minimum; minimum = _minimum
from tfmini import sparse_placeholder as _placeholder; placeholder = _placeholder
from tfmini import sparse_reduce_max as _reduce_max; reduce_max = _reduce_max
from tfmini import sparse_reduce_max_sparse as _reduce_max_sparse; reduce_max_sparse = _reduce_max_sparse
from tfmini import sparse_reduce_sum as _reduce_sum; reduce_sum = _reduce_sum
from tfmini import sparse_reduce_sum_sparse as _reduce_sum_sparse; reduce_sum_sparse = _reduce_sum_sparse
from tfmini import sparse_reorder as _reorder; reorder = _reorder
from tfmini import sparse_reset_shape as _reset_shape; reset_shape = _reset_shape
from tfmini import sparse_reshape as _reshape; reshape = _reshape
from tfmini import sparse_retain as _retain; retain = _retain
from tfmini import sparse_segment_mean as _segment_mean; segment_mean = _segment_mean
from tfmini import sparse_segment_sqrt_n as _segment_sqrt_n; segment_sqrt_n = _segment_sqrt_n
from tfmini import sparse_segment_sum as _segment_sum; segment_sum = _segment_sum
from tfmini import sparse_slice as _slice; slice = _slice
from tfmini import sparse_softmax as _softmax; softmax = _softmax
from tfmini import sparse_tensor_dense_matmul as _sparse_dense_matmul; sparse_dense_matmul = _sparse_dense_matmul
from tfmini import sparse_split as _split; split = _split
from tfmini import sparse_tensor_to_dense as _to_dense; to_dense = _to_dense
from tfmini import sparse_to_indicator as _to_indicator; to_indicator = _to_indicator
from tfmini import sparse_transpose as _transpose; transpose = _transpose
