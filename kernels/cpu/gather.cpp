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

// Returns the slice index of a point; -1 if it is out of range.
template <class Id>
inline Index flat_index(const Id* point, const Index* sizes, Index depth) {
  Index index = 0;
  for (Index axis = 0; axis < depth; ++axis) {
    const Index coordinate = load_index(point, axis);
    if (!is_in_range(coordinate, sizes[axis])) return -1;
    index = index * sizes[axis] + coordinate;
  }
  return index;
}

template <class Id>
bool gather_points(const char* table, const Id* points, char* result, const Index* sizes, Index depth, Index count,
                   Index width, Index threads) {
  std::atomic<bool> in_range{true};
  parallel_for_rows(count, width / 4 + depth, threads, [=, &in_range](Index begin, Index end) {
    constexpr Index BLOCK = 64;  // slices prefetched before the first is copied
    Index indices[BLOCK];
    for (; begin < end; begin += BLOCK) {
      const Index size = end - begin < BLOCK ? end - begin : BLOCK;
      for (Index i = 0; i < size; ++i) {
        const Id* point = points + (begin + i) * depth;
        indices[i] = depth == 2 ? flat_index(point, sizes, 2) : flat_index(point, sizes, depth);
        if (indices[i] < 0) return in_range.store(false);
        __builtin_prefetch(table + indices[i] * width);
      }
      for (Index i = 0; i < size; ++i) copy_slice(result + (begin + i) * width, table + indices[i] * width, width);
    }
  });
  return in_range;
}

template <class Id>
bool gather_along(const char* table, const Id* ids, char* result, Index batches, Index outer, Index table_rows,
                  Index index_count, Index width, Index threads) {
  std::atomic<bool> in_range{true};
  parallel_for_rows(batches * outer * index_count, width / 4 + 1, threads, [=, &in_range](Index begin, Index end) {
    for (Index i = begin; i < end;) {
      const Index block = i / index_count, stop = (block + 1) * index_count < end ? (block + 1) * index_count : end;
      const char* slice_table = table + block * table_rows * width;
      const Index first = block * index_count;
      const Id* block_ids = ids + block / outer * index_count;
      for (; i < stop; ++i) {
        if (i + PREFETCH_DISTANCE < stop)
          prefetch_row(slice_table, load_index(block_ids, i - first + PREFETCH_DISTANCE), width);
        const Index index = load_index(block_ids, i - first);
        if (!is_in_range(index, table_rows)) return in_range.store(false);
        copy_slice(result + i * width, slice_table + index * width, width);
      }
    }
  });
  return in_range;
}

// One-hot encoding: result[o, codes[o, i], i] of [outer, depth, inner] is `on`, all other elements are `off`.
// Out-of-range codes are ignored.
template <class Word>
void one_hot(const Index* codes, Word* result, Index outer, Index depth, Index inner, Word on, Word off,
             Index threads) {
  parallel_for_rows(outer, depth * inner, threads, [=](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      Word* output = result + o * depth * inner;
      for (Index k = 0; k < depth * inner; ++k) output[k] = off;
      for (Index i = 0; i < inner; ++i) {
        const Index code = load_index(codes, o * inner + i);
        if (is_in_range(code, depth)) output[code * inner + i] = on;
      }
    }
  });
}

}  // namespace

// take_points computes result[i] = table[points[i]], where a point has `depth` indices into axes of the given sizes,
// and a slice has `width` bytes. take_along computes result[batch, o, i] = table[batch, o, ids[batch, i]] for a table
// [batches, outer, table_rows, width]. number_points computes the slice indices only. All return whether all points are
// in range; if not, the result is incomplete.
#define TAKE(id, Id)                                                                                                   \
  EXPORT int take_points_##id(const char* table, const Id* points, char* result, const Index* sizes, Index depth,      \
                              Index count, Index width, Index threads) {                                               \
    return gather_points(table, points, result, sizes, depth, count, width, threads);                                  \
  }                                                                                                                    \
  EXPORT int number_points_##id(const Id* points, Index* result, const Index* sizes, Index depth, Index count) {       \
    for (Index i = 0; i < count; ++i)                                                                                  \
      if ((result[i] = flat_index(points + i * depth, sizes, depth)) < 0) return false;                                \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int take_along_##id(const char* table, const Id* ids, char* result, Index batches, Index outer,               \
                             Index table_rows, Index index_count, Index width, Index threads) {                        \
    return gather_along(table, ids, result, batches, outer, table_rows, index_count, width, threads);                  \
  }

TAKE(i32, std::int32_t)
TAKE(i64, std::int64_t)

// One-hot encoding of elements of four or eight bytes, passed as bits.
#define ONE_HOT(bits)                                                                                                  \
  EXPORT void one_hot_##bits(const Index* codes, void* result, Index outer, Index depth, Index inner,                  \
                             std::uint64_t on, std::uint64_t off, Index threads) {                                     \
    using Word = std::uint##bits##_t;                                                                                  \
    one_hot(codes, static_cast<Word*>(result), outer, depth, inner, Word(on), Word(off), threads);                     \
  }

ONE_HOT(32)
ONE_HOT(64)
