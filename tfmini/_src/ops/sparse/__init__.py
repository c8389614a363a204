"""SparseTensor: indices, values and dense shape; conversions, reductions, products by rows, segments, crosses."""
