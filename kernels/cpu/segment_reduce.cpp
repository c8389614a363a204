// Segment products, maxima and minima: reductions over the rows that share an id.

#include "threads.h"

namespace {

// Reductions of two elements or vectors; NaN propagates.
struct Largest {
  template <class T>
  static T of(T a, T b) { return (a >= b) | (a != a) ? a : b; }
};

struct Smallest {
  template <class T>
  static T of(T a, T b) { return (a <= b) | (a != a) ? a : b; }
};

struct Product {
  template <class T>
  static T of(T a, T b) { return a * b; }
};

// Accumulates `count` consecutive rows into `result`.
template <class How, class T>
NOINLINE void reduce_rows(const T* __restrict rows, Index count, T* __restrict result, Index columns) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr Index WIDTH = VECTOR / sizeof(T);
  constexpr Index UNROLL = 8;  // independent accumulators, to hide latency
  Index k = 0;
  for (; k + UNROLL * WIDTH <= columns; k += UNROLL * WIDTH) {
    Vector accumulator[UNROLL], row[UNROLL];
    std::memcpy(accumulator, result + k, sizeof accumulator);
    for (Index i = 0; i < count; ++i) {
      std::memcpy(row, rows + i * columns + k, sizeof row);
      for (int v = 0; v < UNROLL; ++v) accumulator[v] = How::of(accumulator[v], row[v]);
    }
    std::memcpy(result + k, accumulator, sizeof accumulator);
  }
  for (; k + WIDTH <= columns; k += WIDTH) {
    Vector accumulator, row;
    std::memcpy(&accumulator, result + k, sizeof accumulator);
    for (Index i = 0; i < count; ++i) {
      std::memcpy(&row, rows + i * columns + k, sizeof row);
      accumulator = How::of(accumulator, row);
    }
    std::memcpy(result + k, &accumulator, sizeof accumulator);
  }
  for (; k < columns; ++k)
    for (Index i = 0; i < count; ++i) result[k] = How::of(result[k], rows[i * columns + k]);
}

// Reduces rows whose ids are in the range `low` to `high`. The first row of an id is copied; `seen` records this.
template <class How, class T, class Id>
void reduce(const T* rows, const Id* ids, T* result, unsigned char* seen, Index begin, Index end, Index columns,
            Index low, Index high) {
  for (Index i = begin, next; i < end; i = next) {
    const Index id = load_index(ids, i);
    next = i + 1;
    while (next < end && load_index(ids, next) == id) ++next;
    if (id < low || id >= high) continue;
    T* output = result + id * columns;
    if (!seen[id]) std::memcpy(output, rows + i++ * columns, std::size_t(columns) * sizeof(T));
    seen[id] = 1;
    reduce_rows<How>(rows + i * columns, next - i, output, columns);
  }
}

// Like reduce, in parallel. Each result row is owned by one thread, which scans all ids for those in its range.
template <class How, class T, class Id>
void parallel_reduce(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count, Index columns,
                     Index result_rows, Index threads) {
  parallel_for_ranges(result_rows, (result_rows + threads - 1) / threads, threads, [=](Index, Index low, Index high) {
    reduce<How>(rows, ids, result, seen, 0, count, columns, low, high);
  });
}

constexpr int COMPUTED = 1, INSIDE = 2, ASCENDING = 4, HAS_NAN = 8;  // properties of ids and results

template <class T, class Id>
int describe_ids(const Id* ids, Index count, Index result_rows, const T* result, Index size) {
  bool in_range = true, ascending = true, has_nan = false;
  Index previous = 0;
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i);
    in_range &= is_in_range(id, result_rows);
    ascending &= previous <= id;
    previous = id;
  }
  for (Index i = 0; i < size; ++i) has_nan |= result[i] != result[i];
  return COMPUTED | INSIDE * in_range | ASCENDING * ascending | HAS_NAN * has_nan;
}

}  // namespace

// Reduces result[id] with all rows of the id, in order; results without rows are unchanged. With one thread, returns
// the properties of the ids and of the result; otherwise 0.
#define REDUCE(name, How, suffix, T, id, Id)                                                                           \
  EXPORT int name##_by_##id##_##suffix(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count,      \
                                       Index columns, Index segment_count, Index threads) {                            \
    parallel_reduce<How>(rows, ids, result, seen, count, columns, segment_count, threads);                             \
    return threads > 1 ? 0 : describe_ids(ids, count, segment_count, result, segment_count * columns);                 \
  }
#define REDUCE_BOTH(name, How, suffix, T)               \
  REDUCE(name, How, suffix, T, i32, std::int32_t)       \
  REDUCE(name, How, suffix, T, i64, std::int64_t)
#define REDUCE_ALL(name, How, Int32, Int64) \
  REDUCE_BOTH(name, How, f32, float)        \
  REDUCE_BOTH(name, How, f64, double)       \
  REDUCE_BOTH(name, How, i32, Int32)        \
  REDUCE_BOTH(name, How, i64, Int64)

// Named as in NumPy. Integer products wrap around.
REDUCE_ALL(maximum, Largest, std::int32_t, std::int64_t)
REDUCE_ALL(minimum, Smallest, std::int32_t, std::int64_t)
REDUCE_ALL(multiply, Product, std::uint32_t, std::uint64_t)
