"""CPU kernels in `kernels/cpu`: compiled C++ functions for computations in which NumPy needs many passes.

numpy remains the complete reference. It computes everything if the libraries are not built, `TFMINI_NATIVE=0` is set,
or arrays are unsuitable.
"""
