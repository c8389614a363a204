// Column statistics of a matrix with one column per channel and one row per pixel, and batch normalization with them.
// Several rows are processed as one wide row, for which the values of the channels are repeated.
//
// Sums are computed in cache-sized blocks and added in block order. Squared deviations are relative to the mean of the
// block, so large means cost no precision.

#include "threads.h"

namespace {

constexpr Index BLOCK = Index(1) << 14;  // elements per block, unless a row has more
constexpr Index MIN_ROW_ELEMENTS = 256;  // minimum elements of a wide row
constexpr Index NUMBERS = 3;             // values per block and channel
constexpr Index SHARED = 4, PER_THREAD = 3;  // wide rows per call and per thread

}  // namespace

struct Matrix {
  Index rows, channels;
  Index size() const { return rows * channels; }
  Index width() const { return (MIN_ROW_ELEMENTS + channels - 1) / channels * channels; }
  Index block() const { return (BLOCK + width() - 1) / width() * width(); }
  Index blocks() const { return (size() + block() - 1) / block(); }
};

namespace {

// Scratch memory of a call: NUMBERS values per block and channel, followed by the wide rows.
struct Memory {
  const Matrix& matrix;
  float* begin;
  float* of_block(Index number) const { return begin + number * NUMBERS * matrix.channels; }
  float* wide_row(Index number) const { return of_block(matrix.blocks()) + number * matrix.width(); }
};

// Repeats the values of the channels in a wide row.
float* broadcast_channels(const float* numbers, const Memory& memory, Index number) {
  float* wide = memory.wide_row(number);
  for (Index i = 0; i < memory.matrix.width(); i += memory.matrix.channels)
    std::memcpy(wide + i, numbers, std::size_t(memory.matrix.channels) * sizeof(float));
  return wide;
}

inline void fill_zero(float* numbers, Index count) {
  for (Index i = 0; i < count; ++i) numbers[i] = 0.0f;
}

// Sums each channel over a wide row.
inline void fold_channels(const float* wide, const Matrix& m, float* sums) {
  for (Index c = 0; c < m.channels; ++c) {
    double sum = 0;
    for (Index i = c; i < m.width(); i += m.channels) sum += wide[i];
    sums[c] = float(sum);
  }
}

// Calls body(block, first element, element count, first wide row of the thread) for all blocks.
template <class Body>
void parallel_for_blocks(const Memory& memory, Index threads, const Body& body) {
  const Matrix& m = memory.matrix;
  parallel_for_ranges(m.blocks(), 2, threads, [&](Index thread, Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const Index first = number * m.block(), remaining = m.size() - first;
      body(number, first, remaining < m.block() ? remaining : m.block(), SHARED + thread * PER_THREAD);
    }
  });
}

// Calls row(first element, element count) for the wide rows of a block; the last one may be shorter.
template <class Row>
inline void for_each_wide_row(Index first, Index count, Index width, const Row& row) {
  const Index end = first + count;
  for (; first + width <= end; first += width) row(first, width);
  if (first < end) row(first, end - first);
}

#define ELEMENTWISE(...)                                                                                               \
  ELEMENT_BY_ELEMENT for (Index i = 0; i < count; ++i) { __VA_ARGS__; }

NOINLINE void add_row(const float* __restrict x, float* __restrict sums, Index count){ELEMENTWISE(sums[i] += x[i])}

NOINLINE void add_distances(const float* __restrict x, const float* __restrict mean, float* __restrict sums,
                            float* __restrict squares, Index count) {
  ELEMENTWISE(const float distance = x[i] - mean[i]; sums[i] += distance; squares[i] += distance * distance)
}

NOINLINE void add_gradients(const float* __restrict gradient, const float* __restrict x, const float* __restrict mean,
                         float* __restrict sums, float* __restrict products, Index count) {
  ELEMENTWISE(sums[i] += gradient[i]; products[i] += gradient[i] * (x[i] - mean[i]))
}

NOINLINE void relu_gradient(const float* __restrict gradient, const float* __restrict features,
                            float* __restrict masked, Index count) {
  ELEMENTWISE(masked[i] = gradient[i] * (features[i] > 0.0f ? 1.0f : 0.0f))
}

template <bool rectifies>
NOINLINE void normalize_row(const float* __restrict x, const float* __restrict mean, const float* __restrict factor,
                         const float* __restrict offset, float* __restrict y, Index count) {
  ELEMENTWISE(const float value = (x[i] - mean[i]) * factor[i] + offset[i];
              y[i] = rectifies && value < 0.0f ? 0.0f : value)
}

NOINLINE void combine_row(const float* __restrict gradient, const float* __restrict x, const float* __restrict mean,
                          const float* __restrict gradient_factor, const float* __restrict x_factor,
                          const float* __restrict offset, float* __restrict result, Index count) {
  ELEMENTWISE(result[i] = gradient[i] * gradient_factor[i] + ((x[i] - mean[i]) * x_factor[i] + offset[i]))
}

}  // namespace

// Returns the number of scratch elements that the functions below need.
EXPORT Index channels_memory(const Matrix* m, Index threads) {
  return m->blocks() * NUMBERS * m->channels + (SHARED + threads * PER_THREAD) * m->width();
}

// Computes the mean and the variance of each column.
EXPORT void channel_statistics(const Matrix* m, const float* x, float* mean, float* variance, float* scratch,
                               Index threads) {
  const Memory memory = {*m, scratch};
  const Index channels = m->channels, width = m->width();
  // Computes, for each block, the sums of the deviations from its mean, which are rounding errors, and of their
  // squares.
  parallel_for_blocks(memory, threads, [&](Index number, Index first, Index count, Index first_row) {
    float *sums = memory.wide_row(first_row), *squares = memory.wide_row(first_row + 1),
          *numbers = memory.of_block(number);
    fill_zero(sums, width);
    for_each_wide_row(first, count, width,
                      [&](Index first_element, Index length) { add_row(x + first_element, sums, length); });
    fold_channels(sums, *m, numbers);
    for (Index c = 0; c < channels; ++c) numbers[c] /= float(count / channels);
    const float* block_mean = broadcast_channels(numbers, memory, first_row + 2);
    fill_zero(sums, width);
    fill_zero(squares, width);
    for_each_wide_row(first, count, width, [&](Index offset, Index length) {
      add_distances(x + offset, block_mean, sums, squares, length);
    });
    fold_channels(sums, *m, numbers + channels);
    fold_channels(squares, *m, numbers + 2 * channels);
  });
  const double rows = double(m->rows);
  const Index blocks = m->blocks(), rows_per_block = m->block() / channels;
  auto block_rows = [&](Index number) {
    return double(number < blocks - 1 ? rows_per_block : m->rows - number * rows_per_block);
  };
  for (Index c = 0; c < channels; ++c) {
    auto numbers = [&](Index block) { return memory.of_block(block) + c; };
    // Ignores deviations from a mean that is NaN or infinite.
    auto rounding_error = [&](Index block) {
      return std::isfinite(numbers(block)[0]) ? double(numbers(block)[channels]) : 0.0;
    };
    double sum = 0, squares = 0;
    for (Index i = 0; i < blocks; ++i) sum += block_rows(i) * numbers(i)[0] + rounding_error(i);
    for (Index i = 0; i < blocks; ++i) {
      const double distance = numbers(i)[0] - sum / rows;
      squares += numbers(i)[2 * channels] + distance * (2 * rounding_error(i) + block_rows(i) * distance);
    }
    mean[c] = float(sum / rows);
    variance[c] = float(squares / rows);
  }
}

// Computes (x - mean) * factor + offset, followed by ReLU if `rectifies`.
EXPORT void normalize_channels(const Matrix* m, const float* x, const float* mean, const float* factor,
                               const float* offset, float* y, float* scratch, Index rectifies, Index threads) {
  const Memory memory = {*m, scratch};
  const float *means = broadcast_channels(mean, memory, 0), *factors = broadcast_channels(factor, memory, 1);
  const float* offsets = broadcast_channels(offset, memory, 2);
  const auto function = rectifies ? normalize_row<true> : normalize_row<false>;
  parallel_for_blocks(memory, threads, [&](Index, Index first, Index count, Index) {
    for_each_wide_row(first, count, m->width(), [&](Index first_element, Index length) {
      function(x + first_element, means, factors, offsets, y + first_element, length);
    });
  });
}

// Computes sums [2, channels] of the gradient and of gradient * (x - mean). If `features` is not null, the gradient is
// first passed through the ReLU that produced `features`.
EXPORT void channel_gradient_sums(const Matrix* m, const float* gradient, const float* features, const float* x,
                                  const float* mean, float* sums, float* scratch, Index threads) {
  const Memory memory = {*m, scratch};
  const Index channels = m->channels, width = m->width();
  const float* means = broadcast_channels(mean, memory, 0);
  parallel_for_blocks(memory, threads, [&](Index number, Index first, Index count, Index first_row) {
    float *plain = memory.wide_row(first_row), *products = memory.wide_row(first_row + 1),
          *masked = memory.wide_row(first_row + 2);
    fill_zero(plain, width);
    fill_zero(products, width);
    for_each_wide_row(first, count, width, [&](Index offset, Index length) {
      if (features) relu_gradient(gradient + offset, features + offset, masked, length);
      add_gradients(features ? masked : gradient + offset, x + offset, means, plain, products, length);
    });
    fold_channels(plain, *m, memory.of_block(number));
    fold_channels(products, *m, memory.of_block(number) + channels);
  });
  for (Index c = 0; c < 2 * channels; ++c) {
    double sum = 0;
    for (Index i = 0; i < m->blocks(); ++i) sum += memory.of_block(i)[c];
    sums[c] = float(sum);
  }
}

// Computes gradient * of_gradient + (x - mean) * of_x + offset; `features` as in channel_gradient_sums.
EXPORT void combine_channels(const Matrix* m, const float* gradient, const float* features, const float* x,
                             const float* mean, const float* of_gradient, const float* of_x, const float* offset,
                             float* result, float* scratch, Index threads) {
  const Memory memory = {*m, scratch};
  const float *means = broadcast_channels(mean, memory, 0), *factors = broadcast_channels(of_gradient, memory, 1);
  const float *x_factors = broadcast_channels(of_x, memory, 2), *offsets = broadcast_channels(offset, memory, 3);
  parallel_for_blocks(memory, threads, [&](Index, Index first, Index count, Index first_row) {
    float* masked = memory.wide_row(first_row);
    for_each_wide_row(first, count, m->width(), [&](Index first_element, Index length) {
      if (features) relu_gradient(gradient + first_element, features + first_element, masked, length);
      combine_row(features ? masked : gradient + first_element, x + first_element, means, factors, x_factors, offsets,
                  result + first_element, length);
    });
  });
}
