// Argmax and argmin of rows, their `k` largest elements, and whether a target is among these.

#include <algorithm>
#include <functional>

#include "lanes.h"
#include "scratch.h"
#include "threads.h"

namespace {

template <bool largest, class T>
constexpr T none() {
  using Limits = std::numeric_limits<T>;
  if (Limits::has_infinity) return largest ? -Limits::infinity() : Limits::infinity();
  return largest ? Limits::lowest() : Limits::max();
}

// The index of the first element equal to `wanted`; 0 if there is none.
template <class T>
inline Index place_in(const T* row, Index count, T wanted) {
  constexpr Index BLOCK = 64;
  Index i = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    int found = 0;
    for (Index k = 0; k < BLOCK; ++k) found |= row[i + k] == wanted;
    if (found) break;
  }
  for (; i < count; ++i)
    if (row[i] == wanted) return i;
  return 0;
}

// Integers with the same width as the elements.
template <int bytes>
struct PlaceOf { using type = std::int32_t; };
template <>
struct PlaceOf<8> { using type = std::int64_t; };

constexpr Index MAX_NARROW_COLUMNS = 64;  // narrower rows are searched several at a time

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

// Ignores NaN; ties go to the first element.
template <bool largest, class T>
NOINLINE void places(const T* x, Index* result, Index begin, Index end, Index columns) {
  Index row = begin;
  if (columns < MAX_NARROW_COLUMNS) {
    for (; row + 16 <= end; row += 16) short_rows<largest, 16>(x + row * columns, result + row, columns);
    for (; row < end; ++row) short_rows<largest, 1>(x + row * columns, result + row, columns);
    return;
  }
  for (; row < end; ++row) {
    const T *own = x + row * columns, least = none<largest, T>();
    const T most = extreme_of<largest, false>(own, columns, least);
    result[row] = most == least ? 0 : place_in(own, columns, most);  // no element beats `least`: 0
  }
}

// The number of columns searched at a time: few enough to stay in the cache.
constexpr Index BLOCK_COLUMNS = 256;

template <bool largest, class T>
inline void down_columns(const T* x, Index* result, Index rows, Index columns, Index width) {
  using Place = typename PlaceOf<sizeof(T)>::type;
  T most[BLOCK_COLUMNS];
  Place place[BLOCK_COLUMNS];
  for (Index i = 0; i < width; ++i) most[i] = none<largest, T>(), place[i] = 0;
  for (Index row = 0; row < rows; ++row)
    for (Index i = 0; i < width; ++i) {
      const T own = x[row * columns + i];
      const bool better = largest ? own > most[i] : own < most[i];
      most[i] = better ? own : most[i];
      place[i] = better ? Place(row) : place[i];
    }
  for (Index i = 0; i < width; ++i) result[i] = place[i];
}

// The same along the columns of several matrices.
template <bool largest, class T>
NOINLINE void places_down(const T* x, Index* result, Index begin, Index end, Index rows, Index columns) {
  for (Index matrix = begin; matrix < end; ++matrix)
    for (Index column = 0; column < columns; column += BLOCK_COLUMNS)
      down_columns<largest>(x + matrix * rows * columns + column, result + matrix * columns + column, rows, columns,
                            std::min(BLOCK_COLUMNS, columns - column));
}

thread_local Scratch scratch;

// Maps floats to integers of the same order; zeros of both signs are equal.
inline std::uint32_t in_order(float x) {
  const auto bits = bits_as<std::uint32_t>(x + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
inline std::uint32_t in_order(std::int32_t x) { return std::uint32_t(x) ^ 0x80000000u; }

// The `k` largest elements of each row and their indices, ties in index order. False if a row has a NaN, or if out of
// memory.
template <class T>
NOINLINE bool top_places(const T* x, T* values, std::int32_t* result, Index begin, Index end, Index columns, Index k) {
  using Key = std::uint64_t;  // high word: the element; low word: its complemented index
  constexpr Index BLOCK = 16;
  const Index room = 2 * k + 4 * BLOCK;
  Key* found = static_cast<Key*>(scratch.of((room + BLOCK) * sizeof(Key)));
  if (found == nullptr) return false;
  for (Index row = begin; row < end; ++row) {
    const T* own = x + row * columns;
    int strange = 0;
    for (Index i = 0; i < columns; ++i) strange |= own[i] != own[i];
    if (strange) return false;
    Index count = 0;
    std::uint32_t least = 0;  // candidates must exceed this
    auto leave_most = [&] {
      std::nth_element(found, found + k - 1, found + count, std::greater<Key>());
      least = std::uint32_t(found[k - 1] >> 32);
      count = k;
    };
    auto take = [&](Index i) { found[count++] = Key(in_order(own[i])) << 32 | (0xFFFFFFFFu - std::uint32_t(i)); };
    Index i = 0;
    for (; i < columns && i < room; ++i) take(i);
    if (count > k) leave_most();
    for (; i + BLOCK <= columns; i += BLOCK) {
      int any = 0;
      for (Index j = 0; j < BLOCK; ++j) any |= in_order(own[i + j]) > least;
      if (!any) continue;
      for (Index j = 0; j < BLOCK; ++j) {
        take(i + j);
        count -= in_order(own[i + j]) <= least;
      }
      if (count + BLOCK > room) leave_most();
    }
    for (; i < columns; ++i) take(i);
    if (count > k) leave_most();
    std::sort(found, found + k, std::greater<Key>());
    for (Index j = 0; j < k; ++j) {
      const auto place = std::int32_t(0xFFFFFFFFu - std::uint32_t(found[j]));
      result[row * k + j] = place;
      values[row * k + j] = own[place];
    }
  }
  return true;
}

// Whether all elements of a row are finite and fewer than `k` exceed the target's.
template <class Id>
NOINLINE void in_top(const float* x, const Id* targets, bool* result, Index begin, Index end, Index columns, Index k) {
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

#define PLACES(name, largest, suffix, T)                                                                            \
  EXPORT void name##_rows_##suffix(const T* x, Index* result, Index rows, Index columns, Index threads) {           \
    in_rows(rows, columns, threads,                                                                                 \
            [=](Index begin, Index end) { places<largest>(x, result, begin, end, columns); });                       \
  }                                                                                                                 \
  EXPORT void name##_columns_##suffix(const T* x, Index* result, Index matrices, Index rows, Index columns,         \
                                      Index threads) {                                                              \
    in_rows(matrices, rows * columns, threads,                                                                      \
            [=](Index begin, Index end) { places_down<largest>(x, result, begin, end, rows, columns); });            \
  }
#define BOTH_PLACES(suffix, T)       \
  PLACES(argmax, true, suffix, T)    \
  PLACES(argmin, false, suffix, T)

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

// 0 if a row has a NaN, or if out of memory.
#define TOP_PLACES(suffix, T)                                                                                        \
  EXPORT int top_places_##suffix(const T* x, T* values, std::int32_t* places, Index rows, Index columns, Index k,    \
                                 Index threads) {                                                                    \
    std::atomic<int> done{1};                                                                                        \
    in_rows(rows, columns, threads, [&](Index begin, Index end) {                                                    \
      if (!top_places(x, values, places, begin, end, columns, k)) done = 0;                                          \
    });                                                                                                              \
    return done;                                                                                                     \
  }

TOP_PLACES(f32, float)
TOP_PLACES(i32, std::int32_t)
