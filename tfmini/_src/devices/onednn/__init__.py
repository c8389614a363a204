"""Convolution, pooling, batch normalization and products of float32 by oneDNN, where it is installed."""
