// Where in each row the largest or the smallest element is, and whether a target is among the largest.

#include "lanes.h"
#include "threads.h"

namespace {

template <bool largest, class T>
constexpr T none() {
  using Limits = std::numeric_limits<T>;
  if (Limits::has_infinity) return largest ? -Limits::infinity() : Limits::infinity();
  return largest ? Limits::lowest() : Limits::max();
}

// The place of the first element that is `wanted`; 0 if there is none.
template <class T>
inline Index place_in(const T* row, Index count, T wanted) {
  constexpr Index SOME = 64;
  Index i = 0;
  for (; i + SOME <= count; i += SOME) {
    int found = 0;
    for (Index k = 0; k < SOME; ++k) found |= row[i + k] == wanted;
    if (found) break;
  }
  for (; i < count; ++i)
    if (row[i] == wanted) return i;
  return 0;
}

constexpr Index SHORT = 64;  // columns: of shorter rows several are searched at a time

template <bool largest, int together, class T>
inline void short_rows(const T* x, Index* result, Index columns) {
  T most[together];
  std::int32_t place[together];
  for (int r = 0; r < together; ++r) most[r] = none<largest, T>(), place[r] = 0;
  for (Index k = 0; k < columns; ++k)
    for (int r = 0; r < together; ++r) {
      const T own = x[r * columns + k];
      const bool better = largest ? own > most[r] : own < most[r];
      most[r] = better ? own : most[r];
      place[r] = better ? std::int32_t(k) : place[r];
    }
  for (int r = 0; r < together; ++r) result[r] = place[r];
}

// NaN is never found; of equal elements the first is.
template <bool largest, class T>
APART void places(const T* x, Index* result, Index begin, Index end, Index columns) {
  Index row = begin;
  if (columns < SHORT) {
    for (; row + 16 <= end; row += 16) short_rows<largest, 16>(x + row * columns, result + row, columns);
    for (; row < end; ++row) short_rows<largest, 1>(x + row * columns, result + row, columns);
    return;
  }
  for (; row < end; ++row) {
    const T *own = x + row * columns, least = none<largest, T>();
    const T most = extreme_of<largest, false>(own, columns, least);
    result[row] = most == least ? 0 : place_in(own, columns, most);  // where nothing else is beside it, NaN may stand before
  }
}

// Whether fewer than `k` elements of a row are larger than the target's, and all are finite.
template <class Id>
APART void in_top(const float* x, const Id* targets, bool* result, Index begin, Index end, Index columns, Index k) {
  for (Index row = begin; row < end; ++row) {
    const float* own = x + row * columns;
    const Index target = number_at(targets, row);
    result[row] = false;
    if (!is_inside(target, columns)) continue;
    const float chosen = own[target];
    std::int32_t larger = 0, strange = 0;
    for (Index i = 0; i < columns; ++i) {
      larger += own[i] > chosen;
      strange |= !(magnitude(own[i]) <= std::numeric_limits<float>::max());
    }
    result[row] = !strange && larger < k;
  }
}

}  // namespace

#define PLACES(name, largest, suffix, T)                                                            \
  EXPORT void name##_##suffix(const T* x, Index* result, Index rows, Index columns, Index threads) { \
    in_rows(rows, columns, threads,                                                                 \
            [=](Index begin, Index end) { places<largest>(x, result, begin, end, columns); });       \
  }
#define BOTH_PLACES(suffix, T)            \
  PLACES(argmax_rows, true, suffix, T)    \
  PLACES(argmin_rows, false, suffix, T)

BOTH_PLACES(f32, float)
BOTH_PLACES(f64, double)
BOTH_PLACES(i32, std::int32_t)
BOTH_PLACES(i64, std::int64_t)

#define IN_TOP(id, Id)                                                                                              \
  EXPORT void in_top_##id(const float* x, const Id* targets, bool* result, Index rows, Index columns, Index k,      \
                          Index threads) {                                                                          \
    in_rows(rows, columns, threads,                                                                                 \
            [=](Index begin, Index end) { in_top(x, targets, result, begin, end, columns, k); });                    \
  }

IN_TOP(i32, std::int32_t)
IN_TOP(i64, std::int64_t)
