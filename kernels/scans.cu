// Cumulative sums, products and log-sum-exps of an array [outer, length, inner] along its middle axis.
//
// `reverse` accumulates from the end; `exclusive` excludes the element itself. The operation order depends only on the
// sizes.
#include "basics.h"

struct Times {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a * b;
  }
};

// Returns log(exp(a) + exp(b)).
struct LogSumExp {
  template <class T>
  __device__ T operator()(T a, T b) const {
    if (a == b) return a + T(0.693147180559945309417232121458176568);
    T difference = a - b;
    return difference > 0 ? a + log1p(exp(-difference)) : b + log1p(exp(difference));
  }
};

// Scans with one thread per line; neighboring threads read neighboring columns.
template <class T, class Combine>
__device__ void scan_lines(const T* x, T* y, Index outer, Index length, Index inner, bool exclusive,
                           bool reverse, Combine combine, T start) {
  GRID_STRIDE(line, outer * inner) {
    Index first = line / inner * length * inner + line % inner;
    T total = start;
    for (Index i = 0; i < length; ++i) {
      Index index = first + (reverse ? length - 1 - i : i) * inner;
      T next = combine(total, x[index]);
      y[index] = exclusive ? total : next;
      total = next;
    }
  }
}

template <class T, class Combine>
__device__ T scan_warp(T value, Combine combine) {
  int lane = threadIdx.x & 31;
  for (int distance = 1; distance < 32; distance *= 2) {
    T previous = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane >= distance) value = combine(previous, value);
  }
  return value;
}

// Scans the elements `begin` to `end` of a row of `length` elements that starts at `first`, with one block, in tiles of
// blockDim.x, a multiple of 32. All threads receive the total.
template <class T, class Combine>
__device__ T scan_part(const T* x, T* y, Index first, Index length, Index begin, Index end,
                       bool exclusive, bool reverse, Combine combine, T start, T* totals) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  T carry = start;  // total of all previous tiles
  for (Index tile = begin; tile < end; tile += blockDim.x) {
    Index i = tile + threadIdx.x;
    Index index = first + (reverse ? length - 1 - i : i);
    T value = i < end ? x[index] : start;
    T inclusive = scan_warp(value, combine);
    __syncthreads();  // until the totals of the previous tile have been read
    if (lane == 31) totals[warp] = inclusive;
    __syncthreads();
    T previous = carry;
    for (int w = 0; w < warp; ++w) previous = combine(previous, totals[w]);
    T left_neighbor = __shfl_up_sync(ALL_LANES, inclusive, 1);
    if (i < end) {
      if (!exclusive)
        y[index] = combine(previous, inclusive);
      else
        y[index] = lane ? combine(previous, left_neighbor) : previous;
    }
    for (int w = 0; w < warps; ++w) carry = combine(carry, totals[w]);
  }
  return carry;
}

// Scans with one block per row (inner is 1).
template <class T, class Combine>
__device__ void scan_rows(const T* x, T* y, Index rows, Index length, bool exclusive, bool reverse,
                          Combine combine, T start) {
  __shared__ T totals[32];
  for (Index row = blockIdx.x; row < rows; row += gridDim.x)
    scan_part(x, y, row * length, length, 0, length, exclusive, reverse, combine, start, totals);
}

// Scans long rows (inner is 1): each block scans `size` elements into y, without the preceding parts, and writes its
// total to `part_totals` [rows, parts].
template <class T, class Combine>
__device__ void scan_parts(const T* x, T* y, T* part_totals, Index rows, Index length, Index size,
                           Index parts, bool exclusive, bool reverse, Combine combine, T start) {
  __shared__ T totals[32];
  for (Index number = blockIdx.x; number < rows * parts; number += gridDim.x) {
    Index row = number / parts, begin = (number - row * parts) * size;
    Index end = begin + size < length ? begin + size : length;
    T total = scan_part(x, y, row * length, length, begin, end, exclusive, reverse, combine, start,
                       totals);
    if (threadIdx.x == 0) part_totals[number] = total;
  }
}

// Combines the elements of each part with the total of the preceding parts, prefixes [rows, parts].
template <class T, class Combine>
__device__ void add_prefixes(T* y, const T* prefixes, Index rows, Index length, Index size, Index parts,
                           bool reverse, Combine combine) {
  GRID_STRIDE(i, rows * length) {
    Index row = i / length, column = i - row * length;
    Index part = (reverse ? length - 1 - column : column) / size;
    if (part) y[i] = combine(prefixes[row * parts + part], y[i]);
  }
}

#define MAKE_FOR(T, NAME, HOW, COMBINE, START)                                                            \
  KERNEL(HOW##_lines_##NAME)(const T* x, T* y, Index outer, Index length, Index inner,                    \
                            bool exclusive, bool reverse) {                                               \
    scan_lines(x, y, outer, length, inner, exclusive, reverse, COMBINE(), T(START));                      \
  }                                                                                                       \
  WIDE_KERNEL(HOW##_rows_##NAME)(const T* x, T* y, Index rows, Index length, bool exclusive,              \
                           bool reverse) {                                                                \
    scan_rows(x, y, rows, length, exclusive, reverse, COMBINE(), T(START));                               \
  }                                                                                                       \
  WIDE_KERNEL(HOW##_parts_##NAME)(const T* x, T* y, T* part_totals, Index rows, Index length, Index size, \
                                  Index parts, bool exclusive, bool reverse) {                            \
    scan_parts(x, y, part_totals, rows, length, size, parts, exclusive, reverse, COMBINE(), T(START));    \
  }                                                                                                       \
  KERNEL(HOW##_before_##NAME)(T* y, const T* prefixes, Index rows, Index length, Index size,              \
                              Index parts, bool reverse) {                                                \
    add_prefixes(y, prefixes, rows, length, size, parts, reverse, COMBINE());                             \
  }
#define MAKE(T, NAME) MAKE_FOR(T, NAME, cumsum, Sum, 0) MAKE_FOR(T, NAME, cumprod, Times, 1)
FOR_NUMBERS(MAKE)
#undef MAKE
MAKE_FOR(float, f32, cumulative_logsumexp, LogSumExp, -3.402823466e38f)
MAKE_FOR(double, f64, cumulative_logsumexp, LogSumExp, -1.7976931348623157e308)
#undef MAKE_FOR
