// Gathered rows, flattened point indices, one-hot encoding. Elements are only moved, so there is one kernel per element
// width. Out-of-range indices yield 0, as in TensorFlow on a GPU.
#include "basics.h"

// params [batch, outer, extent, inner], indices [batch, count] -> rows [batch, outer, count, inner]
template <class T, class Place, class Number>
__device__ void gather(const T* __restrict__ params, const Place* __restrict__ indices,
                       T* __restrict__ rows, Number size, Number outer, Index extent, Number inner,
                       Number count) {
#pragma unroll 4
  GRID_STRIDE_BY(Number, i, size) {
    Number row = i / inner, column = i - row * inner;
    Number slab = row / count, number = row - slab * count;  // slab: [batch, outer]
    Index place = indices[(Index)(slab / outer) * count + number];
    bool known = place >= 0 && place < extent;
    rows[i] = known ? params[(slab * extent + place) * inner + column] : T();
  }
}
#define PAIR(A, B) A, B

#define MAKE_FOR(T, WIDTH, PLACE, NAME)                                                          \
  KERNEL(gather_##WIDTH##_##NAME)(const void* __restrict__ params,                               \
                                 const PLACE* __restrict__ indices, void* __restrict__ rows,     \
                                 Index size, Index outer, Index extent, Index inner,             \
                                 Index count) {                                                  \
    SIZED(size, gather, PAIR(T, PLACE), (const T*)params, indices, (T*)rows, size, outer,        \
          extent, inner, count);                                                                 \
  }
#define MAKE(T, WIDTH) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR

// The row index of each point [depth] in an array whose first axes have these sizes; -1 if out of range.
template <class Place>
__device__ void flatten(const Place* points, Index* places, Index count, Index depth,
                        const Index* sizes) {
  GRID_STRIDE(i, count) {
    Index place = 0;
    bool known = true;
#pragma unroll
    for (int axis = 0; axis < 8; ++axis) {
      if (axis >= depth) break;
      Index at = points[i * depth + axis];
      known &= at >= 0 && at < sizes[axis];
      place = place * sizes[axis] + at;
    }
    places[i] = known ? place : -1;
  }
}

#define MAKE(PLACE, NAME)                                                                         \
  KERNEL(places_of_points_##NAME)(const PLACE* points, Index* places, Index count, Index depth,   \
                                 Index size0, Index size1, Index size2, Index size3, Index size4, \
                                 Index size5, Index size6, Index size7) {                         \
    Index sizes[8] = {size0, size1, size2, size3, size4, size5, size6, size7};                    \
    flatten(points, places, count, depth, sizes);                                                 \
  }
MAKE(int, i32)
MAKE(Index, i64)
#undef MAKE

// One-hot: indices [outer, inner] -> [outer, depth, inner] with `on` where the middle position is the index, else
// `off`.
template <class T, class Place, class Number>
__device__ void one_hot(const Place* __restrict__ indices, const T* on, const T* off,
                        T* __restrict__ rows, Number size, Number depth, Number inner) {
  T hit = *on, miss = *off;
#pragma unroll 4
  GRID_STRIDE_BY(Number, i, size) {
    Number row = i / inner, column = i - row * inner, outer = row / depth;
    Index wanted = indices[outer * inner + column];
    rows[i] = wanted == (Index)(row - outer * depth) ? hit : miss;
  }
}

#define MAKE_FOR(T, WIDTH, PLACE, NAME)                                                       \
  KERNEL(one_hot_##WIDTH##_##NAME)(const PLACE* indices, const void* on, const void* off,     \
                                  void* rows, Index size, Index depth, Index inner) {         \
    SIZED(size, one_hot, PAIR(T, PLACE), indices, (const T*)on, (const T*)off, (T*)rows, size, \
          depth, inner);                                                                      \
  }
#define MAKE(T, WIDTH)                                                                 \
  MAKE_FOR(T, WIDTH, unsigned char, u8) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR
