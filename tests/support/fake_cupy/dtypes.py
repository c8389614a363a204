"""CuPy's dtypes, and casts that are undefined behavior in C++."""

import ml_dtypes
import numpy as np

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
ALLOWED = frozenset(np.dtype(char) for char in "?bBhHiIlLqQefdFD") | {BFLOAT16}


def check_dtype(dtype):
    """The NumPy dtype; CuPy lacks object, string and datetime dtypes."""
    dtype = np.dtype(dtype)
    if dtype not in ALLOWED and dtype.kind != "V":
        raise ValueError(f"Unsupported dtype {dtype}")
    if dtype.byteorder == ">":
        raise ValueError(f"Unsupported dtype {dtype}")
    return dtype


def garbled_cast(values, dtype, order="K"):
    """`values.astype(dtype)`; floats out of the integer's range become arbitrary numbers."""
    result = values.astype(dtype, order)
    if dtype.kind in "iu" and (values.dtype.kind in "fc" or values.dtype == BFLOAT16):
        if values.dtype.kind == "c":
            values = values.real
        values = values.astype(np.float64)
        info = np.iinfo(dtype)
        whole = np.trunc(values)
        wrong = ~((whole >= info.min) & (whole < float(info.max) + 1))
        if wrong.any():
            result[wrong] = np.array(0x5A5A5A5A5A5A5A5A).astype(dtype)
    return result
