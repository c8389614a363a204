"""Kernels written in numpy's functions, for numpy's arrays or CuPy's: windows, sampling, hashes, random streams."""
