// Matrix products by register-blocked tiles: rows of the left matrix, at arbitrary addresses, times a panel of the
// right one, several vectors wide.
#pragma once

#include "basics.h"

typedef float Vector __attribute__((vector_size(VECTOR)));
constexpr Index WIDTH = VECTOR / sizeof(float), PANEL = 2 * WIDTH;
// Rows of a tile: its accumulators fill the vector registers not needed for operands.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index ROWS = 14;
#else
constexpr Index ROWS = 6;
#endif
// Columns of the left matrix per pass, and the row stride of its copies: not a power of two, to avoid cache-set
// conflicts between rows.
constexpr Index INNER = 576, LEFT = INNER + 16;
// Whether rows with this stride conflict in the cache.
inline bool collides(Index apart) { return apart % 512 == 0; }

inline Vector vector_at(const float* from) {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

// The epilogue of a product: a bias, ReLU, or the gradient of the ReLU that produced `features`, which has the result's
// layout.
struct Epilogue {
  const float* bias;
  const float* features;
  Index rectifies;
};

// Where a tile is stored: its rows are at `places` in the result. With `adds`, it is accumulated; then the epilogue is
// applied.
struct Finish {
  float* result;
  const Index* places;
  bool adds;
  Epilogue after;
};

#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#endif

// Row addresses of a left matrix. Columns are split into pieces, each with an address per row; the next piece's
// addresses are `apart` entries later.
struct Left {
  const float* const* rows;
  Index apart;
  const Index* columns;  // of a piece
  Index pieces;
};

// tile[row] = the sum over k of a(row, k) * b[k], over all pieces, for rows from address `first` on.
template <int rows, int vectors>
NOINLINE void multiply_tile(const Left& left, const float* const* first, const float* __restrict b,
                         float* __restrict tile) {
  Vector sums[rows][vectors] = {};
  for (Index piece = 0; piece < left.pieces; ++piece, first += left.apart) {
    const float* a[rows];
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) a[row] = first[row];
    const Index columns = left.columns[piece];
    for (Index k = 0; k < columns; ++k) {
      Vector right[vectors];
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) right[v] = vector_at(b + v * WIDTH);
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

// The same for a transposed left matrix: a(row, k) is columns[k][first + row].
template <int rows, int vectors>
NOINLINE void multiply_turned_tile(Index inner, const float* const* columns, Index first, const float* __restrict b,
                                float* __restrict tile) {
  Vector sums[rows][vectors] = {};
  for (Index k = 0; k < inner; ++k) {
    const float* a = columns[k] + first;
    Vector right[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) right[v] = vector_at(b + v * WIDTH);
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

inline void put_tile(const Finish& f, const float* tile, Index width, const Index* places, Index rows, Index first,
                     Index columns) {
  for (Index row = 0; row < rows; ++row, tile += width) {
    float* to = f.result + places[row] + first;
    const float* bias = f.after.bias ? f.after.bias + first : nullptr;
    const float* features = f.after.features ? f.after.features + places[row] + first : nullptr;
    Index c = 0;
    for (; c + WIDTH <= columns; c += WIDTH) {
      Vector x = vector_at(tile + c);
      if (f.adds) x += vector_at(to + c);
      if (bias) x += vector_at(bias + c);
      if (f.after.rectifies) x = x < 0.0f ? Vector{} : x;
      if (features) x *= vector_at(features + c) > 0.0f ? Vector{} + 1.0f : Vector{};
      std::memcpy(to + c, &x, sizeof x);
    }
    for (; c < columns; ++c) {
      float x = tile[c];
      if (f.adds) x += to[c];
      if (bias) x += bias[c];
      if (f.after.rectifies && x < 0.0f) x = 0.0f;
      to[c] = features ? x * (features[c] > 0.0f ? 1.0f : 0.0f) : x;
    }
  }
}

// The width of the right matrix's panel that starts at a column: two vectors, or one for the last few columns.
inline Index panel_width(Index columns, Index first) { return columns - first > WIDTH ? PANEL : WIDTH; }

// Elements of all panels of a right matrix.
inline Index panels_size(Index inner, Index columns) { return inner * ((columns + WIDTH - 1) / WIDTH * WIDTH); }

inline Index between(Index low, Index x, Index high) { return x < low ? low : x > high ? high : x; }

inline void clear(float* to, Index count) {
  for (Index i = 0; i < count; ++i) to[i] = 0.0f;
}

inline float* aligned(float* memory) {
  return reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(memory) + 63) & ~std::uintptr_t(63));
}

// Packs `rows` rows of a right matrix, `width` elements apart, into panels of `height` rows, starting at row k.
inline void lay_rows(const float* b, Index width, Index rows, Index columns, float* panels, Index height, Index k) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index wide = panel_width(columns, first), some = between(0, columns - first, wide);
    float* to = panels + first * height + k * wide;
    for (Index row = 0; row < rows; ++row, to += wide) {
      const float* from = b + row * width + first;
      for (Index i = 0; i < some; ++i) to[i] = from[i];
      clear(to + some, wide - some);
    }
  }
}

// The same for a transposed matrix, with columns `width` elements apart.
inline void lay_transposed(const float* b, Index width, Index rows, Index columns, float* panels, Index height, Index k) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index wide = panel_width(columns, first), some = between(0, columns - first, wide);
    float* to = panels + first * height + k * wide;
    for (Index row = 0; row < rows; ++row, to += wide) {
      for (Index i = 0; i < some; ++i) to[i] = b[(first + i) * width + row];
      clear(to + some, wide - some);
    }
  }
}

// Calls multiply(row, half, vectors, panel, tile) for all tiles of `rows` left rows and all panels of `height` rows,
// from row k on; it returns the row's index in the tile.
template <class Multiply>
inline void over_tiles(Index rows, const float* panels, Index height, Index k, Index columns, const Finish& finish,
                       const Multiply& multiply) {
  alignas(64) float tile[ROWS * PANEL];
  for (Index first = 0; first < columns; first += PANEL) {
    const Index width = panel_width(columns, first);
    const float* b = panels + first * height + k * width;
    for (Index row = 0; row < rows; row += ROWS) {
      const Index some = rows - row < ROWS ? rows - row : ROWS;
      const Index at = multiply(row, some <= ROWS / 2, width / WIDTH, b, tile);
      put_tile(finish, tile + at * width, width, finish.places + row, some, first,
               columns - first < width ? columns - first : width);
    }
  }
}

// Multiplies `rows` left rows, whose addresses are padded to full tiles, by panel rows.
inline void multiply_tiles(const Left& left, Index rows, const float* panels, Index height, Index k, Index columns,
                           const Finish& finish) {
  using Kernel = void (*)(const Left&, const float* const*, const float*, float*);
  static constexpr Kernel KERNELS[] = {multiply_tile<ROWS, 1>, multiply_tile<ROWS, 2>, multiply_tile<ROWS / 2, 1>,
                                       multiply_tile<ROWS / 2, 2>};
  over_tiles(rows, panels, height, k, columns, finish,
             [&](Index row, bool half, Index vectors, const float* b, float* tile) {
               KERNELS[2 * half + vectors - 1](left, left.rows + row, b, tile);
               return Index(0);
             });
}

// Multiplies `rows` rows of a transposed left matrix, given by column addresses, by `inner` panel rows. `readable`
// elements of each column may be read: at least a full tile.
inline void multiply_turned_tiles(const float* const* lefts, Index readable, Index rows, const float* panels,
                                  Index inner, Index columns, const Finish& finish) {
  using Kernel = void (*)(Index, const float* const*, Index, const float*, float*);
  static constexpr Kernel KERNELS[] = {multiply_turned_tile<ROWS, 1>, multiply_turned_tile<ROWS, 2>,
                                       multiply_turned_tile<ROWS / 2, 1>, multiply_turned_tile<ROWS / 2, 2>};
  over_tiles(rows, panels, inner, 0, columns, finish,
             [&](Index row, bool half, Index vectors, const float* b, float* tile) {
               const Index last = readable - (half ? ROWS / 2 : ROWS), first = row < last ? row : last;
               KERNELS[2 * half + vectors - 1](inner, lefts, first, b, tile);
               return row - first;
             });
}
