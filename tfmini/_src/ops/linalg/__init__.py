"""Linear algebra: matrix products, contractions, einsum, decompositions, solvers, matrix functions."""
