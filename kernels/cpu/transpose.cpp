// Materializes transposed arrays in row-major order.

#include "threads.h"

namespace {

constexpr Index TILE = 16;

// The axes of a copy: `rows` are contiguous in the source, `columns` in the copy; loops run over the outer axes.
// Distances are in elements.
struct Axes {
  Index rows, row_distance;        // in the copy
  Index columns, column_distance;  // in the source
  Index outers;
  const Index* sizes;  // of the outer axes, followed by their strides in the source and in the copy
};

// Copies a tile through a buffer, so that both source and copy are accessed by full lines.
template <class T>
inline void copy_tile(const T* from, T* out, const Axes& axes, Index rows, Index columns) {
  T tile[TILE][TILE];
  if (rows == TILE && columns == TILE) {
    for (Index j = 0; j < TILE; ++j) std::memcpy(tile[j], from + j * axes.column_distance, sizeof tile[j]);
    for (Index i = 0; i < TILE; ++i) {
      T line[TILE];
      for (Index j = 0; j < TILE; ++j) line[j] = tile[j][i];
      std::memcpy(out + i * axes.row_distance, line, sizeof line);
    }
    return;
  }
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) out[i * axes.row_distance + j] = from[i + j * axes.column_distance];
}

// Copies the bands of TILE rows `begin` to `end`, over all outer indices.
template <class T>
NOINLINE void copy_bands(const T* source, T* copy, const Axes& axes, Index begin, Index end) {
  const Index bands = (axes.rows + TILE - 1) / TILE;
  for (Index band = begin; band < end; ++band) {
    const Index first = band % bands * TILE, rows = axes.rows - first < TILE ? axes.rows - first : TILE;
    const T* from = source + first;
    T* out = copy + first * axes.row_distance;
    Index remaining = band / bands;
    for (Index axis = axes.outers - 1; axis >= 0; --axis) {
      const Index index = remaining % axes.sizes[axis];
      remaining /= axes.sizes[axis];
      from += index * axes.sizes[axes.outers + axis];
      out += index * axes.sizes[2 * axes.outers + axis];
    }
    for (Index j = 0; j < axes.columns; j += TILE)
      copy_tile(from + j * axes.column_distance, out + j, axes, rows,
                axes.columns - j < TILE ? axes.columns - j : TILE);
  }
}

template <class T>
void copy_in_order(const T* source, T* copy, const Axes& axes, Index threads) {
  Index count = (axes.rows + TILE - 1) / TILE;
  for (Index axis = 0; axis < axes.outers; ++axis) count *= axes.sizes[axis];
  parallel_for_rows(count, TILE * axes.columns, threads,
                    [=](Index begin, Index end) { copy_bands(source, copy, axes, begin, end); });
}

}  // namespace

// Copy elements of four and eight bytes, of any type.
EXPORT void copy_in_order_4(const std::uint32_t* source, std::uint32_t* copy, const Axes* axes, Index threads) {
  copy_in_order(source, copy, *axes, threads);
}
EXPORT void copy_in_order_8(const std::uint64_t* source, std::uint64_t* copy, const Axes* axes, Index threads) {
  copy_in_order(source, copy, *axes, threads);
}
