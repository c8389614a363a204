// Products of matrices in tiles that are summed up in registers: some rows of the left matrix, which lies in memory of a
// thread, times a panel of the right one, some vectors wide.
#pragma once

#include "basics.h"

typedef float Vector __attribute__((vector_size(VECTOR)));
constexpr Index WIDTH = VECTOR / sizeof(float), PANEL = 2 * WIDTH;
// Rows of a tile: its sums take all vector registers but those of the operands.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index ROWS = 14;
#else
constexpr Index ROWS = 6;
#endif
// Elements of a row of the left matrix, those of at most INNER columns; not a power of two, so that rows have cache lines
// of their own.
constexpr Index INNER = 576, LEFT = INNER + 16;

inline Vector vector_at(const float* from) {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

// What follows a product: a bias, ReLU, or the gradient of the ReLU that gave `features`, which lie as the result does.
struct Epilogue {
  const float* bias;
  const float* features;
  Index rectifies;
};

// Where a tile goes: its rows lie at `places` in the result. It is added to what is there if it `adds`; then the epilogue
// follows.
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

// tile[row] = the sum over k of a(row, k) * b[k], where a(row, k) is a[row * LEFT + k], or a[k * LEFT + row] if `turned`.
template <int rows, int vectors, bool turned>
APART void multiply_tile(Index inner, const float* __restrict a, const float* __restrict b, float* __restrict tile) {
  Vector sums[rows][vectors] = {};
  for (Index k = 0; k < inner; ++k) {
    Vector right[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) right[v] = vector_at(b + v * WIDTH);
#pragma GCC unroll 16
    for (int row = 0; row < rows; ++row) {
      const float left = a[turned ? row : row * LEFT];
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) sums[row][v] += left * right[v];
    }
    a += turned ? LEFT : 1;
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

// The width of the panel of the right matrix that begins at a column: two vectors, or one for the last few.
inline Index panel_width(Index columns, Index first) { return columns - first > WIDTH ? PANEL : WIDTH; }

// Elements of panels that hold a right matrix.
inline Index panels_size(Index inner, Index columns) { return inner * ((columns + WIDTH - 1) / WIDTH * WIDTH); }

inline Index between(Index low, Index x, Index high) { return x < low ? low : x > high ? high : x; }

inline void clear(float* to, Index count) {
  for (Index i = 0; i < count; ++i) to[i] = 0.0f;
}

inline float* aligned(float* memory) {
  return reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(memory) + 63) & ~std::uintptr_t(63));
}

// Lays `rows` rows of a right matrix, `width` elements apart, into panels of `height` rows, from number k on.
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

// The same for a matrix that lies there transposed, its columns `width` elements apart.
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

// `rows` of the left matrix times `inner` rows, from number k on, of panels that have `height` of them.
template <bool turned>
inline void multiply_tiles(const float* a, Index rows, const float* panels, Index height, Index k, Index inner,
                           Index columns, const Finish& finish) {
  using Kernel = void (*)(Index, const float*, const float*, float*);
  static constexpr Kernel WHOLE[] = {multiply_tile<ROWS, 1, turned>, multiply_tile<ROWS, 2, turned>};
  static constexpr Kernel HALF[] = {multiply_tile<ROWS / 2, 1, turned>, multiply_tile<ROWS / 2, 2, turned>};
  alignas(64) float tile[ROWS * PANEL];
  for (Index first = 0; first < columns; first += PANEL) {
    const Index width = panel_width(columns, first);
    const float* b = panels + first * height + k * width;
    for (Index row = 0; row < rows; row += ROWS) {
      const Index some = rows - row < ROWS ? rows - row : ROWS;
      (some <= ROWS / 2 ? HALF : WHOLE)[width / WIDTH - 1](inner, a + row * (turned ? 1 : LEFT), b, tile);
      put_tile(finish, tile, width, finish.places + row, some, first, columns - first < width ? columns - first : width);
    }
  }
}
