// Row sums and extremes in sixteen lanes: the summation order is the same on every processor.
#pragma once

#include "elementary.h"

// For loops of few rounds whose local arrays are to stay in registers.
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

constexpr int LANES = 16;

template <class T>
inline T sum_of(const T* __restrict lanes) {
  T half[LANES / 2];
  for (int k = 0; k < LANES / 2; ++k) half[k] = lanes[k] + lanes[k + LANES / 2];
  return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// The largest (or smallest) of `limit` and the row's elements. NaN propagates if `nan_counts`, else it is ignored.
template <bool largest, bool nan_counts, class T>
inline T extreme_of(const T* __restrict row, Index count, T limit) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr int WIDTH = VECTOR / sizeof(T);
  constexpr int UNROLL = 4;  // independent vectors, to hide the latency of comparisons
  Vector most_of[UNROLL], sum_of[UNROLL];
  for (int v = 0; v < UNROLL; ++v) most_of[v] = Vector{} + limit, sum_of[v] = Vector{};
  auto take = [&](int v, Index first) {
    Vector x;
    std::memcpy(&x, row + first, sizeof x);
    most_of[v] = (largest ? x > most_of[v] : x < most_of[v]) ? x : most_of[v];
    if (nan_counts) sum_of[v] += x - x;  // NaN for NaN and infinities
  };
  Index i = 0;
  for (; i + UNROLL * WIDTH <= count; i += UNROLL * WIDTH)
    UNROLLED for (int v = 0; v < UNROLL; ++v) take(v, i + v * WIDTH);
  for (; i + WIDTH <= count; i += WIDTH) take(0, i);
  Vector mosts = most_of[0], sums = (sum_of[0] + sum_of[1]) + (sum_of[2] + sum_of[3]);
  for (int v = 1; v < UNROLL; ++v) mosts = (largest ? most_of[v] > mosts : most_of[v] < mosts) ? most_of[v] : mosts;
  T lanes[WIDTH], lost[WIDTH];
  std::memcpy(lanes, &mosts, sizeof mosts);
  std::memcpy(lost, &sums, sizeof sums);
  for (int half = WIDTH / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) {
      lanes[k] = (largest ? lanes[k + half] > lanes[k] : lanes[k + half] < lanes[k]) ? lanes[k + half] : lanes[k];
      lost[k] += lost[k + half];
    }
  T most = lanes[0], sum = lost[0];
  for (; i < count; ++i) {
    T x = row[i];
    most = (largest ? x > most : x < most) ? x : most;
    sum += nan_counts ? x - x : T(0);
  }
  if (nan_counts && sum != sum)
    for (i = 0; i < count; ++i)
      if (row[i] != row[i]) return row[i];
  return most;
}

// The largest element; NaN propagates.
template <class T>
inline T largest_of(const T* __restrict row, Index count) {
  return extreme_of<true, true>(row, count, -std::numeric_limits<T>::infinity());
}

// Sum of value(i) for i from 0 to count - 1, in four accumulators of sixteen lanes to hide the latency of additions.
template <class T, class Value>
inline T sum_over(Index count, Value value) {
  constexpr int TOGETHER = 4 * LANES;
  T lanes[TOGETHER] = {};
  Index i = 0;
  for (; i + TOGETHER <= count; i += TOGETHER)
    for (int k = 0; k < TOGETHER; ++k) lanes[k] += value(i + k);
  for (int k = 0; i + k < count; ++k) lanes[k] += value(i + k);
  for (int k = 0; k < LANES; ++k) lanes[k] = (lanes[k] + lanes[k + LANES]) + (lanes[k + 2 * LANES] + lanes[k + 3 * LANES]);
  return sum_of(lanes);
}

// Sums a row, or its squares, to sixteen lanes, in the order of `sum_over`, one vector at a time.
template <bool squares = false, class T>
inline void sum_lanes(const T* __restrict row, Index count, T* __restrict result) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr int WIDTH = VECTOR / sizeof(T), TOGETHER = 4 * LANES, UNROLL = TOGETHER / WIDTH, EACH = LANES / WIDTH;
  Vector sums[UNROLL] = {};
  auto take = [&](int v, Index first) {
    Vector x;
    std::memcpy(&x, row + first, sizeof x);
    sums[v] += squares ? x * x : x;
  };
  Index i = 0;
  for (; i + TOGETHER <= count; i += TOGETHER)
    UNROLLED for (int v = 0; v < UNROLL; ++v) take(v, i + v * WIDTH);
  if (i < count) {
    int whole = 0;
    UNROLLED
    for (int v = 0; v < UNROLL; ++v)
      if (i + (v + 1) * WIDTH <= count) take(v, i + v * WIDTH), whole = v + 1;
    T lanes[TOGETHER];
    std::memcpy(lanes, sums, sizeof lanes);
    for (Index k = whole * WIDTH; i + k < count; ++k) lanes[k] += squares ? row[i + k] * row[i + k] : row[i + k];
    std::memcpy(sums, lanes, sizeof lanes);
  }
  UNROLLED
  for (int v = 0; v < EACH; ++v) {
    const Vector sum = (sums[v] + sums[v + EACH]) + (sums[v + 2 * EACH] + sums[v + 3 * EACH]);
    std::memcpy(result + v * WIDTH, &sum, sizeof sum);
  }
}

// The sum of a vector's elements, or of their squares.
template <bool squares, class T>
inline T total(const T* x, Index count) {
  T lanes[LANES];
  sum_lanes<squares>(x, count, lanes);
  return sum_of(lanes);
}

// Sums the rows `begin` to `end` of a contiguous matrix.
template <class T>
NOINLINE void row_sums(const T* x, T* result, Index begin, Index end, Index columns) {
  constexpr Index TOGETHER = 8;  // rows, to hide the latency of summing one row's lanes
  T lanes[TOGETHER][LANES];
  for (Index row = begin; row < end; row += TOGETHER) {
    const Index some = end - row < TOGETHER ? end - row : TOGETHER;
    for (Index r = 0; r < some; ++r) sum_lanes(x + (row + r) * columns, columns, lanes[r]);
    for (Index r = 0; r < some; ++r) result[row + r] = sum_of(lanes[r]);
  }
}
