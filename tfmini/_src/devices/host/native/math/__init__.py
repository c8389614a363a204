"""Functions of numbers and of matrices: division of integers, complex exponentials, histograms, matrix logarithms."""
