// Rows by index, places of points, one-hot rows. Elements are moved, not computed with, so kernels
// are made for their widths. Where an index is out of range the result is 0, as TensorFlow's are on
// a GPU.
#include "basics.h"

struct alignas(16) Wide {
  Index first, second;
};
#define FOR_WIDTHS(MAKE) \
  MAKE(unsigned char, 1) MAKE(unsigned short, 2) MAKE(unsigned, 4) MAKE(Word64, 8) MAKE(Wide, 16)

// params [batch, outer, extent, inner], indices [batch, count] -> rows [batch, outer, count, inner]
template <class T, class Place>
__device__ void gather(const T* params, const Place* indices, T* rows, Index batch, Index outer,
                       Index extent, Index inner, Index count) {
  GRID_STRIDE(i, batch * outer * count * inner) {
    Index column = i % inner, row = i / inner;
    Index number = row % count, slab = row / count;  // slab: [batch, outer]
    Index place = indices[slab / outer * count + number];
    bool known = place >= 0 && place < extent;
    rows[i] = known ? params[(slab * extent + place) * inner + column] : T();
  }
}

#define MAKE_FOR(T, WIDTH, PLACE, NAME)                                                          \
  KERNEL gather_##WIDTH##_##NAME(const void* params, const PLACE* indices, void* rows,           \
                                 Index batch, Index outer, Index extent, Index inner,            \
                                 Index count) {                                                  \
    gather((const T*)params, indices, (T*)rows, batch, outer, extent, inner, count);             \
  }
#define MAKE(T, WIDTH) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR

// The number of the row that each point [depth] names in an array whose first axes have these sizes;
// -1 for points outside.
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
  KERNEL places_of_points_##NAME(const PLACE* points, Index* places, Index count, Index depth,    \
                                 Index size0, Index size1, Index size2, Index size3, Index size4, \
                                 Index size5, Index size6, Index size7) {                         \
    Index sizes[8] = {size0, size1, size2, size3, size4, size5, size6, size7};                    \
    flatten(points, places, count, depth, sizes);                                                 \
  }
MAKE(int, i32)
MAKE(Index, i64)
#undef MAKE

// indices [outer, inner] -> [outer, depth, inner] with `on` where the middle place is the index and
// `off` elsewhere.
template <class T, class Place>
__device__ void one_hot(const Place* indices, const T* on, const T* off, T* rows, Index outer,
                        Index depth, Index inner) {
  T hit = *on, miss = *off;
  GRID_STRIDE(i, outer * depth * inner) {
    Index column = i % inner, row = i / inner;
    Index wanted = indices[row / depth * inner + column];
    rows[i] = wanted == row % depth ? hit : miss;
  }
}

#define MAKE_FOR(T, WIDTH, PLACE, NAME)                                                       \
  KERNEL one_hot_##WIDTH##_##NAME(const PLACE* indices, const void* on, const void* off,      \
                                  void* rows, Index outer, Index depth, Index inner) {        \
    one_hot(indices, (const T*)on, (const T*)off, (T*)rows, outer, depth, inner);             \
  }
#define MAKE(T, WIDTH)                                                                 \
  MAKE_FOR(T, WIDTH, unsigned char, u8) MAKE_FOR(T, WIDTH, int, i32) MAKE_FOR(T, WIDTH, Index, i64)
FOR_WIDTHS(MAKE)
#undef MAKE
#undef MAKE_FOR
