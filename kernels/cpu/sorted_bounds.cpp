// Insertion positions of values in sorted rows, by binary search.

#include "threads.h"

namespace {

// The first position whose element is not less than `wanted` or, with `behind`, greater. NaN compares as in
// std::lower_bound and std::upper_bound.
template <bool behind, class T>
inline Index bound(const T* line, Index size, T wanted) {
  Index first = 0;
  while (size > 0) {
    const Index half = size / 2, at = first + half;
    const bool later = behind ? !(wanted < line[at]) : line[at] < wanted;
    first = later ? at + 1 : first;
    size = later ? size - half - 1 : half;
  }
  return first;
}

template <bool behind, class T>
void bounds(const T* lines, const T* values, Index* result, Index rows, Index size, Index wanted, Index threads) {
  in_rows(rows, wanted * 8, threads, [=](Index begin, Index end) {
    for (Index i = begin * wanted; i < end * wanted; ++i)
      result[i] = bound<behind>(lines + i / wanted * size, size, values[i]);
  });
}

}  // namespace

// lines [rows, size], values and result [rows, wanted].
#define BOUNDS(suffix, T)                                                                                    \
  EXPORT void lower_bounds_##suffix(const T* lines, const T* values, Index* result, Index rows, Index size,  \
                                    Index wanted, Index threads) {                                           \
    bounds<false>(lines, values, result, rows, size, wanted, threads);                                       \
  }                                                                                                          \
  EXPORT void upper_bounds_##suffix(const T* lines, const T* values, Index* result, Index rows, Index size,  \
                                    Index wanted, Index threads) {                                           \
    bounds<true>(lines, values, result, rows, size, wanted, threads);                                        \
  }

BOUNDS(f32, float)
BOUNDS(f64, double)
BOUNDS(i32, std::int32_t)
BOUNDS(i64, std::int64_t)
