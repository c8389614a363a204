// Convolution over up to three axes of arrays [batch, planes, rows, columns, depth], and its gradients, as matrix
// products. Each window of the input is a row of the left matrix. Long window lines are read in place unless padding
// cuts them; otherwise they are copied for a few hundred pixels at a time, so that they stay in the cache.
//
// The summation order depends only on the sizes: threads divide only independent results.

#include "convolution.h"

#include "threads.h"
#include "tiles.h"
#include "winograd.h"

namespace {

// Layout of the results: element strides between images and along the axes, and the offset of the first element.
struct Layout {
  Index image, steps[3], first;
};

// A run of window elements, from `place` on, that are contiguous in the array: their offsets from the window's first
// pixel along two axes, along the last one (in elements), and in total. A piece is a single run read in place, or
// several copied runs; `begins` marks its first.
struct Run {
  Index plane, row, begin, offset, place, count;
  std::int32_t piece;
  bool begins, copied;
};

constexpr Index BLOCK = 10 * ROWS;           // pixels per block
constexpr Index PIXELS = 256;                // pixels per block of a filter gradient
constexpr Index UNIT = 256 / ROWS * ROWS;    // window elements per block: rows of a filter gradient
constexpr Index PARTS = 32;                  // minimum parts of a filter gradient, by pixels and elements
constexpr Index MAX_PARTIAL_SUMS = Index(1) << 22;  // elements of all partial sums over pixels
constexpr Index MIN_RUN = 32;  // elements of a run that is read in place: at least a tile
constexpr float ZEROS[INNER + WIDTH] = {};

// The pieces of `elements` window elements: the column count of each, and its address for each pixel.
template <Index pixels, Index elements>
struct Pieces {
  static constexpr Index MAX_RUNS = 2 * (elements / MIN_RUN) + 1;
  Index count = 0;
  Index columns[MAX_RUNS];
  const float* addresses[MAX_RUNS * pixels];
};

// Computes the runs of window elements `begin` to `end`, at most one per element, and their pieces; returns the run
// count.
template <Index pixels, Index elements>
Index runs_of(const Windows& w, Index begin, Index end, Run* runs, Pieces<pixels, elements>& pieces) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  pieces.count = 0;
  if (begin == end) return 0;
  const bool apart = columns.dilation > 1, collide = collides(columns.stride * w.depth);
  const Index across = apart ? columns.kernel : 1, length = apart ? w.depth : columns.kernel * w.depth;
  Index count = 0;
  for (Index number = begin / length; number * length < end; ++number) {
    const Index line = number / across, first = number * length;
    const Index from = first > begin ? first : begin, to = first + length < end ? first + length : end;
    const bool copied = collide || to - from < MIN_RUN, begins = !copied || !count || !runs[count - 1].copied;
    if (begins) pieces.columns[pieces.count++] = 0;
    pieces.columns[pieces.count - 1] += to - from;
    const Index plane = line / rows.kernel * planes.dilation, row = line % rows.kernel * rows.dilation;
    const Index along = number % across * columns.dilation * w.depth + from - first;
    runs[count++] = {plane, row, along, (plane * rows.size + row) * w.line() + along, from - begin, to - from,
                     std::int32_t(pieces.count - 1), begins, copied};
  }
  return count;
}

// Copies whole vectors if the array is long enough to read past the end; excess elements are ignored.
inline void copy(float* to, const float* from, Index count, const float* end) {
  if (count + WIDTH <= end - from) {
    for (Index i = 0; i < count; i += WIDTH) std::memcpy(to + i, from + i, sizeof(Vector));
  } else {
    for (Index i = 0; i < count; ++i) to[i] = from[i];
  }
}

// Calls body(i, image, plane, row, column) for `count` windows starting at index `first`.
template <class Body>
inline void over_windows(const Windows& w, Index first, Index count, const Body& body) {
  const Index planes = w.axes[0].count, rows = w.axes[1].count, columns = w.axes[2].count;
  Index column = first % columns, row = first / columns % rows, plane = first / columns / rows % planes;
  Index image = first / columns / rows / planes;
  for (Index i = 0; i < count; ++i) {
    body(i, image, plane, row, column);
    if (++column < columns) continue;
    column = 0;
    if (++row < rows) continue;
    row = 0;
    if (++plane < planes) continue;
    plane = 0;
    ++image;
  }
}

// Finds the run addresses of `count` windows starting at index `first`, `apart` between pieces. Copied runs are written
// to `out`, LEFT elements per window, with zeros for the padding.
NOINLINE void find_windows(const Windows& w, const float* x, const Run* runs, Index number_of_runs, Index first,
                        Index count, float* out, const float** addresses, Index apart) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const Index line_size = w.line(), image_size = planes.size * rows.size * line_size;
  const float* end = x + w.batch * image_size;
  bool are_short = number_of_runs > 0;
  for (Index number = 0; number < number_of_runs; ++number) are_short &= runs[number].count <= WIDTH;
  over_windows(w, first, count, [&](Index i, Index image, Index plane, Index row, Index column) {
    const Index z = plane * planes.stride - planes.before, y = row * rows.stride - rows.before;
    const Index start = (column * columns.stride - columns.before) * w.depth;
    const float* window = x + image * image_size + (z * rows.size + y) * line_size + start;
    const bool is_whole = is_inside(z, planes.inside()) && is_inside(y, rows.inside()) &&
                          is_inside(start, columns.inside() * w.depth);
    if (are_short && is_whole && runs[number_of_runs - 1].offset + WIDTH <= end - window) {
      addresses[i] = out + i * LEFT;
      for (Index number = 0; number < number_of_runs; ++number)
        std::memcpy(out + i * LEFT + runs[number].place, window + runs[number].offset, sizeof(Vector));
      return;
    }
    for (Index number = 0; number < number_of_runs; ++number) {
      const Run& run = runs[number];
      float* to = out + i * LEFT + run.place;
      const float *source = window + run.offset, *until = end;
      Index low = 0, high = run.count;
      if (!is_whole) {
        if (is_inside(z + run.plane, planes.size) && is_inside(y + run.row, rows.size))
          low = between(0, -start - run.begin, high), high = between(low, line_size - start - run.begin, high);
        else
          source = ZEROS, until = ZEROS + INNER + WIDTH;
      }
      const bool is_cut = high - low < run.count;
      if (run.begins) addresses[run.piece * apart + i] = run.copied || is_cut ? to : source;
      if (is_cut) {
        copy(to + low, source + low, high - low, until);
        clear(to, low);
        clear(to + high, run.count - high);
      } else if (run.copied) {
        copy(to, source, run.count, until);
      }
    }
  });
}

// The result offsets of `count` windows starting at index `first`.
NOINLINE void place_results(const Windows& w, const Layout& layout, Index first, Index count, Index* places) {
  over_windows(w, first, count, [&](Index i, Index image, Index plane, Index row, Index column) {
    places[i] = layout.first + image * layout.image + plane * layout.steps[0] + row * layout.steps[1] +
                column * layout.steps[2];
  });
}

// Pixels per block: smaller blocks if that gives every thread several.
Index block_size(Index pixels, Index threads) {
  const Index share = (pixels + 4 * threads - 1) / (4 * threads);
  return between(ROWS, (share + ROWS - 1) / ROWS * ROWS, BLOCK);
}

// Multiplies the windows by a right-hand matrix packed in panels; `memory` provides BLOCK * LEFT elements of scratch space per thread.
void multiply_windows(const Windows& w, const Layout& layout, const float* x, const float* panels, Index columns,
                      Finish finish, float* memory, Index threads) {
  const Index elements = w.elements(), block = block_size(w.pixels(), threads);
  in_pieces(w.pixels(), block, threads, [&](Index thread, Index begin, Index end) {
    float* left = memory + thread * BLOCK * LEFT;
    Run runs[INNER];
    Pieces<BLOCK, INNER> pieces;
    Index places[BLOCK];
    for (Index first = begin; first < end; first += block) {
      const Index count = between(0, end - first, block);
      place_results(w, layout, first, count, places);
      Index k = 0;
      do {
        const Index inner = between(0, elements - k, INNER), number = runs_of(w, k, k + inner, runs, pieces);
        find_windows(w, x, runs, number, first, count, left, pieces.addresses, BLOCK);
        for (Index piece = 0; piece < pieces.count; ++piece)
          for (Index i = count; i % ROWS; ++i) pieces.addresses[piece * BLOCK + i] = ZEROS;
        Finish own = finish;
        own.places = places;
        own.adds = k > 0;
        if (k + inner < elements) own.after = {};
        const Left left_matrix = {pieces.addresses, BLOCK, pieces.columns, pieces.count};
        multiply_tiles(left_matrix, count, panels, elements, k, columns, own);
        k += inner;
      } while (k < elements);
    }
  });
}

Layout layout_of(const Axis* axes, Index depth, bool of_input) {
  auto size = [=](Index axis) { return of_input ? axes[axis].size : axes[axis].count; };
  const Index row = size(2) * depth, plane = size(1) * row;
  return {size(0) * plane, {plane, row, depth}, 0};
}

// How a filter gradient is divided: by window elements and by pixels.
struct Division {
  Index elements, pixels;
};
Division division_of(const Windows& w, Index filters) {
  const Index elements = (w.elements() + UNIT - 1) / UNIT, most = MAX_PARTIAL_SUMS / (w.elements() * filters);
  const Index pixels = between(1, w.pixels() / (2 * PIXELS), (PARTS + elements - 1) / elements);
  return {elements, between(1, pixels, most < 1 ? 1 : most)};
}

// With fewer input channels than this, a tile of one phase's gradient would be mostly empty: instead, each gradient
// pixel's products with the whole filter form one row, which is added to the input gradient.
constexpr Index SHALLOW = 4;

// The number of gradient pixels whose products are buffered at a time.
Index pixels_to_spread(const Windows& w) {
  constexpr Index HELD = Index(1) << 16;
  return between(ROWS, HELD / (w.elements() + 1) / ROWS * ROWS, BLOCK);
}

inline void add(float* __restrict to, const float* __restrict from, Index count) {
  typedef float Quad __attribute__((vector_size(16)));
  Index i = 0;
  for (; i + 4 <= count; i += 4) {
    Quad sum, some;
    std::memcpy(&sum, to + i, sizeof sum), std::memcpy(&some, from + i, sizeof some);
    sum += some;
    std::memcpy(to + i, &sum, sizeof sum);
  }
  for (; i < count; ++i) to[i] += from[i];
}

// Adds the products of `count` pixels of a plane, starting at index `first`, to rows `low` to `high` of an image.
NOINLINE void spread(const Windows& w, const float* products, Index plane, Index first, Index count, Index low, Index high,
                  float* image) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const bool apart = columns.dilation > 1;
  const Index across = apart ? columns.kernel : 1, length = apart ? w.depth : columns.kernel * w.depth;
  Index row = first / columns.count, column = first % columns.count;
  for (Index i = 0; i < count; ++i) {
    const Index start = (column * columns.stride - columns.before) * w.depth;
    for (Index a = 0; a < planes.kernel; ++a) {
      const Index z = plane * planes.stride - planes.before + a * planes.dilation;
      if (!is_inside(z, planes.size)) continue;
      for (Index b = 0; b < rows.kernel; ++b) {
        const Index y = row * rows.stride - rows.before + b * rows.dilation;
        if (y < low || y >= high) continue;
        const float* from = products + i * w.elements() + (a * rows.kernel + b) * columns.kernel * w.depth;
        float* line = image + (z * rows.size + y) * w.line();
        for (Index c = 0; c < across; ++c, from += length) {
          const Index begin = start + c * columns.dilation * w.depth;
          const Index skipped = between(0, -begin, length), end = between(skipped, w.line() - begin, length);
          add(line + begin + skipped, from + skipped, end - skipped);
        }
      }
    }
    if (++column == columns.count) column = 0, ++row;
  }
}

inline void finish(float* x, Index count, Index depth, const Epilogue& after, const float* features) {
  for (Index i = 0; i < count; ++i) {
    float own = after.bias ? x[i] + after.bias[i % depth] : x[i];
    if (after.rectifies && own < 0.0f) own = 0.0f;
    x[i] = features ? own * (features[i] > 0.0f ? 1.0f : 0.0f) : own;
  }
}

// The gradient of an input with few channels. Each thread owns some rows of an image, and computes the products of all
// pixels that contribute to them.
void shallow_input_gradient(const Windows& w, Index filters, const float* gradient, const float* filter,
                            const Epilogue& after, float* result, float* panels, Index threads) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const Index elements = w.elements(), block = pixels_to_spread(w), plane_size = rows.size * w.line();
  lay_transposed(filter, filters, filters, elements, panels, filters, 0);
  float* memory = panels + panels_size(filters, elements);
  const Index wanted = threads > 1 ? (4 * threads + w.batch - 1) / w.batch : 1;
  const Index share = between((rows.kernel - 1) * rows.dilation + 1, (rows.size + wanted - 1) / wanted, rows.size);
  const Index bands = (rows.size + share - 1) / share;
  in_pieces(w.batch * bands, 1, threads, [&](Index thread, Index begin, Index end) {
    float* products = memory + thread * block * elements;
    const float* addresses[BLOCK];
    Index places[BLOCK];
    for (Index i = 0; i < block; ++i) places[i] = i * elements;
    for (Index part = begin; part < end; ++part) {
      const Index number = part / bands, low = part % bands * share, high = between(low, low + share, rows.size);
      float* image = result + number * planes.size * plane_size;
      for (Index z = 0; z < planes.size; ++z) clear(image + z * plane_size + low * w.line(), (high - low) * w.line());
      const Index reach = (rows.kernel - 1) * rows.dilation;
      const Index above = between(0, (low + rows.before - reach + rows.stride - 1) / rows.stride, rows.count);
      const Index below = between(above, (high - 1 + rows.before) / rows.stride + 1, rows.count);
      for (Index plane = 0; plane < planes.count; ++plane) {
        const float* pixels = gradient + (number * planes.count + plane) * rows.count * columns.count * filters;
        for (Index first = above * columns.count; first < below * columns.count; first += block) {
          const Index count = between(0, below * columns.count - first, block);
          for (Index k = 0; k < filters; k += INNER) {
            const Index inner = between(0, filters - k, INNER);
            for (Index i = 0; i < block; ++i) addresses[i] = i < count ? pixels + (first + i) * filters + k : ZEROS;
            multiply_tiles({addresses, 0, &inner, 1}, count, panels, filters, k, elements, {products, places, k > 0, {}});
          }
          spread(w, products, plane, first, count, low, high, image);
        }
      }
      if (!after.bias && !after.rectifies && !after.features) continue;
      for (Index z = 0; z < planes.size; ++z) {
        float* from = image + z * plane_size + low * w.line();
        finish(from, (high - low) * w.line(), w.depth, after, after.features ? after.features + (from - result) : nullptr);
      }
    }
  });
}

}  // namespace

// A convolution: the windows of its input, and the number of filters.
struct Convolution {
  Windows windows;
  Index filters;
};

enum Pass : Index { FORWARD, INPUT_GRADIENT, FILTER_GRADIENT };

// The windows over the result's gradient whose convolution is the input gradient, for a convolution without strides.
static Windows windows_of_gradient(const Convolution& c) {
  Windows own = {c.windows.batch, c.filters, {}};
  for (Index i = 0; i < 3; ++i) {
    const Axis& axis = c.windows.axes[i];
    own.axes[i] = {axis.count, axis.kernel, axis.stride, axis.dilation, (axis.kernel - 1) * axis.dilation - axis.before,
                   axis.size};
  }
  return own;
}

// Whether a pass uses Winograd's minimal filtering.
EXPORT Index convolution_is_winograd(const Convolution* c, Index pass) {
  if (pass == INPUT_GRADIENT) return suits_winograd(windows_of_gradient(*c), c->windows.depth);
  return pass == FORWARD ? suits_winograd(c->windows, c->filters) : suits_winograd_gradient(c->windows, c->filters);
}

// Scratch memory of a pass, in elements.
EXPORT Index convolution_memory(const Convolution* c, Index pass, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, pass)) {
    if (pass == FILTER_GRADIENT) return winograd_gradient_memory(w, c->filters);
    return pass == FORWARD ? winograd_memory(w, c->filters, threads)
                           : winograd_memory(windows_of_gradient(*c), w.depth, threads);
  }
  const Index aligning = 16, windows = threads * BLOCK * LEFT;
  if (pass == FORWARD) return aligning + panels_size(w.elements(), c->filters) + windows;
  if (pass == INPUT_GRADIENT && w.depth < SHALLOW)
    return aligning + panels_size(c->filters, w.elements()) + threads * pixels_to_spread(w) * w.elements();
  if (pass == INPUT_GRADIENT)
    return aligning + panels_size(w.elements() / w.depth * c->filters, w.depth) + windows;
  const Index parts = division_of(w, c->filters).pixels;
  const Index sums = parts > 1 ? parts * w.elements() * c->filters : 0;
  return aligning + threads * (PIXELS * LEFT + panels_size(PIXELS, c->filters)) + sums;
}

// Convolves and applies the epilogue.
EXPORT void convolve(const Convolution* c, const float* x, const float* filter, const float* bias, const float* features,
                     Index rectifies, float* result, float* memory, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, FORWARD))
    return convolve_by_winograd(w, c->filters, x, filter, false, {bias, features, rectifies}, result, memory, threads);
  const Index elements = w.elements();
  float* panels = aligned(memory);
  in_rows(elements, c->filters, threads, [&](Index begin, Index end) {
    lay_rows(filter + begin * c->filters, c->filters, end - begin, c->filters, panels, elements, begin);
  });
  multiply_windows(w, layout_of(w.axes, c->filters, false), x, panels, c->filters,
                   {result, nullptr, false, {bias, features, rectifies}}, panels + panels_size(elements, c->filters),
                   threads);
}

// The input gradient. All elements of a phase (indices congruent modulo the strides) meet the same filter elements:
// their gradient is a convolution with these in reverse order, without strides. Each axis may have a stride or a
// dilation, not both. The epilogue is the same as in a convolution.
EXPORT void convolution_input_gradient(const Convolution* c, const float* gradient, const float* filter,
                                       const float* bias, const float* features, Index rectifies, float* result,
                                       float* memory, Index threads) {
  const Windows& w = c->windows;
  const Epilogue after = {bias, features, rectifies};
  if (convolution_is_winograd(c, INPUT_GRADIENT))
    return convolve_by_winograd(windows_of_gradient(*c), w.depth, gradient, filter, true, after, result, memory, threads);
  float* panels = aligned(memory);
  if (w.depth < SHALLOW) {
    return shallow_input_gradient(w, c->filters, gradient, filter, after, result, panels, threads);
  }
  const Axis* axes = w.axes;
  const Index phases = axes[0].stride * axes[1].stride * axes[2].stride;
  for (Index phase = 0; phase < phases; ++phase) {
    Windows own = {w.batch, c->filters, {}};
    Layout layout = layout_of(axes, w.depth, true);
    Index first[3], left = phase;
    for (Index i = 2; i >= 0; --i) {
      const Axis& axis = axes[i];
      const Index rest = left % axis.stride, step = axis.stride > 1 ? 1 : axis.dilation;
      left /= axis.stride;
      first[i] = ((rest + axis.before) % axis.stride + axis.stride) % axis.stride;
      const Index taps = (axis.kernel - first[i] + axis.stride - 1) / axis.stride, kernel = taps > 0 ? taps : 0;
      const Index before = (kernel - 1) * step - (rest + axis.before - first[i]) / axis.stride;
      const Index count = axis.size > rest ? (axis.size - rest + axis.stride - 1) / axis.stride : 0;
      own.axes[i] = {axis.count, kernel, 1, step, before, count};
      layout.first += rest * layout.steps[i];
      layout.steps[i] *= axis.stride;
    }
    const Axis* met = own.axes;
    const Index elements = own.elements(), height = c->filters;
    in_pieces(elements / height, 1, threads, [&](Index, Index begin, Index end) {
      for (Index number = begin; number < end; ++number) {
        const Index at[3] = {number / met[2].kernel / met[1].kernel, number / met[2].kernel % met[1].kernel,
                             number % met[2].kernel};
        Index tap = 0;
        for (Index i = 0; i < 3; ++i)
          tap = tap * axes[i].kernel + first[i] + (met[i].kernel - 1 - at[i]) * axes[i].stride;
        lay_transposed(filter + tap * w.depth * height, height, height, w.depth, panels, elements, number * height);
      }
    });
    multiply_windows(own, layout, gradient, panels, w.depth, {result, nullptr, false, after},
                     panels + panels_size(elements, w.depth), threads);
  }
}

// The filter gradient: the transposed windows times the result's gradient.
EXPORT void convolution_filter_gradient(const Convolution* c, const float* x, const float* gradient, float* result,
                                        float* memory, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, FILTER_GRADIENT))
    return winograd_filter_gradient(w, c->filters, x, gradient, result, memory, threads);
  const Index elements = w.elements(), filters = c->filters, size = elements * filters, pixels = w.pixels();
  const Division parts = division_of(w, filters);
  const Index each = PIXELS * LEFT + panels_size(PIXELS, filters), share = (pixels + parts.pixels - 1) / parts.pixels;
  const Index unit = ((elements + parts.elements - 1) / parts.elements + ROWS - 1) / ROWS * ROWS;
  float* own = aligned(memory);
  float* sums = parts.pixels > 1 ? own + threads * each : result;
  in_pieces(parts.elements * parts.pixels, 1, threads, [&](Index thread, Index begin, Index end) {
    float *left = own + thread * each, *panels = left + PIXELS * LEFT;
    Run runs[UNIT];
    Pieces<PIXELS, UNIT> pieces;
    Index places[UNIT];
    for (Index part = begin; part < end; ++part) {
      const Index from = part % parts.elements * unit, to = between(from, elements, from + unit);
      const Index number = runs_of(w, from, to, runs, pieces);
      const Index last = between(0, pixels, (part / parts.elements + 1) * share);
      for (Index i = from; i < to; ++i) places[i - from] = i * filters;
      const Index begin_pixel = part / parts.elements * share;
      for (Index first = begin_pixel; first < last; first += PIXELS) {
        const Index count = between(0, last - first, PIXELS);
        find_windows(w, x, runs, number, first, count, left, pieces.addresses, PIXELS);
        lay_rows(gradient + first * filters, filters, count, filters, panels, count, 0);
        Index place = 0;
        for (Index piece = 0; piece < pieces.count; place += pieces.columns[piece++])
          multiply_turned_tiles(pieces.addresses + piece * PIXELS, between(ROWS, pieces.columns[piece], INNER),
                                pieces.columns[piece], panels, count, filters,
                                {sums + part / parts.elements * size, places + place, first > begin_pixel, {}});
      }
    }
  });
  if (parts.pixels == 1) return;
  in_pieces(size, PIECE / 4, threads, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) result[i] = sums[i];
    for (Index part = 1; part < parts.pixels; ++part)
      for (Index i = begin; i < end; ++i) result[i] += sums[part * size + i];
  });
}
