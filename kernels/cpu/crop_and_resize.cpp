// Crops of images [batch, rows, columns, depth] by boxes, resized with bilinear or nearest-neighbor interpolation.

#include "threads.h"

namespace {

using Place = std::int64_t;

struct Sizes {
  Index batch, height, width, depth, rows, columns;
};

// Source of a crop's row or column: the two adjacent image lines, the second one's weight, and whether it is inside.
struct Line {
  Place first, second;
  float share;
  bool inside;
};

// Computes the source lines of a box along an image axis of `size` pixels; with `nearest`, both adjacent lines are
// equal.
void place_lines(float begin, float end, Index size, Index count, bool nearest, Line* lines) {
  const float last = float(size - 1);
  const float step = count > 1 ? (end - begin) * last / float(count - 1) : 0.0f;
  const float origin = count > 1 ? begin * last : 0.5f * (begin + end) * last;
  for (Index i = 0; i < count; ++i) {
    const float place = count > 1 ? origin + float(i) * step : origin;
    Line& line = lines[i];
    line = {0, 0, 0.0f, false};
    if (!(place >= 0 && place <= last)) continue;
    const float before = __builtin_floorf(place);
    if (nearest) {
      line.first = line.second = Place(before) + (place - before >= 0.5f);
    } else {
      line.first = Place(before);
      line.second = Place(__builtin_ceilf(place));
      line.share = place - before;
    }
    line.inside = is_inside(line.first, size) && is_inside(line.second, size);
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
      place_lines(corners[0], corners[2], s.height, s.rows, nearest, lines + box * s.rows);
      place_lines(corners[1], corners[3], s.width, s.columns, nearest, lines + count * s.rows + box * s.columns);
    }
  }
};

bool are_all_inside(const std::int32_t* numbers, Index boxes, Index batch) {
  bool inside = true;
  for (Index box = 0; box < boxes; ++box) inside &= is_inside(number_at(numbers, box), batch);
  return inside;
}

template <Index DEPTH, class From>
inline void between(const From* a, const From* b, const From* c, const From* d, float across, float down, Index depth,
                    float* __restrict out) {
  for (Index k = 0; k < (DEPTH ? DEPTH : depth); ++k) {
    const float left = float(a[k]), lower = float(c[k]);
    const float top = left + (float(b[k]) - left) * across;
    const float bottom = lower + (float(d[k]) - lower) * across;
    out[k] = top + (bottom - top) * down;
  }
}

// Computes the rows `begin` to `end` of all crops by bilinear interpolation.
template <Index DEPTH, class From>
NOINLINE void crop(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines, float outside,
                float* result, Index begin, Index end) {
  const Index wide = s.columns * s.depth;
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    float* out = result + line * wide;
    const Index number = number_at(numbers, box);
    const Line& row = lines.rows[line];
    if (!is_inside(number, s.batch) || !row.inside) {
      for (Index i = 0; i < wide; ++i) out[i] = outside;
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
      between<DEPTH>(upper + left, upper + right, lower + left, lower + right, column->share, row.share, s.depth, out);
    }
  }
}

// Computes the rows `begin` to `end` of all crops from the nearest pixels.
template <class From>
NOINLINE void crop_nearest(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines,
                        float outside, float* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    const Index number = number_at(numbers, box);
    const bool is_there = is_inside(number, s.batch) && lines.rows[line].inside;
    const From* from = images + (is_there ? number * s.height + lines.rows[line].first : 0) * s.width * s.depth;
    const Line* column = lines.columns + box * s.columns;
    float* out = result + line * s.columns * s.depth;
    for (Index i = 0; i < s.columns; ++i, ++column, out += s.depth) {
      const bool inside = is_there && column->inside;
      const From* pixel = from + (inside ? column->first : 0) * s.depth;
      for (Index k = 0; k < s.depth; ++k) out[k] = inside ? float(pixel[k]) : outside;
    }
  }
}

// Gradients of the images `begin` to `end`: adds, box by box, each pixel's gradient to its four neighbors or to the
// nearest pixel.
template <class T>
NOINLINE void spread_crops(const Sizes& s, const float* gradient, const std::int32_t* numbers, const Lines& lines,
                        bool nearest, T* result, Index boxes, Index begin, Index end) {
  const Index wide = s.width * s.depth;
  for (Index i = begin * s.height * wide; i < end * s.height * wide; ++i) result[i] = T(0);
  for (Index box = 0; box < boxes; ++box) {
    const Index number = number_at(numbers, box);
    if (number < begin || number >= end) continue;
    T* image = result + number * s.height * wide;
    for (Index line = box * s.rows; line < (box + 1) * s.rows; ++line) {
      const Line& row = lines.rows[line];
      if (!row.inside) continue;
      T *upper = image + row.first * wide, *lower = image + row.second * wide;
      const float down = row.share;
      const float* given = gradient + line * s.columns * s.depth;
      const Line* column = lines.columns + box * s.columns;
      for (Index i = 0; i < s.columns; ++i, ++column, given += s.depth) {
        if (!column->inside) continue;
        const Index left = column->first * s.depth, right = column->second * s.depth;
        if (nearest) {
          for (Index k = 0; k < s.depth; ++k) upper[left + k] += T(given[k]);
          continue;
        }
        const float across = column->share;
        for (Index k = 0; k < s.depth; ++k) {
          const float above = given[k] * (1.0f - down), below = given[k] * down;
          upper[left + k] += T(above * (1.0f - across));
          upper[right + k] += T(above * across);
          lower[left + k] += T(below * (1.0f - across));
          lower[right + k] += T(below * across);
        }
      }
    }
  }
}

// Gradients of the boxes `begin` to `end`: gradients of the sampling positions, by the chain rule.
template <class From>
NOINLINE void differentiate_boxes(const Sizes& s, const float* gradient, const From* images, const std::int32_t* numbers,
                               const Lines& lines, float* result, Index begin, Index end) {
  const auto shares = [](Index i, Index count) { return count > 1 ? double(i) / double(count - 1) : 0.5; };
  for (Index box = begin; box < end; ++box) {
    double sums[4] = {};
    const Index number = number_at(numbers, box);
    for (Index i = 0; i < s.rows && is_inside(number, s.batch); ++i) {
      const Line& row = lines.rows[box * s.rows + i];
      if (!row.inside) continue;
      const From* image = images + number * s.height * s.width * s.depth;
      const From *upper = image + row.first * s.width * s.depth, *lower = image + row.second * s.width * s.depth;
      const float* given = gradient + (box * s.rows + i) * s.columns * s.depth;
      for (Index j = 0; j < s.columns; ++j, given += s.depth) {
        const Line& column = lines.columns[box * s.columns + j];
        if (!column.inside) continue;
        const Index left = column.first * s.depth, right = column.second * s.depth;
        double of_y = 0, of_x = 0;
        for (Index k = 0; k < s.depth; ++k) {
          const float a = float(upper[left + k]), b = float(upper[right + k]);
          const float c = float(lower[left + k]), d = float(lower[right + k]);
          of_y += double(given[k] * ((1.0f - column.share) * (c - a) + column.share * (d - b)));
          of_x += double(given[k] * ((1.0f - row.share) * (b - a) + row.share * (d - c)));
        }
        const double down = shares(i, s.rows), across = shares(j, s.columns);
        const double begins = s.rows > 1 ? 1 - down : down, starts = s.columns > 1 ? 1 - across : across;
        sums[0] += of_y * begins;
        sums[1] += of_x * starts;
        sums[2] += of_y * down;
        sums[3] += of_x * across;
      }
    }
    for (int k = 0; k < 4; ++k) result[4 * box + k] = float(sums[k]) * float((k % 2 ? s.width : s.height) - 1);
  }
}

template <class From>
inline void crop_of_depth(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& lines,
                          float outside, float* result, Index begin, Index end) {
  switch (s.depth) {
    case 1: return crop<1>(s, images, numbers, lines, outside, result, begin, end);
    case 3: return crop<3>(s, images, numbers, lines, outside, result, begin, end);
    default: return crop<0>(s, images, numbers, lines, outside, result, begin, end);
  }
}

}  // namespace

// `lines` is a buffer of boxes * (rows + columns). Each function returns false, without effect, if an image index is
// out of range.
#define CROPPED(suffix, From)                                                                                          \
  EXPORT int cropped_##suffix(const Sizes* sizes, const From* images, const float* corners,                            \
                              const std::int32_t* numbers, float outside, float* result, Index boxes, bool nearest,    \
                              Line* lines, Index threads) {                                                            \
    if (!are_all_inside(numbers, boxes, sizes->batch)) return false;                                                   \
    const Lines placed(*sizes, corners, boxes, nearest, lines);                                                        \
    in_rows(boxes * sizes->rows, sizes->columns * sizes->depth, threads, [&](Index begin, Index end) {                 \
      (nearest ? crop_nearest<From> : crop_of_depth<From>)(*sizes, images, numbers, placed, outside, result, begin,    \
                                                           end);                                                       \
    });                                                                                                                \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int box_gradients_##suffix(const Sizes* sizes, const float* gradient, const From* images,                     \
                                    const float* corners, const std::int32_t* numbers, float* result, Index boxes,     \
                                    Line* lines, Index threads) {                                                      \
    if (!are_all_inside(numbers, boxes, sizes->batch)) return false;                                                   \
    const Lines placed(*sizes, corners, boxes, false, lines);                                                          \
    in_rows(boxes, sizes->rows * sizes->columns * sizes->depth, threads, [&](Index begin, Index end) {                 \
      differentiate_boxes(*sizes, gradient, images, numbers, placed, result, begin, end);                              \
    });                                                                                                                \
    return true;                                                                                                       \
  }

CROPPED(f32, float)
CROPPED(u8, std::uint8_t)

#define SPREAD(suffix, T)                                                                                              \
  EXPORT int crops_spread_##suffix(const Sizes* sizes, const float* gradient, const float* corners,                    \
                                   const std::int32_t* numbers, T* result, Index boxes, bool nearest, Line* lines,     \
                                   Index threads) {                                                                    \
    if (!are_all_inside(numbers, boxes, sizes->batch)) return false;                                                   \
    const Lines placed(*sizes, corners, boxes, nearest, lines);                                                        \
    in_rows(sizes->batch, PIECE, threads, [&](Index begin, Index end) {                                                \
      spread_crops(*sizes, gradient, numbers, placed, nearest, result, boxes, begin, end);                             \
    });                                                                                                                \
    return true;                                                                                                       \
  }

SPREAD(f32, float)
SPREAD(f64, double)
