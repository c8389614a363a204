// What a kernel sees on the CPU in place of CUDA's built-ins: indices, barriers, warp operations,
// atomics, vector types and the mathematical functions that the host's library lacks or names apart.
//
// Everything that involves other threads is a call into scheduler.cpp. Reads and writes of memory
// are calls as well: the compiler inserts them (-fsanitize=thread) and checks.cpp answers them.
#pragma once
#include <stdint.h>
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS  // Bessel functions of C++17: most of the header, and no kernel calls them
#include <math.h>
#include <string.h>

#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __constant__ static const
#define __grid_constant__
#define __align__(n) alignas(n)
#define warpSize 32
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDA_PLAIN __attribute__((no_sanitize("thread")))

#define CUDA_ON_CPU
CUDA_PLAIN static inline unsigned short half_of_float(float value) {
  _Float16 half = (_Float16)value;
  unsigned short bits;
  memcpy(&bits, &half, 2);
  return bits;
}
CUDA_PLAIN static inline float float_of_half(unsigned short bits) {
  _Float16 half;
  memcpy(&half, &bits, 2);
  return (float)half;
}

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
};

extern "C" {
uint3 cuda_thread_index(void);
uint3 cuda_block_index(void);
dim3 cuda_block_size(void);
dim3 cuda_grid_size(void);
void* cuda_dynamic_shared(void);
void cuda_barrier(int line);
int cuda_barrier_count(int predicate, int line);
// All lanes of `mask` meet; each gets the value of the lane it asks for.
uint64_t cuda_exchange(unsigned mask, uint64_t value, int lane, int line);
// All lanes of `mask` meet; each gets the bits of the lanes whose predicate holds.
unsigned cuda_ballot(unsigned mask, int predicate, int line);
void cuda_meet(unsigned mask, int line);
void* cuda_static_shared(void* key, size_t size, const char* name);
void cuda_atomic(void* address, unsigned size);
}

#define threadIdx (cuda_thread_index())
#define blockIdx (cuda_block_index())
#define blockDim (cuda_block_size())
#define gridDim (cuda_grid_size())

static inline void __syncthreads(int line = __builtin_LINE()) { cuda_barrier(line); }
static inline int __syncthreads_count(int p, int line = __builtin_LINE()) {
  return cuda_barrier_count(p, line);
}
static inline int __syncthreads_or(int p, int line = __builtin_LINE()) {
  return cuda_barrier_count(p, line) > 0;
}
static inline int __syncthreads_and(int p, int line = __builtin_LINE()) {
  return cuda_barrier_count(!p, line) == 0;
}
static inline void __syncwarp(unsigned mask = ~0u, int line = __builtin_LINE()) {
  cuda_meet(mask, line);
}
static inline void __threadfence() {}
static inline void __threadfence_block() {}

static inline int cuda_lane() {
  uint3 t = cuda_thread_index();
  dim3 b = cuda_block_size();
  return (t.x + b.x * (t.y + b.y * t.z)) & 31;
}
template <class T>
CUDA_PLAIN T cuda_shuffle(unsigned mask, T value, int lane, int line) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  bits = cuda_exchange(mask, bits, lane, line);
  memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T __shfl_sync(unsigned mask, T v, int source, int width = 32, int line = __builtin_LINE()) {
  int first = cuda_lane() & ~(width - 1);
  return cuda_shuffle(mask, v, first + (source & (width - 1)), line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32, int line = __builtin_LINE()) {
  int lane = cuda_lane(), other = lane ^ bits;
  return cuda_shuffle(mask, v, (other & ~(width - 1)) > (lane & ~(width - 1)) ? lane : other, line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32, int line = __builtin_LINE()) {
  int lane = cuda_lane(), inside = lane & (width - 1);
  return cuda_shuffle(mask, v, inside + (int)by < width ? lane + (int)by : lane, line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32, int line = __builtin_LINE()) {
  int lane = cuda_lane(), inside = lane & (width - 1);
  return cuda_shuffle(mask, v, inside >= (int)by ? lane - (int)by : lane, line);
}
static inline unsigned __ballot_sync(unsigned mask, int p, int line = __builtin_LINE()) {
  return cuda_ballot(mask, p, line);
}
static inline int __any_sync(unsigned mask, int p, int line = __builtin_LINE()) {
  return cuda_ballot(mask, p, line) != 0;
}
static inline int __all_sync(unsigned mask, int p, int line = __builtin_LINE()) {
  return cuda_ballot(mask, !p, line) == 0;
}

// Threads are switched only at barriers and warp operations, so a plain update is atomic here.
#define CUDA_ATOMIC(NAME, UPDATE)             \
  template <class T>                          \
  CUDA_PLAIN T NAME(T* p, T v) {              \
    cuda_atomic((void*)p, sizeof(T));         \
    T old = *p;                               \
    *p = UPDATE;                              \
    return old;                               \
  }
CUDA_ATOMIC(atomicAdd, old + v)
CUDA_ATOMIC(atomicSub, old - v)
CUDA_ATOMIC(atomicMax, old > v ? old : v)
CUDA_ATOMIC(atomicMin, old < v ? old : v)
CUDA_ATOMIC(atomicOr, old | v)
CUDA_ATOMIC(atomicAnd, old & v)
CUDA_ATOMIC(atomicExch, v)
#undef CUDA_ATOMIC
template <class T>
CUDA_PLAIN T atomicCAS(T* p, T expected, T v) {
  cuda_atomic((void*)p, sizeof(T));
  T old = *p;
  if (old == expected) *p = v;
  return old;
}

#define CUDA_VECTORS(T, NAME)                                                                  \
  struct alignas(2 * sizeof(T)) NAME##2 {                                                      \
    T x, y;                                                                                    \
  };                                                                                           \
  struct alignas(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) NAME##4 {                                 \
    T x, y, z, w;                                                                              \
  };                                                                                           \
  static inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                            \
  static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
CUDA_VECTORS(float, float)
CUDA_VECTORS(double, double)
CUDA_VECTORS(int, int)
CUDA_VECTORS(unsigned, uint)
CUDA_VECTORS(long long, longlong)
CUDA_VECTORS(unsigned long long, ulonglong)
#undef CUDA_VECTORS

template <class T>
T __ldg(const T* p) {
  return *p;
}
template <class To, class From>
CUDA_PLAIN To cuda_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static inline float __uint_as_float(unsigned v) { return cuda_bits<float>(v); }
static inline float __int_as_float(int v) { return cuda_bits<float>(v); }
static inline unsigned __float_as_uint(float v) { return cuda_bits<unsigned>(v); }
static inline int __float_as_int(float v) { return cuda_bits<int>(v); }
static inline double __longlong_as_double(long long v) { return cuda_bits<double>(v); }
static inline long long __double_as_longlong(double v) { return cuda_bits<long long>(v); }

static inline unsigned __umulhi(unsigned a, unsigned b) { return (uint64_t)a * b >> 32; }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __clz(int v) { return v ? __builtin_clz(v) : 32; }

// <math.h> of glibc 2.42 has functions of these names, which round once.
#define rsqrtf cuda_rsqrtf
#define rsqrt cuda_rsqrt
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}
