// Pooling over three axes of arrays [batch, sizes..., channels], and its gradients: one thread per result element reads
// all its inputs, so no atomics are needed.
#include "basics.h"
#include "half.h"

// With two axes, the first axis has one window of one element. A window's elements are numbered in order.
struct Windows {
  Index batch, channels, sizes[3], kernels[3], strides[3], before[3], counts[3];
};

template <class N>
struct Point {
  N image, at[3], channel;
};

// The coordinates of element i of [batch, shape..., channels].
template <class N>
__device__ Point<N> point_of(N i, const Index* shape, Index channels) {
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

// The elements of a window that are inside the input.
__device__ Range elements_of(const Windows& w, int axis, Index window) {
  Index start = window * w.strides[axis] - w.before[axis], rest = w.sizes[axis] - start;
  return {start < 0 ? -start : 0, rest < w.kernels[axis] ? rest : w.kernels[axis]};
}

// The windows that contain an input element.
__device__ Range windows_of(const Windows& w, int axis, Index element) {
  Index at = element + w.before[axis], first = at - w.kernels[axis];
  Index begin = first < 0 ? 0 : first / w.strides[axis] + 1, end = at / w.strides[axis] + 1;
  return {begin, end < w.counts[axis] ? end : w.counts[axis]};
}

// The memory offset of a window's element.
template <class N>
__device__ Index place_in(const Windows& w, const Point<N>& p, Index i, Index j, Index k) {
  Index element[3] = {i, j, k}, place = p.image;
  for (int axis = 0; axis < 3; ++axis)
    place = place * w.sizes[axis] + (Index)p.at[axis] * w.strides[axis] - w.before[axis] + element[axis];
  return place * w.channels + p.channel;
}

__device__ Index window_place(const Windows& w, Index image, Index a, Index b, Index c, Index channel) {
  return (((image * w.counts[0] + a) * w.counts[1] + b) * w.counts[2] + c) * w.channels + channel;
}

#define EACH_ELEMENT                                          \
  for (Index i = range[0].first; i < range[0].end; ++i)       \
    for (Index j = range[1].first; j < range[1].end; ++j)     \
      for (Index k = range[2].first; k < range[2].end; ++k)

template <class T, class N>
__device__ void max_pooled(const T* x, T* y, const Windows& w, Index size,
                           NUMBER(T) lowest) {
  GRID_STRIDE_BY(N, at, (N)size) {
    Point<N> p = point_of<N>(at, w.counts, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = elements_of(w, axis, p.at[axis]);
    NUMBER(T) best = lowest;
    EACH_ELEMENT {
      NUMBER(T) value = x[place_in(w, p, i, j, k)];
      if (value > best) best = value;
    }
    y[at] = best;
  }
}

// The number of a window's first maximum; a NaN wins only if it comes first.
template <class T, class N>
__device__ int largest_of(const T* x, const Windows& w, const Point<N>& p) {
  Range range[3];
  for (int axis = 0; axis < 3; ++axis) range[axis] = elements_of(w, axis, p.at[axis]);
  NUMBER(T) best = 0;
  int number = -1;
  EACH_ELEMENT {
    NUMBER(T) value = x[place_in(w, p, i, j, k)];
    if (number < 0 || best < value) {
      best = value;
      number = (int)((i * w.kernels[1] + j) * w.kernels[2] + k);
    }
  }
  return number;
}

template <class T, class N>
__device__ void first_largest(const T* x, int* numbers, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, at, (N)size) numbers[at] = largest_of(x, w, point_of<N>(at, w.counts, w.channels));
}

// The gradient for disjoint windows: written at each window's first maximum, with 0 elsewhere.
template <class T, class N>
__device__ void max_gradient_apart(const T* __restrict__ x, const T* __restrict__ grad, T* __restrict__ of_x,
                                   const Windows& w, Index size) {
  GRID_STRIDE_BY(N, at, (N)size) {
    Point<N> p = point_of<N>(at, w.counts, w.channels);
    int largest = largest_of(x, w, p), number;
    T given = grad[at];
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = elements_of(w, axis, p.at[axis]);
    EACH_ELEMENT {
      number = (int)((i * w.kernels[1] + j) * w.kernels[2] + k);
      of_x[place_in(w, p, i, j, k)] = number == largest ? given : T(0);
    }
  }
}

// Sums, for each input element, the gradients of the windows whose maximum it is.
template <class T, class N>
__device__ void max_gradient(const int* numbers, const T* grad, T* of_x, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, at, (N)size) {
    Point<N> p = point_of<N>(at, w.sizes, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = windows_of(w, axis, p.at[axis]);
    NUMBER(T) sum = 0;
    for (Index a = range[0].end - 1; a >= range[0].first; --a)
      for (Index b = range[1].end - 1; b >= range[1].first; --b)
        for (Index c = range[2].end - 1; c >= range[2].first; --c) {
          Index window[3] = {a, b, c}, number = 0;
          for (int axis = 0; axis < 3; ++axis)
            number = number * w.kernels[axis] + (Index)p.at[axis] + w.before[axis] -
                     window[axis] * w.strides[axis];
          Index place = window_place(w, p.image, a, b, c, p.channel);
          if (numbers[place] == number) sum += grad[place];
        }
    of_x[at] = sum;
  }
}

template <class T, class N>
__device__ void average_pooled(const T* x, T* y, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, at, (N)size) {
    Point<N> p = point_of<N>(at, w.counts, w.channels);
    Range range[3];
    Index count = 1;
    for (int axis = 0; axis < 3; ++axis) {
      range[axis] = elements_of(w, axis, p.at[axis]);
      count *= range[axis].end - range[axis].first;
    }
    NUMBER(T) sum = 0;
    for (Index k = range[2].first; k < range[2].end; ++k) {
      NUMBER(T) rows = 0;
      for (Index j = range[1].first; j < range[1].end; ++j) {
        NUMBER(T) column = 0;
        for (Index i = range[0].first; i < range[0].end; ++i) column += x[place_in(w, p, i, j, k)];
        rows += column;
      }
      sum += rows;
    }
    y[at] = sum / (NUMBER(T))count;
  }
}

template <class T, class N>
__device__ void average_gradient(const T* grad, T* of_x, const Windows& w, Index size) {
  GRID_STRIDE_BY(N, at, (N)size) {
    Point<N> p = point_of<N>(at, w.sizes, w.channels);
    Range range[3];
    for (int axis = 0; axis < 3; ++axis) range[axis] = windows_of(w, axis, p.at[axis]);
    NUMBER(T) sum = 0;
    for (Index a = range[0].end - 1; a >= range[0].first; --a) {
      NUMBER(T) rows = 0;
      for (Index b = range[1].end - 1; b >= range[1].first; --b) {
        NUMBER(T) columns = 0;
        for (Index c = range[2].end - 1; c >= range[2].first; --c) {
          Index window[3] = {a, b, c}, count = 1;
          for (int axis = 0; axis < 3; ++axis) {
            Range inside = elements_of(w, axis, window[axis]);
            count *= inside.end - inside.first;
          }
          columns += grad[window_place(w, p.image, a, b, c, p.channel)] / (NUMBER(T))count;
        }
        rows += columns;
      }
      sum += rows;
    }
    of_x[at] = sum;
  }
}

#define GIVEN const __grid_constant__ Windows windows, Index size
#define MAKE(T, NAME)                                                                       \
  KERNEL(max_pooled_##NAME)(const T* x, T* y, GIVEN, Computed<T>::Type lowest) {                            \
    SIZED(size, max_pooled, T, x, y, windows, size, lowest);                                \
  }                                                                                         \
  KERNEL(first_largest_##NAME)(const T* x, int* numbers, GIVEN) {                           \
    SIZED(size, first_largest, T, x, numbers, windows, size);                               \
  }                                                                                         \
  KERNEL(max_gradient_apart_##NAME)(const T* x, const T* grad, T* of_x, GIVEN) {            \
    SIZED(size, max_gradient_apart, T, x, grad, of_x, windows, size);                       \
  }                                                                                         \
  KERNEL(max_gradient_##NAME)(const int* numbers, const T* grad, T* of_x, GIVEN) {          \
    SIZED(size, max_gradient, T, numbers, grad, of_x, windows, size);                       \
  }                                                                                         \
  KERNEL(average_pooled_##NAME)(const T* x, T* y, GIVEN) {                                  \
    SIZED(size, average_pooled, T, x, y, windows, size);                                    \
  }                                                                                         \
  KERNEL(average_gradient_##NAME)(const T* grad, T* of_x, GIVEN) {                          \
    SIZED(size, average_gradient, T, grad, of_x, windows, size);                            \
  }
FOR_FLOATS(MAKE)
MAKE(Half, f16)
#undef MAKE
