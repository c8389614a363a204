// Local response normalization: x / (bias + alpha * s) ^ beta, where s sums the squares of neighboring channels.

#include "elementary.h"
#include "scratch.h"
#include "threads.h"

namespace {

constexpr Index TOGETHER = 1024;  // approximate number of channels per batch of rows
constexpr Index WIDTH = VECTOR / sizeof(float), UNROLL = 4;
typedef float Vector __attribute__((vector_size(VECTOR)));

thread_local Scratch scratch;

struct Norm {
  Index columns, radius;
  float bias, alpha;
  Index quarters;  // beta: 2, 3 or 4 quarters
};

// norms[i] = bias + alpha * (squares[i] + ... + squares[i + 2 * radius]) for some vectors.
NOINLINE void sum_around(const float* squares, float* norms, Index size, const Norm& given) {
  for (Index i = 0; i < size; i += UNROLL * WIDTH) {
    Vector sums[UNROLL] = {};
    for (Index d = 0; d <= 2 * given.radius; ++d)
      for (Index v = 0; v < UNROLL; ++v) {
        Vector next;
        std::memcpy(&next, squares + i + d + v * WIDTH, sizeof next);
        sums[v] += next;
      }
    for (Index v = 0; v < UNROLL; ++v) sums[v] = sums[v] * given.alpha + given.bias;
    std::memcpy(norms + i, sums, sizeof sums);
  }
}

NOINLINE void raise(float* norms, Index size, Index quarters) {
  if (quarters == 2)
    for (Index i = 0; i < size; ++i) norms[i] = square_root(norms[i]);
  if (quarters == 3)
    for (Index i = 0; i < size; ++i) {
      const float root = square_root(norms[i]);
      norms[i] = root * square_root(root);
    }
}

// For rows with NaN or infinity, which spread as in a product with a band matrix: 0 times these is NaN.
NOINLINE void row_norms(const float* squares, float* norms, const Norm& given) {
  for (Index c = 0; c < given.columns; ++c) {
    float sum = 0;
    for (Index k = 0; k < given.columns; ++k)
      sum += squares[k] * float(k >= c - given.radius && k <= c + given.radius);
    norms[c] = sum * given.alpha + given.bias;
  }
}

// Rows are stored contiguously with zeros between them, so that a vector may span several rows.
NOINLINE bool normalize(const float* x, float* out, Index rows, const Norm& given) {
  const Index columns = given.columns, step = columns + given.radius;
  const Index some = TOGETHER / step + 1, size = (some * step + UNROLL * WIDTH - 1) / (UNROLL * WIDTH) * (UNROLL * WIDTH);
  const Index whole = size + 2 * given.radius;
  float* squares = static_cast<float*>(scratch.of(std::size_t(whole + size) * sizeof(float)));
  if (!squares) return false;
  float* norms = squares + whole;
  for (Index i = 0; i < whole; ++i) squares[i] = 0.0f;
  for (Index first = 0; first < rows; first += some) {
    const Index count = rows - first < some ? rows - first : some;
    bool finite = true;
    for (Index r = 0; r < count; ++r) {
      const float* from = x + (first + r) * columns;
      float* into = squares + given.radius + r * step;
      for (Index c = 0; c < columns; ++c) into[c] = from[c] * from[c];
      for (Index c = 0; c < columns; ++c) finite &= into[c] <= std::numeric_limits<float>::max();
    }
    sum_around(squares, norms, size, given);
    if (!finite)
      for (Index r = 0; r < count; ++r) row_norms(squares + given.radius + r * step, norms + r * step, given);
    raise(norms, size, given.quarters);
    for (Index r = 0; r < count; ++r) {
      const float *from = x + (first + r) * columns, *by = norms + r * step;
      float* into = out + (first + r) * columns;
      for (Index c = 0; c < columns; ++c) into[c] = from[c] / by[c];
    }
  }
  return true;
}

}  // namespace

// x and out [rows, columns]; 0 if out of memory.
EXPORT int local_norms_f32(const float* x, float* out, Index rows, Index columns, Index radius, float bias, float alpha,
                           Index quarters, Index threads) {
  const Norm given{columns, radius, bias, alpha, quarters};
  std::atomic<int> done{1};
  in_rows(rows, columns, threads, [=, &done, &given](Index begin, Index end) {
    if (!normalize(x + begin * columns, out + begin * columns, end - begin, given)) done.store(0);
  });
  return done.load();
}
