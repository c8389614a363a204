// Row sums and extremes in sixteen lanes, so that the summation order is the same on every processor.
#pragma once

#include "elementary.h"

// Fully unrolls short loops whose local arrays should stay in registers.
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

constexpr int LANES = 16;

template <class T>
inline T reduce_lanes(const T* __restrict lanes) {
  T half[LANES / 2];
  for (int k = 0; k < LANES / 2; ++k) half[k] = lanes[k] + lanes[k + LANES / 2];
  return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// Returns the largest (or smallest) of `limit` and the elements of a row. NaN propagates if `propagates_nan` is true
// and is ignored otherwise.
template <bool largest, bool propagates_nan, class T>
inline T row_extreme(const T* __restrict row, Index count, T limit) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr int WIDTH = VECTOR / sizeof(T);
  constexpr int UNROLL = 4;  // independent vectors, to hide the latency of comparisons
  Vector extremes[UNROLL], nan_sums[UNROLL];
  for (int v = 0; v < UNROLL; ++v) extremes[v] = Vector{} + limit, nan_sums[v] = Vector{};
  auto update = [&](int v, Index first) {
    Vector x;
    std::memcpy(&x, row + first, sizeof x);
    extremes[v] = (largest ? x > extremes[v] : x < extremes[v]) ? x : extremes[v];
    if (propagates_nan) nan_sums[v] += x - x;  // NaN for NaN and infinities
  };
  Index i = 0;
  for (; i + UNROLL * WIDTH <= count; i += UNROLL * WIDTH)
    UNROLLED for (int v = 0; v < UNROLL; ++v) update(v, i + v * WIDTH);
  for (; i + WIDTH <= count; i += WIDTH) update(0, i);
  Vector extreme_vector = extremes[0], nan_vector = (nan_sums[0] + nan_sums[1]) + (nan_sums[2] + nan_sums[3]);
  for (int v = 1; v < UNROLL; ++v)
    extreme_vector =
        (largest ? extremes[v] > extreme_vector : extremes[v] < extreme_vector) ? extremes[v] : extreme_vector;
  T lanes[WIDTH], nan_lanes[WIDTH];
  std::memcpy(lanes, &extreme_vector, sizeof extreme_vector);
  std::memcpy(nan_lanes, &nan_vector, sizeof nan_vector);
  for (int half = WIDTH / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) {
      lanes[k] = (largest ? lanes[k + half] > lanes[k] : lanes[k + half] < lanes[k]) ? lanes[k + half] : lanes[k];
      nan_lanes[k] += nan_lanes[k + half];
    }
  T result = lanes[0], nan_sum = nan_lanes[0];
  for (; i < count; ++i) {
    T x = row[i];
    result = (largest ? x > result : x < result) ? x : result;
    nan_sum += propagates_nan ? x - x : T(0);
  }
  if (propagates_nan && nan_sum != nan_sum)
    for (i = 0; i < count; ++i)
      if (row[i] != row[i]) return row[i];
  return result;
}

// Returns the largest element; NaN propagates.
template <class T>
inline T row_max(const T* __restrict row, Index count) {
  return row_extreme<true, true>(row, count, -std::numeric_limits<T>::infinity());
}

// Returns the sum of value(i) for i from 0 to count - 1, using four accumulators of sixteen lanes to hide the latency
// of additions.
template <class T, class Value>
inline T sum_values(Index count, Value value) {
  constexpr int BATCH = 4 * LANES;
  T lanes[BATCH] = {};
  Index i = 0;
  for (; i + BATCH <= count; i += BATCH)
    for (int k = 0; k < BATCH; ++k) lanes[k] += value(i + k);
  for (int k = 0; i + k < count; ++k) lanes[k] += value(i + k);
  for (int k = 0; k < LANES; ++k)
    lanes[k] = (lanes[k] + lanes[k + LANES]) + (lanes[k + 2 * LANES] + lanes[k + 3 * LANES]);
  return reduce_lanes(lanes);
}

// Sums a row, or the squares of its elements, into sixteen lanes, in the order of `sum_values`, one vector at a time.
template <bool squares = false, class T>
inline void sum_lanes(const T* __restrict row, Index count, T* __restrict result) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr int WIDTH = VECTOR / sizeof(T), BATCH = 4 * LANES, UNROLL = BATCH / WIDTH,
                VECTORS_PER_LANES = LANES / WIDTH;
  Vector sums[UNROLL] = {};
  auto add_vector = [&](int v, Index first) {
    Vector x;
    std::memcpy(&x, row + first, sizeof x);
    sums[v] += squares ? x * x : x;
  };
  Index i = 0;
  for (; i + BATCH <= count; i += BATCH) UNROLLED for (int v = 0; v < UNROLL; ++v) add_vector(v, i + v * WIDTH);
  if (i < count) {
    int full_vectors = 0;
    UNROLLED
    for (int v = 0; v < UNROLL; ++v)
      if (i + (v + 1) * WIDTH <= count) add_vector(v, i + v * WIDTH), full_vectors = v + 1;
    T lanes[BATCH];
    std::memcpy(lanes, sums, sizeof lanes);
    for (Index k = full_vectors * WIDTH; i + k < count; ++k) lanes[k] += squares ? row[i + k] * row[i + k] : row[i + k];
    std::memcpy(sums, lanes, sizeof lanes);
  }
  UNROLLED
  for (int v = 0; v < VECTORS_PER_LANES; ++v) {
    const Vector sum =
        (sums[v] + sums[v + VECTORS_PER_LANES]) + (sums[v + 2 * VECTORS_PER_LANES] + sums[v + 3 * VECTORS_PER_LANES]);
    std::memcpy(result + v * WIDTH, &sum, sizeof sum);
  }
}

// Returns the sum of the elements of a vector, or of their squares.
template <bool squares, class T>
inline T total(const T* x, Index count) {
  T lanes[LANES];
  sum_lanes<squares>(x, count, lanes);
  return reduce_lanes(lanes);
}

// Sums the rows `begin` to `end` of a contiguous matrix.
template <class T>
NOINLINE void row_sums(const T* x, T* result, Index begin, Index end, Index columns) {
  constexpr Index BATCH = 8;  // rows per batch, to hide the latency of summing the lanes of one row
  T lanes[BATCH][LANES];
  for (Index row = begin; row < end; row += BATCH) {
    const Index count = end - row < BATCH ? end - row : BATCH;
    for (Index r = 0; r < count; ++r) sum_lanes(x + (row + r) * columns, columns, lanes[r]);
    for (Index r = 0; r < count; ++r) result[row + r] = reduce_lanes(lanes[r]);
  }
}
