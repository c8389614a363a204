// Adds a bias to each channel, optionally followed by ReLU.
#include "basics.h"
#include "half.h"

// x is [outer, channels, inner]; inner is 1 if channels are last.
template <class T, class Number>
__device__ void add_bias(const T* __restrict__ x, const T* __restrict__ bias, T* __restrict__ y,
                         Number size, Number channels, Number inner, bool rectify) {
#pragma unroll 4
  GRID_STRIDE_BY(Number, i, size) {
    NUMBER(T) value = x[i] + bias[i / inner % channels];
    y[i] = rectify && value < 0 ? 0 : value;
  }
}

#define MAKE(T, NAME)                                                                 \
  KERNEL(bias_add_##NAME)(const T* __restrict__ x, const T* __restrict__ bias,        \
                         T* __restrict__ y, Index size, Index channels, Index inner,  \
                         bool rectify) {                                              \
    SIZED(size, add_bias, T, x, bias, y, size, channels, inner, rectify);             \
  }
FOR_NUMBERS(MAKE)
MAKE(Half, f16)
#undef MAKE

// Computes the gradient of ReLU: the incoming gradient where its output is positive, 0 elsewhere.
template <class T>
__device__ void relu_gradient(const T* __restrict__ gradient, const T* __restrict__ result,
                              T* __restrict__ y, Index size) {
#pragma unroll 4
  GRID_STRIDE(i, size) y[i] = result[i] > 0 ? gradient[i] : T(0);
}

#define MAKE(T, NAME)                                                                       \
  KERNEL(relu_gradient_##NAME)(const T* __restrict__ gradient, const T* __restrict__ result, \
                              T* __restrict__ y, Index size) {                              \
    relu_gradient(gradient, result, y, size);                                               \
  }
FOR_FLOATS(MAKE)
MAKE(Half, f16)
#undef MAKE
