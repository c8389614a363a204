// Parts of images [batch, rows, columns, depth], given by boxes: each pixel lies between four of its image.

#include "threads.h"

namespace {

using Place = std::int64_t;

struct Sizes {
  Index batch, height, width, depth, rows, columns;
};

// The lines of crops along one axis, [boxes, lines]: the pixels around each, its share of the second, whether inside.
struct Lines {
  const Place *first, *second;
  const float* share;
  const bool* inside;
  bool meets(Index line, Index size) const {
    return inside[line] && is_inside(first[line], size) && is_inside(second[line], size);
  }
};

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

// The lines from `begin` to `end` of all crops.
template <Index DEPTH, class From>
APART void crop(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& rows, const Lines& columns,
                float outside, float* result, Index begin, Index end) {
  const Index wide = s.columns * s.depth;
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    float* out = result + line * wide;
    const Index number = number_at(numbers, box);
    if (!is_inside(number, s.batch) || !rows.meets(line, s.height)) {
      for (Index i = 0; i < wide; ++i) out[i] = outside;
      continue;
    }
    const From* image = images + number * s.height * s.width * s.depth;
    const From* upper = image + rows.first[line] * s.width * s.depth;
    const From* lower = image + rows.second[line] * s.width * s.depth;
    const float down = rows.share[line];
    for (Index column = 0, at = box * s.columns; column < s.columns; ++column, ++at, out += s.depth) {
      if (!columns.meets(at, s.width)) {
        for (Index k = 0; k < s.depth; ++k) out[k] = outside;
        continue;
      }
      const Index left = columns.first[at] * s.depth, right = columns.second[at] * s.depth;
      between<DEPTH>(upper + left, upper + right, lower + left, lower + right, columns.share[at], down, s.depth, out);
    }
  }
}

// The lines from `begin` to `end` of all crops; of the pixels around each its first.
template <class From>
APART void crop_nearest(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& rows,
                        const Lines& columns, float outside, float* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    const Index box = line / s.rows;
    const Index number = number_at(numbers, box);
    const bool is_there = is_inside(number, s.batch) && rows.meets(line, s.height);
    const From* from = images + (is_there ? number * s.height + rows.first[line] : 0) * s.width * s.depth;
    float* out = result + line * s.columns * s.depth;
    for (Index column = 0, at = box * s.columns; column < s.columns; ++column, ++at, out += s.depth) {
      const bool inside = is_there && columns.meets(at, s.width);
      const From* pixel = from + (inside ? columns.first[at] : 0) * s.depth;
      for (Index k = 0; k < s.depth; ++k) out[k] = inside ? float(pixel[k]) : outside;
    }
  }
}

// Gradients of the images from `begin` to `end`: box after box, each pixel's to the four around it.
template <class T>
APART void spread_crops(const Sizes& s, const float* gradient, const std::int32_t* numbers, const Lines& rows,
                        const Lines& columns, T* result, Index boxes, Index begin, Index end) {
  const Index wide = s.width * s.depth;
  for (Index i = begin * s.height * wide; i < end * s.height * wide; ++i) result[i] = T(0);
  for (Index box = 0; box < boxes; ++box) {
    const Index number = number_at(numbers, box);
    if (number < begin || number >= end) continue;
    T* image = result + number * s.height * wide;
    for (Index line = box * s.rows; line < (box + 1) * s.rows; ++line) {
      if (!rows.meets(line, s.height)) continue;
      T *upper = image + rows.first[line] * wide, *lower = image + rows.second[line] * wide;
      const float down = rows.share[line];
      const float* given = gradient + line * s.columns * s.depth;
      for (Index at = box * s.columns; at < (box + 1) * s.columns; ++at, given += s.depth) {
        if (!columns.meets(at, s.width)) continue;
        const Index left = columns.first[at] * s.depth, right = columns.second[at] * s.depth;
        const float across = columns.share[at];
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

template <class From>
inline void crop_of_depth(const Sizes& s, const From* images, const std::int32_t* numbers, const Lines& rows,
                          const Lines& columns, float outside, float* result, Index begin, Index end) {
  switch (s.depth) {
    case 1: return crop<1>(s, images, numbers, rows, columns, outside, result, begin, end);
    case 3: return crop<3>(s, images, numbers, rows, columns, outside, result, begin, end);
    default: return crop<0>(s, images, numbers, rows, columns, outside, result, begin, end);
  }
}

}  // namespace

#define CROPPED(suffix, From)                                                                                          \
  EXPORT void cropped_##suffix(const Sizes* sizes, const From* images, const std::int32_t* numbers, const Lines* rows, \
                               const Lines* columns, float outside, float* result, Index boxes, Index threads) {       \
    in_rows(boxes * sizes->rows, sizes->columns * sizes->depth, threads, [=](Index begin, Index end) {                 \
      crop_of_depth(*sizes, images, numbers, *rows, *columns, outside, result, begin, end);                            \
    });                                                                                                                \
  }                                                                                                                    \
  EXPORT void cropped_nearest_##suffix(const Sizes* sizes, const From* images, const std::int32_t* numbers,            \
                                       const Lines* rows, const Lines* columns, float outside, float* result,          \
                                       Index boxes, Index threads) {                                                   \
    in_rows(boxes * sizes->rows, sizes->columns * sizes->depth, threads, [=](Index begin, Index end) {                 \
      crop_nearest(*sizes, images, numbers, *rows, *columns, outside, result, begin, end);                             \
    });                                                                                                                \
  }

CROPPED(f32, float)
CROPPED(u8, std::uint8_t)

#define SPREAD(suffix, T)                                                                                              \
  EXPORT void crops_spread_##suffix(const Sizes* sizes, const float* gradient, const std::int32_t* numbers,            \
                                    const Lines* rows, const Lines* columns, T* result, Index boxes, Index threads) {  \
    in_rows(sizes->batch, PIECE, threads, [=](Index begin, Index end) {                                                       \
      spread_crops(*sizes, gradient, numbers, *rows, *columns, result, boxes, begin, end);                             \
    });                                                                                                                \
  }

SPREAD(f32, float)
SPREAD(f64, double)
