// Cumulative sums and products along an axis, in element order.

#include "threads.h"

namespace {

template <bool multiplies, class T>
inline T combine(T a, T b) {
  return multiplies ? a * b : a + b;
}

// Scans rows with inner size 1, `batch` at a time to hide the latency of dependent additions.
template <bool multiplies, int batch, class T>
inline void scan_rows(const T* x, T* result, Index length, bool exclusive, bool reverse) {
  const Index step = reverse ? -1 : 1;
  T sums[batch];
  Index index = reverse ? length - 1 : 0;
  for (int r = 0; r < batch; ++r) {
    sums[r] = x[r * length + index];
    result[r * length + index] = exclusive ? T(multiplies) : sums[r];
  }
  for (Index i = 1; i < length; ++i) {
    index += step;
    for (int r = 0; r < batch; ++r) {
      const T previous = sums[r];
      sums[r] = combine<multiplies>(previous, x[r * length + index]);
      result[r * length + index] = exclusive ? previous : sums[r];
    }
  }
}

// Scans `length` rows of `inner` elements; accumulates each row into the next.
template <bool multiplies, class T>
inline void scan_vectors(const T* x, T* __restrict result, Index length, Index inner, bool exclusive, bool reverse) {
  const Index step = reverse ? -inner : inner, first = reverse ? (length - 1) * inner : 0;
  const T *source = x + first, *previous = nullptr;
  T* target = result + first;
  if (exclusive) {
    for (Index k = 0; k < inner; ++k) target[k] = T(multiplies);
    if (--length == 0) return;
    target += step;
  }
  std::memcpy(target, source, std::size_t(inner) * sizeof(T));
  for (Index i = 1; i < length; ++i) {
    previous = target, target += step, source += step;
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < inner; ++k) target[k] = combine<multiplies>(previous[k], source[k]);
  }
}

template <bool multiplies, class T>
NOINLINE void scan(const T* x, T* result, Index begin, Index end, Index length, Index inner, bool exclusive,
                   bool reverse) {
  const Index size = length * inner;
  Index i = begin;
  if (inner == 1) {
    constexpr int BATCH = 8;
    for (; i + BATCH <= end; i += BATCH) {
      scan_rows<multiplies, BATCH>(x + i * size, result + i * size, length, exclusive, reverse);
    }
    for (; i < end; ++i) scan_rows<multiplies, 1>(x + i * size, result + i * size, length, exclusive, reverse);
    return;
  }
  for (; i < end; ++i) scan_vectors<multiplies>(x + i * size, result + i * size, length, inner, exclusive, reverse);
}

}  // namespace

// Scans [outer, length, inner] along `length`; an exclusive scan starts from 0 or 1.
#define SCAN(name, multiplies, suffix, T)                                                                              \
  EXPORT void name##_##suffix(const T* x, T* result, Index outer, Index length, Index inner, Index exclusive,          \
                              Index reverse, Index threads) {                                                          \
    parallel_for_rows(outer, length * inner, threads, [=](Index begin, Index end) {                                    \
      scan<multiplies>(x, result, begin, end, length, inner, exclusive != 0, reverse != 0);                            \
    });                                                                                                                \
  }
#define SCANS(suffix, T)               \
  SCAN(scan_add, false, suffix, T)     \
  SCAN(scan_multiply, true, suffix, T)

SCANS(f32, float)
SCANS(f64, double)
SCANS(i32, std::uint32_t)  // wraps around
SCANS(i64, std::uint64_t)
