"""Linear algebra: products, contractions, einsum, decompositions, solving, functions of matrices."""
