"""Mathematical kernels: integer division, complex exponentials, histograms, matrix square roots and logarithms."""
