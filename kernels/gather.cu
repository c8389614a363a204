// Gathered rows, flattened point indices, one-hot encoding. Elements are only moved, so there is one kernel per element
// width. Out-of-range indices yield 0, as in TensorFlow on a GPU.
#include "basics.h"

// Gathers params [batch, outer, extent, inner] by indices [batch, count] into rows [batch, outer, count, inner].
template <class T, class Id, class Number>
__device__ void gather(const T* __restrict__ params, const Id* __restrict__ indices,
                       T* __restrict__ rows, Number size, Number outer, Index extent, Number inner,
                       Number count) {
#pragma unroll 4
  GRID_STRIDE_BY(Number, i, size) {
    Number row = i / inner, column = i - row * inner;
    Number slab = row / count, position = row - slab * count;  // slab: [batch, outer]
    Index index = indices[(Index)(slab / outer) * count + position];
    bool is_valid = index >= 0 && index < extent;
    rows[i] = is_valid ? params[(slab * extent + index) * inner + column] : T();
  }
}
#define PAIR(A, B) A, B

#define MAKE_FOR(T, WIDTH, ID, NAME)                                                      \
  KERNEL(gather_##WIDTH##_##NAME)(const void* __restrict__ params,                        \
                                 const ID* __restrict__ indices, void* __restrict__ rows, \
                                 Index size, Index outer, Index extent, Index inner,      \
                                 Index count) {                                           \
    SIZED(size, gather, PAIR(T, ID), (const T*)params, indices, (T*)rows, size, outer,    \
          extent, inner, count);                                                          \
  }
#define MAKE(T, WIDTH) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR

// Computes the row index of each point [depth] in an array whose first axes have the given sizes; -1 if out of range.
template <class Id>
__device__ void flatten(const Id* points, Index* flat_indices, Index count, Index depth,
                        const Index* sizes) {
  GRID_STRIDE(i, count) {
    Index flat_index = 0;
    bool is_valid = true;
#pragma unroll
    for (int axis = 0; axis < 8; ++axis) {
      if (axis >= depth) break;
      Index coordinate = points[i * depth + axis];
      is_valid &= coordinate >= 0 && coordinate < sizes[axis];
      flat_index = flat_index * sizes[axis] + coordinate;
    }
    flat_indices[i] = is_valid ? flat_index : -1;
  }
}

#define MAKE(ID, NAME)                                                                             \
  KERNEL(places_of_points_##NAME)(const ID* points, Index* flat_indices, Index count, Index depth, \
                                 Index size0, Index size1, Index size2, Index size3, Index size4,  \
                                 Index size5, Index size6, Index size7) {                          \
    Index sizes[8] = {size0, size1, size2, size3, size4, size5, size6, size7};                     \
    flatten(points, flat_indices, count, depth, sizes);                                            \
  }
MAKE(int, i32)
MAKE(Index, i64)
#undef MAKE

// One-hot encoding: indices [outer, inner] -> [outer, depth, inner] with `on` where the middle position is the index,
// `off` elsewhere.
template <class T, class Id, class Number>
__device__ void one_hot(const Id* __restrict__ indices, const T* on, const T* off,
                        T* __restrict__ rows, Number size, Number depth, Number inner) {
  T hit = *on, miss = *off;
#pragma unroll 4
  GRID_STRIDE_BY(Number, i, size) {
    Number row = i / inner, column = i - row * inner, outer = row / depth;
    Index index = indices[outer * inner + column];
    rows[i] = index == (Index)(row - outer * depth) ? hit : miss;
  }
}

#define MAKE_FOR(T, WIDTH, ID, NAME)                                                        \
  KERNEL(one_hot_##WIDTH##_##NAME)(const ID* indices, const void* on, const void* off,      \
                                  void* rows, Index size, Index depth, Index inner) {       \
    SIZED(size, one_hot, PAIR(T, ID), indices, (const T*)on, (const T*)off, (T*)rows, size, \
          depth, inner);                                                                    \
  }
#define MAKE(T, WIDTH)                                                                 \
  MAKE_FOR(T, WIDTH, unsigned char, u8) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR
