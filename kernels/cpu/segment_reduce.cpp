// Segment products, maxima and minima: reductions over the rows that share an id.

#include "threads.h"

namespace {

// On elements or vectors; NaN propagates.
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

// Reduces `count` consecutive rows to one.
template <class How, class T>
NOINLINE void take_in(const T* __restrict rows, Index count, T* __restrict result, Index columns) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr Index WIDTH = VECTOR / sizeof(T);
  constexpr Index SIDE_BY_SIDE = 4;  // independent accumulators, to hide latency
  Index k = 0;
  for (; k + SIDE_BY_SIDE * WIDTH <= columns; k += SIDE_BY_SIDE * WIDTH) {
    Vector own[SIDE_BY_SIDE], some[SIDE_BY_SIDE];
    std::memcpy(own, result + k, sizeof own);
    for (Index i = 0; i < count; ++i) {
      std::memcpy(some, rows + i * columns + k, sizeof some);
      for (int v = 0; v < SIDE_BY_SIDE; ++v) own[v] = How::of(own[v], some[v]);
    }
    std::memcpy(result + k, own, sizeof own);
  }
  for (; k + WIDTH <= columns; k += WIDTH) {
    Vector own, some;
    std::memcpy(&own, result + k, sizeof own);
    for (Index i = 0; i < count; ++i) {
      std::memcpy(&some, rows + i * columns + k, sizeof some);
      own = How::of(own, some);
    }
    std::memcpy(result + k, &own, sizeof own);
  }
  for (; k < columns; ++k)
    for (Index i = 0; i < count; ++i) result[k] = How::of(result[k], rows[i * columns + k]);
}

// Reduces rows whose ids are in `low` to `high`. The first row of an id is copied; `seen` records this.
template <class How, class T, class Id>
void reduce(const T* rows, const Id* ids, T* result, unsigned char* seen, Index begin, Index end, Index columns, Index low,
            Index high) {
  for (Index i = begin, next; i < end; i = next) {
    const Index id = number_at(ids, i);
    next = i + 1;
    while (next < end && number_at(ids, next) == id) ++next;
    if (id < low || id >= high) continue;
    T* own = result + id * columns;
    if (!seen[id]) std::memcpy(own, rows + i++ * columns, std::size_t(columns) * sizeof(T));
    seen[id] = 1;
    take_in<How>(rows + i * columns, next - i, own, columns);
  }
}

// Each result row is owned by one thread, which scans all ids for those in its range.
template <class How, class T, class Id>
void reduce_on_threads(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count, Index columns,
                       Index places, Index threads) {
  in_pieces(places, (places + threads - 1) / threads, threads, [=](Index, Index low, Index high) {
    reduce<How>(rows, ids, result, seen, 0, count, columns, low, high);
  });
}

constexpr int KNOWN = 1, INSIDE = 2, ASCENDING = 4, HAS_NAN = 8;  // facts about ids and results

template <class T, class Id>
int facts_of(const Id* ids, Index count, Index places, const T* result, Index size) {
  bool inside = true, ascending = true, has_nan = false;
  Index before = 0;
  for (Index i = 0; i < count; ++i) {
    const Index id = number_at(ids, i);
    inside &= is_inside(id, places);
    ascending &= before <= id;
    before = id;
  }
  for (Index i = 0; i < size; ++i) has_nan |= result[i] != result[i];
  return KNOWN | INSIDE * inside | ASCENDING * ascending | HAS_NAN * has_nan;
}

}  // namespace

// result[id] is reduced with all rows of the id, in order; results without rows are unchanged. With one thread, returns
// facts about the ids and the result; else 0.
#define REDUCE(name, How, suffix, T, id, Id)                                                                           \
  EXPORT int name##_by_##id##_##suffix(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count,      \
                                       Index columns, Index places, Index threads) {                                   \
    reduce_on_threads<How>(rows, ids, result, seen, count, columns, places, threads);                                  \
    return threads > 1 ? 0 : facts_of(ids, count, places, result, places * columns);                                   \
  }
#define REDUCE_BOTH(name, How, suffix, T)               \
  REDUCE(name, How, suffix, T, i32, std::int32_t)       \
  REDUCE(name, How, suffix, T, i64, std::int64_t)
#define REDUCE_ALL(name, How, Int32, Int64) \
  REDUCE_BOTH(name, How, f32, float)        \
  REDUCE_BOTH(name, How, f64, double)       \
  REDUCE_BOTH(name, How, i32, Int32)        \
  REDUCE_BOTH(name, How, i64, Int64)

// Named as in numpy. Integer products wrap around.
REDUCE_ALL(maximum, Largest, std::int32_t, std::int64_t)
REDUCE_ALL(minimum, Smallest, std::int32_t, std::int64_t)
REDUCE_ALL(multiply, Product, std::uint32_t, std::uint64_t)
