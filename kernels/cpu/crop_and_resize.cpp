// Crops of images [batch, rows, columns, depth] by boxes, resized with bilinear or nearest-neighbor interpolation.

#include "threads.h"

namespace {

using Coordinate = std::int64_t;

struct Sizes {
  Index batch, height, width, depth, rows, columns;
};

// The source of a row or column of a crop: the two adjacent image lines, the weight of the second one, and whether the
// position is inside the image.
struct Line {
  Coordinate first, second;
  float share;
  bool inside;
};

// Computes the source lines of a box along an image axis of `size` pixels; if `nearest` is true, both adjacent lines
// are equal.
void locate_lines(float begin, float end, Index size, Index count, bool nearest, Line* lines) {
  const float last = float(size - 1);
  const float step = count > 1 ? (end - begin) * last / float(count - 1) : 0.0f;
  const float origin = count > 1 ? begin * last : 0.5f * (begin + end) * last;
  for (Index i = 0; i < count; ++i) {
    const float position = count > 1 ? origin + float(i) * step : origin;
    Line& line = lines[i];
    line = {0, 0, 0.0f, false};
    if (!(position >= 0 && position <= last)) continue;
    const float floor_position = __builtin_floorf(position);
    if (nearest) {
      line.first = line.second = Coordinate(floor_position) + (position - floor_position >= 0.5f);
    } else {
      line.first = Coordinate(floor_position);
      line.second = Coordinate(__builtin_ceilf(position));
      line.share = position - floor_position;
    }
    line.inside = is_in_range(line.first, size) && is_in_range(line.second, size);
  }
}

// Source lines of all boxes: first their rows, then their columns.
struct Lines {
  const Line *rows, *columns;
  Lines(const Sizes& s, const float* boxes, Index count, bool nearest, Line* lines)
      : rows(lines), columns(lines + count * s.rows) {
    for (Index box = 0; box < count; ++box) {
      float corners[4];
      std::memcpy(corners, boxes + 4 * box, sizeof corners);
      locate_lines(corners[0], corners[2], s.height, s.rows, nearest, lines + box * s.rows);
      locate_lines(corners[1], corners[3], s.width, s.columns, nearest, lines + count * s.rows + box * s.columns);
    }
  }
};

bool all_in_range(const std::int32_t* numbers, Index boxes, Index batch) {
  bool in_range = true;
  for (Index box = 0; box < boxes; ++box) in_range &= is_in_range(load_index(numbers, box), batch);
  return in_range;
}

template <Index DEPTH, class From>
inline void interpolate_pixel(const From* a, const From* b, const From* c, const From* d, float across, float down,
                              Index depth, float* __restrict out) {
  for (Index k = 0; k < (DEPTH ? DEPTH : depth); ++k) {
    const float left = float(a[k]), lower = float(c[k]);
    const float top = left + (float(b[k]) - left) * across;
    const float bottom = lower + (float(d[k]) - lower) * across;
    out[k] = top + (bottom - top) * down;
  }
}

// Computes the rows `begin` to `end` of all crops by bilinear interpolation.
template <Index DEPTH, class From>
NOINLINE void crop_bilinear(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines,
                            float outside, float* result, Index begin, Index end) {
  const Index row_size = s.columns * s.depth;
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    float* out = result + line * row_size;
    const Index number = load_index(numbers, box);
    const Line& row = lines.rows[line];
    if (!is_in_range(number, s.batch) || !row.inside) {
      for (Index i = 0; i < row_size; ++i) out[i] = outside;
      continue;
    }
    const From* image = images + number * s.height * s.width * s.depth;
    const From* upper = image + row.first * s.width * s.depth;
    const From* lower = image + row.second * s.width * s.depth;
    const Line* column = lines.columns + box * s.columns;
    for (Index i = 0; i < s.columns; ++i, ++column, out += s.depth) {
      if (!column->inside) {
        for (Index k = 0; k < s.depth; ++k) out[k] = outside;
        continue;
      }
      const Index left = column->first * s.depth, right = column->second * s.depth;
      interpolate_pixel<DEPTH>(upper + left, upper + right, lower + left, lower + right, column->share, row.share,
                               s.depth, out);
    }
  }
}

// Computes the rows `begin` to `end` of all crops from the nearest pixels.
template <class From>
NOINLINE void crop_nearest(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines,
                        float outside, float* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    const Index number = load_index(numbers, box);
    const bool is_row_inside = is_in_range(number, s.batch) && lines.rows[line].inside;
    const From* from = images + (is_row_inside ? number * s.height + lines.rows[line].first : 0) * s.width * s.depth;
    const Line* column = lines.columns + box * s.columns;
    float* out = result + line * s.columns * s.depth;
    for (Index i = 0; i < s.columns; ++i, ++column, out += s.depth) {
      const bool inside = is_row_inside && column->inside;
      const From* pixel = from + (inside ? column->first : 0) * s.depth;
      for (Index k = 0; k < s.depth; ++k) out[k] = inside ? float(pixel[k]) : outside;
    }
  }
}

// Computes the gradients of the images `begin` to `end`: adds, box by box, the gradient of each pixel to its four
// neighbors or to the nearest pixel.
template <class T>
NOINLINE void scatter_gradients(const Sizes& s, const float* gradient, const std::int32_t* numbers, const Lines& lines,
                                bool nearest, T* result, Index boxes, Index begin, Index end) {
  const Index row_size = s.width * s.depth;
  for (Index i = begin * s.height * row_size; i < end * s.height * row_size; ++i) result[i] = T(0);
  for (Index box = 0; box < boxes; ++box) {
    const Index number = load_index(numbers, box);
    if (number < begin || number >= end) continue;
    T* image = result + number * s.height * row_size;
    for (Index line = box * s.rows; line < (box + 1) * s.rows; ++line) {
      const Line& row = lines.rows[line];
      if (!row.inside) continue;
      T *upper = image + row.first * row_size, *lower = image + row.second * row_size;
      const float down = row.share;
      const float* pixel_gradient = gradient + line * s.columns * s.depth;
      const Line* column = lines.columns + box * s.columns;
      for (Index i = 0; i < s.columns; ++i, ++column, pixel_gradient += s.depth) {
        if (!column->inside) continue;
        const Index left = column->first * s.depth, right = column->second * s.depth;
        if (nearest) {
          for (Index k = 0; k < s.depth; ++k) upper[left + k] += T(pixel_gradient[k]);
          continue;
        }
        const float across = column->share;
        for (Index k = 0; k < s.depth; ++k) {
          const float above = pixel_gradient[k] * (1.0f - down), below = pixel_gradient[k] * down;
          upper[left + k] += T(above * (1.0f - across));
          upper[right + k] += T(above * across);
          lower[left + k] += T(below * (1.0f - across));
          lower[right + k] += T(below * across);
        }
      }
    }
  }
}

// Computes the gradients of the boxes `begin` to `end` from the gradients of the sampling positions, by the chain rule.
template <class From>
NOINLINE void differentiate_boxes(const Sizes& s, const float* gradient, const From* images,
                                  const std::int32_t* numbers, const Lines& lines, float* result, Index begin,
                                  Index end) {
  const auto shares = [](Index i, Index count) { return count > 1 ? double(i) / double(count - 1) : 0.5; };
  for (Index box = begin; box < end; ++box) {
    double sums[4] = {};
    const Index number = load_index(numbers, box);
    for (Index i = 0; i < s.rows && is_in_range(number, s.batch); ++i) {
      const Line& row = lines.rows[box * s.rows + i];
      if (!row.inside) continue;
      const From* image = images + number * s.height * s.width * s.depth;
      const From *upper = image + row.first * s.width * s.depth, *lower = image + row.second * s.width * s.depth;
      const float* pixel_gradient = gradient + (box * s.rows + i) * s.columns * s.depth;
      for (Index j = 0; j < s.columns; ++j, pixel_gradient += s.depth) {
        const Line& column = lines.columns[box * s.columns + j];
        if (!column.inside) continue;
        const Index left = column.first * s.depth, right = column.second * s.depth;
        double y_gradient = 0, x_gradient = 0;
        for (Index k = 0; k < s.depth; ++k) {
          const float a = float(upper[left + k]), b = float(upper[right + k]);
          const float c = float(lower[left + k]), d = float(lower[right + k]);
          y_gradient += double(pixel_gradient[k] * ((1.0f - column.share) * (c - a) + column.share * (d - b)));
          x_gradient += double(pixel_gradient[k] * ((1.0f - row.share) * (b - a) + row.share * (d - c)));
        }
        const double down = shares(i, s.rows), across = shares(j, s.columns);
        const double y_weight = s.rows > 1 ? 1 - down : down, x_weight = s.columns > 1 ? 1 - across : across;
        sums[0] += y_gradient * y_weight;
        sums[1] += x_gradient * x_weight;
        sums[2] += y_gradient * down;
        sums[3] += x_gradient * across;
      }
    }
    for (int k = 0; k < 4; ++k) result[4 * box + k] = float(sums[k]) * float((k % 2 ? s.width : s.height) - 1);
  }
}

template <class From>
inline void dispatch_crop(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines,
                          float outside, float* result, Index begin, Index end) {
  switch (s.depth) {
    case 1:
      return crop_bilinear<1>(s, images, numbers, lines, outside, result, begin, end);
    case 3:
      return crop_bilinear<3>(s, images, numbers, lines, outside, result, begin, end);
    default:
      return crop_bilinear<0>(s, images, numbers, lines, outside, result, begin, end);
  }
}

}  // namespace

// `lines` is a buffer of boxes * (rows + columns) elements. The functions return false, without effect, if an image
// index is out of range.
#define CROPPED(suffix, From)                                                                                          \
  EXPORT int cropped_##suffix(const Sizes* sizes, const From* images, const float* corners,                            \
                              const std::int32_t* numbers, float outside, float* result, Index boxes, bool nearest,    \
                              Line* lines, Index threads) {                                                            \
    if (!all_in_range(numbers, boxes, sizes->batch)) return false;                                                     \
    const Lines source_lines(*sizes, corners, boxes, nearest, lines);                                                  \
    parallel_for_rows(boxes * sizes->rows, sizes->columns * sizes->depth, threads, [&](Index begin, Index end) {       \
      (nearest ? crop_nearest<From> : dispatch_crop<From>)(*sizes, images, numbers, source_lines, outside, result,     \
                                                           begin, end);                                                \
    });                                                                                                                \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int box_gradients_##suffix(const Sizes* sizes, const float* gradient, const From* images,                     \
                                    const float* corners, const std::int32_t* numbers, float* result, Index boxes,     \
                                    Line* lines, Index threads) {                                                      \
    if (!all_in_range(numbers, boxes, sizes->batch)) return false;                                                     \
    const Lines source_lines(*sizes, corners, boxes, false, lines);                                                    \
    parallel_for_rows(boxes, sizes->rows * sizes->columns * sizes->depth, threads, [&](Index begin, Index end) {       \
      differentiate_boxes(*sizes, gradient, images, numbers, source_lines, result, begin, end);                        \
    });                                                                                                                \
    return true;                                                                                                       \
  }

CROPPED(f32, float)
CROPPED(u8, std::uint8_t)

#define SPREAD(suffix, T)                                                                                              \
  EXPORT int crops_spread_##suffix(const Sizes* sizes, const float* gradient, const float* corners,                    \
                                   const std::int32_t* numbers, T* result, Index boxes, bool nearest, Line* lines,     \
                                   Index threads) {                                                                    \
    if (!all_in_range(numbers, boxes, sizes->batch)) return false;                                                     \
    const Lines source_lines(*sizes, corners, boxes, nearest, lines);                                                  \
    parallel_for_rows(sizes->batch, GRAIN, threads, [&](Index begin, Index end) {                                      \
      scatter_gradients(*sizes, gradient, numbers, source_lines, nearest, result, boxes, begin, end);                  \
    });                                                                                                                \
    return true;                                                                                                       \
  }

SPREAD(f32, float)
SPREAD(f64, double)
