"""The CPU's kernels of `kernels/cpu`, compiled C functions called by ctypes, where numpy makes many passes.

numpy remains the complete reference: where the libraries are not built, or `TFMINI_NATIVE=0` is in the environment,
or arrays do not suit, all of it is computed by numpy.
"""
