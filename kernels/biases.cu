// Adding a bias to each channel, with or without the rectifier after it.
#include "basics.h"

// x is [outer, channels, inner]; inner is 1 where the channels come last.
template <class T, class Number>
__device__ void add_bias(const T* x, const T* bias, T* y, Number size, Number channels,
                         Number inner, bool rectify) {
  GRID_STRIDE_BY(Number, i, size) {
    T value = x[i] + bias[i / inner % channels];
    y[i] = rectify && value < 0 ? T(0) : value;
  }
}

#define MAKE(T, NAME)                                                                 \
  KERNEL bias_add_##NAME(const T* x, const T* bias, T* y, Index size, Index channels, \
                         Index inner, bool rectify) {                                 \
    SIZED(size, add_bias, T, x, bias, y, size, channels, inner, rectify);             \
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
