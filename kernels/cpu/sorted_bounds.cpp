// Insertion positions of values in sorted rows, by binary search.

#include "threads.h"

namespace {

// Returns the first position whose element is not less than `value` or, if `upper`, is greater. NaN compares as in
// std::lower_bound and std::upper_bound.
template <bool upper, class T>
inline Index bound(const T* line, Index size, T value) {
  Index first = 0;
  while (size > 0) {
    const Index half = size / 2, middle = first + half;
    const bool goes_right = upper ? !(value < line[middle]) : line[middle] < value;
    first = goes_right ? middle + 1 : first;
    size = goes_right ? size - half - 1 : half;
  }
  return first;
}

template <bool upper, class T>
void bounds(const T* lines, const T* values, Index* result, Index rows, Index size, Index count, Index threads) {
  parallel_for_rows(rows, count * 8, threads, [=](Index begin, Index end) {
    for (Index i = begin * count; i < end * count; ++i)
      result[i] = bound<upper>(lines + i / count * size, size, values[i]);
  });
}

}  // namespace

// Finds bounds in lines [rows, size] for values [rows, wanted]; result [rows, wanted].
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
