// Cumulative sums and products along an axis, in element order.

#include "threads.h"

namespace {

template <bool multiplies, class T>
inline T joined(T a, T b) { return multiplies ? a * b : a + b; }

// Rows with inner size 1, `together` at a time to hide the latency of dependent additions.
template <bool multiplies, int together, class T>
inline void scan_rows(const T* x, T* result, Index length, bool exclusive, bool reverse) {
  const Index step = reverse ? -1 : 1;
  T sums[together];
  Index at = reverse ? length - 1 : 0;
  for (int r = 0; r < together; ++r) {
    sums[r] = x[r * length + at];
    result[r * length + at] = exclusive ? T(multiplies) : sums[r];
  }
  for (Index i = 1; i < length; ++i) {
    at += step;
    for (int r = 0; r < together; ++r) {
      const T before = sums[r];
      sums[r] = joined<multiplies>(before, x[r * length + at]);
      result[r * length + at] = exclusive ? before : sums[r];
    }
  }
}

// `length` rows of `inner` elements; accumulates each into the next.
template <bool multiplies, class T>
inline void scan_vectors(const T* x, T* __restrict result, Index length, Index inner, bool exclusive, bool reverse) {
  const Index step = reverse ? -inner : inner, first = reverse ? (length - 1) * inner : 0;
  const T *from = x + first, *before = nullptr;
  T* to = result + first;
  if (exclusive) {
    for (Index k = 0; k < inner; ++k) to[k] = T(multiplies);
    if (--length == 0) return;
    to += step;
  }
  std::memcpy(to, from, std::size_t(inner) * sizeof(T));
  for (Index i = 1; i < length; ++i) {
    before = to, to += step, from += step;
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < inner; ++k) to[k] = joined<multiplies>(before[k], from[k]);
  }
}

template <bool multiplies, class T>
NOINLINE void scan(const T* x, T* result, Index begin, Index end, Index length, Index inner, bool exclusive, bool reverse) {
  const Index size = length * inner;
  Index i = begin;
  if (inner == 1) {
    constexpr int TOGETHER = 8;
    for (; i + TOGETHER <= end; i += TOGETHER) {
      scan_rows<multiplies, TOGETHER>(x + i * size, result + i * size, length, exclusive, reverse);
    }
    for (; i < end; ++i) scan_rows<multiplies, 1>(x + i * size, result + i * size, length, exclusive, reverse);
    return;
  }
  for (; i < end; ++i) scan_vectors<multiplies>(x + i * size, result + i * size, length, inner, exclusive, reverse);
}

}  // namespace

// Scans [outer, length, inner] along `length`; an exclusive scan starts from 0 or 1.
#define SCAN(name, multiplies, suffix, T)                                                                         \
  EXPORT void name##_##suffix(const T* x, T* result, Index outer, Index length, Index inner, Index exclusive,     \
                              Index reverse, Index threads) {                                                     \
    in_rows(outer, length * inner, threads, [=](Index begin, Index end) {                                         \
      scan<multiplies>(x, result, begin, end, length, inner, exclusive != 0, reverse != 0);                       \
    });                                                                                                           \
  }
#define SCANS(suffix, T)               \
  SCAN(scan_add, false, suffix, T)     \
  SCAN(scan_multiply, true, suffix, T)

SCANS(f32, float)
SCANS(f64, double)
SCANS(i32, std::uint32_t)  // wraps around
SCANS(i64, std::uint64_t)
