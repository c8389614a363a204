// Sums and extremes of a row in sixteen lanes: the order of the additions is the same on every processor.
#pragma once

#include "elementary.h"

constexpr int LANES = 16;

// Bytes of the processor's vectors: of wider ones the compiler makes comparisons element by element.
#if defined(__AVX512F__)
constexpr int VECTOR = 64;
#elif defined(__AVX2__)
constexpr int VECTOR = 32;
#else
constexpr int VECTOR = 16;
#endif

template <class T>
inline T sum_of(const T* __restrict lanes) {
  T half[LANES / 2];
  for (int k = 0; k < LANES / 2; ++k) half[k] = lanes[k] + lanes[k + LANES / 2];
  return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// The largest (or smallest) element and `limit`; NaN if there is one and `nan_counts`, else without those that are NaN.
template <bool largest, bool nan_counts, class T>
inline T extreme_of(const T* __restrict row, Index count, T limit) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr int WIDTH = VECTOR / sizeof(T);
  Vector mosts = Vector{} + limit, sums = {};
  Index i = 0;
  for (; i + WIDTH <= count; i += WIDTH) {
    Vector x;
    std::memcpy(&x, row + i, sizeof x);
    mosts = (largest ? x > mosts : x < mosts) ? x : mosts;
    if (nan_counts) sums += x - x;  // NaN for NaN and the infinities
  }
  T most = limit, sum = T(0);
  for (int k = 0; k < WIDTH; ++k) {
    most = (largest ? mosts[k] > most : mosts[k] < most) ? mosts[k] : most;
    sum += sums[k];
  }
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

// The largest element; NaN if there is one.
template <class T>
inline T largest_of(const T* __restrict row, Index count) {
  return extreme_of<true, true>(row, count, -std::numeric_limits<T>::infinity());
}

// sum of value(i) for i from 0 to count - 1; `value` may store what it computes.
template <class T, class Value>
inline T sum_over(Index count, Value value) {
  T lanes[LANES] = {};
  Index i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int k = 0; k < LANES; ++k) lanes[k] += value(i + k);
  for (int k = 0; i + k < count; ++k) lanes[k] += value(i + k);
  return sum_of(lanes);
}
