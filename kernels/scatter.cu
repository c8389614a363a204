// Scatter updates of rows, bitwise reproducible for any number of duplicate indices: `indices` are sorted stably,
// `order` contains the original position of each update, and one thread per column applies all updates of an index,
// first to last. This matches the result of the CPU. Large numbers of updates are instead combined in parts of fixed
// size, except for quotients. Out-of-range indices are skipped, as in TensorFlow on a GPU.
#include "basics.h"

struct Difference {
  template <class T>
  __device__ T operator()(T value, T update) const {
    return value - update;
  }
};
struct Product {
  template <class T>
  __device__ T operator()(T value, T update) const {
    return value * update;
  }
};
struct Quotient {
  template <class T>
  __device__ T operator()(T value, T update) const {
    return value / update;
  }
  __device__ int operator()(int value, int update) const { return update ? value / update : 0; }
  __device__ Index operator()(Index value, Index update) const {
    return update ? value / update : 0;
  }
};
// Returns the smaller operand; NaN propagates.
struct Smallest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
};

// Applies updates [count, inner], or a single number if the step is 0, to array [extent, inner]. `order` may be null if
// the updates themselves are sorted.
template <class T, class Combine, class Number>
__device__ void scatter(T* array, const Index* indices, const Index* order, const T* updates,
                        Index step, Number count, Index extent, Number inner) {
  Combine combine;
  GRID_STRIDE_BY(Number, i, count * inner) {
    Number position = i / inner, column = i - position * inner;
    Index index = indices[position];
    if (position && indices[position - 1] == index) continue;  // not the first update of its index
    if (index < 0 || index >= extent) continue;
    T value = array[index * inner + column];
    for (Number j = position; j < count && indices[j] == index; ++j) {
      Index update = order ? order[j] : j;
      value = combine(value, updates[(update * inner + column) * step]);
    }
    array[index * inner + column] = value;
  }
}
#define PAIR(A, B) A, B

// Assigns the last update of each index.
template <class T, class Number>
__device__ void assign(T* array, const Index* indices, const Index* order, const T* updates,
                       Index step, Number count, Index extent, Number inner) {
  GRID_STRIDE_BY(Number, i, count * inner) {
    Number position = i / inner, column = i - position * inner;
    Index index = indices[position];
    if (position + 1 < count && indices[position + 1] == index) continue;
    if (index < 0 || index >= extent) continue;
    Index update = order ? order[position] : position;
    array[index * inner + column] = updates[(update * inner + column) * step];
  }
}

#define MAKE(T, WIDTH)                                                                         \
  KERNEL(scatter_update_##WIDTH)(void* array, const Index* indices, const Index* order,        \
                                const void* updates, Index step, Index count, Index extent,    \
                                Index inner) {                                                 \
    SIZED(count * inner, assign, T, (T*)array, indices, order, (const T*)updates, step, count, \
          extent, inner);                                                                      \
  }
FOR_WIDTHS(MAKE)
#undef MAKE

#define MAKE_FOR(T, NAME, HOW, COMBINE)                                                   \
  KERNEL(scatter_##HOW##_##NAME)(T* array, const Index* indices, const Index* order,      \
                                const T* updates, Index step, Index count, Index extent,  \
                                Index inner) {                                            \
    SIZED(count * inner, scatter, PAIR(T, COMBINE), array, indices, order, updates, step, \
          count, extent, inner);                                                          \
  }
#define MAKE(T, NAME)                                                                         \
  MAKE_FOR(T, NAME, add, Sum) MAKE_FOR(T, NAME, subtract, Difference)                         \
  MAKE_FOR(T, NAME, multiply, Product)                \
  MAKE_FOR(T, NAME, divide, Quotient) MAKE_FOR(T, NAME, minimum, Smallest)                    \
  MAKE_FOR(T, NAME, maximum, Largest)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR

// Sums with few columns: one warp per index, where each lane adds every 32nd update. Launched with blockDim (32, n).
template <class T>
__device__ void scatter_sums(T* array, const Index* indices, const Index* order, const T* updates,
                             Index count, Index extent, Index inner) {
  FOR_ROWS(position, count) {
    Index index = indices[position];
    if (position && indices[position - 1] == index) continue;
    if (index < 0 || index >= extent) continue;
    Index end = position + 1;
    while (end < count && indices[end] == index) end += 32;  // followed by a binary search for the end of the run
    Index low = end - 32 > position ? end - 32 : position + 1;
    if (end > count) end = count;
    while (low < end) {
      Index middle = (low + end) / 2;
      if (indices[middle] == index)
        low = middle + 1;
      else
        end = middle;
    }
    for (Index column = 0; column < inner; ++column) {
      T sum = 0;
      for (Index j = position + threadIdx.x; j < end; j += 32)
        sum += updates[(order ? order[j] : j) * inner + column];
      sum = reduce_row(sum, Sum(), T(0), (T*)0);
      if (threadIdx.x == 0) array[index * inner + column] += sum;
    }
  }
}

#define MAKE(T, NAME)                                                                    \
  KERNEL(scatter_sums_##NAME)(T* array, const Index* indices, const Index* order,        \
                             const T* updates, Index count, Index extent, Index inner) { \
    scatter_sums(array, indices, order, updates, count, extent, inner);                  \
  }
FOR_NUMBERS(MAKE)
#undef MAKE

// For many updates, possibly of few indices (padding): each thread processes `size` consecutive updates of a column.
// Runs of an index inside this part are applied to the array immediately. A run that continues in the next part is
// combined in `tails`, a run that continues from the previous part in `heads`, both [parts, inner].
template <class T, class Apply, class Gather>
__device__ void gather_parts(T* array, const Index* indices, const Index* order, const T* updates,
                             T* heads, T* tails, Index count, Index extent, Index inner,
                             Index size, Apply apply, Gather gather) {
  Index parts = (count + size - 1) / size;
  GRID_STRIDE(i, parts * inner) {
    Index part = i / inner, column = i - part * inner;
    Index j = part * size, end = j + size < count ? j + size : count;
    bool continues_previous = j && indices[j - 1] == indices[j];
    while (j < end) {
      Index index = indices[j];
      bool continues_next = end < count && indices[end] == index;
      bool is_valid = index >= 0 && index < extent;
      bool is_partial = continues_previous || continues_next;
      T value = is_valid ? updates[(order ? order[j] : j) * inner + column] : T(0);
      if (is_valid && !is_partial) value = apply(array[index * inner + column], value);
      for (++j; j < end && indices[j] == index; ++j) {
        if (!is_valid) continue;
        T update = updates[(order ? order[j] : j) * inner + column];
        value = is_partial ? gather(value, update) : apply(value, update);
      }
      if (continues_previous)
        heads[i] = value;
      else if (continues_next)
        tails[i] = value;
      else if (is_valid)
        array[index * inner + column] = value;
      continues_previous = false;
    }
  }
}

// Applies the runs that extend beyond the part in which they began.
template <class T, class Apply, class Gather>
__device__ void apply_parts(T* array, const Index* indices, const T* heads, const T* tails,
                            Index count, Index extent, Index inner, Index size, Apply apply,
                            Gather gather) {
  Index parts = (count + size - 1) / size;
  GRID_STRIDE(i, parts * inner) {
    Index part = i / inner, column = i - part * inner;
    Index begin = part * size, end = begin + size;
    if (end >= count) continue;
    Index index = indices[end - 1];
    if (indices[end] != index || index < 0 || index >= extent) continue;
    if (begin && indices[begin - 1] == index) continue;  // began in an earlier part
    T value = tails[i];
    for (Index next = part + 1; next < parts; ++next) {
      value = gather(value, heads[next * inner + column]);
      if ((next + 1) * size >= count || indices[(next + 1) * size] != index) break;
    }
    array[index * inner + column] = apply(array[index * inner + column], value);
  }
}

#define MAKE_FOR(T, NAME, HOW, APPLY, GATHER)                                                 \
  KERNEL(HOW##_gather_parts_##NAME)(T* array, const Index* indices, const Index* order,       \
                                    const T* updates, T* heads, T* tails, Index count,        \
                                    Index extent, Index inner, Index size) {                  \
    gather_parts(array, indices, order, updates, heads, tails, count, extent, inner, size,    \
                 APPLY(), GATHER());                                                          \
  }                                                                                           \
  KERNEL(HOW##_apply_parts_##NAME)(T* array, const Index* indices, const T* heads,            \
                                   const T* tails, Index count, Index extent, Index inner,    \
                                   Index size) {                                              \
    apply_parts(array, indices, heads, tails, count, extent, inner, size, APPLY(), GATHER()); \
  }
#define MAKE(T, NAME)                                                                            \
  MAKE_FOR(T, NAME, add, Sum, Sum) MAKE_FOR(T, NAME, subtract, Difference, Sum)                  \
  MAKE_FOR(T, NAME, multiply, Product, Product)                                                  \
  MAKE_FOR(T, NAME, minimum, Smallest, Smallest) MAKE_FOR(T, NAME, maximum, Largest, Largest)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR
