// Helpers shared by the kernels: type names, grid-stride loops, block-wide reductions.
//
// Kernels are extern "C" functions with the type in their name (softmax_f32). Sizes are 64-bit. No sum uses
// floating-point atomics, so identical launches are bitwise reproducible.
#pragma once

typedef long long Index;
typedef unsigned long long Word64;

// KERNEL(name)(parameters) declares a kernel. If ONLY and ONLY_name are defined, all other kernels become
// uninstantiated templates: CHOSEN(ONLY_name) is 1 if ONLY_name is defined as 1, else 0.
#ifdef ONLY
#define KERNEL(NAME) PASTE(KERNEL_, CHOSEN(ONLY_##NAME)) NAME
#define WIDE_KERNEL(NAME) PASTE(WIDE_KERNEL_, CHOSEN(ONLY_##NAME)) NAME
#else
#define KERNEL(NAME) KERNEL_1 NAME
#define WIDE_KERNEL(NAME) WIDE_KERNEL_1 NAME
#endif
#define KERNEL_0 template <int> __global__ void
#define KERNEL_1 extern "C" __global__ void
#define PASTE(A, B) PASTE_(A, B)
#define PASTE_(A, B) A##B
#define CHOSEN(NAME) CHOSEN_(NAME)
#define CHOSEN_(VALUE) SECOND(COMMA_##VALUE 1, 0)
#define COMMA_1 ,
#define SECOND(...) SECOND_(__VA_ARGS__, 0)
#define SECOND_(A, B, ...) B
// A kernel for up to 512 threads per block with at most 128 registers each: doubles need more than the 64 available
// with 1,024 threads, or with two blocks per multiprocessor. Other kernels have at most 256 threads per block.
#define WIDE_KERNEL_0 template <int> __global__ void __launch_bounds__(512, 1)
#define WIDE_KERNEL_1 extern "C" __global__ void __launch_bounds__(512, 1)
#define ALL_LANES 0xffffffffu

// Executes the following statement for i starting at the index of this thread, in steps of the grid size.
#define GRID_STRIDE(i, n) GRID_STRIDE_BY(Index, i, n)
#define GRID_STRIDE_BY(Number, i, n)                                  \
  for (Number i = (Number)blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
       i += (Number)gridDim.x * blockDim.x)

// Calls FUNCTION<..., Number>(...) with 32-bit indices if `size` permits, because 32-bit division is several times as
// fast. Grids have far fewer than 2^31 threads, so steps do not overflow.
#define SIZED(size, FUNCTION, TYPES, ...)   \
  if ((size) < 1ll << 31)                   \
    FUNCTION<TYPES, unsigned>(__VA_ARGS__); \
  else                                      \
    FUNCTION<TYPES, Word64>(__VA_ARGS__)

// Expands MAKE(T, name) for each type.
#define FOR_FLOATS(MAKE) MAKE(float, f32) MAKE(double, f64)
#define FOR_NUMBERS(MAKE) FOR_FLOATS(MAKE) MAKE(int, i32) MAKE(Index, i64)

// Expands MAKE(T, bytes) for each element width, for kernels that only move elements.
struct alignas(16) Wide {
  Index first, second;
};
#define FOR_WIDTHS(MAKE) \
  MAKE(unsigned char, 1) MAKE(unsigned short, 2) MAKE(unsigned, 4) MAKE(Word64, 8) MAKE(Wide, 16)

// Type limits without C++ library headers.
template <class T>
struct Limits;
template <>
struct Limits<float> {
  static __device__ float lowest() { return -__int_as_float(0x7f800000); }
};
template <>
struct Limits<double> {
  static __device__ double lowest() { return -__longlong_as_double(0x7ff0000000000000ll); }
};
template <>
struct Limits<int> {
  static __device__ int lowest() { return -2147483647 - 1; }
};
template <>
struct Limits<Index> {
  static __device__ Index lowest() { return -9223372036854775807ll - 1; }
};

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
// Returns the larger operand; NaN propagates.
struct Largest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b > a || b != b ? b : a;
  }
};

// Reduces one value per thread over the blockDim.x threads of a row; all of them receive the result. blockDim.x is 32,
// where the block may have several rows along y, or a larger multiple of 32. `scratch` holds 32 values. The summation
// order depends only on blockDim.x.
template <class T, class Combine>
__device__ T reduce_row(T value, Combine combine, T start, T* scratch) {
  for (int other = 16; other; other >>= 1)
    value = combine(value, __shfl_xor_sync(ALL_LANES, value, other));
  if (blockDim.x == 32) return value;
  int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
  __syncthreads();  // `scratch` may still be read from an earlier call
  if (lane == 0) scratch[threadIdx.x >> 5] = value;
  __syncthreads();
  value = lane < warps ? scratch[lane] : start;
  for (int other = 16; other; other >>= 1)
    value = combine(value, __shfl_xor_sync(ALL_LANES, value, other));
  return value;
}

// Loops over the rows assigned to the threads of this block along y.
#define FOR_ROWS(row, rows)                                             \
  for (Index row = (Index)blockIdx.x * blockDim.y + threadIdx.y; row < (rows); \
       row += (Index)gridDim.x * blockDim.y)
