// Pooling of images [batch, rows, columns, depth] and its gradients. A window's elements are walked in their order, those
// outside the image are left out; the gradients of an image are one thread's, window by window.

#include "threads.h"

namespace {

struct Axis {
  Index size, kernel, stride, before, count;
  Index first(Index window) const { return window * stride > before ? window * stride - before : 0; }
  Index last(Index window) const {
    Index end = window * stride - before + kernel;
    return end < size ? end : size;
  }
};

struct Windows {
  Index batch, depth;
  Axis rows, columns;
  Index lines() const { return batch * rows.count; }
  Index image() const { return rows.size * columns.size * depth; }
  Index pooled_image() const { return rows.count * columns.count * depth; }
};

// body(element): the first channel of each element inside a window, counted in the image.
template <class Body>
inline void over_window(const Windows& w, Index row, Index column, const Body& body) {
  const Index top = w.rows.first(row), bottom = w.rows.last(row);
  const Index left = w.columns.first(column), right = w.columns.last(column);
  for (Index y = top; y < bottom; ++y)
    for (Index x = left; x < right; ++x) body((y * w.columns.size + x) * w.depth);
}

inline Index elements_inside(const Windows& w, Index row, Index column) {
  return (w.rows.last(row) - w.rows.first(row)) * (w.columns.last(column) - w.columns.first(column));
}

// body(image, result's number, row, column) for the windows of some lines.
template <class Body>
inline void over_lines(const Windows& w, Index begin, Index end, const Body& body) {
  for (Index line = begin; line < end; ++line)
    for (Index column = 0; column < w.columns.count; ++column)
      body(line / w.rows.count, (line * w.columns.count + column) * w.depth, line % w.rows.count, column);
}

template <class T>
inline void raise(const T* __restrict x, T* __restrict most, Index depth) {
  for (Index c = 0; c < depth; ++c) most[c] = x[c] > most[c] ? x[c] : most[c];
}

template <class T>
inline void add(const T* __restrict x, T* __restrict sum, Index depth) {
  for (Index c = 0; c < depth; ++c) sum[c] += x[c];
}

// Largest elements, at least `lowest`; NaN counts for less than any number.
template <class T>
APART void largest(const Windows& w, const T* x, T* result, Index begin, Index end, T lowest) {
  over_lines(w, begin, end, [&](Index image, Index at, Index row, Index column) {
    T* most = result + at;
    for (Index c = 0; c < w.depth; ++c) most[c] = lowest;
    over_window(w, row, column, [&](Index element) { raise(x + image * w.image() + element, most, w.depth); });
  });
}

template <class T>
APART void means(const Windows& w, const T* x, T* result, Index begin, Index end) {
  over_lines(w, begin, end, [&](Index image, Index at, Index row, Index column) {
    T* sum = result + at;
    for (Index c = 0; c < w.depth; ++c) sum[c] = T(0);
    over_window(w, row, column, [&](Index element) { add(x + image * w.image() + element, sum, w.depth); });
    const T count = T(elements_inside(w, row, column));
    for (Index c = 0; c < w.depth; ++c) sum[c] /= count;
  });
}

template <class T>
APART void mean_gradients(const Windows& w, const T* gradient, T* result, Index begin, Index end) {
  constexpr Index MOST = 128;
  T share[MOST];
  for (Index i = begin * w.image(); i < end * w.image(); ++i) result[i] = T(0);
  over_lines(w, begin * w.rows.count, end * w.rows.count, [&](Index image, Index at, Index row, Index column) {
    const T count = T(elements_inside(w, row, column));
    for (Index first = 0; first < w.depth; first += MOST) {
      const Index some = w.depth - first < MOST ? w.depth - first : MOST;
      for (Index c = 0; c < some; ++c) share[c] = gradient[at + first + c] / count;
      over_window(w, row, column, [&](Index element) { add(share, result + image * w.image() + element + first, some); });
    }
  });
}

template <class T>
struct Number;
template <>
struct Number<float> { using type = std::int32_t; };
template <>
struct Number<double> { using type = std::int64_t; };

// Of some channels of a window: the number of the first largest element, as numbers are compared.
template <class T, class N>
inline void take_larger(const T* __restrict x, T* __restrict most, N* __restrict number, N own, Index count) {
  for (Index c = 0; c < count; ++c) {
    const bool larger = most[c] < x[c];
    most[c] = larger ? x[c] : most[c];
    number[c] = larger ? own : number[c];
  }
}

template <class T, class N>
inline void add_chosen(const T* __restrict gradient, const N* __restrict number, N own, T* __restrict into, Index count) {
  for (Index c = 0; c < count; ++c) into[c] += number[c] == own ? gradient[c] : T(0);
}

template <class T>
APART void largest_gradients(const Windows& w, const T* x, const T* gradient, T* result, Index begin, Index end) {
  constexpr Index MOST = 128;
  using N = typename Number<T>::type;
  T most[MOST];
  N number[MOST];
  for (Index i = begin * w.image(); i < end * w.image(); ++i) result[i] = T(0);
  over_lines(w, begin * w.rows.count, end * w.rows.count, [&](Index image, Index at, Index row, Index column) {
    for (Index first = 0; first < w.depth; first += MOST) {
      const Index some = w.depth - first < MOST ? w.depth - first : MOST, base = image * w.image() + first;
      N own = 0;
      over_window(w, row, column, [&](Index element) {
        if (own == 0) {
          for (Index c = 0; c < some; ++c) most[c] = x[base + element + c], number[c] = 0;
        } else {
          take_larger(x + base + element, most, number, own, some);
        }
        ++own;
      });
      own = 0;
      over_window(w, row, column, [&](Index element) {
        add_chosen(gradient + at + first, number, own++, result + base + element, some);
      });
    }
  });
}

}  // namespace

#define KERNELS(suffix, T)                                                                                           \
  EXPORT void max_pooled_##suffix(const Windows* w, const T* x, T* result, Index threads, T lowest) {                \
    in_rows(w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,               \
            [=](Index begin, Index end) { largest(*w, x, result, begin, end, lowest); });                            \
  }                                                                                                                  \
  EXPORT void average_pooled_##suffix(const Windows* w, const T* x, T* result, Index threads) {                      \
    in_rows(w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,               \
            [=](Index begin, Index end) { means(*w, x, result, begin, end); });                                      \
  }                                                                                                                  \
  EXPORT void average_gradient_##suffix(const Windows* w, const T* gradient, T* result, Index threads) {             \
    in_rows(w->batch, w->image(), threads,                                                                           \
            [=](Index begin, Index end) { mean_gradients(*w, gradient, result, begin, end); });                      \
  }                                                                                                                  \
  EXPORT void max_gradient_##suffix(const Windows* w, const T* x, const T* gradient, T* result, Index threads) {     \
    in_rows(w->batch, w->image(), threads,                                                                           \
            [=](Index begin, Index end) { largest_gradients(*w, x, gradient, result, begin, end); });                \
  }

KERNELS(f32, float)
KERNELS(f64, double)
