// Softmax, its logarithm and the cross entropies with their gradients, a row at a time: each row is read from memory
// once and stays in the first cache for what follows.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "lanes.h"
#include "threads.h"

namespace {

template <class T>
APART void softmax(const T* logits, T* result, Index begin, Index end, Index columns) {
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    T* y = result + row * columns;
    T most = largest_of(x, columns);
    for (Index i = 0; i < columns; ++i) y[i] = exponential(x[i] - most);
    T scale = T(1) / sum_over<T>(columns, [=](Index i) { return y[i]; });
    for (Index i = 0; i < columns; ++i) y[i] *= scale;
  }
}

template <class T>
APART void log_softmax(const T* logits, T* result, Index begin, Index end, Index columns) {
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    T* y = result + row * columns;
    T most = largest_of(x, columns);
    T total = sum_over<T>(columns, [=](Index i) { return exponential(x[i] - most); });
    T shift = logarithm(total);
    for (Index i = 0; i < columns; ++i) y[i] = (x[i] - most) - shift;
  }
}

// The loss of each row and its gradient by the logits.
template <class T>
APART void cross_entropy(const T* logits, const T* labels, T* loss, T* gradient, Index begin, Index end, Index columns) {
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    const T* p = labels + row * columns;
    T* g = gradient + row * columns;
    T most = largest_of(x, columns);
    for (Index i = 0; i < columns; ++i) g[i] = exponential(x[i] - most);
    T total = sum_over<T>(columns, [=](Index i) { return g[i]; });
    T shift = logarithm(total), scale = T(1) / total;
    loss[row] = sum_over<T>(columns, [=](Index i) { return p[i] * (shift - (x[i] - most)); });
    for (Index i = 0; i < columns; ++i) g[i] = g[i] * scale - p[i];
  }
}

// The same of rows that have one class each; a row whose label is none has no loss: it is NaN.
template <class T, class Label>
APART void sparse_cross_entropy(const T* logits, const Label* labels, T* loss, T* gradient, Index begin, Index end,
                          Index columns) {
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    T* g = gradient + row * columns;
    T most = largest_of(x, columns);
    for (Index i = 0; i < columns; ++i) g[i] = exponential(x[i] - most);
    T total = sum_over<T>(columns, [=](Index i) { return g[i]; });
    T scale = T(1) / total;
    for (Index i = 0; i < columns; ++i) g[i] *= scale;
    const Index label = number_at(labels, row);
    loss[row] = std::numeric_limits<T>::quiet_NaN();
    if (!is_inside(label, columns)) continue;
    loss[row] = logarithm(total) - (x[label] - most);
    g[label] -= T(1);
  }
}

}  // namespace

#define SPARSE(suffix, T, label, Label)                                                                        \
  EXPORT void sparse_cross_entropy_##label##_##suffix(const T* x, const Label* labels, T* loss, T* gradient,    \
                                                      Index rows, Index columns, Index threads) {               \
    in_rows(rows, columns, threads, [=](Index begin, Index end) {                                               \
      sparse_cross_entropy(x, labels, loss, gradient, begin, end, columns);                                     \
    });                                                                                                         \
  }

SPARSE(f32, float, i32, std::int32_t)
SPARSE(f32, float, i64, std::int64_t)
SPARSE(f64, double, i32, std::int32_t)
SPARSE(f64, double, i64, std::int64_t)

#define KERNELS(suffix, T)                                                                                     \
  EXPORT void softmax_##suffix(const T* x, T* y, Index rows, Index columns, Index threads) {                    \
    in_rows(rows, columns, threads, [=](Index begin, Index end) { softmax(x, y, begin, end, columns); });       \
  }                                                                                                             \
  EXPORT void log_softmax_##suffix(const T* x, T* y, Index rows, Index columns, Index threads) {                \
    in_rows(rows, columns, threads, [=](Index begin, Index end) { log_softmax(x, y, begin, end, columns); });   \
  }                                                                                                             \
  EXPORT void cross_entropy_##suffix(const T* x, const T* p, T* loss, T* gradient, Index rows, Index columns,   \
                                     Index threads) {                                                           \
    in_rows(rows, columns, threads,                                                                             \
            [=](Index begin, Index end) { cross_entropy(x, p, loss, gradient, begin, end, columns); });         \
  }

KERNELS(f32, float)
KERNELS(f64, double)
