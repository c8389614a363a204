// Parts of images [batch, rows, columns, depth], given by boxes: each pixel lies between four of its image.

#include "threads.h"

namespace {

using Place = std::int64_t;

struct Sizes {
  Index height, width, depth, rows, columns;
};

// The lines of crops along one axis, [boxes, lines]: the pixels around each, its share of the second, whether it is inside.
struct Lines {
  const Place *first, *second;
  const float* share;
  const bool* inside;
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
    if (!rows.inside[line]) {
      for (Index i = 0; i < wide; ++i) out[i] = outside;
      continue;
    }
    const From* image = images + numbers[box] * s.height * s.width * s.depth;
    const From* upper = image + rows.first[line] * s.width * s.depth;
    const From* lower = image + rows.second[line] * s.width * s.depth;
    const float down = rows.share[line];
    for (Index column = 0, at = box * s.columns; column < s.columns; ++column, ++at, out += s.depth) {
      if (!columns.inside[at]) {
        for (Index k = 0; k < s.depth; ++k) out[k] = outside;
        continue;
      }
      const Index left = columns.first[at] * s.depth, right = columns.second[at] * s.depth;
      between<DEPTH>(upper + left, upper + right, lower + left, lower + right, columns.share[at], down, s.depth, out);
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
  }

CROPPED(f32, float)
CROPPED(u8, std::uint8_t)
