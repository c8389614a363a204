// The largest and smallest elements of rows, and sums of the rows that share an id.

#include "lanes.h"

namespace {

// Each row's extreme, and `limit`.
template <bool largest, bool nan_counts, class T>
void extremes(const T* x, T* result, Index begin, Index end, Index columns, T limit) {
  for (Index row = begin; row < end; ++row) result[row] = extreme_of<largest, nan_counts>(x + row * columns, columns, limit);
}

// result[ids[i]] += rows[i] in the order of i; columns from `begin` to `end` of `columns`.
template <class T, class Id>
void add_rows(const T* rows, const Id* ids, T* result, Index count, Index columns, Index begin, Index end) {
  for (Index i = 0; i < count; ++i) {
    const T* __restrict given = rows + i * columns;
    T* __restrict sum = result + Index(ids[i]) * columns;
    for (Index c = begin; c < end; ++c) sum[c] += given[c];
  }
}

}  // namespace

#define EXTREME(name, largest, nan_counts, suffix, T)                                                      \
  EXPORT void name##_rows_##suffix(const T* x, T* result, Index begin, Index end, Index columns, T limit) { \
    extremes<largest, nan_counts>(x, result, begin, end, columns, limit);                                   \
  }
// numpy's names: fmax and fmin leave out what is NaN.
#define EXTREMES(suffix, T)             \
  EXTREME(maximum, true, true, suffix, T)   \
  EXTREME(minimum, false, true, suffix, T)  \
  EXTREME(fmax, true, false, suffix, T)     \
  EXTREME(fmin, false, false, suffix, T)

EXTREMES(f32, float)
EXTREMES(f64, double)

#define ADD_ROWS(suffix, T, id, Id)                                                                        \
  EXPORT void add_rows_##id##_##suffix(const T* rows, const Id* ids, T* result, Index count, Index columns, \
                                       Index begin, Index end) {                                            \
    add_rows(rows, ids, result, count, columns, begin, end);                                                \
  }
#define ADD_ROWS_BY(id, Id)              \
  ADD_ROWS(f32, float, id, Id)           \
  ADD_ROWS(f64, double, id, Id)          \
  ADD_ROWS(i32, std::int32_t, id, Id)    \
  ADD_ROWS(i64, std::int64_t, id, Id)

ADD_ROWS_BY(i32, std::int32_t)
ADD_ROWS_BY(i64, std::int64_t)
