// Column statistics of a matrix with one column per channel and one row per pixel, and batch normalization by them.
// Several rows are processed as one wide row, for which the channels' values are repeated.
//
// Sums are computed in cache-sized blocks and added in block order. Squared deviations are relative to the block's
// mean, so large means cost no precision.

#include "threads.h"

namespace {

constexpr Index BLOCK = Index(1) << 14;  // elements per block, unless a row has more
constexpr Index MIN_ROW_ELEMENTS = 256;  // of a wide row
constexpr Index NUMBERS = 3;             // per block and channel
constexpr Index SHARED = 4, OWN = 3;     // wide rows per call and per thread

}  // namespace

struct Matrix {
  Index rows, channels;
  Index size() const { return rows * channels; }
  Index width() const { return (MIN_ROW_ELEMENTS + channels - 1) / channels * channels; }
  Index block() const { return (BLOCK + width() - 1) / width() * width(); }
  Index blocks() const { return (size() + block() - 1) / block(); }
};

namespace {

// Scratch memory of a call: NUMBERS values per block and channel, then the wide rows.
struct Memory {
  const Matrix& matrix;
  float* begin;
  float* of_block(Index number) const { return begin + number * NUMBERS * matrix.channels; }
  float* wide_row(Index number) const { return of_block(matrix.blocks()) + number * matrix.width(); }
};

// Repeats the channels' values in a wide row.
float* repeated(const float* numbers, const Memory& memory, Index number) {
  float* wide = memory.wide_row(number);
  for (Index i = 0; i < memory.matrix.width(); i += memory.matrix.channels)
    std::memcpy(wide + i, numbers, std::size_t(memory.matrix.channels) * sizeof(float));
  return wide;
}

inline void clear(float* numbers, Index count) {
  for (Index i = 0; i < count; ++i) numbers[i] = 0.0f;
}

// Sums each channel over a wide row.
inline void fold(const float* wide, const Matrix& m, float* sums) {
  for (Index c = 0; c < m.channels; ++c) {
    double sum = 0;
    for (Index i = c; i < m.width(); i += m.channels) sum += wide[i];
    sums[c] = float(sum);
  }
}

// Calls body(block, first element, element count, first wide row of the thread) for all blocks.
template <class Body>
void in_blocks(const Memory& memory, Index threads, const Body& body) {
  const Matrix& m = memory.matrix;
  in_pieces(m.blocks(), 2, threads, [&](Index thread, Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const Index first = number * m.block(), left = m.size() - first;
      body(number, first, left < m.block() ? left : m.block(), SHARED + thread * OWN);
    }
  });
}

// Calls row(first element, element count) for the wide rows of a block; the last may be shorter.
template <class Row>
inline void over_rows(Index first, Index count, Index width, const Row& row) {
  const Index end = first + count;
  for (; first + width <= end; first += width) row(first, width);
  if (first < end) row(first, end - first);
}

#define EACH(...) ELEMENT_BY_ELEMENT for (Index i = 0; i < count; ++i) { __VA_ARGS__; }

NOINLINE void add_row(const float* __restrict x, float* __restrict sums, Index count) { EACH(sums[i] += x[i]) }

NOINLINE void add_distances(const float* __restrict x, const float* __restrict mean, float* __restrict sums,
                         float* __restrict squares, Index count) {
  EACH(const float distance = x[i] - mean[i]; sums[i] += distance; squares[i] += distance * distance)
}

NOINLINE void add_gradients(const float* __restrict gradient, const float* __restrict x, const float* __restrict mean,
                         float* __restrict sums, float* __restrict products, Index count) {
  EACH(sums[i] += gradient[i]; products[i] += gradient[i] * (x[i] - mean[i]))
}

NOINLINE void keep_positive(const float* __restrict gradient, const float* __restrict features, float* __restrict kept,
                         Index count) {
  EACH(kept[i] = gradient[i] * (features[i] > 0.0f ? 1.0f : 0.0f))
}

template <bool rectifies>
NOINLINE void normalize_row(const float* __restrict x, const float* __restrict mean, const float* __restrict factor,
                         const float* __restrict offset, float* __restrict y, Index count) {
  EACH(const float value = (x[i] - mean[i]) * factor[i] + offset[i]; y[i] = rectifies && value < 0.0f ? 0.0f : value)
}

NOINLINE void combine_row(const float* __restrict gradient, const float* __restrict x, const float* __restrict mean,
                       const float* __restrict of_gradient, const float* __restrict of_x, const float* __restrict offset,
                       float* __restrict result, Index count) {
  EACH(result[i] = gradient[i] * of_gradient[i] + ((x[i] - mean[i]) * of_x[i] + offset[i]))
}

}  // namespace

// Elements of scratch memory for the functions below.
EXPORT Index channels_memory(const Matrix* m, Index threads) {
  return m->blocks() * NUMBERS * m->channels + (SHARED + threads * OWN) * m->width();
}

// The mean and the variance of each column.
EXPORT void channel_statistics(const Matrix* m, const float* x, float* mean, float* variance, float* given,
                               Index threads) {
  const Memory memory = {*m, given};
  const Index channels = m->channels, width = m->width();
  // Per block, the sums of deviations from its mean, which are rounding errors, and of their squares.
  in_blocks(memory, threads, [&](Index number, Index first, Index count, Index own) {
    float *sums = memory.wide_row(own), *squares = memory.wide_row(own + 1), *numbers = memory.of_block(number);
    clear(sums, width);
    over_rows(first, count, width, [&](Index at, Index some) { add_row(x + at, sums, some); });
    fold(sums, *m, numbers);
    for (Index c = 0; c < channels; ++c) numbers[c] /= float(count / channels);
    const float* middle = repeated(numbers, memory, own + 2);
    clear(sums, width);
    clear(squares, width);
    over_rows(first, count, width, [&](Index at, Index some) { add_distances(x + at, middle, sums, squares, some); });
    fold(sums, *m, numbers + channels);
    fold(squares, *m, numbers + 2 * channels);
  });
  const double rows = double(m->rows);
  const Index blocks = m->blocks(), rows_of_block = m->block() / channels;
  auto rows_of = [&](Index number) {
    return double(number < blocks - 1 ? rows_of_block : m->rows - number * rows_of_block);
  };
  for (Index c = 0; c < channels; ++c) {
    auto numbers = [&](Index block) { return memory.of_block(block) + c; };
    // Ignores deviations from a mean that is NaN or infinite.
    auto rest = [&](Index block) { return std::isfinite(numbers(block)[0]) ? double(numbers(block)[channels]) : 0.0; };
    double sum = 0, squares = 0;
    for (Index i = 0; i < blocks; ++i) sum += rows_of(i) * numbers(i)[0] + rest(i);
    for (Index i = 0; i < blocks; ++i) {
      const double distance = numbers(i)[0] - sum / rows;
      squares += numbers(i)[2 * channels] + distance * (2 * rest(i) + rows_of(i) * distance);
    }
    mean[c] = float(sum / rows);
    variance[c] = float(squares / rows);
  }
}

// (x - mean) * factor + offset, followed by ReLU if `rectifies`.
EXPORT void normalize_channels(const Matrix* m, const float* x, const float* mean, const float* factor,
                               const float* offset, float* y, float* given, Index rectifies, Index threads) {
  const Memory memory = {*m, given};
  const float *means = repeated(mean, memory, 0), *factors = repeated(factor, memory, 1);
  const float* offsets = repeated(offset, memory, 2);
  const auto function = rectifies ? normalize_row<true> : normalize_row<false>;
  in_blocks(memory, threads, [&](Index, Index first, Index count, Index) {
    over_rows(first, count, m->width(),
              [&](Index at, Index some) { function(x + at, means, factors, offsets, y + at, some); });
  });
}

// [2, channels]: the sums of the gradient and of gradient * (x - mean). If `features` is not null, the gradient is
// first passed through the ReLU that produced `features`.
EXPORT void channel_gradient_sums(const Matrix* m, const float* gradient, const float* features, const float* x,
                                  const float* mean, float* sums, float* given, Index threads) {
  const Memory memory = {*m, given};
  const Index channels = m->channels, width = m->width();
  const float* means = repeated(mean, memory, 0);
  in_blocks(memory, threads, [&](Index number, Index first, Index count, Index own) {
    float *plain = memory.wide_row(own), *products = memory.wide_row(own + 1), *kept = memory.wide_row(own + 2);
    clear(plain, width);
    clear(products, width);
    over_rows(first, count, width, [&](Index at, Index some) {
      if (features) keep_positive(gradient + at, features + at, kept, some);
      add_gradients(features ? kept : gradient + at, x + at, means, plain, products, some);
    });
    fold(plain, *m, memory.of_block(number));
    fold(products, *m, memory.of_block(number) + channels);
  });
  for (Index c = 0; c < 2 * channels; ++c) {
    double sum = 0;
    for (Index i = 0; i < m->blocks(); ++i) sum += memory.of_block(i)[c];
    sums[c] = float(sum);
  }
}

// gradient * of_gradient + (x - mean) * of_x + offset; `features` as above.
EXPORT void combine_channels(const Matrix* m, const float* gradient, const float* features, const float* x,
                             const float* mean, const float* of_gradient, const float* of_x, const float* offset,
                             float* result, float* given, Index threads) {
  const Memory memory = {*m, given};
  const float *means = repeated(mean, memory, 0), *factors = repeated(of_gradient, memory, 1);
  const float *of_xs = repeated(of_x, memory, 2), *offsets = repeated(offset, memory, 3);
  in_blocks(memory, threads, [&](Index, Index first, Index count, Index own) {
    float* kept = memory.wide_row(own);
    over_rows(first, count, m->width(), [&](Index at, Index some) {
      if (features) keep_positive(gradient + at, features + at, kept, some);
      combine_row(features ? kept : gradient + at, x + at, means, factors, of_xs, offsets, result + at, some);
    });
  });
}
