"""Quadrature: points and weights that approximate an integral, and the mixture distribution built from them."""
