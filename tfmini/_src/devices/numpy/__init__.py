"""Kernels written with numpy's functions for NumPy or CuPy arrays: windows, sampling, hashes, random streams."""
