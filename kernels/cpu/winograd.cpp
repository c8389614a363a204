// Winograd's minimal filtering. An input tile (4 x 4 pixels for 3 x 3 filters, 6 x 6 for 5 x 5) and the filter are
// transformed to as many points. At each point, a matrix product multiplies the channels of many tiles by the filters;
// the inverse transform yields tiles of 2 x 2 results. Filter gradients use the same input tiles with 2 x 2 tiles of
// the result's gradient.
//
// The transforms evaluate polynomials at 0, 1, -1 and infinity for 3 x 3 filters, and at 0, P, -P, Q, -Q and infinity
// for 5 x 5. P and Q are chosen for small rounding errors.
//
// The summation order depends only on the sizes: threads divide only independent results.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "winograd.h"

#include "threads.h"

namespace {

constexpr Index UNIT = 16;              // channels are padded to multiples of the longest vector
// With fewer channels (input and result together) or tiles, the transforms cost more than they save.
constexpr Index MIN_CHANNELS = VECTOR == 64 ? 32 : 64;
constexpr Index MIN_GRADIENT_CHANNELS = VECTOR == 64 ? 32 : 96;
constexpr Index MORE_OF_LARGE_FILTERS = 32;
constexpr Index MIN_TILES = 32;
constexpr Index BLOCK = 8 * ROWS;       // tiles per block
constexpr Index HELD = Index(1) << 18;  // elements of a block's points that should fit into the cache
constexpr Index SOME_ROWS = 8 * ROWS;   // rows of a filter gradient per piece of work

// Channel stride between tiles: not a power of two, to avoid cache-set conflicts.
inline Index apart(Index channels) { return channels + UNIT; }

inline Index tile_rows(const Windows& w) { return (w.axes[1].count + 1) / 2; }
inline Index tile_columns(const Windows& w) { return (w.axes[2].count + 1) / 2; }
inline Index tiles_of(const Windows& w) { return w.batch * tile_rows(w) * tile_columns(w); }

constexpr float P = 0.75f, P2 = P * P, P3 = P2 * P, P4 = P2 * P2;
constexpr float Q = 1.5f, Q2 = Q * Q, Q3 = Q2 * Q, Q4 = Q2 * Q2;
// Scale factors of the filter's values at the points: inverse products of the distances to the other points.
constexpr float AT_ZERO = 1 / (P2 * Q2), AT_P = 1 / (2 * P2 * (P2 - Q2)), AT_Q = 1 / (2 * Q2 * (Q2 - P2));

// Input transform: evaluates the points.
inline void transform_input(const Vector (&x)[4], Vector (&points)[4]) {
  points[0] = x[0] - x[2];
  points[1] = x[1] + x[2];
  points[2] = x[2] - x[1];
  points[3] = x[3] - x[1];
}
inline void transform_input(const Vector (&x)[6], Vector (&points)[6]) {
  const Vector even_p = x[4] - Q2 * x[2], odd_p = P * (x[3] - Q2 * x[1]);
  const Vector even_q = x[4] - P2 * x[2], odd_q = Q * (x[3] - P2 * x[1]);
  points[0] = P2 * Q2 * x[0] - (P2 + Q2) * x[2] + x[4];
  points[1] = even_p + odd_p;
  points[2] = even_p - odd_p;
  points[3] = even_q + odd_q;
  points[4] = even_q - odd_q;
  points[5] = P2 * Q2 * x[1] - (P2 + Q2) * x[3] + x[5];
}

// Transform of the filter, or of two elements of a result's gradient.
inline void transform_filter(const Vector (&x)[3], Vector (&points)[4]) {
  const Vector even = 0.5f * (x[0] + x[2]), odd = 0.5f * x[1];
  points[0] = x[0];
  points[1] = even + odd;
  points[2] = even - odd;
  points[3] = x[2];
}
inline void transform_filter(const Vector (&x)[2], Vector (&points)[4]) {
  points[0] = x[0];
  points[1] = 0.5f * (x[0] + x[1]);
  points[2] = 0.5f * (x[0] - x[1]);
  points[3] = x[1];
}
inline void transform_filter(const Vector (&x)[5], Vector (&points)[6]) {
  const Vector even_p = AT_P * (x[0] + P2 * x[2] + P4 * x[4]), odd_p = AT_P * (P * x[1] + P3 * x[3]);
  const Vector even_q = AT_Q * (x[0] + Q2 * x[2] + Q4 * x[4]), odd_q = AT_Q * (Q * x[1] + Q3 * x[3]);
  points[0] = AT_ZERO * x[0];
  points[1] = even_p + odd_p;
  points[2] = even_p - odd_p;
  points[3] = even_q + odd_q;
  points[4] = even_q - odd_q;
  points[5] = x[4];
}
inline void transform_filter(const Vector (&x)[2], Vector (&points)[6]) {
  points[0] = AT_ZERO * x[0];
  points[1] = AT_P * (x[0] + P * x[1]);
  points[2] = AT_P * (x[0] - P * x[1]);
  points[3] = AT_Q * (x[0] + Q * x[1]);
  points[4] = AT_Q * (x[0] - Q * x[1]);
  points[5] = x[1];
}

// Inverse transform of the products, to two results or to a filter gradient.
inline void transform_products(const Vector (&points)[4], Vector (&x)[2]) {
  x[0] = points[0] + points[1] + points[2];
  x[1] = points[1] - points[2] + points[3];
}
inline void transform_products(const Vector (&points)[4], Vector (&x)[3]) {
  x[0] = points[0] + points[1] + points[2];
  x[1] = points[1] - points[2];
  x[2] = points[1] + points[2] + points[3];
}
inline void transform_products(const Vector (&points)[6], Vector (&x)[2]) {
  x[0] = points[0] + (points[1] + points[2]) + (points[3] + points[4]);
  x[1] = P * (points[1] - points[2]) + Q * (points[3] - points[4]) + points[5];
}
inline void transform_products(const Vector (&points)[6], Vector (&x)[5]) {
  const Vector even_p = points[1] + points[2], odd_p = points[1] - points[2];
  const Vector even_q = points[3] + points[4], odd_q = points[3] - points[4];
  x[0] = points[0] + even_p + even_q;
  x[1] = P * odd_p + Q * odd_q;
  x[2] = P2 * even_p + Q2 * even_q;
  x[3] = P3 * odd_p + Q3 * odd_q;
  x[4] = P4 * even_p + Q4 * even_q + points[5];
}

// Applies `transform` along both axes: inputs from read(row, column), outputs to write(row, column, value).
template <int from, int to, class Transform, class Read, class Write>
inline void along_both(const Transform& transform, const Read& read, const Write& write) {
  Vector half[to][from];
  for (int column = 0; column < from; ++column) {
    Vector x[from], own[to];
    for (int row = 0; row < from; ++row) x[row] = read(row, column);
    transform(x, own);
    for (int row = 0; row < to; ++row) half[row][column] = own[row];
  }
  for (int row = 0; row < to; ++row) {
    Vector own[to];
    transform(half[row], own);
    for (int column = 0; column < to; ++column) write(row, column, own[column]);
  }
}

inline void store(float* to, const Vector& x) { std::memcpy(to, &x, sizeof x); }

// Calls body(i, image, row, column) for `count` tiles from index `first` on, with the row and column of the first
// result.
template <class Body>
inline void over_tiles_of(const Windows& w, Index first, Index count, const Body& body) {
  const Index rows = tile_rows(w), columns = tile_columns(w);
  for (Index i = 0; i < count; ++i) {
    const Index tile = first + i;
    body(i, tile / columns / rows, tile / columns % rows * 2, tile % columns * 2);
  }
}

// Sizes for filters of `taps` rows and columns.
template <int taps>
struct Sizes {
  static constexpr int SIDE = taps + 1, POINTS = SIDE * SIDE, ELEMENTS = taps * taps;
  static constexpr Index GRADIENT_BLOCK = 4096 / POINTS;  // tiles per block of a filter gradient
};

// Transforms input tiles to the Winograd domain; `matrix` is the stride between points, in elements.
template <int taps>
NOINLINE void transform_tiles(const Windows& w, const float* x, const float* zeros, Index first, Index count, float* points,
                           Index matrix) {
  const Axis &rows = w.axes[1], &columns = w.axes[2];
  over_tiles_of(w, first, count, [&](Index i, Index image, Index row, Index column) {
    constexpr int SIDE = Sizes<taps>::SIDE;
    const float* pixels[Sizes<taps>::POINTS];
    for (Index a = 0; a < SIDE; ++a) {
      const Index y = row - rows.before + a, z = column - columns.before;
      const Index place = ((image * rows.size + y) * columns.size + z) * w.depth;
      const Index size = is_inside(y, rows.size) ? columns.size : 0;
      for (Index b = 0; b < SIDE; ++b)
        pixels[SIDE * a + b] = is_inside(z + b, size) ? x + (place + b * w.depth) : zeros;
    }
    float* to = points + i * apart(w.depth);
    for (Index c = 0; c < w.depth; c += WIDTH)
      along_both<SIDE, SIDE>([](auto& own, auto& at) { transform_input(own, at); },
                             [&](int a, int b) { return vector_at(pixels[SIDE * a + b] + c); },
                             [&](int a, int b, const Vector& own) { store(to + (SIDE * a + b) * matrix + c, own); });
  });
}

// Transforms products, in panels of `height` rows, to results, and applies the epilogue.
template <int taps>
NOINLINE void finish_tiles(const Windows& w, Index filters, const float* products, Index height, Index first, Index count,
                        const Epilogue& after, float* result) {
  const Index rows = w.axes[1].count, columns = w.axes[2].count;
  over_tiles_of(w, first, count, [&](Index i, Index image, Index row, Index column) {
    constexpr int SIDE = Sizes<taps>::SIDE;
    const Index matrix = panels_size(height, filters), place = ((image * rows + row) * columns + column) * filters;
    const bool has_row = row + 1 < rows, has_column = column + 1 < columns;
    for (Index c = 0; c < filters; c += WIDTH) {
      const Index panel = c / PANEL * PANEL;
      const float* from = products + panel * height + i * panel_width(filters, panel) + (c - panel);
      along_both<SIDE, 2>([](auto& own, auto& at) { transform_products(own, at); },
                          [&](int a, int b) { return vector_at(from + (SIDE * a + b) * matrix); },
                          [&](int a, int b, Vector own) {
                            if ((a && !has_row) || (b && !has_column)) return;
                            const Index to = place + (a * columns + b) * filters + c;
                            if (after.bias) own += vector_at(after.bias + c);
                            if (after.rectifies) own = own < 0.0f ? Vector{} : own;
                            if (after.features)
                              own *= vector_at(after.features + to) > 0.0f ? Vector{} + 1.0f : Vector{};
                            store(result + to, own);
                          });
    }
  });
}

// Transforms the filter to panels, one matrix [depth, filters] per point.
template <int taps>
void lay_filter(const float* filter, bool turned, Index depth, Index filters, float* panels, Index threads) {
  const Index size = panels_size(depth, filters), tap = depth * filters;
  const Index lines = turned ? filters : depth, width = turned ? depth : filters;
  in_pieces(lines / UNIT, 1, threads, [&](Index, Index begin, Index end) {
    constexpr int SIDE = Sizes<taps>::SIDE, POINTS = Sizes<taps>::POINTS, LAST = Sizes<taps>::ELEMENTS - 1;
    alignas(64) float points[POINTS][UNIT][UNIT];
    for (Index line = begin * UNIT; line < end * UNIT; line += UNIT)
      for (Index first = 0; first < width; first += UNIT) {
        for (Index i = 0; i < UNIT; ++i)
          for (Index c = 0; c < UNIT; c += WIDTH) {
            const float* from = filter + (line + i) * width + first + c;
            along_both<taps, SIDE>(
                [](auto& own, auto& at) { transform_filter(own, at); },
                [&](int a, int b) { return vector_at(from + (turned ? LAST - taps * a - b : taps * a + b) * tap); },
                [&](int a, int b, const Vector& own) { store(&points[SIDE * a + b][i][c], own); });
          }
        for (Index point = 0; point < POINTS; ++point)
          for (Index i = 0; i < UNIT; ++i) {
            // Row k of the panels, from column `column` on.
            const Index k = turned ? first + i : line + i, column = turned ? line : first;
            for (Index c = 0; c < UNIT; c += WIDTH) {
              const Index panel = (column + c) / PANEL * PANEL, wide = panel_width(filters, panel);
              float* to = panels + point * size + panel * depth + k * wide + (column + c - panel);
              if (turned)
                for (Index j = 0; j < WIDTH; ++j) to[j] = points[point][c + j][i];
              else
                store(to, vector_at(&points[point][i][c]));
            }
          }
      }
  });
}

// Multiplies `rows` left rows, whose addresses are padded to full tiles, by panels; writes panels of `height` rows.
void multiply_panels(const Left& left, Index rows, const float* panels, Index inner, Index columns, float* products,
                     Index height) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index wide = panel_width(columns, first);
    const auto multiply = wide == PANEL ? multiply_tile<ROWS, 2> : multiply_tile<ROWS, 1>;
    for (Index row = 0; row < rows; row += ROWS)
      multiply(left, left.rows + row, panels + first * inner,
               products + first * height + row * wide);
  }
}

// Elements of a tile's input and result points.
inline Index points_size(const Windows& w, Index filters) {
  const Index side = w.axes[1].kernel + 1;
  return side * side * (apart(w.depth) + filters);
}

// Tiles per block: few enough for the points to stay in the cache and for all threads to get blocks.
Index block_size(const Windows& w, Index filters, Index threads) {
  const Index fit = HELD / points_size(w, filters) / ROWS * ROWS;
  const Index share = (tiles_of(w) + 4 * threads - 1) / (4 * threads);
  return between(ROWS, (share + ROWS - 1) / ROWS * ROWS, between(2 * ROWS, fit, BLOCK));
}

bool suits(const Windows& w, Index filters, Index fewest_channels) {
  const Axis& planes = w.axes[0];
  if (planes.size != 1 || planes.kernel != 1 || planes.before != 0 || planes.count != 1) return false;
  const Index taps = w.axes[1].kernel;
  if ((taps != 3 && taps != 5) || w.axes[2].kernel != taps) return false;
  for (Index i = 1; i < 3; ++i)
    if (w.axes[i].stride != 1 || w.axes[i].dilation != 1) return false;
  if (taps == 5) fewest_channels += MORE_OF_LARGE_FILTERS;
  if (w.depth % UNIT || filters % UNIT || !w.depth || !filters || w.depth + filters < fewest_channels) return false;
  return tiles_of(w) >= MIN_TILES;
}

template <int taps>
void convolve(const Windows& w, Index filters, const float* x, const float* filter, bool turned,
              const Epilogue& after, float* result, float* memory, Index threads) {
  constexpr int POINTS = Sizes<taps>::POINTS;
  const Index depth = w.depth, block = block_size(w, filters, threads), size = panels_size(depth, filters);
  const Index of_points = block * apart(depth), of_products = panels_size(block, filters);
  float *panels = aligned(memory), *own = panels + POINTS * size;
  float* zeros = own + threads * POINTS * (of_points + of_products);
  clear(zeros, depth);
  lay_filter<taps>(filter, turned, depth, filters, panels, threads);
  in_pieces(tiles_of(w), block, threads, [&](Index thread, Index begin, Index end) {
    float *points = own + thread * POINTS * (of_points + of_products), *products = points + POINTS * of_points;
    const float* rows[BLOCK];
    for (Index first = begin; first < end; first += block) {
      const Index count = between(0, end - first, block);
      transform_tiles<taps>(w, x, zeros, first, count, points, of_points);
      for (Index point = 0; point < POINTS; ++point) {
        for (Index i = 0; i < block; ++i) rows[i] = points + point * of_points + (i < count ? i : 0) * apart(depth);
        multiply_panels({rows, 0, &depth, 1}, count, panels + point * size, depth, filters, products + point * of_products,
                        block);
      }
      finish_tiles<taps>(w, filters, products, block, first, count, after, result);
    }
  });
}

template <int taps>
void filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                     float* memory, Index threads) {
  constexpr int SIDE = Sizes<taps>::SIDE, POINTS = Sizes<taps>::POINTS;
  constexpr Index MAX_TILES = Sizes<taps>::GRADIENT_BLOCK;
  const Index depth = w.depth, block = between(1, tiles_of(w), MAX_TILES), tiles = tiles_of(w);
  const Index of_points = block * apart(depth), of_panels = panels_size(block, filters), of_sums = depth * filters;
  float *points = aligned(memory), *panels = points + POINTS * of_points, *sums = panels + POINTS * of_panels;
  float* zeros = sums + POINTS * of_sums;
  clear(zeros, depth);
  const Index pieces = (depth + SOME_ROWS - 1) / SOME_ROWS, rows = w.axes[1].count, columns = w.axes[2].count;
  for (Index first = 0; first < tiles; first += block) {
    const Index count = between(0, tiles - first, block);
    in_pieces(count, ROWS, threads, [&](Index, Index begin, Index end) {
      transform_tiles<taps>(w, x, zeros, first + begin, end - begin, points + begin * apart(depth), of_points);
      over_tiles_of(w, first + begin, end - begin, [&](Index i, Index image, Index row, Index column) {
        const float* from = gradient + ((image * rows + row) * columns + column) * filters;
        const bool has_row = row + 1 < rows, has_column = column + 1 < columns;
        for (Index c = 0; c < filters; c += WIDTH) {
          const Index panel = c / PANEL * PANEL, wide = panel_width(filters, panel);
          float* to = panels + panel * count + (begin + i) * wide + (c - panel);
          along_both<2, SIDE>(
              [](auto& own, auto& at) { transform_filter(own, at); },
              [&](int a, int b) {
                if ((a && !has_row) || (b && !has_column)) return Vector{};
                return vector_at(from + (a * columns + b) * filters + c);
              },
              [&](int a, int b, const Vector& own) { store(to + (SIDE * a + b) * of_panels, own); });
        }
      });
    });
    in_pieces(POINTS * pieces, 1, threads, [&](Index, Index begin, Index end) {
      const float* lefts[MAX_TILES];
      Index places[SOME_ROWS];
      for (Index part = begin; part < end; ++part) {
        const Index point = part / pieces, from = part % pieces * SOME_ROWS;
        const Index some = between(0, depth - from, SOME_ROWS);
        for (Index i = 0; i < count; ++i) lefts[i] = points + point * of_points + i * apart(depth) + from;
        for (Index i = 0; i < some; ++i) places[i] = (from + i) * filters;
        multiply_turned_tiles(lefts, depth - from, some, panels + point * of_panels, count, filters,
                              {sums + point * of_sums, places, first > 0, {}});
      }
    });
  }
  in_pieces(of_sums / UNIT, PIECE / 16 / UNIT, threads, [&](Index, Index begin, Index end) {
    for (Index c = begin * UNIT; c < end * UNIT; c += WIDTH)
      along_both<SIDE, taps>([](auto& own, auto& at) { transform_products(own, at); },
                             [&](int a, int b) { return vector_at(sums + (SIDE * a + b) * of_sums + c); },
                             [&](int a, int b, const Vector& own) { store(result + (taps * a + b) * of_sums + c, own); });
  });
}

}  // namespace

bool suits_winograd(const Windows& w, Index filters) { return suits(w, filters, MIN_CHANNELS); }
bool suits_winograd_gradient(const Windows& w, Index filters) { return suits(w, filters, MIN_GRADIENT_CHANNELS); }

Index winograd_memory(const Windows& w, Index filters, Index threads) {
  const Index side = w.axes[1].kernel + 1, block = block_size(w, filters, threads);
  return UNIT + w.depth + side * side * panels_size(w.depth, filters) + threads * block * points_size(w, filters);
}

Index winograd_gradient_memory(const Windows& w, Index filters) {
  const Index side = w.axes[1].kernel + 1;
  const Index most = side == 4 ? Sizes<3>::GRADIENT_BLOCK : Sizes<5>::GRADIENT_BLOCK, block = between(1, tiles_of(w), most);
  return UNIT + w.depth + side * side * (block * apart(w.depth) + panels_size(block, filters) + w.depth * filters);
}

void convolve_by_winograd(const Windows& w, Index filters, const float* x, const float* filter, bool turned,
                          const Epilogue& after, float* result, float* memory, Index threads) {
  const auto of_size = w.axes[1].kernel == 3 ? convolve<3> : convolve<5>;
  of_size(w, filters, x, filter, turned, after, result, memory, threads);
}

void winograd_filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                              float* memory, Index threads) {
  const auto of_size = w.axes[1].kernel == 3 ? filter_gradient<3> : filter_gradient<5>;
  of_size(w, filters, x, gradient, result, memory, threads);
}
