// Adding a bias to each channel, with or without the rectifier after it.
#include "basics.h"

// x is [outer, channels, inner]; inner is 1 where the channels come last. 32-bit division is several
// times as fast as 64-bit, so `Number` is unsigned where the size allows it.
template <class T, class Number>
__device__ void add_bias(const T* x, const T* bias, T* y, Number size, Number channels,
                         Number inner, bool rectify) {
  Number step = gridDim.x * blockDim.x;
  for (Number i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) {
    T value = x[i] + bias[i / inner % channels];
    y[i] = rectify && value < 0 ? T(0) : value;
    if (size - i <= step) break;  // i + step may not be representable
  }
}

#define MAKE(T, NAME)                                                                        \
  KERNEL bias_add_##NAME(const T* x, const T* bias, T* y, Index size, Index channels,        \
                         Index inner, bool rectify) {                                        \
    if (size < 1ll << 31)                                                                    \
      add_bias<T, unsigned>(x, bias, y, size, channels, inner, rectify);                     \
    else                                                                                     \
      add_bias<T, Word64>(x, bias, y, size, channels, inner, rectify);                       \
  }
FOR_NUMBERS(MAKE)
#undef MAKE

// The rectifier's gradient: what arrives where its result was positive.
#define MAKE(T, NAME)                                                                 \
  KERNEL relu_gradient_##NAME(const T* gradient, const T* result, T* y, Index size) { \
    GRID_STRIDE(i, size) y[i] = result[i] > 0 ? gradient[i] : T(0);                   \
  }
FOR_FLOATS(MAKE)
#undef MAKE
