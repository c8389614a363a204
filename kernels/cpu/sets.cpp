// Set operations. Each row along the last axis is a set: it is copied to a buffer, sorted and deduplicated.
//
// Kernels are single-pass and single-threaded. If a point is out of range or out of order, they return a failure code
// and leave the result incomplete.

#include <algorithm>

#include "basics.h"

namespace {

constexpr Index MAX_INSERTION_SORT = 24;  // maximum number of elements
constexpr Index MAX_AXES = 8;

enum Operation { A_WITHOUT_B, B_WITHOUT_A, INTERSECTION, UNION };

// Sorts keys, which no other thread may modify, and moves the distinct ones to the front; returns their number.
template <class Key>
Index sort_unique(Key* keys, Index count) {
  bool increases = true;
  for (Index i = 1; i < count; ++i) increases &= keys[i - 1] < keys[i];
  if (increases) return count;
  if (count <= MAX_INSERTION_SORT) {
    for (Index i = 1; i < count; ++i) {
      const Key key = keys[i];
      Index position = i;
      for (; position && keys[position - 1] > key; --position) keys[position] = keys[position - 1];
      keys[position] = key;
    }
  } else {
    std::sort(keys, keys + count);
  }
  Index found = 1;
  for (Index i = 1; i < count; ++i)
    if (keys[i] != keys[found - 1]) keys[found++] = keys[i];
  return found;
}

// The sets of one operand, read in order: rows of `width` elements, or sparse points [count, rank] within the sizes and
// `width`.
template <class Key>
struct Sets {
  const Key* values;
  const Index* points;
  Index count, width;
  const Index* sizes;
  Index rank;
  Index next = 0, group = -1, last = -1;  // state of the iteration over points

  Sets(const Key* values, const Index* points, Index count, Index width, const Index* sizes, Index rank)
      : values(values), points(points), count(count), width(width), sizes(sizes), rank(rank) {
    if (points) find_next();
  }

  // Advances to the set of the next point; to -1 at the end, or if the point is out of range or out of order.
  void find_next() {
    if (next >= count) {
      group = -1;
      return;
    }
    const Index* const point = points + next * rank;
    Index found = 0;
    bool inside = true;
    for (Index axis = 0; axis + 1 < rank; ++axis) {
      const Index at = load_index(point, axis);
      inside &= is_in_range(at, sizes[axis]);
      found = inside ? found * sizes[axis] + at : 0;
    }
    const Index at = load_index(point, rank - 1);
    if (!inside || !is_in_range(at, width) || found < group || (found == group && at <= last)) {
      group = -1;
      return;
    }
    group = found;
    last = at;
  }

  // Writes the sorted elements of a set to `keys`; returns their number.
  Index take(Index number, Key* keys) {
    Index taken = 0;
    if (!points) {
      taken = width;
      std::memcpy(keys, values + number * width, std::size_t(width) * sizeof *keys);
    } else {
      for (; group == number; ++next, find_next()) keys[taken++] = values[next];
    }
    return sort_unique(keys, taken);
  }

  bool are_finished() const { return !points || next == count; }
};

template <class Key>
Index combine(Sets<Key> a, Sets<Key> b, Index groups, Operation operation, Key* keys, Key* values, Index* points,
              Index* sizes) {
  const Index rank = a.rank;
  Index found = 0, largest = 0;
  Key* const other_keys = keys + a.count;
  for (Index group = 0; group < groups; ++group) {
    const Index size = a.take(group, keys), other_size = b.take(group, other_keys), begin = found;
    Index i = 0, j = 0;
    while (i < size || j < other_size) {
      const bool in_a = i < size && (j >= other_size || keys[i] <= other_keys[j]);
      const bool in_b = j < other_size && (i >= size || other_keys[j] <= keys[i]);
      const Key key = in_a ? keys[i] : other_keys[j];
      i += in_a;
      j += in_b;
      const bool is_selected = operation == UNION || (operation == INTERSECTION  ? in_a && in_b
                                                      : operation == A_WITHOUT_B ? !in_b
                                                                                 : !in_a);
      if (is_selected) values[found++] = key;
    }
    if (found == begin) continue;
    Index coordinates[MAX_AXES], remaining = group;
    for (Index axis = rank - 1; axis--;) {
      coordinates[axis] = remaining % sizes[axis];
      remaining /= sizes[axis];
    }
    for (Index k = begin; k < found; ++k) {
      for (Index axis = 0; axis + 1 < rank; ++axis) points[k * rank + axis] = coordinates[axis];
      points[k * rank + rank - 1] = k - begin;
    }
    if (found - begin > largest) largest = found - begin;
  }
  sizes[rank - 1] = largest;
  return a.are_finished() && b.are_finished() ? found : -1;
}

template <class Key>
bool set_sizes(Sets<Key> sets, Index groups, Key* keys, std::int32_t* result) {
  for (Index group = 0; group < groups; ++group) result[group] = std::int32_t(sets.take(group, keys));
  return sets.are_finished();
}

}  // namespace

// combine_sets computes the union or another operation of each of `groups` pairs of sets, as points and values. `keys`
// is a buffer for all elements; the last element of `sizes` is set to the size of the largest set. Returns the number
// of elements. set_sizes computes the number of distinct elements of each set.
#define SETS(suffix, Key)                                                                                              \
  EXPORT Index combine_sets_##suffix(const Key* a, const Index* a_points, Index a_count, Index a_width, const Key* b,  \
                                     const Index* b_points, Index b_count, Index b_width, Index* sizes, Index rank,    \
                                     Index groups, int operation, Key* keys, Key* values, Index* points) {             \
    return combine(Sets<Key>(a, a_points, a_count, a_width, sizes, rank),                                              \
                   Sets<Key>(b, b_points, b_count, b_width, sizes, rank), groups, Operation(operation), keys, values,  \
                   points, sizes);                                                                                     \
  }                                                                                                                    \
  EXPORT int set_sizes_##suffix(const Key* values, const Index* points, Index count, Index width, const Index* sizes,  \
                                Index rank, Index groups, Key* keys, std::int32_t* result) {                           \
    return set_sizes(Sets<Key>(values, points, count, width, sizes, rank), groups, keys, result);                      \
  }

SETS(i32, std::int32_t)
SETS(i64, std::int64_t)
