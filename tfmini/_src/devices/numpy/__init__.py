"""Kernels written with NumPy functions, for NumPy or CuPy arrays: windows, sampling, hashes, random streams."""
