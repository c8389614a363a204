// Resampling of images [batch, rows, columns, depth]: bilinear interpolation, nearest neighbor, and gradients. A column
// is a group of `run` adjacent elements: a pixel.

#include "scratch.h"
#include "threads.h"

namespace {

using Place = std::int32_t;
thread_local Scratch scratch;

struct Sizes {
  Index batch, height, width, rows, groups, run;  // `width`: elements per input line
};

inline const float* as_floats(const float* line, Index, float*) { return line; }
template <class From>
inline const float* as_floats(const From* line, Index count, float* out) {
  for (Index i = 0; i < count; ++i) out[i] = float(line[i]);
  return out;
}

// RUN is `run` if known at compile time, else 0.
template <int RUN>
NOINLINE void between_columns(const float* __restrict line, const Place* left, const Place* right, const float* weight,
                           Index groups, Index run, float* __restrict out) {
  run = RUN ? RUN : run;
  for (Index g = 0; g < groups; ++g) {
    const float *a = line + left[g] * run, *b = line + right[g] * run;
    const float share = weight[g];
    for (Index c = 0; c < run; ++c) out[g * run + c] = a[c] + (b[c] - a[c]) * share;
  }
}

// Computes the lines `begin` to `end` of all results. Caches the interpolated columns of the last two input lines.
// False if out of memory, as below.
template <class From>
NOINLINE bool interpolate(const Sizes& s, const From* images, const Place* lower, const Place* upper, const float* weight,
                       const Place* left, const Place* right, const float* column_weight, float* result, Index begin,
                       Index end) {
  const Index wide = s.groups * s.run;
  float* memory = static_cast<float*>(scratch.of(std::size_t(2 * wide + s.width) * sizeof(float)));
  if (!memory) return false;
  float* lines[2] = {memory, memory + wide};
  const auto between = s.run == 1   ? between_columns<1>
                       : s.run == 2 ? between_columns<2>
                       : s.run == 3 ? between_columns<3>
                       : s.run == 4 ? between_columns<4>
                                    : between_columns<0>;
  Index held[2] = {-1, -1};
  auto line_of = [&](Index wanted, Index other) {
    for (int k = 0; k < 2; ++k)
      if (held[k] == wanted) return lines[k];
    const int slot = held[0] == other ? 1 : 0;
    const float* plain = as_floats(images + wanted * s.width, s.width, memory + 2 * wide);
    between(plain, left, right, column_weight, s.groups, s.run, lines[slot]);
    held[slot] = wanted;
    return lines[slot];
  };
  for (Index number = begin; number < end; ++number) {
    const Index image = number / s.rows * s.height, row = number % s.rows;
    const Index above = image + lower[row], below = image + upper[row];
    const float* a = line_of(above, below);
    const float* b = line_of(below, above);
    float* __restrict out = result + number * wide;
    const float share = weight[row];
    for (Index i = 0; i < wide; ++i) out[i] = a[i] + (b[i] - a[i]) * share;
  }
  return true;
}

template <Index BYTES>
inline void copy_pixels(const char* line, const Place* columns, Index count, Index bytes, char* out) {
  const std::size_t size = std::size_t(BYTES ? BYTES : bytes);
  for (Index i = 0; i < count; ++i) std::memcpy(out + i * Index(size), line + columns[i] * Index(size), size);
}

NOINLINE void copy_line(const char* line, const Place* columns, Index count, Index bytes, char* out) {
  switch (bytes) {
    case 1: return copy_pixels<1>(line, columns, count, bytes, out);
    case 3: return copy_pixels<3>(line, columns, count, bytes, out);
    case 4: return copy_pixels<4>(line, columns, count, bytes, out);
    case 8: return copy_pixels<8>(line, columns, count, bytes, out);
    case 12: return copy_pixels<12>(line, columns, count, bytes, out);
    case 16: return copy_pixels<16>(line, columns, count, bytes, out);
    default: return copy_pixels<0>(line, columns, count, bytes, out);
  }
}

// For each line of a result, `terms` input lines and their weights [terms, lines].
template <class T>
struct Lines {
  const Place* places;
  const T* weights;
  Index terms, count;
  bool are_of(Index size) const { return are_inside(places, terms * count, size); }
};

template <class T>
NOINLINE void spread_columns(const T* __restrict gradient, const Lines<T>& columns, Index depth, T* __restrict line) {
  for (Index t = 0; t < columns.terms; ++t) {
    const Place* places = columns.places + t * columns.count;
    const T* weights = columns.weights + t * columns.count;
    for (Index i = 0; i < columns.count; ++i) {
      T* into = line + places[i] * depth;
      const T *from = gradient + i * depth, share = weights[i];
      for (Index c = 0; c < depth; ++c) into[c] += from[c] * share;
    }
  }
}

// Weighted sum of image rows, `wide` elements each: a result row before the pass over its columns.
NOINLINE void sum_rows(const float* __restrict image, const Lines<float>& rows, Index row, Index wide,
                    float* __restrict line) {
  for (Index t = 0; t < rows.terms; ++t) {
    const float* from = image + rows.places[t * rows.count + row] * wide;
    const float share = rows.weights[t * rows.count + row];
    if (t == 0)
      for (Index i = 0; i < wide; ++i) line[i] = from[i] * share;
    else
      for (Index i = 0; i < wide; ++i) line[i] += from[i] * share;
  }
}

NOINLINE void sum_columns(const float* __restrict line, const Lines<float>& columns, float* __restrict out) {
  for (Index t = 0; t < columns.terms; ++t) {
    const Place* places = columns.places + t * columns.count;
    const float* weights = columns.weights + t * columns.count;
    if (t == 0)
      for (Index i = 0; i < columns.count; ++i) out[i] = line[places[i]] * weights[i];
    else
      for (Index i = 0; i < columns.count; ++i) out[i] += line[places[i]] * weights[i];
  }
}

// Gradients of the images `begin` to `end`.
template <class T>
NOINLINE bool spread(const Lines<T>& rows, const Lines<T>& columns, const T* gradient, T* result, Index height, Index width,
                  Index depth, Index begin, Index end) {
  const Index wide = width * depth;
  T* __restrict line = static_cast<T*>(scratch.of(std::size_t(wide) * sizeof(T)));
  if (!line) return false;
  for (Index image = begin; image < end; ++image) {
    T* whole = result + image * height * wide;
    for (Index i = 0; i < height * wide; ++i) whole[i] = T(0);
    for (Index row = 0; row < rows.count; ++row) {
      for (Index i = 0; i < wide; ++i) line[i] = T(0);
      spread_columns(gradient + (image * rows.count + row) * columns.count * depth, columns, depth, line);
      for (Index t = 0; t < rows.terms; ++t) {
        T* __restrict into = whole + rows.places[t * rows.count + row] * wide;
        const T share = rows.weights[t * rows.count + row];
        for (Index i = 0; i < wide; ++i) into[i] += line[i] * share;
      }
    }
  }
  return true;
}

}  // namespace

// These functions return false if a position is out of range, or if out of memory.

#define INTERPOLATED(suffix, From)                                                                                   \
  EXPORT int interpolated_##suffix(const Sizes* sizes, const From* images, const Place* lower, const Place* upper,   \
                                   const float* weight, const Place* left, const Place* right,                       \
                                   const float* column_weight, float* result, Index threads) {                       \
    const Sizes& s = *sizes;                                                                                         \
    if (s.run <= 0) return false;                                                                                    \
    if (!are_inside(lower, s.rows, s.height) || !are_inside(upper, s.rows, s.height)) return false;                  \
    if (!are_inside(left, s.groups, s.width / s.run) || !are_inside(right, s.groups, s.width / s.run)) return false; \
    std::atomic<bool> done{true};                                                                                    \
    in_rows(s.batch * s.rows, s.groups * s.run, threads, [=, &s, &done](Index begin, Index end) {                    \
      if (!interpolate(s, images, lower, upper, weight, left, right, column_weight, result, begin, end))             \
        done.store(false);                                                                                           \
    });                                                                                                              \
    return done;                                                                                                     \
  }

INTERPOLATED(f32, float)
INTERPOLATED(u8, std::uint8_t)

// Pixels have `run` bytes. Each result line is taken from one image line; repeated lines are copied.
EXPORT int nearest_pixels(const Sizes* sizes, const char* images, const Place* rows, const Place* columns, char* result,
                          Index threads) {
  if (sizes->run <= 0 || !are_inside(rows, sizes->rows, sizes->height)) return false;
  if (!are_inside(columns, sizes->groups, sizes->width / sizes->run)) return false;
  const Index wide = sizes->groups * sizes->run;
  in_rows(sizes->batch * sizes->rows, wide / 4, threads, [=](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const Index row = number % sizes->rows;
      char* out = result + number * wide;
      if (number > begin && row > 0 && rows[row] == rows[row - 1])
        std::memcpy(out, out - wide, std::size_t(wide));
      else
        copy_line(images + (number / sizes->rows * sizes->height + rows[row]) * sizes->width, columns, sizes->groups,
                  sizes->run, out);
    }
  });
  return true;
}

// Weighted sums over rows, then over columns, of images with `height` rows of `wide` elements; column positions count
// elements, not pixels.
EXPORT int resampled(const Lines<float>* rows, const Lines<float>* columns, const float* images, float* result,
                     Index batch, Index height, Index wide, Index threads) {
  if (!rows->are_of(height) || !columns->are_of(wide)) return false;
  const Index work = rows->terms * wide + columns->terms * columns->count;
  std::atomic<bool> done{true};
  in_rows(batch * rows->count, work, threads, [=, &done](Index begin, Index end) {
    float* line = static_cast<float*>(scratch.of(std::size_t(wide) * sizeof(float)));
    if (!line) return done.store(false);
    for (Index number = begin; number < end; ++number) {
      const float* image = images + number / rows->count * height * wide;
      sum_rows(image, *rows, number % rows->count, wide, line);
      sum_columns(line, *columns, result + number * columns->count);
    }
  });
  return done;
}

#define SPREAD(suffix, T)                                                                                          \
  EXPORT int spread_back_##suffix(const Lines<T>* rows, const Lines<T>* columns, const T* gradient, T* result,     \
                                  Index batch, Index height, Index width, Index depth, Index threads) {            \
    if (!rows->are_of(height) || !columns->are_of(width)) return false;                                            \
    std::atomic<bool> done{true};                                                                                  \
    in_rows(batch, height * width * depth, threads, [=, &done](Index begin, Index end) {                           \
      if (!spread(*rows, *columns, gradient, result, height, width, depth, begin, end)) done.store(false);         \
    });                                                                                                            \
    return done;                                                                                                   \
  }

SPREAD(f32, float)
SPREAD(f64, double)
