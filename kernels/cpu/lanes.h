// Sums and extremes of a row in sixteen lanes: the order of the additions is the same on every processor.
#pragma once

#include "elementary.h"

constexpr int LANES = 16;

template <class T>
inline T sum_of(const T* __restrict lanes) {
  T half[LANES / 2];
  for (int k = 0; k < LANES / 2; ++k) half[k] = lanes[k] + lanes[k + LANES / 2];
  return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// The largest element; NaN if there is one.
template <class T>
inline T largest_of(const T* __restrict row, Index count) {
  T lanes[LANES];
  for (int k = 0; k < LANES; ++k) lanes[k] = -std::numeric_limits<T>::infinity();
  Index i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int k = 0; k < LANES; ++k) lanes[k] = maximum(lanes[k], row[i + k]);
  for (; i < count; ++i) lanes[0] = maximum(lanes[0], row[i]);
  T most = lanes[0];
  for (int k = 1; k < LANES; ++k) most = maximum(most, lanes[k]);
  return most;
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
