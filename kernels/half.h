// 16-bit floating-point storage: computations use float32, and stores round to nearest.
#pragma once

#ifndef CUDA_ON_CPU
// Avoids cuda_fp16.h, which NVRTC finds only if a toolkit is installed.
__device__ __forceinline__ unsigned short half_of_float(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
__device__ __forceinline__ float float_of_half(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
#endif

struct Half {
  unsigned short bits;
  Half() = default;
  __device__ __forceinline__ Half(float value) : bits(half_of_float(value)) {}
  __device__ __forceinline__ operator float() const { return float_of_half(bits); }
};
struct alignas(8) Half4 {
  Half x, y, z, w;
};

// The type in which an element type is computed.
template <class T>
struct Computed {
  typedef T Type;
};
template <>
struct Computed<Half> {
  typedef float Type;
};
#define NUMBER(T) typename Computed<T>::Type
