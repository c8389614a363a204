// Pooling over three axes of arrays [batch, sizes..., channels], and its gradients: the thread of each result element
// reads all its inputs, so no atomics are needed.
#include "basics.h"
#include "half.h"

// With two axes, the first axis has one window of one element. The elements of a window are numbered in order.
struct Windows {
  Index batch, channels, sizes[3], kernels[3], strides[3], before[3], counts[3];
};

template <class N>
struct Point {
  N image, at[3], channel;
};

// Returns the coordinates of element i of [batch, shape..., channels].
template <class N>
__device__ Point<N> make_point(N i, const Index* shape, Index channels) {
  Point<N> point;
  point.channel = i % (N)channels;
  i /= (N)channels;
  for (int axis = 2; axis >= 0; --axis) {
    point.at[axis] = i % (N)shape[axis];
    i /= (N)shape[axis];
  }
  point.image = i;
  return point;
}

struct Range {
  Index first, end;
};

// Returns the elements of a window that are inside the input.
__device__ Range window_range(const Windows& w, int axis, Index window) {
  Index start = window * w.strides[axis] - w.before[axis], rest = w.sizes[axis] - start;
  return {start < 0 ? -start : 0, rest < w.kernels[axis] ? rest : w.kernels[axis]};
}

// Returns the windows that contain an input element.
__device__ Range covering_windows(const Windows& w, int axis, Index element) {
  Index padded = element + w.before[axis], first = padded - w.kernels[axis];
  Index begin = first < 0 ? 0 : first / w.strides[axis] + 1, end = padded / w.strides[axis] + 1;
  return {begin, end < w.counts[axis] ? end : w.counts[axis]};
}

// Returns the memory offset of an element of a window.
template <class N>
__device__ Index input_offset(const Windows& w, const Point<N>& p, Index i, Index j, Index k) {
  Index element[3] = {i, j, k}, offset = p.image;
  for (int axis = 0; axis < 3; ++axis)
    offset = offset * w.sizes[axis] + (Index)p.at[axis] * w.strides[axis] - w.before[axis] + element[axis];
  return offset * w.channels + p.channel;
}

__device__ Index output_offset(const Windows& w, Index image, Index a, Index b, Index c, Index channel) {
  return (((image * w.counts[0] + a) * w.counts[1] + b) * w.counts[2] + c) * w.channels + channel;
}

#define EACH_ELEMENT                                          \
  for (Index i = range[0].first; i < range[0].end; ++i)       \
    for (Index j = range[1].first; j < range[1].end; ++j)     \
      for (Index k = range[2].first; k < range[2].end; ++k)

template <class T, class N>
__device__ void max_pooled(const T* x, T* y, const Windows& w, Index size,
                           NUMBER(T) lowest) {
  GRID_STRIDE_BY(N, index, (N)size) {
    Point<N> p = make_point<N>(index, w.counts, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = window_range(w, axis, p.at[axis]);
    NUMBER(T) best = lowest;
    EACH_ELEMENT {
      NUMBER(T) value = x[input_offset(w, p, i, j, k)];
      if (value > best) best = value;
    }
    y[index] = best;
  }
}

// Returns the number of the first maximum of a window; a NaN wins only if it comes first.
template <class T, class N>
__device__ int window_argmax(const T* x, const Windows& w, const Point<N>& p) {
  Range range[3];
  for (int axis = 0; axis < 3; ++axis) range[axis] = window_range(w, axis, p.at[axis]);
  NUMBER(T) best = 0;
  int number = -1;
  EACH_ELEMENT {
    NUMBER(T) value = x[input_offset(w, p, i, j, k)];
    if (number < 0 || best < value) {
      best = value;
      number = (int)((i * w.kernels[1] + j) * w.kernels[2] + k);
    }
  }
  return number;
}

template <class T, class N>
__device__ void window_argmaxes(const T* x, int* numbers, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, index, (N)size) numbers[index] = window_argmax(x, w, make_point<N>(index, w.counts, w.channels));
}

// Computes the gradient for disjoint windows: writes it at the first maximum of each window, and 0 elsewhere.
template <class T, class N>
__device__ void max_gradient_disjoint(const T* __restrict__ x, const T* __restrict__ grad, T* __restrict__ x_grad,
                                   const Windows& w, Index size) {
  GRID_STRIDE_BY(N, index, (N)size) {
    Point<N> p = make_point<N>(index, w.counts, w.channels);
    int argmax = window_argmax(x, w, p), number;
    T gradient = grad[index];
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = window_range(w, axis, p.at[axis]);
    EACH_ELEMENT {
      number = (int)((i * w.kernels[1] + j) * w.kernels[2] + k);
      x_grad[input_offset(w, p, i, j, k)] = number == argmax ? gradient : T(0);
    }
  }
}

// Sums, for each input element, the gradients of the windows of which it is the maximum.
template <class T, class N>
__device__ void max_gradient(const int* numbers, const T* grad, T* x_grad, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, index, (N)size) {
    Point<N> p = make_point<N>(index, w.sizes, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = covering_windows(w, axis, p.at[axis]);
    NUMBER(T) sum = 0;
    for (Index a = range[0].end - 1; a >= range[0].first; --a)
      for (Index b = range[1].end - 1; b >= range[1].first; --b)
        for (Index c = range[2].end - 1; c >= range[2].first; --c) {
          Index window[3] = {a, b, c}, number = 0;
          for (int axis = 0; axis < 3; ++axis)
            number = number * w.kernels[axis] + (Index)p.at[axis] + w.before[axis] -
                     window[axis] * w.strides[axis];
          Index offset = output_offset(w, p.image, a, b, c, p.channel);
          if (numbers[offset] == number) sum += grad[offset];
        }
    x_grad[index] = sum;
  }
}

template <class T, class N>
__device__ void average_pooled(const T* x, T* y, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, index, (N)size) {
    Point<N> p = make_point<N>(index, w.counts, w.channels);
    Range range[3];
    Index count = 1;
    for (int axis = 0; axis < 3; ++axis) {
      range[axis] = window_range(w, axis, p.at[axis]);
      count *= range[axis].end - range[axis].first;
    }
    NUMBER(T) sum = 0;
    for (Index k = range[2].first; k < range[2].end; ++k) {
      NUMBER(T) rows = 0;
      for (Index j = range[1].first; j < range[1].end; ++j) {
        NUMBER(T) column = 0;
        for (Index i = range[0].first; i < range[0].end; ++i) column += x[input_offset(w, p, i, j, k)];
        rows += column;
      }
      sum += rows;
    }
    y[index] = sum / (NUMBER(T))count;
  }
}

template <class T, class N>
__device__ void average_gradient(const T* grad, T* x_grad, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, index, (N)size) {
    Point<N> p = make_point<N>(index, w.sizes, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = covering_windows(w, axis, p.at[axis]);
    NUMBER(T) sum = 0;
    for (Index a = range[0].end - 1; a >= range[0].first; --a) {
      NUMBER(T) rows = 0;
      for (Index b = range[1].end - 1; b >= range[1].first; --b) {
        NUMBER(T) columns = 0;
        for (Index c = range[2].end - 1; c >= range[2].first; --c) {
          Index window[3] = {a, b, c}, count = 1;
          for (int axis = 0; axis < 3; ++axis) {
            Range inside = window_range(w, axis, window[axis]);
            count *= inside.end - inside.first;
          }
          columns += grad[output_offset(w, p.image, a, b, c, p.channel)] / (NUMBER(T))count;
        }
        rows += columns;
      }
      sum += rows;
    }
    x_grad[index] = sum;
  }
}

#define WINDOW_ARGUMENTS const __grid_constant__ Windows windows, Index size
#define MAKE(T, NAME)                                                                           \
  KERNEL(max_pooled_##NAME)(const T* x, T* y, WINDOW_ARGUMENTS, Computed<T>::Type lowest) {     \
    SIZED(size, max_pooled, T, x, y, windows, size, lowest);                                    \
  }                                                                                             \
  KERNEL(first_largest_##NAME)(const T* x, int* numbers, WINDOW_ARGUMENTS) {                    \
    SIZED(size, window_argmaxes, T, x, numbers, windows, size);                                 \
  }                                                                                             \
  KERNEL(max_gradient_apart_##NAME)(const T* x, const T* grad, T* x_grad, WINDOW_ARGUMENTS) {   \
    SIZED(size, max_gradient_disjoint, T, x, grad, x_grad, windows, size);                      \
  }                                                                                             \
  KERNEL(max_gradient_##NAME)(const int* numbers, const T* grad, T* x_grad, WINDOW_ARGUMENTS) { \
    SIZED(size, max_gradient, T, numbers, grad, x_grad, windows, size);                         \
  }                                                                                             \
  KERNEL(average_pooled_##NAME)(const T* x, T* y, WINDOW_ARGUMENTS) {                           \
    SIZED(size, average_pooled, T, x, y, windows, size);                                        \
  }                                                                                             \
  KERNEL(average_gradient_##NAME)(const T* grad, T* x_grad, WINDOW_ARGUMENTS) {                 \
    SIZED(size, average_gradient, T, grad, x_grad, windows, size);                              \
  }
FOR_FLOATS(MAKE)
MAKE(Half, f16)
#undef MAKE
