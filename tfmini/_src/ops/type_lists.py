"""Lists of dtypes that families of ops accept, in the order of TensorFlow's OpDefs."""

from tfmini._src.base.dtypes import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint32,
    quint8,
    uint8,
    uint16,
    uint32,
    uint64,
)

COMPLEX = (complex64, complex128)
FLOATS = (bfloat16, float16, float32, float64)
HALF_TO_DOUBLE = (float16, bfloat16, float32, float64)
FLOATS_COMPLEX = (*FLOATS, *COMPLEX)
SIGNED = (*FLOATS, int32, int64)
SIGNED_COMPLEX = (*SIGNED, *COMPLEX)
SMALL_AND_SIGNED_COMPLEX = (*FLOATS, uint8, int8, uint16, int16, int32, int64, *COMPLEX)
NO_NAN = (float16, float32, float64, *COMPLEX)
SINGLE_DOUBLE = (float32, float64)
BITS = (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
REAL_NUMBERS = (
    *(float32, float64, int32, uint8, int16, int8, int64),
    *(bfloat16, uint16, float16, uint32, uint64),
)
NUMBERS = (
    *(float32, float64, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32),
    *(bfloat16, uint16, complex128, float16, uint32, uint64),
)
