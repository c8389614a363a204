// Depthwise convolution of arrays [batch, rows, columns, depth] and its gradients. Tables contain the input row or
// column for each filter row or column, and -1 in the padding. Products are added in filter order.

#include "lanes.h"
#include "threads.h"

namespace {

using Coordinate = std::int32_t;

// Image sizes of input and result. The tables are [rows, kernel rows] and [columns, kernel columns], indexed by result
// row and column.
struct Sizes {
  Index height, width, rows, columns, depth, down, across;
};

constexpr Index LINES = 8;  // result rows per partial sum of a filter gradient

template <class T, int VECTORS, int BYTES = VECTOR>
struct Sums {
  static constexpr int COUNT = VECTORS * BYTES / int(sizeof(T));
  typedef T Vector __attribute__((vector_size(BYTES)));
  Vector sums[VECTORS] = {};
  void add(const T* a, const T* b) {
    Vector x, y;
    for (int v = 0; v < VECTORS; ++v) {
      std::memcpy(&x, a + v * (COUNT / VECTORS), sizeof x);
      std::memcpy(&y, b + v * (COUNT / VECTORS), sizeof y);
      sums[v] += x * y;
    }
  }
  void put(T* out) const { std::memcpy(out, sums, sizeof sums); }
  void add_to(T* out) const {
    T own[COUNT];
    put(own);
    for (int k = 0; k < COUNT; ++k) out[k] += own[k];
  }
};

template <class T>
struct Single {
  static constexpr int COUNT = 1;
  T sum = 0;
  void add(const T* a, const T* b) { sum += *a * *b; }
  void put(T* out) const { *out = sum; }
  void add_to(T* out) const { *out += sum; }
};

// Calls body(sums, channel) for all channels, with as many accumulators as fit.
template <class T, class Body>
inline void for_each_channel(Index depth, const Body& body) {
  Index c = 0;
  for (; c + Sums<T, 4>::COUNT <= depth; c += Sums<T, 4>::COUNT) body(Sums<T, 4>(), c);
  for (; c + Sums<T, 1>::COUNT <= depth; c += Sums<T, 1>::COUNT) body(Sums<T, 1>(), c);
  if (VECTOR > 32 && c + Sums<T, 1, 32>::COUNT <= depth) body(Sums<T, 1, 32>(), c), c += Sums<T, 1, 32>::COUNT;
  if (VECTOR > 16 && c + Sums<T, 1, 16>::COUNT <= depth) body(Sums<T, 1, 16>(), c), c += Sums<T, 1, 16>::COUNT;
  for (; c < depth; ++c) body(Single<T>(), c);
}

// Computes result rows: for each pixel, the sum of the products of the filter and the input under it.
template <class T>
NOINLINE void convolve(const Sizes& s, const Coordinate* rows, const Coordinate* columns, const T* images,
                       const T* filter, T* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    const T* image = images + line / s.rows * s.height * s.width * s.depth;
    const Coordinate* input_rows = rows + line % s.rows * s.down;
    for (Index column = 0; column < s.columns; ++column) {
      const Coordinate* input_columns = columns + column * s.across;
      T* out = result + (line * s.columns + column) * s.depth;
      for_each_channel<T>(s.depth, [&](auto sums, Index c) {
        for (Index i = 0; i < s.down; ++i) {
          if (input_rows[i] < 0) continue;
          const T* from = image + input_rows[i] * s.width * s.depth + c;
          const T* filter_row = filter + i * s.across * s.depth + c;
          for (Index j = 0; j < s.across; ++j)
            if (input_columns[j] >= 0) sums.add(from + input_columns[j] * s.depth, filter_row + j * s.depth);
        }
        sums.put(out + c);
      });
    }
  }
}

// Computes filter gradients [parts, filter], each over the rows of one part.
template <class T>
NOINLINE void filter_gradients(const Sizes& s, const Coordinate* rows, const Coordinate* columns, const T* images,
                               const T* gradient, T* result, Index lines, Index begin, Index end) {
  const Index size = s.down * s.across * s.depth;
  for (Index part = begin; part < end; ++part) {
    T* target = result + part * size;
    for (Index i = 0; i < size; ++i) target[i] = T(0);
    const Index last = (part + 1) * LINES < lines ? (part + 1) * LINES : lines;
    for (Index line = part * LINES; line < last; ++line) {
      const T* image = images + line / s.rows * s.height * s.width * s.depth;
      const T* output_gradient = gradient + line * s.columns * s.depth;
      for (Index element = 0; element < s.down * s.across; ++element) {
        const Coordinate row = rows[line % s.rows * s.down + element / s.across];
        if (row < 0) continue;
        const T* from = image + row * s.width * s.depth;
        const Coordinate* input_columns = columns + element % s.across;
        for_each_channel<T>(s.depth, [&](auto sums, Index c) {
          for (Index column = 0; column < s.columns; ++column) {
            const Coordinate x = input_columns[column * s.across];
            if (x >= 0) sums.add(from + x * s.depth + c, output_gradient + column * s.depth + c);
          }
          sums.add_to(target + element * s.depth + c);
        });
      }
    }
  }
}

}  // namespace

#define KERNELS(suffix, T)                                                                                             \
  EXPORT void depthwise_##suffix(const Sizes* s, const Coordinate* rows, const Coordinate* columns, const T* images,   \
                                 const T* filter, T* result, Index batch, Index threads) {                             \
    parallel_for_rows(                                                                                                 \
        batch * s->rows, s->columns * s->depth * s->down * s->across / 4, threads,                                     \
        [=](Index begin, Index end) { convolve(*s, rows, columns, images, filter, result, begin, end); });             \
  }                                                                                                                    \
  EXPORT void depthwise_filter_gradient_##suffix(const Sizes* s, const Coordinate* rows, const Coordinate* columns,    \
                                                 const T* images, const T* gradient, T* result, Index batch,           \
                                                 Index threads) {                                                      \
    const Index lines = batch * s->rows;                                                                               \
    parallel_for_rows((lines + LINES - 1) / LINES, GRAIN, threads, [=](Index begin, Index end) {                       \
      filter_gradients(*s, rows, columns, images, gradient, result, lines, begin, end);                                \
    });                                                                                                                \
  }

KERNELS(f32, float)
KERNELS(f64, double)
