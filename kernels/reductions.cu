// Reductions over a matrix's rows or columns. The summation order depends only on the sizes, so results are bitwise
// reproducible.
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

// Column sums: a block of 256 threads [rows, columns], both powers of two, processes as many columns and `height` rows.
// With several blocks along y, a second launch reduces the partial sums [gridDim.y, columns].
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

// Argmax (argmin) of a row; ties go to the first. NaN counts as the least (largest) number, so it never wins.
template <class T>
struct Found {
  T value;
  Index place;  // -1: none yet
};

template <class T, bool SMALLEST>
__device__ Found<T> better(Found<T> a, Found<T> b) {
  if (a.place < 0) return b;
  if (b.place < 0) return a;
  if (a.value == b.value) return b.place < a.place ? b : a;
  return (SMALLEST ? b.value < a.value : b.value > a.value) ? b : a;
}

template <class T, bool SMALLEST>
__device__ Found<T> candidate(T value, Index place) {
  if (value != value) value = SMALLEST ? -Limits<T>::lowest() : Limits<T>::lowest();
  return Found<T>{value, place};
}

template <class T, bool SMALLEST>
__device__ Found<T> best_of_warp(Found<T> mine) {
  for (int other = 16; other; other >>= 1) {
    Found<T> theirs = {__shfl_xor_sync(ALL_LANES, mine.value, other),
                       __shfl_xor_sync(ALL_LANES, mine.place, other)};
    mine = better<T, SMALLEST>(mine, theirs);
  }
  return mine;
}

template <class T, bool SMALLEST, class Place>
__device__ void find_extremes(const T* x, Place* places, Index rows, Index columns) {
  __shared__ T values[32];
  __shared__ Index found[32];
  FOR_ROWS(row, rows) {
    Found<T> best = {T(0), -1};
    for (Index i = threadIdx.x; i < columns; i += blockDim.x)
      best = better<T, SMALLEST>(best, candidate<T, SMALLEST>(x[row * columns + i], i));
    best = best_of_warp<T, SMALLEST>(best);
    if (blockDim.x > 32) {
      int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
      __syncthreads();
      if (lane == 0) {
        values[threadIdx.x >> 5] = best.value;
        found[threadIdx.x >> 5] = best.place;
      }
      __syncthreads();
      if (lane < warps)
        best = Found<T>{values[lane], found[lane]};
      else
        best = Found<T>{T(0), -1};
      best = best_of_warp<T, SMALLEST>(best);
    }
    if (threadIdx.x == 0) places[row] = best.place;
  }
}

#define MAKE_FOR(T, NAME, PLACE, PLACE_NAME)                                              \
  WIDE_KERNEL(argmax_##NAME##_##PLACE_NAME)(const T* x, PLACE* places, Index rows, Index columns) { \
    find_extremes<T, false>(x, places, rows, columns);                                    \
  }                                                                                       \
  WIDE_KERNEL(argmin_##NAME##_##PLACE_NAME)(const T* x, PLACE* places, Index rows, Index columns) { \
    find_extremes<T, true>(x, places, rows, columns);                                     \
  }
#define MAKE(T, NAME) MAKE_FOR(T, NAME, int, i32) MAKE_FOR(T, NAME, Index, i64)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR
