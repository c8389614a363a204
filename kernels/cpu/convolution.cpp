// Convolution over up to three axes of arrays [batch, planes, rows, columns, depth], and its gradients, as matrix
// products. Each window of the input is a row of the left matrix. Long runs of window elements are read in place unless
// padding clips them; otherwise they are copied for a few hundred pixels at a time, so that they stay in the cache.
//
// The summation order depends only on the sizes: only independent results are divided among threads.

#include "convolution.h"

#include "threads.h"
#include "tiles.h"
#include "winograd.h"

namespace {

// Layout of the results: the element strides between images and along the axes, and the offset of the first element.
struct Layout {
  Index image, steps[3], first;
};

// A run of window elements, starting at index `position`, that are contiguous in the array: their offsets from the
// first pixel of the window along two axes, along the last axis (in elements), and in total. A piece is a single run
// that is read in place, or several copied runs; `begins` marks the first run of a piece.
struct Run {
  Index plane, row, begin, offset, position, count;
  std::int32_t piece;
  bool begins, copied;
};

constexpr Index BLOCK = 10 * ROWS;           // pixels per block
constexpr Index PIXELS = 256;                // pixels per block of a filter gradient
constexpr Index UNIT = 256 / ROWS * ROWS;    // window elements per block: rows of a filter gradient
constexpr Index PARTS = 32;                  // minimum number of parts of a filter gradient
constexpr Index MAX_PARTIAL_SUMS = Index(1) << 22;  // total number of elements of partial sums over pixels
constexpr Index MIN_RUN = 32;  // minimum elements of a run that is read in place: at least a tile
constexpr float ZEROS[INNER + WIDTH] = {};

// The pieces of `elements` window elements: the column count of each, and its address for each pixel.
template <Index pixels, Index elements>
struct Pieces {
  static constexpr Index MAX_RUNS = 2 * (elements / MIN_RUN) + 1;
  Index count = 0;
  Index columns[MAX_RUNS];
  const float* addresses[MAX_RUNS * pixels];
};

// Computes the runs of window elements `begin` to `end`, at most one per element, and their pieces; returns the number
// of runs.
template <Index pixels, Index elements>
Index find_runs(const Windows& w, Index begin, Index end, Run* runs, Pieces<pixels, elements>& pieces) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  pieces.count = 0;
  if (begin == end) return 0;
  const bool is_dilated = columns.dilation > 1, conflicts = has_cache_conflicts(columns.stride * w.depth);
  const Index runs_per_line = is_dilated ? columns.kernel : 1,
              run_length = is_dilated ? w.depth : columns.kernel * w.depth;
  Index count = 0;
  for (Index index = begin / run_length; index * run_length < end; ++index) {
    const Index line = index / runs_per_line, first = index * run_length;
    const Index run_begin = first > begin ? first : begin,
                run_end = first + run_length < end ? first + run_length : end;
    const bool copied = conflicts || run_end - run_begin < MIN_RUN,
               begins = !copied || !count || !runs[count - 1].copied;
    if (begins) pieces.columns[pieces.count++] = 0;
    pieces.columns[pieces.count - 1] += run_end - run_begin;
    const Index plane = line / rows.kernel * planes.dilation, row = line % rows.kernel * rows.dilation;
    const Index column_offset = index % runs_per_line * columns.dilation * w.depth + run_begin - first;
    runs[count++] = {plane,
                     row,
                     column_offset,
                     (plane * rows.size + row) * w.line() + column_offset,
                     run_begin - begin,
                     run_end - run_begin,
                     std::int32_t(pieces.count - 1),
                     begins,
                     copied};
  }
  return count;
}

// Copies full vectors if the array is long enough to read past the end of the run; excess elements are ignored.
inline void copy(float* target, const float* source, Index count, const float* end) {
  if (count + WIDTH <= end - source) {
    for (Index i = 0; i < count; i += WIDTH) std::memcpy(target + i, source + i, sizeof(Vector));
  } else {
    for (Index i = 0; i < count; ++i) target[i] = source[i];
  }
}

// Calls body(i, image, plane, row, column) for `count` windows starting at index `first`.
template <class Body>
inline void for_each_window(const Windows& w, Index first, Index count, const Body& body) {
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

// Finds the piece addresses of `count` windows starting at index `first`, `stride` entries between pieces. Copied runs
// are written to `out`, LEFT elements per window, with zeros for the padding.
NOINLINE void find_windows(const Windows& w, const float* x, const Run* runs, Index run_count, Index first, Index count,
                           float* out, const float** addresses, Index stride) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const Index line_size = w.line(), image_size = planes.size * rows.size * line_size;
  const float* end = x + w.batch * image_size;
  bool all_short = run_count > 0;
  for (Index index = 0; index < run_count; ++index) all_short &= runs[index].count <= WIDTH;
  for_each_window(w, first, count, [&](Index i, Index image, Index plane, Index row, Index column) {
    const Index z = plane * planes.stride - planes.padding, y = row * rows.stride - rows.padding;
    const Index start = (column * columns.stride - columns.padding) * w.depth;
    const float* window = x + image * image_size + (z * rows.size + y) * line_size + start;
    const bool is_unpadded = is_in_range(z, planes.unpadded_count()) && is_in_range(y, rows.unpadded_count()) &&
                             is_in_range(start, columns.unpadded_count() * w.depth);
    if (all_short && is_unpadded && runs[run_count - 1].offset + WIDTH <= end - window) {
      addresses[i] = out + i * LEFT;
      for (Index index = 0; index < run_count; ++index)
        std::memcpy(out + i * LEFT + runs[index].position, window + runs[index].offset, sizeof(Vector));
      return;
    }
    for (Index index = 0; index < run_count; ++index) {
      const Run& run = runs[index];
      float* to = out + i * LEFT + run.position;
      const float *source = window + run.offset, *source_end = end;
      Index low = 0, high = run.count;
      if (!is_unpadded) {
        if (is_in_range(z + run.plane, planes.size) && is_in_range(y + run.row, rows.size))
          low = clamp(0, -start - run.begin, high), high = clamp(low, line_size - start - run.begin, high);
        else
          source = ZEROS, source_end = ZEROS + INNER + WIDTH;
      }
      const bool is_clipped = high - low < run.count;
      if (run.begins) addresses[run.piece * stride + i] = run.copied || is_clipped ? to : source;
      if (is_clipped) {
        copy(to + low, source + low, high - low, source_end);
        fill_zero(to, low);
        fill_zero(to + high, run.count - high);
      } else if (run.copied) {
        copy(to, source, run.count, source_end);
      }
    }
  });
}

// Computes the result offsets of `count` windows starting at index `first`.
NOINLINE void compute_result_offsets(const Windows& w, const Layout& layout, Index first, Index count, Index* offsets) {
  for_each_window(w, first, count, [&](Index i, Index image, Index plane, Index row, Index column) {
    offsets[i] = layout.first + image * layout.image + plane * layout.steps[0] + row * layout.steps[1] +
                 column * layout.steps[2];
  });
}

// Returns the number of pixels per block: smaller blocks if that gives every thread several blocks.
Index block_size(Index pixels, Index threads) {
  const Index share = (pixels + 4 * threads - 1) / (4 * threads);
  return clamp(ROWS, (share + ROWS - 1) / ROWS * ROWS, BLOCK);
}

// Multiplies the windows by a right-hand matrix packed in panels; `memory` provides BLOCK * LEFT elements of scratch
// space per thread.
void multiply_windows(const Windows& w, const Layout& layout, const float* x, const float* panels, Index columns,
                      Finish finish, float* memory, Index threads) {
  const Index elements = w.elements(), block = block_size(w.pixels(), threads);
  parallel_for_ranges(w.pixels(), block, threads, [&](Index thread, Index begin, Index end) {
    float* left = memory + thread * BLOCK * LEFT;
    Run runs[INNER];
    Pieces<BLOCK, INNER> pieces;
    Index offsets[BLOCK];
    for (Index first = begin; first < end; first += block) {
      const Index count = clamp(0, end - first, block);
      compute_result_offsets(w, layout, first, count, offsets);
      Index k = 0;
      do {
        const Index inner = clamp(0, elements - k, INNER), number = find_runs(w, k, k + inner, runs, pieces);
        find_windows(w, x, runs, number, first, count, left, pieces.addresses, BLOCK);
        for (Index piece = 0; piece < pieces.count; ++piece)
          for (Index i = count; i % ROWS; ++i) pieces.addresses[piece * BLOCK + i] = ZEROS;
        Finish tile_finish = finish;
        tile_finish.offsets = offsets;
        tile_finish.accumulates = k > 0;
        if (k + inner < elements) tile_finish.epilogue = {};
        const Left left_matrix = {pieces.addresses, BLOCK, pieces.columns, pieces.count};
        multiply_tiles(left_matrix, count, panels, elements, k, columns, tile_finish);
        k += inner;
      } while (k < elements);
    }
  });
}

Layout make_layout(const Axis* axes, Index depth, bool for_input) {
  auto size = [=](Index axis) { return for_input ? axes[axis].size : axes[axis].count; };
  const Index row = size(2) * depth, plane = size(1) * row;
  return {size(0) * plane, {plane, row, depth}, 0};
}

// The number of parts of a filter gradient, by window elements and by pixels.
struct Division {
  Index elements, pixels;
};
Division divide_gradient(const Windows& w, Index filters) {
  const Index elements = (w.elements() + UNIT - 1) / UNIT, max_parts = MAX_PARTIAL_SUMS / (w.elements() * filters);
  const Index pixels = clamp(1, w.pixels() / (2 * PIXELS), (PARTS + elements - 1) / elements);
  return {elements, clamp(1, pixels, max_parts < 1 ? 1 : max_parts)};
}

// With fewer input channels than this, a tile of the gradient of one phase would be mostly empty. Instead, the products
// of each gradient pixel with the entire filter form one row, which is added to the input gradient.
constexpr Index SHALLOW = 4;

// Returns the number of gradient pixels whose products are buffered at a time.
Index scatter_block_size(const Windows& w) {
  constexpr Index MAX_BUFFERED_ELEMENTS = Index(1) << 16;
  return clamp(ROWS, MAX_BUFFERED_ELEMENTS / (w.elements() + 1) / ROWS * ROWS, BLOCK);
}

inline void add(float* __restrict target, const float* __restrict source, Index count) {
  typedef float Quad __attribute__((vector_size(16)));
  Index i = 0;
  for (; i + 4 <= count; i += 4) {
    Quad sum, addend;
    std::memcpy(&sum, target + i, sizeof sum), std::memcpy(&addend, source + i, sizeof addend);
    sum += addend;
    std::memcpy(target + i, &sum, sizeof sum);
  }
  for (; i < count; ++i) target[i] += source[i];
}

// Adds the products of `count` pixels of a plane, starting at index `first`, to the rows `low` to `high` of an image.
NOINLINE void scatter_windows(const Windows& w, const float* products, Index plane, Index first, Index count, Index low,
                              Index high, float* image) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const bool is_dilated = columns.dilation > 1;
  const Index runs_per_line = is_dilated ? columns.kernel : 1,
              run_length = is_dilated ? w.depth : columns.kernel * w.depth;
  Index row = first / columns.count, column = first % columns.count;
  for (Index i = 0; i < count; ++i) {
    const Index start = (column * columns.stride - columns.padding) * w.depth;
    for (Index a = 0; a < planes.kernel; ++a) {
      const Index z = plane * planes.stride - planes.padding + a * planes.dilation;
      if (!is_in_range(z, planes.size)) continue;
      for (Index b = 0; b < rows.kernel; ++b) {
        const Index y = row * rows.stride - rows.padding + b * rows.dilation;
        if (y < low || y >= high) continue;
        const float* source = products + i * w.elements() + (a * rows.kernel + b) * columns.kernel * w.depth;
        float* line = image + (z * rows.size + y) * w.line();
        for (Index c = 0; c < runs_per_line; ++c, source += run_length) {
          const Index begin = start + c * columns.dilation * w.depth;
          const Index skipped = clamp(0, -begin, run_length), end = clamp(skipped, w.line() - begin, run_length);
          add(line + begin + skipped, source + skipped, end - skipped);
        }
      }
    }
    if (++column == columns.count) column = 0, ++row;
  }
}

inline void apply_epilogue(float* x, Index count, Index depth, const Epilogue& epilogue, const float* features) {
  for (Index i = 0; i < count; ++i) {
    float value = epilogue.bias ? x[i] + epilogue.bias[i % depth] : x[i];
    if (epilogue.rectifies && value < 0.0f) value = 0.0f;
    x[i] = features ? value * (features[i] > 0.0f ? 1.0f : 0.0f) : value;
  }
}

// Computes the gradient of an input with few channels. Each thread owns a band of rows of an image, and computes the
// products of all pixels that contribute to these rows.
void shallow_input_gradient(const Windows& w, Index filters, const float* gradient, const float* filter,
                            const Epilogue& epilogue, float* result, float* panels, Index threads) {
  const Axis &planes = w.axes[0], &rows = w.axes[1], &columns = w.axes[2];
  const Index elements = w.elements(), block = scatter_block_size(w), plane_size = rows.size * w.line();
  pack_transposed(filter, filters, filters, elements, panels, filters, 0);
  float* memory = panels + panels_size(filters, elements);
  const Index bands_per_image = threads > 1 ? (4 * threads + w.batch - 1) / w.batch : 1;
  const Index band_rows =
      clamp((rows.kernel - 1) * rows.dilation + 1, (rows.size + bands_per_image - 1) / bands_per_image, rows.size);
  const Index bands = (rows.size + band_rows - 1) / band_rows;
  parallel_for_ranges(w.batch * bands, 1, threads, [&](Index thread, Index begin, Index end) {
    float* products = memory + thread * block * elements;
    const float* addresses[BLOCK];
    Index offsets[BLOCK];
    for (Index i = 0; i < block; ++i) offsets[i] = i * elements;
    for (Index part = begin; part < end; ++part) {
      const Index image_index = part / bands, low = part % bands * band_rows,
                  high = clamp(low, low + band_rows, rows.size);
      float* image = result + image_index * planes.size * plane_size;
      for (Index z = 0; z < planes.size; ++z)
        fill_zero(image + z * plane_size + low * w.line(), (high - low) * w.line());
      const Index kernel_extent = (rows.kernel - 1) * rows.dilation;
      const Index first_row =
          clamp(0, (low + rows.padding - kernel_extent + rows.stride - 1) / rows.stride, rows.count);
      const Index last_row = clamp(first_row, (high - 1 + rows.padding) / rows.stride + 1, rows.count);
      for (Index plane = 0; plane < planes.count; ++plane) {
        const float* pixels = gradient + (image_index * planes.count + plane) * rows.count * columns.count * filters;
        for (Index first = first_row * columns.count; first < last_row * columns.count; first += block) {
          const Index count = clamp(0, last_row * columns.count - first, block);
          for (Index k = 0; k < filters; k += INNER) {
            const Index inner = clamp(0, filters - k, INNER);
            for (Index i = 0; i < block; ++i) addresses[i] = i < count ? pixels + (first + i) * filters + k : ZEROS;
            multiply_tiles({addresses, 0, &inner, 1}, count, panels, filters, k, elements,
                           {products, offsets, k > 0, {}});
          }
          scatter_windows(w, products, plane, first, count, low, high, image);
        }
      }
      if (!epilogue.bias && !epilogue.rectifies && !epilogue.features) continue;
      for (Index z = 0; z < planes.size; ++z) {
        float* source = image + z * plane_size + low * w.line();
        apply_epilogue(source, (high - low) * w.line(), w.depth, epilogue,
                       epilogue.features ? epilogue.features + (source - result) : nullptr);
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

// Returns the windows over the gradient of the result whose convolution is the input gradient, for a convolution
// without strides.
static Windows gradient_windows(const Convolution& c) {
  Windows result = {c.windows.batch, c.filters, {}};
  for (Index i = 0; i < 3; ++i) {
    const Axis& axis = c.windows.axes[i];
    result.axes[i] = {
        axis.count, axis.kernel, axis.stride, axis.dilation, (axis.kernel - 1) * axis.dilation - axis.padding,
        axis.size};
  }
  return result;
}

// Returns whether a pass uses Winograd's minimal filtering.
EXPORT Index convolution_is_winograd(const Convolution* c, Index pass) {
  if (pass == INPUT_GRADIENT) return supports_winograd(gradient_windows(*c), c->windows.depth);
  return pass == FORWARD ? supports_winograd(c->windows, c->filters)
                         : supports_winograd_gradient(c->windows, c->filters);
}

// Returns the number of scratch elements of a pass.
EXPORT Index convolution_memory(const Convolution* c, Index pass, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, pass)) {
    if (pass == FILTER_GRADIENT) return winograd_gradient_memory(w, c->filters);
    return pass == FORWARD ? winograd_memory(w, c->filters, threads)
                           : winograd_memory(gradient_windows(*c), w.depth, threads);
  }
  const Index aligning = 16, windows = threads * BLOCK * LEFT;
  if (pass == FORWARD) return aligning + panels_size(w.elements(), c->filters) + windows;
  if (pass == INPUT_GRADIENT && w.depth < SHALLOW)
    return aligning + panels_size(c->filters, w.elements()) + threads * scatter_block_size(w) * w.elements();
  if (pass == INPUT_GRADIENT)
    return aligning + panels_size(w.elements() / w.depth * c->filters, w.depth) + windows;
  const Index parts = divide_gradient(w, c->filters).pixels;
  const Index sums = parts > 1 ? parts * w.elements() * c->filters : 0;
  return aligning + threads * (PIXELS * LEFT + panels_size(PIXELS, c->filters)) + sums;
}

// Computes a convolution and applies the epilogue.
EXPORT void convolve(const Convolution* c, const float* x, const float* filter, const float* bias,
                     const float* features, Index rectifies, float* result, float* memory, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, FORWARD))
    return winograd_convolution(w, c->filters, x, filter, false, {bias, features, rectifies}, result, memory, threads);
  const Index elements = w.elements();
  float* panels = align_pointer(memory);
  parallel_for_rows(elements, c->filters, threads, [&](Index begin, Index end) {
    pack_rows(filter + begin * c->filters, c->filters, end - begin, c->filters, panels, elements, begin);
  });
  multiply_windows(w, make_layout(w.axes, c->filters, false), x, panels, c->filters,
                   {result, nullptr, false, {bias, features, rectifies}}, panels + panels_size(elements, c->filters),
                   threads);
}

// Computes the input gradient. All elements of a phase (indices congruent modulo the strides) are multiplied by the
// same filter elements: their gradient is a convolution without strides, with these filter elements in reverse order.
// Each axis may have a stride or a dilation, but not both. The epilogue is the same as for a convolution.
EXPORT void convolution_input_gradient(const Convolution* c, const float* gradient, const float* filter,
                                       const float* bias, const float* features, Index rectifies, float* result,
                                       float* memory, Index threads) {
  const Windows& w = c->windows;
  const Epilogue epilogue = {bias, features, rectifies};
  if (convolution_is_winograd(c, INPUT_GRADIENT))
    return winograd_convolution(gradient_windows(*c), w.depth, gradient, filter, true, epilogue, result, memory,
                                threads);
  float* panels = align_pointer(memory);
  if (w.depth < SHALLOW) {
    return shallow_input_gradient(w, c->filters, gradient, filter, epilogue, result, panels, threads);
  }
  const Axis* axes = w.axes;
  const Index phases = axes[0].stride * axes[1].stride * axes[2].stride;
  for (Index phase = 0; phase < phases; ++phase) {
    Windows phase_windows = {w.batch, c->filters, {}};
    Layout layout = make_layout(axes, w.depth, true);
    Index first[3], remaining = phase;
    for (Index i = 2; i >= 0; --i) {
      const Axis& axis = axes[i];
      const Index phase_offset = remaining % axis.stride, step = axis.stride > 1 ? 1 : axis.dilation;
      remaining /= axis.stride;
      first[i] = ((phase_offset + axis.padding) % axis.stride + axis.stride) % axis.stride;
      const Index taps = (axis.kernel - first[i] + axis.stride - 1) / axis.stride, kernel = taps > 0 ? taps : 0;
      const Index padding = (kernel - 1) * step - (phase_offset + axis.padding - first[i]) / axis.stride;
      const Index count = axis.size > phase_offset ? (axis.size - phase_offset + axis.stride - 1) / axis.stride : 0;
      phase_windows.axes[i] = {axis.count, kernel, 1, step, padding, count};
      layout.first += phase_offset * layout.steps[i];
      layout.steps[i] *= axis.stride;
    }
    const Axis* phase_axes = phase_windows.axes;
    const Index elements = phase_windows.elements(), height = c->filters;
    parallel_for_ranges(elements / height, 1, threads, [&](Index, Index begin, Index end) {
      for (Index number = begin; number < end; ++number) {
        const Index position[3] = {number / phase_axes[2].kernel / phase_axes[1].kernel,
                                   number / phase_axes[2].kernel % phase_axes[1].kernel, number % phase_axes[2].kernel};
        Index tap = 0;
        for (Index i = 0; i < 3; ++i)
          tap = tap * axes[i].kernel + first[i] + (phase_axes[i].kernel - 1 - position[i]) * axes[i].stride;
        pack_transposed(filter + tap * w.depth * height, height, height, w.depth, panels, elements, number * height);
      }
    });
    multiply_windows(phase_windows, layout, gradient, panels, w.depth, {result, nullptr, false, epilogue},
                     panels + panels_size(elements, w.depth), threads);
  }
}

// Computes the filter gradient: the transposed windows times the gradient of the result.
EXPORT void convolution_filter_gradient(const Convolution* c, const float* x, const float* gradient, float* result,
                                        float* memory, Index threads) {
  const Windows& w = c->windows;
  if (convolution_is_winograd(c, FILTER_GRADIENT))
    return winograd_filter_gradient(w, c->filters, x, gradient, result, memory, threads);
  const Index elements = w.elements(), filters = c->filters, size = elements * filters, pixels = w.pixels();
  const Division parts = divide_gradient(w, filters);
  const Index thread_elements = PIXELS * LEFT + panels_size(PIXELS, filters),
              share = (pixels + parts.pixels - 1) / parts.pixels;
  const Index part_elements = ((elements + parts.elements - 1) / parts.elements + ROWS - 1) / ROWS * ROWS;
  float* scratch = align_pointer(memory);
  float* sums = parts.pixels > 1 ? scratch + threads * thread_elements : result;
  parallel_for_ranges(parts.elements * parts.pixels, 1, threads, [&](Index thread, Index begin, Index end) {
    float *left = scratch + thread * thread_elements, *panels = left + PIXELS * LEFT;
    Run runs[UNIT];
    Pieces<PIXELS, UNIT> pieces;
    Index offsets[UNIT];
    for (Index part = begin; part < end; ++part) {
      const Index first_element = part % parts.elements * part_elements,
                  last_element = clamp(first_element, elements, first_element + part_elements);
      const Index run_count = find_runs(w, first_element, last_element, runs, pieces);
      const Index last = clamp(0, pixels, (part / parts.elements + 1) * share);
      for (Index i = first_element; i < last_element; ++i) offsets[i - first_element] = i * filters;
      const Index begin_pixel = part / parts.elements * share;
      for (Index first = begin_pixel; first < last; first += PIXELS) {
        const Index count = clamp(0, last - first, PIXELS);
        find_windows(w, x, runs, run_count, first, count, left, pieces.addresses, PIXELS);
        pack_rows(gradient + first * filters, filters, count, filters, panels, count, 0);
        Index offset = 0;
        for (Index piece = 0; piece < pieces.count; offset += pieces.columns[piece++])
          multiply_transposed_tiles(pieces.addresses + piece * PIXELS, clamp(ROWS, pieces.columns[piece], INNER),
                                    pieces.columns[piece], panels, count, filters,
                                    {sums + part / parts.elements * size, offsets + offset, first > begin_pixel, {}});
      }
    }
  });
  if (parts.pixels == 1) return;
  parallel_for_ranges(size, GRAIN / 4, threads, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) result[i] = sums[i];
    for (Index part = 1; part < parts.pixels; ++part)
      for (Index i = begin; i < end; ++i) result[i] += sums[part * size + i];
  });
}
