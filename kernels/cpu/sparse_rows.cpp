// Sparse tensor operations: unique integers, filling of empty rows, segment sums, reshaping of coordinates.
//
// Kernels are single-pass and single-threaded. If an index is out of range, they return a failure code and leave the
// result incomplete.

#include "basics.h"

namespace {

using Word = std::uint64_t;

constexpr Index MAX_STACK_ROWS = 4096;  // maximum number of elements or rows whose tables are on the stack

inline Word hash_key(Index key) { return Word(key) * 0x9E3779B97F4A7C15u; }

// Finds the unique keys in order of first occurrence, and the index of each element among them; returns the number of
// unique keys.
template <class Key, class Number>
Index find_unique(const Key* keys, Index count, Key* values, Number* numbers) {
  if (count > MAX_STACK_ROWS) return -1;
  int bits = 2;
  while ((Index(1) << bits) < 2 * count) ++bits;
  std::int16_t slots[2 * MAX_STACK_ROWS];
  const Index mask = (Index(1) << bits) - 1;
  std::memset(slots, -1, std::size_t(mask + 1) * sizeof *slots);
  Index found = 0;
  for (Index i = 0; i < count; ++i) {
    const Key key = Key(load_index(keys, i));
    Index slot = Index(hash_key(Index(key)) >> (64 - bits));
    while (slots[slot] >= 0 && values[slots[slot]] != key) slot = (slot + 1) & mask;
    if (slots[slot] < 0) {
      values[found] = key;
      slots[slot] = std::int16_t(found++);
    }
    numbers[i] = Number(slots[slot]);
  }
  return found;
}

template <class Number, class Id>
bool segment_sums(const Number* rows, Index row_count, Index columns, const Id* indices, const std::int32_t* ids,
                  Index count, Number* result, Index segments, int scale) {
  for (Index i = 0; i < segments * columns; ++i) result[i] = 0;
  Index begin = 0, segment = -1;
  const auto scale_sum = [&](Index end) {
    const Index size = end - begin;
    if (!scale || size < 2) return;
    const Number divisor = scale == 1 ? Number(size) : Number(__builtin_sqrt(double(size)));
    Number* const sum = result + segment * columns;
    for (Index c = 0; c < columns; ++c) sum[c] /= divisor;
  };
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i), row = load_index(indices, i);
    if (id < segment || !is_in_range(id, segments) || !is_in_range(row, row_count)) return false;
    if (id != segment) {
      scale_sum(i);
      segment = id;
      begin = i;
    }
    const Number* const from = rows + row * columns;
    Number* const sum = result + id * columns;
    for (Index c = 0; c < columns; ++c) sum[c] += from[c];
  }
  scale_sum(count);
  return true;
}

// Computes result[indices[i]] += grad[ids[i]] / divisor: the gradient of segment sums that are divided by their row
// counts (`scale` 1) or by the square roots of these (`scale` 2). Returns false, with an incomplete result, if an index
// or id is out of range.
template <class Number, class Id>
bool segment_gradients(const Number* grad, Index segments, Index columns, const Id* indices, const std::int32_t* ids,
                       Index count, Number* result, Index rows, int scale) {
  if (segments > MAX_STACK_ROWS) return false;
  std::int32_t sizes[MAX_STACK_ROWS];
  std::memset(sizes, 0, std::size_t(segments) * sizeof *sizes);
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i), row = load_index(indices, i);
    if (!is_in_range(id, segments) || !is_in_range(row, rows)) return false;
    ++sizes[id];
  }
  for (Index i = 0; i < rows * columns; ++i) result[i] = 0;
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i), row = load_index(indices, i);
    if (!is_in_range(id, segments) || !is_in_range(row, rows)) return false;  // another thread changed it
    const Number divisor = scale == 1 ? Number(sizes[id]) : Number(__builtin_sqrt(double(sizes[id])));
    const Number* const from = grad + id * columns;
    Number* const sum = result + row * columns;
    for (Index c = 0; c < columns; ++c) sum[c] += from[c] / divisor;
  }
  return true;
}

// Returns the sign of the lexicographic comparison of two points.
inline int compare_points(const Index* a, const Index* b, Index rank) {
  for (Index axis = 0; axis < rank; ++axis) {
    const Index x = load_index(a, axis), y = load_index(b, axis);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

// A part of a dynamic stitch.
struct Part {
  Index ids, rows, count;  // addresses of int32 ids and of rows; their number
  const std::int32_t* id() const { return reinterpret_cast<const std::int32_t*>(std::uintptr_t(ids)); }
  const char* row(Index width, Index i) const {
    return reinterpret_cast<const char*>(std::uintptr_t(rows)) + i * width;
  }
};

Part part_at(const char* parts, Index i) {
  Part part;
  std::memcpy(&part, parts + i * Index(sizeof part), sizeof part);
  return part;
}

}  // namespace

// Return whether all ids are at least 0 and below `limit`.
EXPORT int are_inside_i32(const std::int32_t* ids, Index count, Index limit) { return are_in_range(ids, count, limit); }
EXPORT int are_inside_i64(const Index* ids, Index count, Index limit) { return are_in_range(ids, count, limit); }

// Returns one more than the largest id of all parts of a stitch (for each part, the addresses of ids and rows, and a
// count); -1 if an id is negative.
EXPORT Index stitched_size(const char* parts, Index number) {
  Index size = 0;
  for (Index p = 0; p < number; ++p) {
    const Part part = part_at(parts, p);
    for (Index i = 0; i < part.count; ++i) {
      const Index id = load_index(part.id(), i);
      if (id < 0) return -1;
      if (id >= size) size = id + 1;
    }
  }
  return size;
}

// Sets result[id] = row for all parts in order; all other rows are set to 0. Rows are `width` bytes long.
EXPORT void stitch(const char* parts, Index number, char* result, Index size, Index width) {
  std::memset(result, 0, std::size_t(size * width));
  for (Index p = 0; p < number; ++p) {
    const Part part = part_at(parts, p);
    for (Index i = 0; i < part.count; ++i) {
      const Index id = load_index(part.id(), i);
      if (is_in_range(id, size)) std::memcpy(result + id * width, part.row(width, i), std::size_t(width));
    }
  }
}

// Sorts rows of `width` bytes by part, in order of occurrence, and counts the rows of each part. Returns false if an id
// is out of range or if there are too many parts.
EXPORT int partition_rows(const char* rows, const std::int32_t* ids, char* result, Index* sizes, Index count,
                          Index parts, Index width) {
  if (parts > MAX_STACK_ROWS) return false;
  Index next[MAX_STACK_ROWS];
  for (Index part = 0; part < parts; ++part) sizes[part] = 0;
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i);
    if (!is_in_range(id, parts)) return false;
    ++sizes[id];
  }
  for (Index part = 0, begin = 0; part < parts; begin += sizes[part++]) next[part] = begin;
  for (Index i = 0; i < count; ++i) {
    const Index id = load_index(ids, i);
    if (!is_in_range(id, parts) || next[id] >= count) return false;  // another thread changed the ids
    std::memcpy(result + next[id]++ * width, rows + i * width, std::size_t(width));
  }
  return true;
}

// Computes the gradients of the operands of a sparse addition, elements of `width` bytes: the gradient of the sum at
// equal points, 0 elsewhere. Merges the points in TensorFlow's order, whether they are sorted or not.
EXPORT void sparse_add_gradients(const char* grad, const Index* a, const Index* b, const Index* sum, Index a_count,
                                 Index b_count, Index count, Index rank, char* a_grad, char* b_grad, Index width) {
  std::memset(a_grad, 0, std::size_t(a_count * width));
  std::memset(b_grad, 0, std::size_t(b_count * width));
  Index i = 0, j = 0, k = 0;
  const auto step = [&](const Index* points, Index points_count, char* result, Index& at, bool& behind) {
    if (at >= points_count) return;
    const int order = compare_points(points + at * rank, sum + k * rank, rank);
    if (order > 0) return;
    if (order == 0) std::memcpy(result + at * width, grad + k * width, std::size_t(width));
    behind |= order < 0;
    ++at;
  };
  while (k < count && (i < a_count || j < b_count)) {
    bool behind = false;
    step(a, a_count, a_grad, i, behind);
    step(b, b_count, b_grad, j, behind);
    k += !behind;
  }
}

#define SEGMENT_GRADIENTS(id, Id, kind, Number)                                                                     \
  EXPORT int segment_gradients_##id##_##kind(const Number* grad, Index segments, Index columns, const Id* indices,  \
                                             const std::int32_t* ids, Index count, Number* result, Index rows,      \
                                             int scale) {                                                           \
    return segment_gradients(grad, segments, columns, indices, ids, count, result, rows, scale);                    \
  }

SEGMENT_GRADIENTS(i32, std::int32_t, f32, float)
SEGMENT_GRADIENTS(i32, std::int32_t, f64, double)
SEGMENT_GRADIENTS(i64, Index, f32, float)
SEGMENT_GRADIENTS(i64, Index, f64, double)

#define EXPORT_UNIQUE(key, Key)                                                                                        \
  EXPORT Index distinct_##key##_i32(const Key* keys, Index count, Key* values, std::int32_t* numbers) {                \
    return find_unique(keys, count, values, numbers);                                                                  \
  }                                                                                                                    \
  EXPORT Index distinct_##key##_i64(const Key* keys, Index count, Key* values, Index* numbers) {                       \
    return find_unique(keys, count, values, numbers);                                                                  \
  }

EXPORT_UNIQUE(i32, std::int32_t)
EXPORT_UNIQUE(i64, std::int64_t)

// Computes result[ids[i]] += rows[indices[i]] for sorted ids. `scale` 1 divides each sum by its row count, `scale` 2 by
// the square root of the row count.
#define SEGMENTS(kind, Number)                                                                                      \
  EXPORT int segment_sums_i32_##kind(const Number* rows, Index row_count, Index columns, const std::int32_t* indices, \
                                     const std::int32_t* ids, Index count, Number* result, Index segments,           \
                                     int scale) {                                                                    \
    return segment_sums(rows, row_count, columns, indices, ids, count, result, segments, scale);                     \
  }                                                                                                                 \
  EXPORT int segment_sums_i64_##kind(const Number* rows, Index row_count, Index columns, const Index* indices,        \
                                     const std::int32_t* ids, Index count, Number* result, Index segments,           \
                                     int scale) {                                                                    \
    return segment_sums(rows, row_count, columns, indices, ids, count, result, segments, scale);                     \
  }

SEGMENTS(f32, float)
SEGMENTS(f64, double)

// Marks the rows without points [count, rank], and computes the indices (`places`) of the points after each empty row
// has been filled with one point. Returns the number of empty rows; -1 if a point is out of range, or if there are too
// many points or rows.
EXPORT Index find_empty_rows(const Index* points, Index count, Index rank, Index rows, std::uint8_t* empty,
                             Index* places) {
  if (rows > MAX_STACK_ROWS || count > MAX_STACK_ROWS) return -1;
  std::int16_t next[MAX_STACK_ROWS];
  std::memset(next, 0, std::size_t(rows) * sizeof *next);
  for (Index i = 0; i < count; ++i) {
    const Index row = load_index(points, i * rank);
    if (!is_in_range(row, rows)) return -1;
    places[i] = row;
    ++next[row];
  }
  Index added = 0, begin = 0;
  for (Index row = 0; row < rows; ++row) {
    const Index size = next[row];
    empty[row] = size == 0;
    added += size == 0;
    next[row] = std::int16_t(begin);
    begin += size ? size : 1;
  }
  for (Index i = 0; i < count; ++i) places[i] = next[places[i]]++;
  return added;
}

// Copies `count` points and their values (`width` bytes each) to the indices `places` among `total`; fills the
// remaining indices with the empty rows, in order, and the default value. Returns false if a point is out of range.
EXPORT int fill_empty_rows(const Index* points, const char* values, const char* given, const Index* places,
                           const std::uint8_t* empty, Index* all_points, char* all_values, Index count, Index total,
                           Index rank, Index rows, Index width) {
  if (rows > MAX_STACK_ROWS) return false;
  std::int16_t sizes[MAX_STACK_ROWS];
  std::memset(sizes, 0, std::size_t(rows) * sizeof *sizes);
  for (Index i = 0; i < count; ++i) {
    const Index index = places[i], row = load_index(points, i * rank);
    if (!is_in_range(index, total) || !is_in_range(row, rows)) return false;
    ++sizes[row];
    for (Index axis = 0; axis < rank; ++axis) all_points[index * rank + axis] = points[i * rank + axis];
    std::memcpy(all_values + index * width, values + i * width, std::size_t(width));
  }
  for (Index row = 0, index = 0; row < rows; ++row) {
    if (!empty[row]) {
      index += sizes[row];
      continue;
    }
    if (index >= total) return false;
    for (Index axis = 0; axis < rank; ++axis) all_points[index * rank + axis] = axis ? 0 : row;
    std::memcpy(all_values + index * width, given, std::size_t(width));
    ++index;
  }
  return true;
}

// Converts coordinates from a shape of `rank` sizes to another shape; all sizes of the new shape are positive.
EXPORT void reshape_points(const Index* points, Index count, const Index* sizes, Index rank, const Index* others,
                           Index other_rank, Index* result) {
  for (Index i = 0; i < count; ++i) {
    Word flat_index = 0;
    for (Index axis = 0; axis < rank; ++axis)
      flat_index = flat_index * Word(sizes[axis]) + Word(points[i * rank + axis]);
    Index remaining = Index(flat_index);
    for (Index axis = other_rank; axis--;) {
      const Index size = others[axis], quotient = remaining / size - (remaining % size < 0);
      result[i * other_rank + axis] = remaining - quotient * size;
      remaining = quotient;
    }
  }
}

// Returns whether points [count, rank] are in range and strictly increasing in row-major order.
EXPORT int points_increase(const Index* points, Index count, Index rank, const Index* sizes) {
  Index previous = -1;
  for (Index i = 0; i < count; ++i) {
    Index flat_index = 0;
    for (Index axis = 0; axis < rank; ++axis) {
      const Index coordinate = load_index(points, i * rank + axis);
      if (!is_in_range(coordinate, sizes[axis])) return false;
      flat_index = flat_index * sizes[axis] + coordinate;
    }
    if (flat_index <= previous) return false;
    previous = flat_index;
  }
  return true;
}
