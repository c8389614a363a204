"""SparseTensor ops: conversions, reductions, matrix products, segments, crosses."""
