// Resampling of images [batch, rows, columns, depth]: bilinear interpolation, nearest neighbor, and gradients. A column
// is a group of `run` adjacent elements: a pixel.

#include "scratch.h"
#include "threads.h"

namespace {

using Coordinate = std::int32_t;
thread_local Scratch scratch;

struct Sizes {
  Index batch, height, width, rows, groups, run;  // `width`: elements per input line
};

inline const float* to_floats(const float* line, Index, float*) { return line; }
template <class From>
inline const float* to_floats(const From* line, Index count, float* out) {
  for (Index i = 0; i < count; ++i) out[i] = float(line[i]);
  return out;
}

// RUN is `run` if known at compile time, else 0.
template <int RUN>
NOINLINE void interpolate_columns(const float* __restrict line, const Coordinate* left, const Coordinate* right,
                                  const float* weight, Index groups, Index run, float* __restrict out) {
  run = RUN ? RUN : run;
  for (Index g = 0; g < groups; ++g) {
    const float *a = line + left[g] * run, *b = line + right[g] * run;
    const float share = weight[g];
    for (Index c = 0; c < run; ++c) out[g * run + c] = a[c] + (b[c] - a[c]) * share;
  }
}

// Computes the lines `begin` to `end` of all results. Caches the interpolated columns of the last two input lines.
// Returns false if out of memory, like the functions below.
template <class From>
NOINLINE bool interpolate(const Sizes& s, const From* images, const Coordinate* lower, const Coordinate* upper,
                          const float* weight, const Coordinate* left, const Coordinate* right,
                          const float* column_weight, float* result, Index begin, Index end) {
  const Index row_size = s.groups * s.run;
  float* memory = static_cast<float*>(scratch.reserve(std::size_t(2 * row_size + s.width) * sizeof(float)));
  if (!memory) return false;
  float* lines[2] = {memory, memory + row_size};
  const auto interpolate = s.run == 1   ? interpolate_columns<1>
                           : s.run == 2 ? interpolate_columns<2>
                           : s.run == 3 ? interpolate_columns<3>
                           : s.run == 4 ? interpolate_columns<4>
                                        : interpolate_columns<0>;
  Index cached[2] = {-1, -1};
  auto cached_line = [&](Index index, Index other) {
    for (int k = 0; k < 2; ++k)
      if (cached[k] == index) return lines[k];
    const int slot = cached[0] == other ? 1 : 0;
    const float* input = to_floats(images + index * s.width, s.width, memory + 2 * row_size);
    interpolate(input, left, right, column_weight, s.groups, s.run, lines[slot]);
    cached[slot] = index;
    return lines[slot];
  };
  for (Index number = begin; number < end; ++number) {
    const Index image = number / s.rows * s.height, row = number % s.rows;
    const Index above = image + lower[row], below = image + upper[row];
    const float* a = cached_line(above, below);
    const float* b = cached_line(below, above);
    float* __restrict out = result + number * row_size;
    const float share = weight[row];
    for (Index i = 0; i < row_size; ++i) out[i] = a[i] + (b[i] - a[i]) * share;
  }
  return true;
}

template <Index BYTES>
inline void copy_pixels(const char* line, const Coordinate* columns, Index count, Index bytes, char* out) {
  const std::size_t size = std::size_t(BYTES ? BYTES : bytes);
  for (Index i = 0; i < count; ++i) std::memcpy(out + i * Index(size), line + columns[i] * Index(size), size);
}

NOINLINE void copy_line(const char* line, const Coordinate* columns, Index count, Index bytes, char* out) {
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

// For each line of a result, the indices (`indices`) of `terms` input lines and their weights, both [terms, lines].
template <class T>
struct Lines {
  const Coordinate* indices;
  const T* weights;
  Index terms, count;
  bool are_valid(Index size) const { return are_in_range(indices, terms * count, size); }
};

template <class T>
NOINLINE void scatter_columns(const T* __restrict gradient, const Lines<T>& columns, Index depth, T* __restrict line) {
  for (Index t = 0; t < columns.terms; ++t) {
    const Coordinate* indices = columns.indices + t * columns.count;
    const T* weights = columns.weights + t * columns.count;
    for (Index i = 0; i < columns.count; ++i) {
      T* target = line + indices[i] * depth;
      const T *from = gradient + i * depth, share = weights[i];
      for (Index c = 0; c < depth; ++c) target[c] += from[c] * share;
    }
  }
}

// Computes a weighted sum of image rows of `row_size` elements: a result row before the pass over its columns.
NOINLINE void sum_rows(const float* __restrict image, const Lines<float>& rows, Index row, Index row_size,
                       float* __restrict line) {
  for (Index t = 0; t < rows.terms; ++t) {
    const float* from = image + rows.indices[t * rows.count + row] * row_size;
    const float share = rows.weights[t * rows.count + row];
    if (t == 0)
      for (Index i = 0; i < row_size; ++i) line[i] = from[i] * share;
    else
      for (Index i = 0; i < row_size; ++i) line[i] += from[i] * share;
  }
}

NOINLINE void sum_columns(const float* __restrict line, const Lines<float>& columns, float* __restrict out) {
  for (Index t = 0; t < columns.terms; ++t) {
    const Coordinate* indices = columns.indices + t * columns.count;
    const float* weights = columns.weights + t * columns.count;
    if (t == 0)
      for (Index i = 0; i < columns.count; ++i) out[i] = line[indices[i]] * weights[i];
    else
      for (Index i = 0; i < columns.count; ++i) out[i] += line[indices[i]] * weights[i];
  }
}

// Computes the gradients of the images `begin` to `end`.
template <class T>
NOINLINE bool scatter_gradients(const Lines<T>& rows, const Lines<T>& columns, const T* gradient, T* result,
                                Index height, Index width, Index depth, Index begin, Index end) {
  const Index row_size = width * depth;
  T* __restrict line = static_cast<T*>(scratch.reserve(std::size_t(row_size) * sizeof(T)));
  if (!line) return false;
  for (Index image = begin; image < end; ++image) {
    T* image_gradient = result + image * height * row_size;
    for (Index i = 0; i < height * row_size; ++i) image_gradient[i] = T(0);
    for (Index row = 0; row < rows.count; ++row) {
      for (Index i = 0; i < row_size; ++i) line[i] = T(0);
      scatter_columns(gradient + (image * rows.count + row) * columns.count * depth, columns, depth, line);
      for (Index t = 0; t < rows.terms; ++t) {
        T* __restrict target = image_gradient + rows.indices[t * rows.count + row] * row_size;
        const T share = rows.weights[t * rows.count + row];
        for (Index i = 0; i < row_size; ++i) target[i] += line[i] * share;
      }
    }
  }
  return true;
}

}  // namespace

// These functions return false if a position is out of range, or if out of memory.

#define INTERPOLATED(suffix, From)                                                                                     \
  EXPORT int interpolated_##suffix(                                                                                    \
      const Sizes* sizes, const From* images, const Coordinate* lower, const Coordinate* upper, const float* weight,   \
      const Coordinate* left, const Coordinate* right, const float* column_weight, float* result, Index threads) {     \
    const Sizes& s = *sizes;                                                                                           \
    if (s.run <= 0) return false;                                                                                      \
    if (!are_in_range(lower, s.rows, s.height) || !are_in_range(upper, s.rows, s.height)) return false;                \
    if (!are_in_range(left, s.groups, s.width / s.run) || !are_in_range(right, s.groups, s.width / s.run))             \
      return false;                                                                                                    \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_rows(s.batch* s.rows, s.groups* s.run, threads, [=, &s, &done](Index begin, Index end) {              \
      if (!interpolate(s, images, lower, upper, weight, left, right, column_weight, result, begin, end))               \
        done.store(false);                                                                                             \
    });                                                                                                                \
    return done;                                                                                                       \
  }

INTERPOLATED(f32, float)
INTERPOLATED(u8, std::uint8_t)

// Nearest-neighbor resampling; pixels have `run` bytes. Each result line is copied from one image line; repeated lines
// are copied from the previous result line.
EXPORT int nearest_pixels(const Sizes* sizes, const char* images, const Coordinate* rows, const Coordinate* columns,
                          char* result, Index threads) {
  if (sizes->run <= 0 || !are_in_range(rows, sizes->rows, sizes->height)) return false;
  if (!are_in_range(columns, sizes->groups, sizes->width / sizes->run)) return false;
  const Index row_size = sizes->groups * sizes->run;
  parallel_for_rows(sizes->batch * sizes->rows, row_size / 4, threads, [=](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const Index row = number % sizes->rows;
      char* out = result + number * row_size;
      if (number > begin && row > 0 && rows[row] == rows[row - 1])
        std::memcpy(out, out - row_size, std::size_t(row_size));
      else
        copy_line(images + (number / sizes->rows * sizes->height + rows[row]) * sizes->width, columns, sizes->groups,
                  sizes->run, out);
    }
  });
  return true;
}

// Computes weighted sums over rows, then over columns, of images with `height` rows of `wide` elements; column
// positions count elements, not pixels.
EXPORT int resampled(const Lines<float>* rows, const Lines<float>* columns, const float* images, float* result,
                     Index batch, Index height, Index wide, Index threads) {
  if (!rows->are_valid(height) || !columns->are_valid(wide)) return false;
  const Index work = rows->terms * wide + columns->terms * columns->count;
  std::atomic<bool> done{true};
  parallel_for_rows(batch * rows->count, work, threads, [=, &done](Index begin, Index end) {
    float* line = static_cast<float*>(scratch.reserve(std::size_t(wide) * sizeof(float)));
    if (!line) return done.store(false);
    for (Index number = begin; number < end; ++number) {
      const float* image = images + number / rows->count * height * wide;
      sum_rows(image, *rows, number % rows->count, wide, line);
      sum_columns(line, *columns, result + number * columns->count);
    }
  });
  return done;
}

#define SPREAD(suffix, T)                                                                                              \
  EXPORT int spread_back_##suffix(const Lines<T>* rows, const Lines<T>* columns, const T* gradient, T* result,         \
                                  Index batch, Index height, Index width, Index depth, Index threads) {                \
    if (!rows->are_valid(height) || !columns->are_valid(width)) return false;                                          \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_rows(batch, height * width * depth, threads, [=, &done](Index begin, Index end) {                     \
      if (!scatter_gradients(*rows, *columns, gradient, result, height, width, depth, begin, end)) done.store(false);  \
    });                                                                                                                \
    return done;                                                                                                       \
  }

SPREAD(f32, float)
SPREAD(f64, double)
