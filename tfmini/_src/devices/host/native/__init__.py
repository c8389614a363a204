"""CPU kernels in `kernels/cpu`, compiled C functions called by ctypes, where NumPy needs many passes.

numpy remains the complete reference: where the libraries are not built, or `TFMINI_NATIVE=0` is in the environment,
or arrays do not suit, all of it is computed by numpy.
"""
