// Scatter updates of rows, bitwise reproducible for any number of duplicate indices: `places` is sorted stably, `order`
// holds each update's original index, and one thread per column applies all updates of a place, first to last. This
// matches the CPU's result. Large numbers of updates are instead combined in parts of fixed size, except for quotients.
// Out-of-range places are skipped, as in TensorFlow on a GPU.
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
// The smaller operand; NaN propagates.
struct Smallest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
};

// array [extent, inner], updates [count, inner], or a single number if the step is 0. `order` may be null if the
// updates themselves are sorted.
template <class T, class Combine, class Number>
__device__ void scatter(T* array, const Index* places, const Index* order, const T* updates,
                        Index step, Number count, Index extent, Number inner) {
  Combine combine;
  GRID_STRIDE_BY(Number, i, count * inner) {
    Number number = i / inner, column = i - number * inner;
    Index place = places[number];
    if (number && places[number - 1] == place) continue;  // not the first of its place
    if (place < 0 || place >= extent) continue;
    T value = array[place * inner + column];
    for (Number j = number; j < count && places[j] == place; ++j) {
      Index update = order ? order[j] : j;
      value = combine(value, updates[(update * inner + column) * step]);
    }
    array[place * inner + column] = value;
  }
}
#define PAIR(A, B) A, B

// Assigns each place its last update.
template <class T, class Number>
__device__ void assign(T* array, const Index* places, const Index* order, const T* updates,
                       Index step, Number count, Index extent, Number inner) {
  GRID_STRIDE_BY(Number, i, count * inner) {
    Number number = i / inner, column = i - number * inner;
    Index place = places[number];
    if (number + 1 < count && places[number + 1] == place) continue;
    if (place < 0 || place >= extent) continue;
    Index update = order ? order[number] : number;
    array[place * inner + column] = updates[(update * inner + column) * step];
  }
}

#define MAKE(T, WIDTH)                                                                         \
  KERNEL(scatter_update_##WIDTH)(void* array, const Index* places, const Index* order,         \
                                const void* updates, Index step, Index count, Index extent,    \
                                Index inner) {                                                 \
    SIZED(count * inner, assign, T, (T*)array, places, order, (const T*)updates, step, count,  \
          extent, inner);                                                                      \
  }
FOR_WIDTHS(MAKE)
#undef MAKE

#define MAKE_FOR(T, NAME, HOW, COMBINE)                                                        \
  KERNEL(scatter_##HOW##_##NAME)(T* array, const Index* places, const Index* order,            \
                                const T* updates, Index step, Index count, Index extent,       \
                                Index inner) {                                                 \
    SIZED(count * inner, scatter, PAIR(T, COMBINE), array, places, order, updates, step,       \
          count, extent, inner);                                                               \
  }
#define MAKE(T, NAME)                                                                         \
  MAKE_FOR(T, NAME, add, Sum) MAKE_FOR(T, NAME, subtract, Difference)                         \
  MAKE_FOR(T, NAME, multiply, Product)                \
  MAKE_FOR(T, NAME, divide, Quotient) MAKE_FOR(T, NAME, minimum, Smallest)                    \
  MAKE_FOR(T, NAME, maximum, Largest)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR

// Sums with few columns: a warp per place, each lane adding every 32nd update. Launched with blockDim (32, n).
template <class T>
__device__ void scatter_sums(T* array, const Index* places, const Index* order, const T* updates,
                             Index count, Index extent, Index inner) {
  FOR_ROWS(number, count) {
    Index place = places[number];
    if (number && places[number - 1] == place) continue;
    if (place < 0 || place >= extent) continue;
    Index end = number + 1;
    while (end < count && places[end] == place) end += 32;  // then binary search for the end of the run
    Index low = end - 32 > number ? end - 32 : number + 1;
    if (end > count) end = count;
    while (low < end) {
      Index middle = (low + end) / 2;
      if (places[middle] == place)
        low = middle + 1;
      else
        end = middle;
    }
    for (Index column = 0; column < inner; ++column) {
      T sum = 0;
      for (Index j = number + threadIdx.x; j < end; j += 32)
        sum += updates[(order ? order[j] : j) * inner + column];
      sum = reduce_row(sum, Sum(), T(0), (T*)0);
      if (threadIdx.x == 0) array[place * inner + column] += sum;
    }
  }
}

#define MAKE(T, NAME)                                                                           \
  KERNEL(scatter_sums_##NAME)(T* array, const Index* places, const Index* order,                \
                             const T* updates, Index count, Index extent, Index inner) {        \
    scatter_sums(array, places, order, updates, count, extent, inner);                          \
  }
FOR_NUMBERS(MAKE)
#undef MAKE

// For many updates, possibly of few places (padding): each thread processes `size` consecutive updates of a column.
// Runs of a place inside this part are applied to the array at once. A run that continues in the next part is combined
// in `tails`, one that continues from the previous part in `heads`, both [parts, inner].
template <class T, class Apply, class Gather>
__device__ void gather_parts(T* array, const Index* places, const Index* order, const T* updates,
                             T* heads, T* tails, Index count, Index extent, Index inner,
                             Index size, Apply apply, Gather gather) {
  Index parts = (count + size - 1) / size;
  GRID_STRIDE(i, parts * inner) {
    Index part = i / inner, column = i - part * inner;
    Index j = part * size, end = j + size < count ? j + size : count;
    bool goes_on = j && places[j - 1] == places[j];
    while (j < end) {
      Index place = places[j];
      bool goes_beyond = end < count && places[end] == place;
      bool is_there = place >= 0 && place < extent;
      bool is_part = goes_on || goes_beyond;
      T value = is_there ? updates[(order ? order[j] : j) * inner + column] : T(0);
      if (is_there && !is_part) value = apply(array[place * inner + column], value);
      for (++j; j < end && places[j] == place; ++j) {
        if (!is_there) continue;
        T update = updates[(order ? order[j] : j) * inner + column];
        value = is_part ? gather(value, update) : apply(value, update);
      }
      if (goes_on)
        heads[i] = value;
      else if (goes_beyond)
        tails[i] = value;
      else if (is_there)
        array[place * inner + column] = value;
      goes_on = false;
    }
  }
}

// Applies the runs that extend beyond the part in which they began.
template <class T, class Apply, class Gather>
__device__ void apply_parts(T* array, const Index* places, const T* heads, const T* tails,
                            Index count, Index extent, Index inner, Index size, Apply apply,
                            Gather gather) {
  Index parts = (count + size - 1) / size;
  GRID_STRIDE(i, parts * inner) {
    Index part = i / inner, column = i - part * inner;
    Index begin = part * size, end = begin + size;
    if (end >= count) continue;
    Index place = places[end - 1];
    if (places[end] != place || place < 0 || place >= extent) continue;
    if (begin && places[begin - 1] == place) continue;  // began in an earlier part
    T value = tails[i];
    for (Index next = part + 1; next < parts; ++next) {
      value = gather(value, heads[next * inner + column]);
      if ((next + 1) * size >= count || places[(next + 1) * size] != place) break;
    }
    array[place * inner + column] = apply(array[place * inner + column], value);
  }
}

#define MAKE_FOR(T, NAME, HOW, APPLY, GATHER)                                                    \
  KERNEL(HOW##_gather_parts_##NAME)(T* array, const Index* places, const Index* order,           \
                                    const T* updates, T* heads, T* tails, Index count,           \
                                    Index extent, Index inner, Index size) {                     \
    gather_parts(array, places, order, updates, heads, tails, count, extent, inner, size,        \
                 APPLY(), GATHER());                                                             \
  }                                                                                              \
  KERNEL(HOW##_apply_parts_##NAME)(T* array, const Index* places, const T* heads,                \
                                   const T* tails, Index count, Index extent, Index inner,       \
                                   Index size) {                                                 \
    apply_parts(array, places, heads, tails, count, extent, inner, size, APPLY(), GATHER());     \
  }
#define MAKE(T, NAME)                                                                            \
  MAKE_FOR(T, NAME, add, Sum, Sum) MAKE_FOR(T, NAME, subtract, Difference, Sum)                  \
  MAKE_FOR(T, NAME, multiply, Product, Product)                                                  \
  MAKE_FOR(T, NAME, minimum, Smallest, Smallest) MAKE_FOR(T, NAME, maximum, Largest, Largest)
FOR_NUMBERS(MAKE)
#undef MAKE
#undef MAKE_FOR
