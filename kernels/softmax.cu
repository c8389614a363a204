// Softmax and log-softmax of the rows of a matrix, and cross entropies with their gradients.
//
// The blockDim.x threads of a row read it three times, after the first time from the cache: for its maximum, for the
// sum of exponentials, and for the results. Sums use the element type.
#include "basics.h"

template <class T>
__device__ T row_max(const T* x, Index step, Index columns, T* scratch) {
  T max_value = Limits<T>::lowest();
  for (Index i = threadIdx.x; i < columns; i += blockDim.x) {
    T v = x[i * step];
    max_value = Largest()(max_value, v);
  }
  return reduce_row(max_value, Largest(), Limits<T>::lowest(), scratch);
}

// Returns the sum of exp(x - max_value).
template <class T>
__device__ T exponential_sum(const T* x, Index step, Index columns, T max_value, T* scratch) {
  T total = 0;
  for (Index i = threadIdx.x; i < columns; i += blockDim.x) total += exp(x[i * step] - max_value);
  return reduce_row(total, Sum(), T(0), scratch);
}

template <class T, bool LOGARITHM>
__device__ void softmax(const T* __restrict__ logits, T* __restrict__ results, Index rows,
                        Index columns) {
  __shared__ T scratch[32];
  FOR_ROWS(row, rows) {
    const T* x = logits + row * columns;
    T* y = results + row * columns;
    T max_value = row_max(x, 1, columns, scratch);
    T total = exponential_sum(x, 1, columns, max_value, scratch);
    if (LOGARITHM) {
      T shift = log(total);
      for (Index i = threadIdx.x; i < columns; i += blockDim.x) y[i] = x[i] - max_value - shift;
    } else {
      for (Index i = threadIdx.x; i < columns; i += blockDim.x) y[i] = exp(x[i] - max_value) / total;
    }
  }
}

#define MAKE(T, NAME)                                                                         \
  WIDE_KERNEL(softmax_##NAME)(const T* __restrict__ logits, T* __restrict__ results, Index rows,   \
                        Index columns) {                                                      \
    softmax<T, false>(logits, results, rows, columns);                                        \
  }                                                                                           \
  WIDE_KERNEL(log_softmax_##NAME)(const T* __restrict__ logits, T* __restrict__ results, Index rows, \
                            Index columns) {                                                  \
    softmax<T, true>(logits, results, rows, columns);                                         \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Computes loss = sum of labels * (log total - (logits - max_value)) and gradient = softmax - labels. Logits and labels
// have row and column strides, 0 to broadcast.
template <class T>
__device__ void cross_entropy(const T* __restrict__ logits, Index logits_row, Index logits_column,
                              const T* __restrict__ labels, Index labels_row, Index labels_column,
                              T* __restrict__ losses, T* __restrict__ gradients, Index rows,
                              Index columns) {
  __shared__ T scratch[32];
  FOR_ROWS(row, rows) {
    const T* x = logits + row * logits_row;
    const T* row_labels = labels + row * labels_row;
    T* gradient = gradients + row * columns;
    T max_value = row_max(x, logits_column, columns, scratch);
    T total = exponential_sum(x, logits_column, columns, max_value, scratch);
    T log_total = log(total), loss = 0;
    for (Index i = threadIdx.x; i < columns; i += blockDim.x) {
      T shifted = x[i * logits_column] - max_value, label = row_labels[i * labels_column];
      loss += label * (log_total - shifted);
      gradient[i] = exp(shifted) / total - label;
    }
    loss = reduce_row(loss, Sum(), T(0), scratch);
    if (threadIdx.x == 0) losses[row] = loss;
  }
}

#define MAKE(T, NAME)                                                                          \
  WIDE_KERNEL(cross_entropy_##NAME)(const T* __restrict__ logits, Index logits_row,                 \
                              Index logits_column, const T* __restrict__ labels,               \
                              Index labels_row, Index labels_column, T* __restrict__ losses,   \
                              T* __restrict__ gradients, Index rows, Index columns) {          \
    cross_entropy(logits, logits_row, logits_column, labels, labels_row, labels_column, losses, \
                  gradients, rows, columns);                                                   \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Computes cross entropies with one class label per row. An invalid label makes the loss and the gradient of the row
// NaN.
template <class T, class Label>
__device__ void sparse_cross_entropy(const T* logits, const Label* labels, T* losses, T* gradients,
                                     Index rows, Index columns) {
  __shared__ T scratch[32];
  FOR_ROWS(row, rows) {
    const T* x = logits + row * columns;
    T* gradient = gradients + row * columns;
    Index label = labels[row];
    T max_value = row_max(x, 1, columns, scratch);
    T total = exponential_sum(x, 1, columns, max_value, scratch);
    bool is_valid = label >= 0 && label < columns;
    T invalid_value = is_valid ? T(0) : T(__int_as_float(0x7fffffff));
    for (Index i = threadIdx.x; i < columns; i += blockDim.x)
      gradient[i] = exp(x[i] - max_value) / total - T(i == label) + invalid_value;
    if (threadIdx.x == 0) losses[row] = is_valid ? log(total) - (x[label] - max_value) : invalid_value;
  }
}

#define MAKE_FOR(T, NAME, LABEL, LABEL_NAME)                                                   \
  WIDE_KERNEL(sparse_cross_entropy_##NAME##_##LABEL_NAME)(const T* logits, const LABEL* labels,     \
                                                    T* losses, T* gradients, Index rows,       \
                                                    Index columns) {                           \
    sparse_cross_entropy(logits, labels, losses, gradients, rows, columns);                    \
  }
#define MAKE(T, NAME) MAKE_FOR(T, NAME, int, i32) MAKE_FOR(T, NAME, Index, i64)
FOR_FLOATS(MAKE)
#undef MAKE
#undef MAKE_FOR
