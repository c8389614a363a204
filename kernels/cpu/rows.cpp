// Sums and extremes of rows; segment sums and scattered rows.

#include <type_traits>

#include "lanes.h"
#include "threads.h"

namespace {

constexpr Index MAX_NARROW_COLUMNS = 64;  // narrower rows are compared several at a time

// Rows of at least four elements, in four lanes; the last four elements may overlap the previous ones.
template <bool largest, bool nan_counts, int together, class T>
inline void short_extremes(const T* x, T* result, Index columns, T limit) {
  typedef T Quad __attribute__((vector_size(4 * sizeof(T))));
  T most[together][4];
  Quad sums = {};
  for (int r = 0; r < together; ++r) {
    Quad own = Quad{} + limit, some;
    auto take = [&](Index first) {
      std::memcpy(&some, x + r * columns + first, sizeof some);
      own = (largest ? some > own : some < own) ? some : own;
      if (nan_counts) sums += some - some;  // NaN for NaN and infinities
    };
    for (Index k = 0; k + 4 < columns; k += 4) take(k);
    take(columns - 4);
    std::memcpy(most[r], &own, sizeof own);
  }
  for (int r = 0; r < together; ++r) {
    T own = most[r][0];
    for (int k = 1; k < 4; ++k) own = (largest ? most[r][k] > own : most[r][k] < own) ? most[r][k] : own;
    result[r] = own;
  }
  const T strange = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (strange == strange) return;
  for (int r = 0; r < together; ++r) result[r] = extreme_of<largest, nan_counts>(x + r * columns, columns, limit);
}

// Each row's extreme, starting from `limit`.
template <bool largest, bool nan_counts, class T>
NOINLINE void extremes(const T* x, T* result, Index begin, Index end, Index columns, T limit) {
  constexpr int TOGETHER = 16;
  Index row = begin;
  if (4 <= columns && columns < MAX_NARROW_COLUMNS) {
    for (; row + TOGETHER <= end; row += TOGETHER)
      short_extremes<largest, nan_counts, TOGETHER>(x + row * columns, result + row, columns, limit);
  }
  for (; row < end; ++row) result[row] = extreme_of<largest, nan_counts>(x + row * columns, columns, limit);
}

// Products of short rows, in four lanes.
template <int together, class T>
inline void short_products(const T* x, T* result, Index columns) {
  typedef T Quad __attribute__((vector_size(4 * sizeof(T))));
  T lanes[together][4];
  const Index whole = columns / 4 * 4;
  for (int r = 0; r < together; ++r) {
    const T* from = x + r * columns;
    Quad own = Quad{} + T(1), some;
    for (Index k = 0; k < whole; k += 4) {
      std::memcpy(&some, from + k, sizeof some);
      own *= some;
    }
    std::memcpy(lanes[r], &own, sizeof own);
    for (Index k = whole; k < columns; ++k) lanes[r][k - whole] *= from[k];
  }
  for (int r = 0; r < together; ++r) result[r] = (lanes[r][0] * lanes[r][2]) * (lanes[r][1] * lanes[r][3]);
}

template <class T>
NOINLINE void products(const T* x, T* result, Index begin, Index end, Index columns) {
  constexpr int TOGETHER = 16;
  Index row = begin;
  if (columns < MAX_NARROW_COLUMNS) {
    for (; row + TOGETHER <= end; row += TOGETHER) short_products<TOGETHER>(x + row * columns, result + row, columns);
    for (; row < end; ++row) short_products<1>(x + row * columns, result + row, columns);
  }
  for (; row < end; ++row) {
    const T* from = x + row * columns;
    T lanes[LANES];
    for (int k = 0; k < LANES; ++k) lanes[k] = T(1);
    Index i = 0;
    for (; i + LANES <= columns; i += LANES)
      for (int k = 0; k < LANES; ++k) lanes[k] *= from[i + k];
    for (int k = 0; i + k < columns; ++k) lanes[k] *= from[i + k];
    for (int half = LANES / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) lanes[k] *= lanes[k + half];
    result[row] = lanes[0];
  }
}

// Folds the rows of a matrix elementwise, from `start`, in row order.
template <class T, class Fold>
NOINLINE void fold_rows(const T* x, T* __restrict result, Index rows, Index columns, T start, Fold fold) {
  constexpr Index TOGETHER = 4;
  for (Index k = 0; k < columns; ++k) result[k] = start;
  Index row = 0;
  for (; row + TOGETHER <= rows; row += TOGETHER) {  // four rows per read and write of the result
    const T *a = x + row * columns, *b = a + columns, *c = b + columns, *d = c + columns;
    for (Index k = 0; k < columns; ++k) result[k] = fold(fold(fold(fold(result[k], a[k]), b[k]), c[k]), d[k]);
  }
  for (; row < rows; ++row)
    for (Index k = 0; k < columns; ++k) result[k] = fold(result[k], x[row * columns + k]);
}

// result[i] = table[ids[i]]. False, with an incomplete result, if an id is out of range.
template <class Id>
bool take_rows(const char* table, const Id* ids, char* result, Index count, Index places, Index width, Index threads) {
  constexpr Index PREFETCH_DISTANCE = 8;
  std::atomic<bool> inside{true};
  in_rows(count, width / 4, threads, [=, &inside](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (i + PREFETCH_DISTANCE < end) fetch_ahead(table, number_at(ids, i + PREFETCH_DISTANCE), width);
      const Index id = number_at(ids, i);
      if (!is_inside(id, places)) return inside.store(false);
      std::memcpy(result + i * width, table + id * width, std::size_t(width));
    }
  });
  return inside;
}

// array[ids[i]] = rows[i], in order of i, for ids below `places`; rows have `width` bytes.
template <class Id>
void set_rows(const char* rows, const Id* ids, char* array, Index count, Index places, Index width) {
  for (Index i = 0; i < count; ++i) {
    const Index id = number_at(ids, i);
    if (is_inside(id, places)) std::memcpy(array + id * width, rows + i * width, std::size_t(width));
  }
}

// last[ids[i]] = i, in order of i, for ids below `places`.
template <class Id>
void last_rows(const Id* ids, Index* last, Index count, Index places) {
  for (Index i = 0; i < count; ++i) {
    const Index id = number_at(ids, i);
    if (is_inside(id, places)) last[id] = i;
  }
}

// array[place] = rows[last[place]] for places `begin` to `end`, unless last[place] is negative.
NOINLINE void copy(const char* rows, const Index* last, char* array, Index begin, Index end, Index width) {
  constexpr Index PREFETCH_DISTANCE = 8;
  for (Index place = begin; place < end; ++place) {
    if (place + PREFETCH_DISTANCE < end && last[place + PREFETCH_DISTANCE] >= 0) __builtin_prefetch(rows + last[place + PREFETCH_DISTANCE] * width);
    if (last[place] >= 0) std::memcpy(array + place * width, rows + last[place] * width, std::size_t(width));
  }
}

// a + b or a - b; integers wrap around.
template <bool subtracts, class T>
inline T added(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return T(subtracts ? Unsigned(a) - Unsigned(b) : Unsigned(a) + Unsigned(b));
  } else {
    return subtracts ? a - b : a + b;
  }
}

// sum += row, or sum -= row, for `count` consecutive rows with stride `wide`.
template <bool subtracts, class T>
inline void add_run(const T* __restrict rows, Index count, T* __restrict sum, Index columns, Index wide) {
  Index i = 0;
  for (; i + 4 <= count; i += 4) {  // four rows per read and write of the sums
    const T *a = rows + i * wide, *b = a + wide, *c = b + wide, *d = c + wide;
    for (Index k = 0; k < columns; ++k) {
      const T half = added<subtracts>(added<subtracts>(sum[k], a[k]), b[k]);
      sum[k] = added<subtracts>(added<subtracts>(half, c[k]), d[k]);
    }
  }
  for (; i < count; ++i) {
    const T* a = rows + i * wide;
    for (Index k = 0; k < columns; ++k) sum[k] = added<subtracts>(sum[k], a[k]);
  }
}

// The end of the run of equal ids that starts at `i`.
template <class Id>
inline Index end_of_run(const Id* ids, Index i, Index count) {
  Id id = ids[i];
  while (++i < count && ids[i] == id) {
  }
  return i;
}

template <class Id>
inline bool are_sorted(const Id* ids, Index count) {
  bool sorted = true;
  for (Index i = 1; i < count; ++i) sorted &= ids[i - 1] <= ids[i];
  return sorted;
}

// result[ids[i]] += rows[i], or -=, for rows `begin` to `end` with stride `wide`, in order of i, if the id is in `low`
// to `high`. Prefetches upcoming result rows, which are scattered.
template <bool subtracts, class T, class Id>
NOINLINE void add_rows(const T* rows, const Id* ids, T* result, Index begin, Index end, Index columns, Index wide, Index low,
                    Index high) {
  if (columns == 1) {
    for (Index i = begin; i < end; ++i) {
      const Index id = number_at(ids, i);
      if (id >= low && id < high) result[id * wide] = added<subtracts>(result[id * wide], rows[i * wide]);
    }
    return;
  }
  constexpr Index PREFETCH_DISTANCE = 6, LINE = 64 / sizeof(T), MAX_PREFETCHED = 16 * LINE;
  const Index some = columns < MAX_PREFETCHED ? columns : MAX_PREFETCHED;
  for (Index i = begin; i < end;) {
    if (i + PREFETCH_DISTANCE < end) {
      const Index soon = number_at(ids, i + PREFETCH_DISTANCE);
      if (soon >= low && soon < high)
        for (Index k = 0; k < some; k += LINE) __builtin_prefetch(result + soon * wide + k, 1);
    }
    Index next = end_of_run(ids, i, end);
    Index id = number_at(ids, i);
    if (id >= low && id < high) add_run<subtracts>(rows + i * wide, next - i, result + id * wide, columns, wide);
    i = next;
  }
}

// Each result element is owned by one thread: threads divide the ids if they are sorted, else the columns, or the id
// range if rows are short. `places` is the number of result rows.
template <bool subtracts, class T, class Id>
void add_rows_on_threads(const T* rows, const Id* ids, T* result, Index count, Index columns, Index places,
                         Index threads) {
  constexpr Index SHARE = 128 / sizeof(T);  // two cache lines, which are fetched together
  if (threads > 1 && are_sorted(ids, count)) {
    in_rows(count, columns, threads, [=](Index begin, Index end) {
      while (begin > 0 && begin < end && ids[begin] == ids[begin - 1]) ++begin;
      if (begin >= end) return;
      add_rows<subtracts>(rows, ids, result, begin, end_of_run(ids, end - 1, count), columns, columns, 0, places);
    });
  } else if (columns >= threads * SHARE) {
    in_pieces(columns, (columns / threads + SHARE - 1) / SHARE * SHARE, threads, [=](Index, Index first, Index last) {
      add_rows<subtracts>(rows + first, ids, result + first, 0, count, last - first, columns, 0, places);
    });
  } else {
    in_pieces(places, (places + threads - 1) / threads, threads, [=](Index, Index low, Index high) {
      add_rows<subtracts>(rows, ids, result, 0, count, columns, columns, low, high);
    });
  }
}

}  // namespace

#define EXTREME(name, largest, nan_counts, suffix, T)                                                         \
  EXPORT void name##_rows_##suffix(const T* x, T* result, Index rows, Index columns, Index threads, T limit) { \
    in_rows(rows, columns, threads, [=](Index begin, Index end) {                                              \
      extremes<largest, nan_counts>(x, result, begin, end, columns, limit);                                    \
    });                                                                                                        \
  }
// Named as in numpy: fmax and fmin ignore NaN.
#define EXTREMES(suffix, T)             \
  EXTREME(maximum, true, true, suffix, T)   \
  EXTREME(minimum, false, true, suffix, T)  \
  EXTREME(fmax, true, false, suffix, T)     \
  EXTREME(fmin, false, false, suffix, T)

EXTREMES(f32, float)
EXTREMES(f64, double)

#define ADD_ROWS(suffix, T, id, Id)                                                                        \
  EXPORT void add_rows_##id##_##suffix(const T* rows, const Id* ids, T* result, Index count, Index columns, \
                                       Index places, Index threads, Index subtracts) {                      \
    (subtracts ? add_rows_on_threads<true, T, Id> : add_rows_on_threads<false, T, Id>)(                     \
        rows, ids, result, count, columns, places, threads);                                                \
  }
#define ADD_ROWS_BY(id, Id)              \
  ADD_ROWS(f32, float, id, Id)           \
  ADD_ROWS(f64, double, id, Id)          \
  ADD_ROWS(i32, std::int32_t, id, Id)    \
  ADD_ROWS(i64, std::int64_t, id, Id)

ADD_ROWS_BY(i32, std::int32_t)
ADD_ROWS_BY(i64, std::int64_t)

#define SUMS(suffix, T)                                                                              \
  EXPORT void row_sums_##suffix(const T* x, T* result, Index rows, Index columns, Index threads) {   \
    in_rows(rows, columns, threads,                                                                  \
            [=](Index begin, Index end) { row_sums(x, result, begin, end, columns); });                  \
  }

SUMS(f32, float)
SUMS(f64, double)

#define PRODUCTS(suffix, T)                                                                            \
  EXPORT void row_products_##suffix(const T* x, T* result, Index rows, Index columns, Index threads) { \
    in_rows(rows, columns, threads,                                                                    \
            [=](Index begin, Index end) { products(x, result, begin, end, columns); });                \
  }

PRODUCTS(f32, float)
PRODUCTS(f64, double)

// x [outer, rows, columns], result [outer, columns]. fmax and fmin start from a number, so they ignore NaN.
#define FOLD(name, suffix, T, folded)                                                                             \
  EXPORT void fold_##name##_##suffix(const T* x, T* result, Index outer, Index rows, Index columns, Index threads, \
                                     T start) {                                                                    \
    in_rows(outer, rows * columns, threads, [=](Index begin, Index end) {                                          \
      for (Index i = begin; i < end; ++i)                                                                          \
        fold_rows(x + i * rows * columns, result + i * columns, rows, columns, start,                              \
                  [](T a, T b) { return folded; });                                                                \
    });                                                                                                            \
  }
#define FOLDS(suffix, T)                       \
  FOLD(add, suffix, T, a + b)                  \
  FOLD(multiply, suffix, T, a * b)             \
  FOLD(fmax, suffix, T, b > a ? b : a)         \
  FOLD(fmin, suffix, T, b < a ? b : a)

FOLDS(f32, float)
FOLDS(f64, double)

#define SET_ROWS(id, Id)                                                                                            \
  EXPORT void set_rows_##id(const char* rows, const Id* ids, char* array, Index count, Index places, Index width) { \
    set_rows(rows, ids, array, count, places, width);                                                               \
  }                                                                                                                 \
  EXPORT int take_rows_##id(const char* table, const Id* ids, char* result, Index count, Index places, Index width, \
                            Index threads) {                                                                        \
    return take_rows(table, ids, result, count, places, width, threads);                                            \
  }                                                                                                                 \
  EXPORT void last_rows_##id(const Id* ids, Index* last, Index count, Index places) {                               \
    last_rows(ids, last, count, places);                                                                            \
  }

SET_ROWS(i32, std::int32_t)
SET_ROWS(i64, std::int64_t)

EXPORT void copy_rows(const char* rows, const Index* last, char* array, Index places, Index width, Index threads) {
  in_rows(places, width, threads, [=](Index begin, Index end) { copy(rows, last, array, begin, end, width); });
}
