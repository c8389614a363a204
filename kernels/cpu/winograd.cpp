// Winograd's minimal filtering. Input tiles (4 x 4 pixels for 3 x 3 filters, 6 x 6 for 5 x 5) and the filter are
// transformed to the Winograd domain, with one point per pixel of the tile. At each point, a matrix product multiplies
// the channels of many tiles by the filters; the inverse transform yields tiles of 2 x 2 results. Filter gradients use
// the same input tiles with 2 x 2 tiles of the gradient of the result.
//
// The transforms evaluate polynomials at 0, 1, -1 and infinity for 3 x 3 filters, and at 0, P, -P, Q, -Q and infinity
// for 5 x 5. P and Q are chosen for small rounding errors.
//
// The summation order depends only on the sizes: only independent results are divided among threads.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "winograd.h"

#include "threads.h"

namespace {

constexpr Index UNIT = 16;              // channels are padded to multiples of the longest vector
// With fewer channels (input and result combined) or tiles, the transforms cost more than they save.
constexpr Index MIN_CHANNELS = VECTOR == 64 ? 32 : 64;
constexpr Index MIN_GRADIENT_CHANNELS = VECTOR == 64 ? 32 : 96;
constexpr Index EXTRA_CHANNELS_OF_5X5 = 32;
constexpr Index MIN_TILES = 32;
constexpr Index BLOCK = 8 * ROWS;       // tiles per block
constexpr Index MAX_CACHED_ELEMENTS = Index(1) << 18;  // elements of the points of a block, to fit into the cache
constexpr Index GRADIENT_ROWS = 8 * ROWS;              // rows per task of a filter gradient

// Channel stride between tiles: not a power of two, to avoid cache-set conflicts.
inline Index tile_stride(Index channels) { return channels + UNIT; }

inline Index tile_rows(const Windows& w) { return (w.axes[1].count + 1) / 2; }
inline Index tile_columns(const Windows& w) { return (w.axes[2].count + 1) / 2; }
inline Index tile_count(const Windows& w) { return w.batch * tile_rows(w) * tile_columns(w); }

constexpr float P = 0.75f, P2 = P * P, P3 = P2 * P, P4 = P2 * P2;
constexpr float Q = 1.5f, Q2 = Q * Q, Q3 = Q2 * Q, Q4 = Q2 * Q2;
// Scale factors of the filter values at the points: inverse products of the distances to the other points.
constexpr float AT_ZERO = 1 / (P2 * Q2), AT_P = 1 / (2 * P2 * (P2 - Q2)), AT_Q = 1 / (2 * Q2 * (Q2 - P2));

// Input transform: evaluates the polynomial at the points.
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

// Transforms the filter, or two elements of the gradient of the result.
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

// Inverse transform: transforms products to two results or to a filter gradient.
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

// Applies `transform` along both axes; reads inputs by read(row, column), and writes outputs by write(row, column,
// value).
template <int from, int to, class Transform, class Read, class Write>
inline void transform_2d(const Transform& transform, const Read& read, const Write& write) {
  Vector partial[to][from];
  for (int column = 0; column < from; ++column) {
    Vector x[from], transformed[to];
    for (int row = 0; row < from; ++row) x[row] = read(row, column);
    transform(x, transformed);
    for (int row = 0; row < to; ++row) partial[row][column] = transformed[row];
  }
  for (int row = 0; row < to; ++row) {
    Vector transformed[to];
    transform(partial[row], transformed);
    for (int column = 0; column < to; ++column) write(row, column, transformed[column]);
  }
}

inline void store(float* target, const Vector& x) { std::memcpy(target, &x, sizeof x); }

// Calls body(i, image, row, column) for `count` tiles starting at index `first`, with the row and column of the first
// result of the tile.
template <class Body>
inline void for_each_input_tile(const Windows& w, Index first, Index count, const Body& body) {
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
NOINLINE void transform_tiles(const Windows& w, const float* x, const float* zeros, Index first, Index count,
                              float* points, Index matrix) {
  const Axis &rows = w.axes[1], &columns = w.axes[2];
  for_each_input_tile(w, first, count, [&](Index i, Index image, Index row, Index column) {
    constexpr int SIDE = Sizes<taps>::SIDE;
    const float* pixels[Sizes<taps>::POINTS];
    for (Index a = 0; a < SIDE; ++a) {
      const Index y = row - rows.padding + a, z = column - columns.padding;
      const Index offset = ((image * rows.size + y) * columns.size + z) * w.depth;
      const Index size = is_in_range(y, rows.size) ? columns.size : 0;
      for (Index b = 0; b < SIDE; ++b)
        pixels[SIDE * a + b] = is_in_range(z + b, size) ? x + (offset + b * w.depth) : zeros;
    }
    float* target = points + i * tile_stride(w.depth);
    for (Index c = 0; c < w.depth; c += WIDTH)
      transform_2d<SIDE, SIDE>(
          [](auto& input, auto& output) { transform_input(input, output); },
          [&](int a, int b) { return load_vector(pixels[SIDE * a + b] + c); },
          [&](int a, int b, const Vector& value) { store(target + (SIDE * a + b) * matrix + c, value); });
  });
}

// Transforms products, in panels of `height` rows, to results, and applies the epilogue.
template <int taps>
NOINLINE void finish_tiles(const Windows& w, Index filters, const float* products, Index height, Index first,
                           Index count, const Epilogue& epilogue, float* result) {
  const Index rows = w.axes[1].count, columns = w.axes[2].count;
  for_each_input_tile(w, first, count, [&](Index i, Index image, Index row, Index column) {
    constexpr int SIDE = Sizes<taps>::SIDE;
    const Index matrix = panels_size(height, filters), offset = ((image * rows + row) * columns + column) * filters;
    const bool has_row = row + 1 < rows, has_column = column + 1 < columns;
    for (Index c = 0; c < filters; c += WIDTH) {
      const Index panel = c / PANEL * PANEL;
      const float* source = products + panel * height + i * panel_width(filters, panel) + (c - panel);
      transform_2d<SIDE, 2>([](auto& input, auto& output) { transform_products(input, output); },
                            [&](int a, int b) { return load_vector(source + (SIDE * a + b) * matrix); },
                            [&](int a, int b, Vector value) {
                              if ((a && !has_row) || (b && !has_column)) return;
                              const Index index = offset + (a * columns + b) * filters + c;
                              if (epilogue.bias) value += load_vector(epilogue.bias + c);
                              if (epilogue.rectifies) value = value < 0.0f ? Vector{} : value;
                              if (epilogue.features)
                                value *= load_vector(epilogue.features + index) > 0.0f ? Vector{} + 1.0f : Vector{};
                              store(result + index, value);
                            });
    }
  });
}

// Transforms the filter and packs it into panels, one matrix [depth, filters] per point.
template <int taps>
void pack_filter(const float* filter, bool flipped, Index depth, Index filters, float* panels, Index threads) {
  const Index size = panels_size(depth, filters), tap = depth * filters;
  const Index lines = flipped ? filters : depth, width = flipped ? depth : filters;
  parallel_for_ranges(lines / UNIT, 1, threads, [&](Index, Index begin, Index end) {
    constexpr int SIDE = Sizes<taps>::SIDE, POINTS = Sizes<taps>::POINTS, LAST = Sizes<taps>::ELEMENTS - 1;
    alignas(64) float points[POINTS][UNIT][UNIT];
    for (Index line = begin * UNIT; line < end * UNIT; line += UNIT)
      for (Index first = 0; first < width; first += UNIT) {
        for (Index i = 0; i < UNIT; ++i)
          for (Index c = 0; c < UNIT; c += WIDTH) {
            const float* source = filter + (line + i) * width + first + c;
            transform_2d<taps, SIDE>(
                [](auto& input, auto& output) { transform_filter(input, output); },
                [&](int a, int b) {
                  return load_vector(source + (flipped ? LAST - taps * a - b : taps * a + b) * tap);
                },
                [&](int a, int b, const Vector& value) { store(&points[SIDE * a + b][i][c], value); });
          }
        for (Index point = 0; point < POINTS; ++point)
          for (Index i = 0; i < UNIT; ++i) {
            // Writes row k of the panels, starting at column `column`.
            const Index k = flipped ? first + i : line + i, column = flipped ? line : first;
            for (Index c = 0; c < UNIT; c += WIDTH) {
              const Index panel = (column + c) / PANEL * PANEL, panel_columns = panel_width(filters, panel);
              float* target = panels + point * size + panel * depth + k * panel_columns + (column + c - panel);
              if (flipped)
                for (Index j = 0; j < WIDTH; ++j) target[j] = points[point][c + j][i];
              else
                store(target, load_vector(&points[point][i][c]));
            }
          }
      }
  });
}

// Multiplies `rows` rows of the left matrix, whose addresses are padded to full tiles, by panels; writes panels of
// `height` rows.
void multiply_panels(const Left& left, Index rows, const float* panels, Index inner, Index columns, float* products,
                     Index height) {
  for (Index first = 0; first < columns; first += PANEL) {
    const Index panel_columns = panel_width(columns, first);
    const auto multiply = panel_columns == PANEL ? multiply_tile<ROWS, 2> : multiply_tile<ROWS, 1>;
    for (Index row = 0; row < rows; row += ROWS)
      multiply(left, left.rows + row, panels + first * inner, products + first * height + row * panel_columns);
  }
}

// Returns the number of elements of the input and result points of a tile.
inline Index points_size(const Windows& w, Index filters) {
  const Index side = w.axes[1].kernel + 1;
  return side * side * (tile_stride(w.depth) + filters);
}

// Returns the number of tiles per block: few enough for the points to stay in the cache and for all threads to get
// blocks.
Index block_size(const Windows& w, Index filters, Index threads) {
  const Index cache_limit = MAX_CACHED_ELEMENTS / points_size(w, filters) / ROWS * ROWS;
  const Index share = (tile_count(w) + 4 * threads - 1) / (4 * threads);
  return clamp(ROWS, (share + ROWS - 1) / ROWS * ROWS, clamp(2 * ROWS, cache_limit, BLOCK));
}

bool is_supported(const Windows& w, Index filters, Index min_channels) {
  const Axis& planes = w.axes[0];
  if (planes.size != 1 || planes.kernel != 1 || planes.padding != 0 || planes.count != 1) return false;
  const Index taps = w.axes[1].kernel;
  if ((taps != 3 && taps != 5) || w.axes[2].kernel != taps) return false;
  for (Index i = 1; i < 3; ++i)
    if (w.axes[i].stride != 1 || w.axes[i].dilation != 1) return false;
  if (taps == 5) min_channels += EXTRA_CHANNELS_OF_5X5;
  if (w.depth % UNIT || filters % UNIT || !w.depth || !filters || w.depth + filters < min_channels) return false;
  return tile_count(w) >= MIN_TILES;
}

template <int taps>
void convolve(const Windows& w, Index filters, const float* x, const float* filter, bool flipped,
              const Epilogue& epilogue, float* result, float* scratch, Index threads) {
  constexpr int POINTS = Sizes<taps>::POINTS;
  const Index depth = w.depth, block = block_size(w, filters, threads), size = panels_size(depth, filters);
  const Index points_stride = block * tile_stride(depth), products_stride = panels_size(block, filters);
  float *panels = align_pointer(scratch), *thread_scratch = panels + POINTS * size;
  float* zeros = thread_scratch + threads * POINTS * (points_stride + products_stride);
  fill_zero(zeros, depth);
  pack_filter<taps>(filter, flipped, depth, filters, panels, threads);
  parallel_for_ranges(tile_count(w), block, threads, [&](Index thread, Index begin, Index end) {
    float *points = thread_scratch + thread * POINTS * (points_stride + products_stride),
          *products = points + POINTS * points_stride;
    const float* rows[BLOCK];
    for (Index first = begin; first < end; first += block) {
      const Index count = clamp(0, end - first, block);
      transform_tiles<taps>(w, x, zeros, first, count, points, points_stride);
      for (Index point = 0; point < POINTS; ++point) {
        for (Index i = 0; i < block; ++i)
          rows[i] = points + point * points_stride + (i < count ? i : 0) * tile_stride(depth);
        multiply_panels({rows, 0, &depth, 1}, count, panels + point * size, depth, filters,
                        products + point * products_stride, block);
      }
      finish_tiles<taps>(w, filters, products, block, first, count, epilogue, result);
    }
  });
}

template <int taps>
void filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                     float* scratch, Index threads) {
  constexpr int SIDE = Sizes<taps>::SIDE, POINTS = Sizes<taps>::POINTS;
  constexpr Index MAX_TILES = Sizes<taps>::GRADIENT_BLOCK;
  const Index depth = w.depth, block = clamp(1, tile_count(w), MAX_TILES), tiles = tile_count(w);
  const Index points_stride = block * tile_stride(depth), panels_stride = panels_size(block, filters),
              sums_stride = depth * filters;
  float *points = align_pointer(scratch), *panels = points + POINTS * points_stride,
        *sums = panels + POINTS * panels_stride;
  float* zeros = sums + POINTS * sums_stride;
  fill_zero(zeros, depth);
  const Index row_blocks = (depth + GRADIENT_ROWS - 1) / GRADIENT_ROWS, rows = w.axes[1].count,
              columns = w.axes[2].count;
  for (Index first = 0; first < tiles; first += block) {
    const Index count = clamp(0, tiles - first, block);
    parallel_for_ranges(count, ROWS, threads, [&](Index, Index begin, Index end) {
      transform_tiles<taps>(w, x, zeros, first + begin, end - begin, points + begin * tile_stride(depth),
                            points_stride);
      for_each_input_tile(w, first + begin, end - begin, [&](Index i, Index image, Index row, Index column) {
        const float* source = gradient + ((image * rows + row) * columns + column) * filters;
        const bool has_row = row + 1 < rows, has_column = column + 1 < columns;
        for (Index c = 0; c < filters; c += WIDTH) {
          const Index panel = c / PANEL * PANEL, panel_columns = panel_width(filters, panel);
          float* target = panels + panel * count + (begin + i) * panel_columns + (c - panel);
          transform_2d<2, SIDE>(
              [](auto& input, auto& output) { transform_filter(input, output); },
              [&](int a, int b) {
                if ((a && !has_row) || (b && !has_column)) return Vector{};
                return load_vector(source + (a * columns + b) * filters + c);
              },
              [&](int a, int b, const Vector& value) { store(target + (SIDE * a + b) * panels_stride, value); });
        }
      });
    });
    parallel_for_ranges(POINTS * row_blocks, 1, threads, [&](Index, Index begin, Index end) {
      const float* left_columns[MAX_TILES];
      Index offsets[GRADIENT_ROWS];
      for (Index part = begin; part < end; ++part) {
        const Index point = part / row_blocks, first_row = part % row_blocks * GRADIENT_ROWS;
        const Index row_count = clamp(0, depth - first_row, GRADIENT_ROWS);
        for (Index i = 0; i < count; ++i)
          left_columns[i] = points + point * points_stride + i * tile_stride(depth) + first_row;
        for (Index i = 0; i < row_count; ++i) offsets[i] = (first_row + i) * filters;
        multiply_transposed_tiles(left_columns, depth - first_row, row_count, panels + point * panels_stride, count,
                                  filters, {sums + point * sums_stride, offsets, first > 0, {}});
      }
    });
  }
  parallel_for_ranges(sums_stride / UNIT, GRAIN / 16 / UNIT, threads, [&](Index, Index begin, Index end) {
    for (Index c = begin * UNIT; c < end * UNIT; c += WIDTH)
      transform_2d<SIDE, taps>(
          [](auto& input, auto& output) { transform_products(input, output); },
          [&](int a, int b) { return load_vector(sums + (SIDE * a + b) * sums_stride + c); },
          [&](int a, int b, const Vector& value) { store(result + (taps * a + b) * sums_stride + c, value); });
  });
}

}  // namespace

bool supports_winograd(const Windows& w, Index filters) { return is_supported(w, filters, MIN_CHANNELS); }
bool supports_winograd_gradient(const Windows& w, Index filters) {
  return is_supported(w, filters, MIN_GRADIENT_CHANNELS);
}

Index winograd_memory(const Windows& w, Index filters, Index threads) {
  const Index side = w.axes[1].kernel + 1, block = block_size(w, filters, threads);
  return UNIT + w.depth + side * side * panels_size(w.depth, filters) + threads * block * points_size(w, filters);
}

Index winograd_gradient_memory(const Windows& w, Index filters) {
  const Index side = w.axes[1].kernel + 1;
  const Index max_block = side == 4 ? Sizes<3>::GRADIENT_BLOCK : Sizes<5>::GRADIENT_BLOCK,
              block = clamp(1, tile_count(w), max_block);
  return UNIT + w.depth +
         side * side * (block * tile_stride(w.depth) + panels_size(block, filters) + w.depth * filters);
}

void winograd_convolution(const Windows& w, Index filters, const float* x, const float* filter, bool flipped,
                          const Epilogue& epilogue, float* result, float* scratch, Index threads) {
  const auto convolve_taps = w.axes[1].kernel == 3 ? convolve<3> : convolve<5>;
  convolve_taps(w, filters, x, filter, flipped, epilogue, result, scratch, threads);
}

void winograd_filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                              float* scratch, Index threads) {
  const auto gradient_taps = w.axes[1].kernel == 3 ? filter_gradient<3> : filter_gradient<5>;
  gradient_taps(w, filters, x, gradient, result, scratch, threads);
}
