// Reductions over the rows or columns of a matrix. The summation order depends only on the sizes, so results are
// bitwise reproducible.
#include "basics.h"
#include "columns.h"
#include "half.h"

template <class T, class Combine>
__device__ void reduce_rows(const T* x, T* y, Index rows, Index columns, Combine combine, T start) {
  __shared__ T scratch[32];
  FOR_ROWS(row, rows) {
    T value = start;
    for (Index i = threadIdx.x; i < columns; i += blockDim.x)
      value = combine(value, x[row * columns + i]);
    value = reduce_row(value, combine, start, scratch);
    if (threadIdx.x == 0) y[row] = value;
  }
}

#define MAKE(T, NAME)                                                                \
  WIDE_KERNEL(row_sums_##NAME)(const T* x, T* y, Index rows, Index columns) {             \
    reduce_rows(x, y, rows, columns, Sum(), T(0));                                   \
  }                                                                                  \
  WIDE_KERNEL(row_maxima_##NAME)(const T* x, T* y, Index rows, Index columns) {           \
    reduce_rows(x, y, rows, columns, Largest(), Limits<T>::lowest());                \
  }
FOR_NUMBERS(MAKE)
#undef MAKE

// Computes column sums: a block of 256 threads [rows, columns], both powers of two, processes as many columns and
// `height` rows. With several blocks along y, a second launch reduces the partial sums [gridDim.y, columns].
template <class T, class Sums>
__device__ void sum_columns(const T* x, Sums* sums, Index rows, Index columns, Index height) {
  __shared__ NUMBER(T) scratch[256];
  Index column = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  Index first = (Index)blockIdx.y * height;
  Index end = first + height < rows ? first + height : rows;
  NUMBER(T) sum = 0;
  if (column < columns)
    for (Index row = first + threadIdx.y; row < end; row += blockDim.y) sum += x[row * columns + column];
  sum = sum_column(sum, scratch);
  if (threadIdx.y == 0 && column < columns) sums[blockIdx.y * columns + column] = sum;
}

#define MAKE_FOR(T, SUMS, NAME)                                                        \
  KERNEL(column_sums_##NAME)(const T* x, SUMS* sums, Index rows, Index columns, Index height) { \
    sum_columns(x, sums, rows, columns, height);                                       \
  }
#define MAKE(T, NAME) MAKE_FOR(T, T, NAME)
FOR_NUMBERS(MAKE)
MAKE(Half, f16)
MAKE_FOR(Half, float, f16_f32)
MAKE_FOR(float, Half, f32_f16)
#undef MAKE
#undef MAKE_FOR

// A candidate for the argmax (argmin) of a row; ties go to the first element. NaN counts as the smallest (largest)
// number, so it never wins.
template <class T>
struct Candidate {
  T value;
  Index index;  // -1: no candidate yet
};

template <class T, bool SMALLEST>
__device__ Candidate<T> better(Candidate<T> a, Candidate<T> b) {
  if (a.index < 0) return b;
  if (b.index < 0) return a;
  if (a.value == b.value) return b.index < a.index ? b : a;
  return (SMALLEST ? b.value < a.value : b.value > a.value) ? b : a;
}

template <class T, bool SMALLEST>
__device__ Candidate<T> make_candidate(T value, Index index) {
  if (value != value) value = SMALLEST ? -Limits<T>::lowest() : Limits<T>::lowest();
  return Candidate<T>{value, index};
}

template <class T, bool SMALLEST>
__device__ Candidate<T> warp_best(Candidate<T> candidate) {
  for (int other = 16; other; other >>= 1) {
    Candidate<T> other_candidate = {__shfl_xor_sync(ALL_LANES, candidate.value, other),
                                    __shfl_xor_sync(ALL_LANES, candidate.index, other)};
    candidate = better<T, SMALLEST>(candidate, other_candidate);
  }
  return candidate;
}

template <class T, bool SMALLEST, class Id>
__device__ void find_extremes(const T* x, Id* indices, Index rows, Index columns) {
  __shared__ T shared_values[32];
  __shared__ Index shared_indices[32];
  FOR_ROWS(row, rows) {
    Candidate<T> best = {T(0), -1};
    for (Index i = threadIdx.x; i < columns; i += blockDim.x)
      best = better<T, SMALLEST>(best, make_candidate<T, SMALLEST>(x[row * columns + i], i));
    best = warp_best<T, SMALLEST>(best);
    if (blockDim.x > 32) {
      int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
      __syncthreads();
      if (lane == 0) {
        shared_values[threadIdx.x >> 5] = best.value;
        shared_indices[threadIdx.x >> 5] = best.index;
      }
      __syncthreads();
      if (lane < warps)
        best = Candidate<T>{shared_values[lane], shared_indices[lane]};
      else
        best = Candidate<T>{T(0), -1};
      best = warp_best<T, SMALLEST>(best);
    }
    if (threadIdx.x == 0) indices[row] = best.index;
  }
}

#define MAKE_FOR(T, NAME, ID, ID_NAME)                                                         \
  WIDE_KERNEL(argmax_##NAME##_##ID_NAME)(const T* x, ID* indices, Index rows, Index columns) { \
    find_extremes<T, false>(x, indices, rows, columns);                                        \
  }                                                                                            \
  WIDE_KERNEL(argmin_##NAME##_##ID_NAME)(const T* x, ID* indices, Index rows, Index columns) { \
    find_extremes<T, true>(x, indices, rows, columns);                                         \
  }
#define MAKE(T, NAME) MAKE_FOR(T, NAME, int, i32) MAKE_FOR(T, NAME, Index, i64)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR
