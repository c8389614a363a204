// Argmax and argmin of rows and columns, the `k` largest elements of rows, and whether a target is among them.

#include <algorithm>
#include <functional>

#include "lanes.h"
#include "scratch.h"
#include "threads.h"

namespace {

template <bool largest, class T>
constexpr T worst_value() {
  using Limits = std::numeric_limits<T>;
  if (Limits::has_infinity) return largest ? -Limits::infinity() : Limits::infinity();
  return largest ? Limits::lowest() : Limits::max();
}

// Returns the index of the first element equal to `value`; 0 if there is none.
template <class T>
inline Index find_value(const T* row, Index count, T value) {
  constexpr Index BLOCK = 64;
  Index i = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    int found = 0;
    for (Index k = 0; k < BLOCK; ++k) found |= row[i + k] == value;
    if (found) break;
  }
  for (; i < count; ++i)
    if (row[i] == value) return i;
  return 0;
}

// Integers with the same width as the elements.
template <int bytes>
struct IndexOfWidth {
  using type = std::int32_t;
};
template <>
struct IndexOfWidth<8> {
  using type = std::int64_t;
};

constexpr Index MAX_NARROW_COLUMNS = 64;  // narrower rows are searched several at a time

template <bool largest, int batch, class T>
inline void argmax_narrow_rows(const T* x, Index* result, Index columns) {
  T best[batch];
  std::int32_t best_index[batch];
  for (int r = 0; r < batch; ++r) best[r] = worst_value<largest, T>(), best_index[r] = 0;
  for (Index k = 0; k < columns; ++k)
    for (int r = 0; r < batch; ++r) {
      const T value = x[r * columns + k];
      const bool is_better = largest ? value > best[r] : value < best[r];
      best[r] = is_better ? value : best[r];
      best_index[r] = is_better ? std::int32_t(k) : best_index[r];
    }
  for (int r = 0; r < batch; ++r) result[r] = best_index[r];
}

// Computes the argmax (or argmin) of rows. Ignores NaN; ties go to the first element.
template <bool largest, class T>
NOINLINE void argmax_rows(const T* x, Index* result, Index begin, Index end, Index columns) {
  Index row = begin;
  if (columns < MAX_NARROW_COLUMNS) {
    for (; row + 16 <= end; row += 16) argmax_narrow_rows<largest, 16>(x + row * columns, result + row, columns);
    for (; row < end; ++row) argmax_narrow_rows<largest, 1>(x + row * columns, result + row, columns);
    return;
  }
  for (; row < end; ++row) {
    const T *values = x + row * columns, worst = worst_value<largest, T>();
    const T best = row_extreme<largest, false>(values, columns, worst);
    result[row] = best == worst ? 0 : find_value(values, columns, best);  // 0 if no element is better than `worst`
  }
}

// The number of columns searched at a time: few enough to stay in the cache.
constexpr Index BLOCK_COLUMNS = 256;

template <bool largest, class T>
inline void argmax_column_block(const T* x, Index* result, Index rows, Index columns, Index width) {
  using Place = typename IndexOfWidth<sizeof(T)>::type;
  T best[BLOCK_COLUMNS];
  Place best_index[BLOCK_COLUMNS];
  for (Index i = 0; i < width; ++i) best[i] = worst_value<largest, T>(), best_index[i] = 0;
  for (Index row = 0; row < rows; ++row)
    for (Index i = 0; i < width; ++i) {
      const T value = x[row * columns + i];
      const bool is_better = largest ? value > best[i] : value < best[i];
      best[i] = is_better ? value : best[i];
      best_index[i] = is_better ? Place(row) : best_index[i];
    }
  for (Index i = 0; i < width; ++i) result[i] = best_index[i];
}

// Like argmax_rows, along the columns of several matrices.
template <bool largest, class T>
NOINLINE void argmax_columns(const T* x, Index* result, Index begin, Index end, Index rows, Index columns) {
  for (Index matrix = begin; matrix < end; ++matrix)
    for (Index column = 0; column < columns; column += BLOCK_COLUMNS)
      argmax_column_block<largest>(x + matrix * rows * columns + column, result + matrix * columns + column, rows,
                                   columns, std::min(BLOCK_COLUMNS, columns - column));
}

thread_local Scratch scratch;

// Maps floats to integers with the same order; zeros of both signs are equal.
inline std::uint32_t sortable_key(float x) {
  const auto bits = bits_as<std::uint32_t>(x + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
inline std::uint32_t sortable_key(std::int32_t x) { return std::uint32_t(x) ^ 0x80000000u; }

// Finds the `k` largest elements of each row and their indices, with ties in index order. Returns false if a row has a
// NaN, or if out of memory.
template <class T>
NOINLINE bool top_k(const T* x, T* values, std::int32_t* result, Index begin, Index end, Index columns, Index k) {
  using Key = std::uint64_t;  // high word: the element; low word: its complemented index
  constexpr Index BLOCK = 16;
  const Index capacity = 2 * k + 4 * BLOCK;
  Key* candidates = static_cast<Key*>(scratch.reserve((capacity + BLOCK) * sizeof(Key)));
  if (candidates == nullptr) return false;
  for (Index row = begin; row < end; ++row) {
    const T* row_data = x + row * columns;
    int has_nan = 0;
    for (Index i = 0; i < columns; ++i) has_nan |= row_data[i] != row_data[i];
    if (has_nan) return false;
    Index count = 0;
    std::uint32_t threshold = 0;  // further candidates must exceed it
    auto keep_largest = [&] {
      std::nth_element(candidates, candidates + k - 1, candidates + count, std::greater<Key>());
      threshold = std::uint32_t(candidates[k - 1] >> 32);
      count = k;
    };
    auto push = [&](Index i) {
      candidates[count++] = Key(sortable_key(row_data[i])) << 32 | (0xFFFFFFFFu - std::uint32_t(i));
    };
    Index i = 0;
    for (; i < columns && i < capacity; ++i) push(i);
    if (count > k) keep_largest();
    for (; i + BLOCK <= columns; i += BLOCK) {
      int exceeds = 0;
      for (Index j = 0; j < BLOCK; ++j) exceeds |= sortable_key(row_data[i + j]) > threshold;
      if (!exceeds) continue;
      for (Index j = 0; j < BLOCK; ++j) {
        push(i + j);
        count -= sortable_key(row_data[i + j]) <= threshold;
      }
      if (count + BLOCK > capacity) keep_largest();
    }
    for (; i < columns; ++i) push(i);
    if (count > k) keep_largest();
    std::sort(candidates, candidates + k, std::greater<Key>());
    for (Index j = 0; j < k; ++j) {
      const auto index = std::int32_t(0xFFFFFFFFu - std::uint32_t(candidates[j]));
      result[row * k + j] = index;
      values[row * k + j] = row_data[index];
    }
  }
  return true;
}

// Computes whether all elements of a row are finite and fewer than `k` of them exceed the target's element.
template <class Id>
NOINLINE void in_top_k(const float* x, const Id* targets, bool* result, Index begin, Index end, Index columns,
                       Index k) {
  for (Index row = begin; row < end; ++row) {
    const float* row_data = x + row * columns;
    const Index target = load_index(targets, row);
    result[row] = false;
    if (!is_in_range(target, columns)) continue;
    const float target_value = row_data[target];
    std::int32_t larger_count = 0, has_nonfinite = 0;
    for (Index i = 0; i < columns; ++i) {
      larger_count += row_data[i] > target_value;
      has_nonfinite |= !(magnitude(row_data[i]) <= std::numeric_limits<float>::max());
    }
    result[row] = !has_nonfinite && larger_count < k;
  }
}

}  // namespace

#define PLACES(name, largest, suffix, T)                                                                               \
  EXPORT void name##_rows_##suffix(const T* x, Index* result, Index rows, Index columns, Index threads) {              \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { argmax_rows<largest>(x, result, begin, end, columns); });          \
  }                                                                                                                    \
  EXPORT void name##_columns_##suffix(const T* x, Index* result, Index matrices, Index rows, Index columns,            \
                                      Index threads) {                                                                 \
    parallel_for_rows(matrices, rows * columns, threads,                                                               \
                      [=](Index begin, Index end) { argmax_columns<largest>(x, result, begin, end, rows, columns); }); \
  }
#define BOTH_PLACES(suffix, T)       \
  PLACES(argmax, true, suffix, T)    \
  PLACES(argmin, false, suffix, T)

BOTH_PLACES(f32, float)
BOTH_PLACES(f64, double)
BOTH_PLACES(i32, std::int32_t)
BOTH_PLACES(i64, std::int64_t)

#define IN_TOP(id, Id)                                                                                                 \
  EXPORT void in_top_##id(const float* x, const Id* targets, bool* result, Index rows, Index columns, Index k,         \
                          Index threads) {                                                                             \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { in_top_k(x, targets, result, begin, end, columns, k); });          \
  }

IN_TOP(i32, std::int32_t)
IN_TOP(i64, std::int64_t)

// Returns 0 if a row has a NaN, or if out of memory.
#define TOP_PLACES(suffix, T)                                                                                          \
  EXPORT int top_places_##suffix(const T* x, T* values, std::int32_t* indices, Index rows, Index columns, Index k,     \
                                 Index threads) {                                                                      \
    std::atomic<int> done{1};                                                                                          \
    parallel_for_rows(rows, columns, threads, [&](Index begin, Index end) {                                            \
      if (!top_k(x, values, indices, begin, end, columns, k)) done = 0;                                                \
    });                                                                                                                \
    return done;                                                                                                       \
  }

TOP_PLACES(f32, float)
TOP_PLACES(i32, std::int32_t)
