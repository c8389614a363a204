// Sums and extremes of rows; segment sums and scattered rows.

#include <type_traits>

#include "lanes.h"
#include "threads.h"

namespace {

constexpr Index MAX_NARROW_COLUMNS = 64;  // narrower rows are processed several at a time

// Computes the extremes of rows of at least four elements, in four lanes; the last four elements may overlap the
// previous ones.
template <bool largest, bool propagates_nan, int batch, class T>
inline void narrow_extremes(const T* x, T* result, Index columns, T limit) {
  typedef T Quad __attribute__((vector_size(4 * sizeof(T))));
  T lane_extremes[batch][4];
  Quad sums = {};
  for (int r = 0; r < batch; ++r) {
    Quad best = Quad{} + limit, vector;
    auto update = [&](Index first) {
      std::memcpy(&vector, x + r * columns + first, sizeof vector);
      best = (largest ? vector > best : vector < best) ? vector : best;
      if (propagates_nan) sums += vector - vector;  // NaN for NaN and infinities
    };
    for (Index k = 0; k + 4 < columns; k += 4) update(k);
    update(columns - 4);
    std::memcpy(lane_extremes[r], &best, sizeof best);
  }
  for (int r = 0; r < batch; ++r) {
    T best = lane_extremes[r][0];
    for (int k = 1; k < 4; ++k)
      best = (largest ? lane_extremes[r][k] > best : lane_extremes[r][k] < best) ? lane_extremes[r][k] : best;
    result[r] = best;
  }
  const T nan_check = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (nan_check == nan_check) return;
  for (int r = 0; r < batch; ++r) result[r] = row_extreme<largest, propagates_nan>(x + r * columns, columns, limit);
}

// Computes the extreme of each row, starting from `limit`.
template <bool largest, bool propagates_nan, class T>
NOINLINE void extremes(const T* x, T* result, Index begin, Index end, Index columns, T limit) {
  constexpr int BATCH = 16;
  Index row = begin;
  if (4 <= columns && columns < MAX_NARROW_COLUMNS) {
    for (; row + BATCH <= end; row += BATCH)
      narrow_extremes<largest, propagates_nan, BATCH>(x + row * columns, result + row, columns, limit);
  }
  for (; row < end; ++row) result[row] = row_extreme<largest, propagates_nan>(x + row * columns, columns, limit);
}

// Computes the products of narrow rows, in four lanes.
template <int batch, class T>
inline void narrow_products(const T* x, T* result, Index columns) {
  typedef T Quad __attribute__((vector_size(4 * sizeof(T))));
  T lanes[batch][4];
  const Index full_columns = columns / 4 * 4;
  for (int r = 0; r < batch; ++r) {
    const T* from = x + r * columns;
    Quad product = Quad{} + T(1), vector;
    for (Index k = 0; k < full_columns; k += 4) {
      std::memcpy(&vector, from + k, sizeof vector);
      product *= vector;
    }
    std::memcpy(lanes[r], &product, sizeof product);
    for (Index k = full_columns; k < columns; ++k) lanes[r][k - full_columns] *= from[k];
  }
  for (int r = 0; r < batch; ++r) result[r] = (lanes[r][0] * lanes[r][2]) * (lanes[r][1] * lanes[r][3]);
}

template <class T>
NOINLINE void products(const T* x, T* result, Index begin, Index end, Index columns) {
  constexpr int BATCH = 16;
  Index row = begin;
  if (columns < MAX_NARROW_COLUMNS) {
    for (; row + BATCH <= end; row += BATCH) narrow_products<BATCH>(x + row * columns, result + row, columns);
    for (; row < end; ++row) narrow_products<1>(x + row * columns, result + row, columns);
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

// Folds the rows of a matrix elementwise, in row order, starting from `start`.
template <class T, class Fold>
NOINLINE void fold_rows(const T* x, T* __restrict result, Index rows, Index columns, T start, Fold fold) {
  constexpr Index BATCH = 4;
  for (Index k = 0; k < columns; ++k) result[k] = start;
  Index row = 0;
  for (; row + BATCH <= rows; row += BATCH) {  // four rows per read and write of the result
    const T *a = x + row * columns, *b = a + columns, *c = b + columns, *d = c + columns;
    for (Index k = 0; k < columns; ++k) result[k] = fold(fold(fold(fold(result[k], a[k]), b[k]), c[k]), d[k]);
  }
  for (; row < rows; ++row)
    for (Index k = 0; k < columns; ++k) result[k] = fold(result[k], x[row * columns + k]);
}

// Sets result[i] = table[ids[i]]. Returns false, with an incomplete result, if an id is out of range.
template <class Id>
bool gather_rows(const char* table, const Id* ids, char* result, Index count, Index table_rows, Index width,
                 Index threads) {
  constexpr Index PREFETCH_DISTANCE = 8;
  std::atomic<bool> in_range{true};
  parallel_for_rows(count, width / 4, threads, [=, &in_range](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (i + PREFETCH_DISTANCE < end) prefetch_row(table, load_index(ids, i + PREFETCH_DISTANCE), width);
      const Index id = load_index(ids, i);
      if (!is_in_range(id, table_rows)) return in_range.store(false);
      std::memcpy(result + i * width, table + id * width, std::size_t(width));
    }
  });
  return in_range;
}

// Sets array[ids[i]] = rows[i], in order of i, for ids below `row_count`; rows have `width` bytes.
template <class Id>
void scatter_rows(const char* rows, const Id* ids, char* array, Index count, Index row_count, Index width) {
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i);
    if (is_in_range(id, row_count)) std::memcpy(array + id * width, rows + i * width, std::size_t(width));
  }
}

// Sets last[ids[i]] = i, in order of i, for ids below `row_count`.
template <class Id>
void find_last_rows(const Id* ids, Index* last, Index count, Index row_count) {
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i);
    if (is_in_range(id, row_count)) last[id] = i;
  }
}

// Sets array[row] = rows[last[row]] for the rows `begin` to `end`, unless last[row] is negative.
NOINLINE void copy(const char* rows, const Index* last, char* array, Index begin, Index end, Index width) {
  constexpr Index PREFETCH_DISTANCE = 8;
  for (Index row = begin; row < end; ++row) {
    if (row + PREFETCH_DISTANCE < end && last[row + PREFETCH_DISTANCE] >= 0)
      __builtin_prefetch(rows + last[row + PREFETCH_DISTANCE] * width);
    if (last[row] >= 0) std::memcpy(array + row * width, rows + last[row] * width, std::size_t(width));
  }
}

// Returns a + b or a - b; integers wrap around.
template <bool subtracts, class T>
inline T add_or_subtract(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return T(subtracts ? Unsigned(a) - Unsigned(b) : Unsigned(a) + Unsigned(b));
  } else {
    return subtracts ? a - b : a + b;
  }
}

// Computes sum += row, or sum -= row, for `count` consecutive rows with the given stride.
template <bool subtracts, class T>
inline void accumulate_run(const T* __restrict rows, Index count, T* __restrict sum, Index columns, Index stride) {
  Index i = 0;
  for (; i + 4 <= count; i += 4) {  // four rows per read and write of the sums
    const T *a = rows + i * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    for (Index k = 0; k < columns; ++k) {
      const T half = add_or_subtract<subtracts>(add_or_subtract<subtracts>(sum[k], a[k]), b[k]);
      sum[k] = add_or_subtract<subtracts>(add_or_subtract<subtracts>(half, c[k]), d[k]);
    }
  }
  for (; i < count; ++i) {
    const T* a = rows + i * stride;
    for (Index k = 0; k < columns; ++k) sum[k] = add_or_subtract<subtracts>(sum[k], a[k]);
  }
}

// Returns the end of the run of equal ids that starts at `i`.
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

// Computes result[ids[i]] += rows[i], or -=, in order of i for the rows `begin` to `end` with the given stride, if the
// id is in the range `low` to `high`. Prefetches upcoming result rows, which are scattered.
template <bool subtracts, class T, class Id>
NOINLINE void add_rows(const T* rows, const Id* ids, T* result, Index begin, Index end, Index columns, Index stride,
                       Index low, Index high) {
  if (columns == 1) {
    for (Index i = begin; i < end; ++i) {
      const Index id = load_index(ids, i);
      if (id >= low && id < high)
        result[id * stride] = add_or_subtract<subtracts>(result[id * stride], rows[i * stride]);
    }
    return;
  }
  constexpr Index PREFETCH_DISTANCE = 6, LINE = 64 / sizeof(T), MAX_PREFETCHED = 16 * LINE;
  const Index prefetched_columns = columns < MAX_PREFETCHED ? columns : MAX_PREFETCHED;
  for (Index i = begin; i < end;) {
    if (i + PREFETCH_DISTANCE < end) {
      const Index upcoming = load_index(ids, i + PREFETCH_DISTANCE);
      if (upcoming >= low && upcoming < high)
        for (Index k = 0; k < prefetched_columns; k += LINE) __builtin_prefetch(result + upcoming * stride + k, 1);
    }
    Index next = end_of_run(ids, i, end);
    Index id = load_index(ids, i);
    if (id >= low && id < high)
      accumulate_run<subtracts>(rows + i * stride, next - i, result + id * stride, columns, stride);
    i = next;
  }
}

// Like add_rows, in parallel. Each result element is owned by one thread: the work is divided by ids if they are
// sorted, otherwise by columns, or by id range if rows are short.
template <bool subtracts, class T, class Id>
void parallel_add_rows(const T* rows, const Id* ids, T* result, Index count, Index columns, Index result_rows,
                       Index threads) {
  constexpr Index COLUMN_GRAIN = 128 / sizeof(T);  // two cache lines, which are fetched together
  if (threads > 1 && are_sorted(ids, count)) {
    parallel_for_rows(count, columns, threads, [=](Index begin, Index end) {
      while (begin > 0 && begin < end && ids[begin] == ids[begin - 1]) ++begin;
      if (begin >= end) return;
      add_rows<subtracts>(rows, ids, result, begin, end_of_run(ids, end - 1, count), columns, columns, 0, result_rows);
    });
  } else if (columns >= threads * COLUMN_GRAIN) {
    parallel_for_ranges(columns, (columns / threads + COLUMN_GRAIN - 1) / COLUMN_GRAIN * COLUMN_GRAIN, threads,
                        [=](Index, Index first, Index last) {
                          add_rows<subtracts>(rows + first, ids, result + first, 0, count, last - first, columns, 0,
                                              result_rows);
                        });
  } else {
    parallel_for_ranges(result_rows, (result_rows + threads - 1) / threads, threads, [=](Index, Index low, Index high) {
      add_rows<subtracts>(rows, ids, result, 0, count, columns, columns, low, high);
    });
  }
}

}  // namespace

#define EXTREME(name, largest, propagates_nan, suffix, T)                                                              \
  EXPORT void name##_rows_##suffix(const T* x, T* result, Index rows, Index columns, Index threads, T limit) {         \
    parallel_for_rows(rows, columns, threads, [=](Index begin, Index end) {                                            \
      extremes<largest, propagates_nan>(x, result, begin, end, columns, limit);                                        \
    });                                                                                                                \
  }
// Named as in NumPy: fmax and fmin ignore NaN.
#define EXTREMES(suffix, T)             \
  EXTREME(maximum, true, true, suffix, T)   \
  EXTREME(minimum, false, true, suffix, T)  \
  EXTREME(fmax, true, false, suffix, T)     \
  EXTREME(fmin, false, false, suffix, T)

EXTREMES(f32, float)
EXTREMES(f64, double)

#define ADD_ROWS(suffix, T, id, Id)                                                                                    \
  EXPORT void add_rows_##id##_##suffix(const T* rows, const Id* ids, T* result, Index count, Index columns,            \
                                       Index row_count, Index threads, Index subtracts) {                              \
    (subtracts ? parallel_add_rows<true, T, Id> : parallel_add_rows<false, T, Id>)(rows, ids, result, count, columns,  \
                                                                                   row_count, threads);                \
  }
#define ADD_ROWS_BY(id, Id)              \
  ADD_ROWS(f32, float, id, Id)           \
  ADD_ROWS(f64, double, id, Id)          \
  ADD_ROWS(i32, std::int32_t, id, Id)    \
  ADD_ROWS(i64, std::int64_t, id, Id)

ADD_ROWS_BY(i32, std::int32_t)
ADD_ROWS_BY(i64, std::int64_t)

#define SUMS(suffix, T)                                                                                                \
  EXPORT void row_sums_##suffix(const T* x, T* result, Index rows, Index columns, Index threads) {                     \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { row_sums(x, result, begin, end, columns); });                      \
  }

SUMS(f32, float)
SUMS(f64, double)

#define PRODUCTS(suffix, T)                                                                                            \
  EXPORT void row_products_##suffix(const T* x, T* result, Index rows, Index columns, Index threads) {                 \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { products(x, result, begin, end, columns); });                      \
  }

PRODUCTS(f32, float)
PRODUCTS(f64, double)

// Folds x [outer, rows, columns] to the result [outer, columns]. fmax and fmin start from a number, so they ignore NaN.
#define FOLD(name, suffix, T, folded)                                                                                  \
  EXPORT void fold_##name##_##suffix(const T* x, T* result, Index outer, Index rows, Index columns, Index threads,     \
                                     T start) {                                                                        \
    parallel_for_rows(outer, rows * columns, threads, [=](Index begin, Index end) {                                    \
      for (Index i = begin; i < end; ++i)                                                                              \
        fold_rows(x + i * rows * columns, result + i * columns, rows, columns, start,                                  \
                  [](T a, T b) { return folded; });                                                                    \
    });                                                                                                                \
  }
#define FOLDS(suffix, T)                       \
  FOLD(add, suffix, T, a + b)                  \
  FOLD(multiply, suffix, T, a * b)             \
  FOLD(fmax, suffix, T, b > a ? b : a)         \
  FOLD(fmin, suffix, T, b < a ? b : a)

FOLDS(f32, float)
FOLDS(f64, double)

#define SET_ROWS(id, Id)                                                                                               \
  EXPORT void set_rows_##id(const char* rows, const Id* ids, char* array, Index count, Index row_count, Index width) { \
    scatter_rows(rows, ids, array, count, row_count, width);                                                           \
  }                                                                                                                    \
  EXPORT int take_rows_##id(const char* table, const Id* ids, char* result, Index count, Index row_count, Index width, \
                            Index threads) {                                                                           \
    return gather_rows(table, ids, result, count, row_count, width, threads);                                          \
  }                                                                                                                    \
  EXPORT void last_rows_##id(const Id* ids, Index* last, Index count, Index row_count) {                               \
    find_last_rows(ids, last, count, row_count);                                                                       \
  }

SET_ROWS(i32, std::int32_t)
SET_ROWS(i64, std::int64_t)

EXPORT void copy_rows(const char* rows, const Index* last, char* array, Index row_count, Index width, Index threads) {
  parallel_for_rows(row_count, width, threads,
                    [=](Index begin, Index end) { copy(rows, last, array, begin, end, width); });
}
