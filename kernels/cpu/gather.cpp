// Gathers slices, by index along one axis or by coordinates on several axes; one-hot encoding.

#include "threads.h"

namespace {

// Copies a slice of `width` bytes; common widths are compile-time constants.
inline void copy_slice(char* out, const char* from, Index width) {
  if (width == 4)
    std::memcpy(out, from, 4);
  else if (width == 8)
    std::memcpy(out, from, 8);
  else
    std::memcpy(out, from, std::size_t(width));
}

constexpr Index PREFETCH_DISTANCE = 8;

// The slice index of a point; -1 if out of range.
template <class Id>
inline Index place_of(const Id* point, const Index* sizes, Index depth) {
  Index place = 0;
  for (Index axis = 0; axis < depth; ++axis) {
    const Index at = number_at(point, axis);
    if (!is_inside(at, sizes[axis])) return -1;
    place = place * sizes[axis] + at;
  }
  return place;
}

template <class Id>
bool take_points(const char* table, const Id* points, char* result, const Index* sizes, Index depth, Index count,
                 Index width, Index threads) {
  std::atomic<bool> inside{true};
  in_rows(count, width / 4 + depth, threads, [=, &inside](Index begin, Index end) {
    constexpr Index BLOCK = 64;  // slices prefetched before the first is copied
    Index places[BLOCK];
    for (; begin < end; begin += BLOCK) {
      const Index size = end - begin < BLOCK ? end - begin : BLOCK;
      for (Index i = 0; i < size; ++i) {
        const Id* point = points + (begin + i) * depth;
        places[i] = depth == 2 ? place_of(point, sizes, 2) : place_of(point, sizes, depth);
        if (places[i] < 0) return inside.store(false);
        __builtin_prefetch(table + places[i] * width);
      }
      for (Index i = 0; i < size; ++i) copy_slice(result + (begin + i) * width, table + places[i] * width, width);
    }
  });
  return inside;
}

template <class Id>
bool take_along(const char* table, const Id* ids, char* result, Index batches, Index outer, Index places, Index taken,
                Index width, Index threads) {
  std::atomic<bool> inside{true};
  in_rows(batches * outer * taken, width / 4 + 1, threads, [=, &inside](Index begin, Index end) {
    for (Index i = begin; i < end;) {
      const Index block = i / taken, stop = (block + 1) * taken < end ? (block + 1) * taken : end;
      const char* own = table + block * places * width;
      const Index first = block * taken;
      const Id* number = ids + block / outer * taken;
      for (; i < stop; ++i) {
        if (i + PREFETCH_DISTANCE < stop) fetch_ahead(own, number_at(number, i - first + PREFETCH_DISTANCE), width);
        const Index at = number_at(number, i - first);
        if (!is_inside(at, places)) return inside.store(false);
        copy_slice(result + i * width, own + at * width, width);
      }
    }
  });
  return inside;
}

// One-hot encoding: result[o, codes[o, i], i] of [outer, depth, inner] is `on`, everything else `off`. Out-of-range
// codes are ignored.
template <class Word>
void one_hot(const Index* codes, Word* result, Index outer, Index depth, Index inner, Word on, Word off, Index threads) {
  in_rows(outer, depth * inner, threads, [=](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      Word* own = result + o * depth * inner;
      for (Index k = 0; k < depth * inner; ++k) own[k] = off;
      for (Index i = 0; i < inner; ++i) {
        const Index code = number_at(codes, o * inner + i);
        if (is_inside(code, depth)) own[code * inner + i] = on;
      }
    }
  });
}

}  // namespace

// take_points: result[i] = table[points[i]], where a point has `depth` indices into axes of these sizes, and a slice
// `width` bytes. take_along: result[batch, o, i] = table[batch, o, ids[batch, i]] with a table [batches, outer, places,
// width]. number_points: the slice indices only. All return whether all points are in range; if not, the result is
// incomplete.
#define TAKE(id, Id)                                                                                                 \
  EXPORT int take_points_##id(const char* table, const Id* points, char* result, const Index* sizes, Index depth,    \
                              Index count, Index width, Index threads) {                                             \
    return take_points(table, points, result, sizes, depth, count, width, threads);                                  \
  }                                                                                                                  \
  EXPORT int number_points_##id(const Id* points, Index* result, const Index* sizes, Index depth, Index count) {       \
    for (Index i = 0; i < count; ++i)                                                                                  \
      if ((result[i] = place_of(points + i * depth, sizes, depth)) < 0) return false;                                  \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int take_along_##id(const char* table, const Id* ids, char* result, Index batches, Index outer, Index places, \
                             Index taken, Index width, Index threads) {                                              \
    return take_along(table, ids, result, batches, outer, places, taken, width, threads);                            \
  }

TAKE(i32, std::int32_t)
TAKE(i64, std::int64_t)

// For four-byte and eight-byte elements, passed as bits.
#define ONE_HOT(bits)                                                                                                \
  EXPORT void one_hot_##bits(const Index* codes, void* result, Index outer, Index depth, Index inner, std::uint64_t on, \
                             std::uint64_t off, Index threads) {                                                      \
    using Word = std::uint##bits##_t;                                                                                 \
    one_hot(codes, static_cast<Word*>(result), outer, depth, inner, Word(on), Word(off), threads);                     \
  }

ONE_HOT(32)
ONE_HOT(64)
