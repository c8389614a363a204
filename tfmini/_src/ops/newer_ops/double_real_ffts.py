"""RFFT and IRFFT in double precision."""

from tfmini._src.ops.signal.fft import declare_of_real, declare_to_real

for _rank in (1, 2, 3):
    declare_of_real(_rank, "double", "complex128")
    declare_to_real(_rank, "double", "complex128")
