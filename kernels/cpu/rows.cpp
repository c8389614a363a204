// The largest and smallest elements of rows, and sums of the rows that share an id.

#include "lanes.h"

namespace {

// numpy's four rules, by their names.
#define RULE(Name, function)                                            \
  template <class T>                                                    \
  struct Name {                                                         \
    T operator()(T a, T b) const { return function(a, b); }             \
  };
RULE(Maximum, maximum)
RULE(Minimum, minimum)
RULE(Fmax, fmax_of)
RULE(Fmin, fmin_of)

// Each row of at least one element, combined with `limit`.
template <class T, class Rule>
void extremes(const T* x, T* result, Index begin, Index end, Index columns, T limit, Rule rule) {
  for (Index row = begin; row < end; ++row) {
    const T* given = x + row * columns;
    T lanes[LANES];
    for (int k = 0; k < LANES; ++k) lanes[k] = limit;
    Index i = 0;
    for (; i + LANES <= columns; i += LANES)
      for (int k = 0; k < LANES; ++k) lanes[k] = rule(lanes[k], given[i + k]);
    for (; i < columns; ++i) lanes[0] = rule(lanes[0], given[i]);
    T most = lanes[0];
    for (int k = 1; k < LANES; ++k) most = rule(most, lanes[k]);
    result[row] = most;
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

#define EXTREME(name, Rule, suffix, T)                                                                    \
  EXPORT void name##_rows_##suffix(const T* x, T* result, Index begin, Index end, Index columns, T limit) { \
    extremes(x, result, begin, end, columns, limit, Rule<T>());                                             \
  }
#define EXTREMES(suffix, T)          \
  EXTREME(maximum, Maximum, suffix, T) \
  EXTREME(minimum, Minimum, suffix, T) \
  EXTREME(fmax, Fmax, suffix, T)       \
  EXTREME(fmin, Fmin, suffix, T)

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
