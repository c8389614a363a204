// Matrix products by register-blocked tiles: rows of the left matrix, at arbitrary addresses, times a panel of the
// right matrix, which is one or two vectors wide.
#pragma once

#include "basics.h"

typedef float Vector __attribute__((vector_size(VECTOR)));
constexpr Index WIDTH = VECTOR / sizeof(float), PANEL = 2 * WIDTH;
// Rows of a tile; its accumulators fill the vector registers that operands do not need.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index ROWS = 14;
#else
constexpr Index ROWS = 6;
#endif
// Columns of the left matrix per pass, and the row stride of copies of it: not a power of two, to avoid cache-set
// conflicts between rows.
constexpr Index INNER = 576, LEFT = INNER + 16;
// Returns whether rows with this stride map to the same cache sets.
inline bool has_cache_conflicts(Index stride) { return stride % 512 == 0; }

inline Vector load_vector(const float* from) {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

// The epilogue of a product: a bias, ReLU, or the gradient of the ReLU that produced `features`, which has the layout
// of the result.
struct Epilogue {
  const float* bias;
  const float* features;
  Index rectifies;
};

// The destination of a tile: its rows start at `offsets` in the result. If `accumulates` is true, the tile
// is accumulated; then the epilogue is applied.
struct Finish {
  float* result;
  const Index* offsets;
  bool accumulates;
  Epilogue epilogue;
};

#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#endif

// Row addresses of a left matrix. Its columns are split into pieces, each with one address per row; the addresses of
// the next piece are `stride` entries later.
struct Left {
  const float* const* rows;
  Index stride;
  const Index* columns;  // column count of each piece
  Index pieces;
};

// Computes tile[row] = the sum of a(row, k) * b[k] over k and all pieces, for the rows starting at address `first`.
template <int rows, int vectors>
NOINLINE void multiply_tile(const Left& left, const float* const* first, const float* __restrict b,
                         float* __restrict tile) {
  Vector sums[rows][vectors] = {};
  for (Index piece = 0; piece < left.pieces; ++piece, first += left.stride) {
    const float* a[rows];
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) a[row] = first[row];
    const Index columns = left.columns[piece];
    for (Index k = 0; k < columns; ++k) {
      Vector right[vectors];
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) right[v] = load_vector(b + v * WIDTH);
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row) {
        const float x = a[row][k];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) sums[row][v] += x * right[v];
      }
      b += vectors * WIDTH;
    }
  }
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) std::memcpy(tile + (row * vectors + v) * WIDTH, &sums[row][v], sizeof(Vector));
}

// Like multiply_tile, for a transposed left matrix: a(row, k) is columns[k][first + row].
template <int rows, int vectors>
NOINLINE void multiply_transposed_tile(Index inner, const float* const* columns, Index first, const float* __restrict b,
                                       float* __restrict tile) {
  Vector sums[rows][vectors] = {};
  for (Index k = 0; k < inner; ++k) {
    const float* a = columns[k] + first;
    Vector right[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) right[v] = load_vector(b + v * WIDTH);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) {
      const float x = a[row];
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) sums[row][v] += x * right[v];
    }
    b += vectors * WIDTH;
  }
#pragma GCC unroll 16
  for (int row = 0; row < rows; ++row)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) std::memcpy(tile + (row * vectors + v) * WIDTH, &sums[row][v], sizeof(Vector));
}

#if !defined(__clang__)
#pragma GCC pop_options
#endif

inline void store_tile(const Finish& f, const float* tile, Index width, const Index* offsets, Index rows, Index first,
                       Index columns) {
  for (Index row = 0; row < rows; ++row, tile += width) {
    float* output = f.result + offsets[row] + first;
    const float* bias = f.epilogue.bias ? f.epilogue.bias + first : nullptr;
    const float* features = f.epilogue.features ? f.epilogue.features + offsets[row] + first : nullptr;
    Index c = 0;
    for (; c + WIDTH <= columns; c += WIDTH) {
      Vector x = load_vector(tile + c);
      if (f.accumulates) x += load_vector(output + c);
      if (bias) x += load_vector(bias + c);
      if (f.epilogue.rectifies) x = x < 0.0f ? Vector{} : x;
      if (features) x *= load_vector(features + c) > 0.0f ? Vector{} + 1.0f : Vector{};
      std::memcpy(output + c, &x, sizeof x);
    }
    for (; c < columns; ++c) {
      float x = tile[c];
      if (f.accumulates) x += output[c];
      if (bias) x += bias[c];
      if (f.epilogue.rectifies && x < 0.0f) x = 0.0f;
      output[c] = features ? x * (features[c] > 0.0f ? 1.0f : 0.0f) : x;
    }
  }
}

// Returns the width of the panel of the right matrix that starts at a column: two vectors, or one for the last columns.
inline Index panel_width(Index columns, Index first) { return columns - first > WIDTH ? PANEL : WIDTH; }

// Returns the number of elements of all panels of a right matrix.
inline Index panels_size(Index inner, Index columns) { return inner * ((columns + WIDTH - 1) / WIDTH * WIDTH); }

inline Index clamp(Index low, Index x, Index high) { return x < low ? low : x > high ? high : x; }

inline void fill_zero(float* to, Index count) {
  for (Index i = 0; i < count; ++i) to[i] = 0.0f;
}

inline float* align_pointer(float* memory) {
  return reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(memory) + 63) & ~std::uintptr_t(63));
}

// Packs `rows` rows of a right matrix with row stride `width` into panels of `height` rows, starting at row k.
inline void pack_rows(const float* b, Index width, Index rows, Index columns, float* panels, Index height, Index k) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index panel_columns = panel_width(columns, first), filled = clamp(0, columns - first, panel_columns);
    float* target = panels + first * height + k * panel_columns;
    for (Index row = 0; row < rows; ++row, target += panel_columns) {
      const float* source = b + row * width + first;
      for (Index i = 0; i < filled; ++i) target[i] = source[i];
      fill_zero(target + filled, panel_columns - filled);
    }
  }
}

// Like pack_rows, for a transposed matrix whose columns are `width` elements apart.
inline void pack_transposed(const float* b, Index width, Index rows, Index columns, float* panels, Index height,
                            Index k) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index panel_columns = panel_width(columns, first), filled = clamp(0, columns - first, panel_columns);
    float* target = panels + first * height + k * panel_columns;
    for (Index row = 0; row < rows; ++row, target += panel_columns) {
      for (Index i = 0; i < filled; ++i) target[i] = b[(first + i) * width + row];
      fill_zero(target + filled, panel_columns - filled);
    }
  }
}

// Calls multiply(row, half, vectors, panel, tile) for all tiles of `rows` left rows and all panels of `height` rows,
// starting at row k of the panels; the call returns the index of the row in the tile.
template <class Multiply>
inline void for_each_tile(Index rows, const float* panels, Index height, Index k, Index columns, const Finish& finish,
                          const Multiply& multiply) {
  alignas(64) float tile[ROWS * PANEL];
  for (Index first = 0; first < columns; first += PANEL) {
    const Index width = panel_width(columns, first);
    const float* b = panels + first * height + k * width;
    for (Index row = 0; row < rows; row += ROWS) {
      const Index tile_rows = rows - row < ROWS ? rows - row : ROWS;
      const Index first_row = multiply(row, tile_rows <= ROWS / 2, width / WIDTH, b, tile);
      store_tile(finish, tile + first_row * width, width, finish.offsets + row, tile_rows, first,
                 columns - first < width ? columns - first : width);
    }
  }
}

// Multiplies `rows` rows of the left matrix, whose addresses are padded to full tiles, by rows of the panels.
inline void multiply_tiles(const Left& left, Index rows, const float* panels, Index height, Index k, Index columns,
                           const Finish& finish) {
  using Kernel = void (*)(const Left&, const float* const*, const float*, float*);
  static constexpr Kernel KERNELS[] = {multiply_tile<ROWS, 1>, multiply_tile<ROWS, 2>, multiply_tile<ROWS / 2, 1>,
                                       multiply_tile<ROWS / 2, 2>};
  for_each_tile(rows, panels, height, k, columns, finish,
                [&](Index row, bool half, Index vectors, const float* b, float* tile) {
                  KERNELS[2 * half + vectors - 1](left, left.rows + row, b, tile);
                  return Index(0);
                });
}

// Multiplies `rows` rows of a transposed left matrix, given by column addresses, by `inner` rows of the panels. At
// least `readable` elements of each column, enough for a full tile, may be read.
inline void multiply_transposed_tiles(const float* const* left_columns, Index readable, Index rows, const float* panels,
                                      Index inner, Index columns, const Finish& finish) {
  using Kernel = void (*)(Index, const float* const*, Index, const float*, float*);
  static constexpr Kernel KERNELS[] = {multiply_transposed_tile<ROWS, 1>, multiply_transposed_tile<ROWS, 2>,
                                       multiply_transposed_tile<ROWS / 2, 1>, multiply_transposed_tile<ROWS / 2, 2>};
  for_each_tile(rows, panels, inner, 0, columns, finish,
                [&](Index row, bool half, Index vectors, const float* b, float* tile) {
                  const Index last = readable - (half ? ROWS / 2 : ROWS), first = row < last ? row : last;
                  KERNELS[2 * half + vectors - 1](inner, left_columns, first, b, tile);
                  return row - first;
                });
}
