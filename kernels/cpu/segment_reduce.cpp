// The products, the largest and the smallest of the rows that share an id.

#include <type_traits>

#include "threads.h"

namespace {

struct Largest {
  template <class T>
  static T of(T a, T b) { return maximum(a, b); }
};

struct Smallest {
  template <class T>
  static T of(T a, T b) { return minimum(a, b); }
};

struct Product {
  static float of(float a, float b) { return a * b; }
  static double of(double a, double b) { return a * b; }
  template <class T>
  static T of(T a, T b) {  // modulo a power of two
    using Unsigned = std::make_unsigned_t<T>;
    return T(Unsigned(a) * Unsigned(b));
  }
};

template <class How, class T>
APART void take_in(const T* __restrict row, T* __restrict result, Index columns) {
  for (Index k = 0; k < columns; ++k) result[k] = How::of(result[k], row[k]);
}

// Rows whose ids are from `low` to `high`; the first one of an id is copied, and `seen` says that it was.
template <class How, class T, class Id>
void reduce(const T* rows, const Id* ids, T* result, unsigned char* seen, Index begin, Index end, Index columns, Index low,
            Index high) {
  for (Index i = begin; i < end; ++i) {
    const Index id = number_at(ids, i);
    if (id < low || id >= high) continue;
    const T* row = rows + i * columns;
    T* own = result + id * columns;
    if (seen[id])
      take_in<How>(row, own, columns);
    else
      std::memcpy(own, row, std::size_t(columns) * sizeof(T));
    seen[id] = 1;
  }
}

// A result's row belongs to one thread, which goes through all ids for those of its range.
template <class How, class T, class Id>
void reduce_on_threads(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count, Index columns,
                       Index places, Index threads) {
  in_pieces(places, (places + threads - 1) / threads, threads, [=](Index, Index low, Index high) {
    reduce<How>(rows, ids, result, seen, 0, count, columns, low, high);
  });
}

}  // namespace

// result[id] = the rows of an id, one taken in after the other; of an id without rows it stays what it is.
#define REDUCE(name, How, suffix, T, id, Id)                                                                           \
  EXPORT void name##_by_##id##_##suffix(const T* rows, const Id* ids, T* result, unsigned char* seen, Index count,     \
                                        Index columns, Index places, Index threads) {                                  \
    reduce_on_threads<How>(rows, ids, result, seen, count, columns, places, threads);                                  \
  }
#define REDUCE_BOTH(name, How, suffix, T)               \
  REDUCE(name, How, suffix, T, i32, std::int32_t)       \
  REDUCE(name, How, suffix, T, i64, std::int64_t)
#define REDUCE_ALL(name, How)                   \
  REDUCE_BOTH(name, How, f32, float)            \
  REDUCE_BOTH(name, How, f64, double)           \
  REDUCE_BOTH(name, How, i32, std::int32_t)     \
  REDUCE_BOTH(name, How, i64, std::int64_t)

// numpy's names.
REDUCE_ALL(maximum, Largest)
REDUCE_ALL(minimum, Smallest)
REDUCE_ALL(multiply, Product)
