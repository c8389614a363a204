// The sums, the largest and the smallest elements of rows; sums of the rows that share an id, and rows put at places.

#include "lanes.h"

namespace {

// Each row's extreme, and `limit`.
template <bool largest, bool nan_counts, class T>
void extremes(const T* x, T* result, Index begin, Index end, Index columns, T limit) {
  for (Index row = begin; row < end; ++row) result[row] = extreme_of<largest, nan_counts>(x + row * columns, columns, limit);
}

template <class T>
void sums(const T* x, T* result, Index begin, Index end, Index columns) {
  for (Index row = begin; row < end; ++row) {
    const T* from = x + row * columns;
    result[row] = sum_over<T>(columns, [=](Index i) { return from[i]; });
  }
}

// array[ids[i]] = rows[i] in the order of i; `width` bytes a row.
template <class Id>
void set_rows(const char* rows, const Id* ids, char* array, Index count, Index width) {
  for (Index i = 0; i < count; ++i)
    std::memcpy(array + Index(ids[i]) * width, rows + i * width, std::size_t(width));
}

// last[ids[i]] = i in the order of i.
template <class Id>
void last_rows(const Id* ids, Index* last, Index count) {
  for (Index i = 0; i < count; ++i) last[ids[i]] = i;
}

// array[place] = rows[last[place]] for the places from `begin` to `end`, where that is not negative.
void copy(const char* rows, const Index* last, char* array, Index begin, Index end, Index width) {
  constexpr Index AHEAD = 8;
  for (Index place = begin; place < end; ++place) {
    if (place + AHEAD < end && last[place + AHEAD] >= 0) __builtin_prefetch(rows + last[place + AHEAD] * width);
    if (last[place] >= 0) std::memcpy(array + place * width, rows + last[place] * width, std::size_t(width));
  }
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

#define SUMS(suffix, T)                                                                              \
  EXPORT void row_sums_##suffix(const T* x, T* result, Index begin, Index end, Index columns) {      \
    sums(x, result, begin, end, columns);                                                            \
  }

SUMS(f32, float)
SUMS(f64, double)

#define SET_ROWS(id, Id)                                                                             \
  EXPORT void set_rows_##id(const char* rows, const Id* ids, char* array, Index count, Index width) { \
    set_rows(rows, ids, array, count, width);                                                        \
  }                                                                                                  \
  EXPORT void last_rows_##id(const Id* ids, Index* last, Index count) { last_rows(ids, last, count); }

SET_ROWS(i32, std::int32_t)
SET_ROWS(i64, std::int64_t)

EXPORT void copy_rows(const char* rows, const Index* last, char* array, Index begin, Index end, Index width) {
  copy(rows, last, array, begin, end, width);
}
