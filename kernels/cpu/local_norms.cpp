// Local response normalization: x / (bias + alpha * s) ^ beta, where s sums the squares of neighboring channels.

#include "elementary.h"
#include "scratch.h"
#include "threads.h"

namespace {

constexpr Index BATCH_CHANNELS = 1024;  // approximate number of channels per batch of rows
constexpr Index WIDTH = VECTOR / sizeof(float), UNROLL = 4;
typedef float Vector __attribute__((vector_size(VECTOR)));

thread_local Scratch scratch;

struct Norm {
  Index columns, radius;
  float bias, alpha;
  Index quarters;  // beta: 2, 3 or 4 quarters
};

// Computes norms[i] = bias + alpha * (squares[i] + ... + squares[i + 2 * radius]), several vectors at a time.
NOINLINE void sum_neighbors(const float* squares, float* norms, Index size, const Norm& norm) {
  for (Index i = 0; i < size; i += UNROLL * WIDTH) {
    Vector sums[UNROLL] = {};
    for (Index d = 0; d <= 2 * norm.radius; ++d)
      for (Index v = 0; v < UNROLL; ++v) {
        Vector next;
        std::memcpy(&next, squares + i + d + v * WIDTH, sizeof next);
        sums[v] += next;
      }
    for (Index v = 0; v < UNROLL; ++v) sums[v] = sums[v] * norm.alpha + norm.bias;
    std::memcpy(norms + i, sums, sizeof sums);
  }
}

NOINLINE void apply_power(float* norms, Index size, Index quarters) {
  if (quarters == 2)
    for (Index i = 0; i < size; ++i) norms[i] = square_root(norms[i]);
  if (quarters == 3)
    for (Index i = 0; i < size; ++i) {
      const float root = square_root(norms[i]);
      norms[i] = root * square_root(root);
    }
}

// Computes the norms of rows with NaN or infinity, which spread as in a product with a band matrix: 0 times NaN or
// infinity is NaN.
NOINLINE void nonfinite_row_norms(const float* squares, float* norms, const Norm& norm) {
  for (Index c = 0; c < norm.columns; ++c) {
    float sum = 0;
    for (Index k = 0; k < norm.columns; ++k) sum += squares[k] * float(k >= c - norm.radius && k <= c + norm.radius);
    norms[c] = sum * norm.alpha + norm.bias;
  }
}

// Normalizes rows. Their squares are stored contiguously with zeros between rows, so that a vector may span several
// rows. Returns false if out of memory.
NOINLINE bool normalize(const float* x, float* out, Index rows, const Norm& norm) {
  const Index columns = norm.columns, step = columns + norm.radius;
  const Index batch_rows = BATCH_CHANNELS / step + 1,
              size = (batch_rows * step + UNROLL * WIDTH - 1) / (UNROLL * WIDTH) * (UNROLL * WIDTH);
  const Index padded_size = size + 2 * norm.radius;
  float* squares = static_cast<float*>(scratch.reserve(std::size_t(padded_size + size) * sizeof(float)));
  if (!squares) return false;
  float* norms = squares + padded_size;
  for (Index i = 0; i < padded_size; ++i) squares[i] = 0.0f;
  for (Index first = 0; first < rows; first += batch_rows) {
    const Index count = rows - first < batch_rows ? rows - first : batch_rows;
    bool finite = true;
    for (Index r = 0; r < count; ++r) {
      const float* from = x + (first + r) * columns;
      float* target = squares + norm.radius + r * step;
      for (Index c = 0; c < columns; ++c) target[c] = from[c] * from[c];
      for (Index c = 0; c < columns; ++c) finite &= target[c] <= std::numeric_limits<float>::max();
    }
    sum_neighbors(squares, norms, size, norm);
    if (!finite)
      for (Index r = 0; r < count; ++r) nonfinite_row_norms(squares + norm.radius + r * step, norms + r * step, norm);
    apply_power(norms, size, norm.quarters);
    for (Index r = 0; r < count; ++r) {
      const float *from = x + (first + r) * columns, *divisors = norms + r * step;
      float* target = out + (first + r) * columns;
      for (Index c = 0; c < columns; ++c) target[c] = from[c] / divisors[c];
    }
  }
  return true;
}

}  // namespace

// Normalizes x [rows, columns] to out [rows, columns]; returns 0 if out of memory.
EXPORT int local_norms_f32(const float* x, float* out, Index rows, Index columns, Index radius, float bias, float alpha,
                           Index quarters, Index threads) {
  const Norm norm{columns, radius, bias, alpha, quarters};
  std::atomic<int> done{1};
  parallel_for_rows(rows, columns, threads, [=, &done, &norm](Index begin, Index end) {
    if (!normalize(x + begin * columns, out + begin * columns, end - begin, norm)) done.store(0);
  });
  return done.load();
}
