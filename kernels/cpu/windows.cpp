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

template <class T>
struct Number;
template <>
struct Number<float> { using type = std::int32_t; };
template <>
struct Number<double> { using type = std::int64_t; };

// Vectors of some bytes, of values and of numbers as large.
template <class T, int bytes>
struct Lanes {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef typename Number<T>::type Numbers __attribute__((vector_size(bytes)));
};

template <class V, class T>
inline V at(const T* from) {
  V x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class V, class T>
inline void put(T* to, V x) { std::memcpy(to, &x, sizeof x); }

// body(image, pooled element, row, column, values, numbers) for the windows of some lines and some channels: the widest
// vectors first, then short ones, and the last channels alone. Values and numbers, both zero, say how wide.
template <class T, class Body>
inline void over_lines(const Windows& w, Index begin, Index end, const Body& body) {
  constexpr int SHORT = 16;
  constexpr Index WIDE = VECTOR / sizeof(T), FEW = SHORT / sizeof(T);
  using Long = Lanes<T, VECTOR>;
  using Short = Lanes<T, SHORT>;
  for (Index line = begin; line < end; ++line) {
    const Index image = line / w.rows.count * w.image(), row = line % w.rows.count;
    for (Index column = 0; column < w.columns.count; ++column) {
      const Index pooled = (line * w.columns.count + column) * w.depth;
      Index c = 0;
      for (; c + WIDE <= w.depth; c += WIDE)
        body(image + c, pooled + c, row, column, typename Long::Vector{}, typename Long::Numbers{});
      for (; c + FEW <= w.depth; c += FEW)
        body(image + c, pooled + c, row, column, typename Short::Vector{}, typename Short::Numbers{});
      for (; c < w.depth; ++c) body(image + c, pooled + c, row, column, T(0), typename Number<T>::type(0));
    }
  }
}

// Largest elements, at least `lowest`; NaN counts for less than any number.
template <class T>
APART void largest(const Windows& w, const T* x, T* result, Index begin, Index end, T lowest) {
  over_lines<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
    using V = decltype(zero);
    V most = zero + lowest;
    over_window(w, row, column, [&](Index element) {
      const V value = at<V>(x + image + element);
      most = value > most ? value : most;
    });
    put(result + pooled, most);
  });
}

template <class T>
APART void means(const Windows& w, const T* x, T* result, Index begin, Index end) {
  over_lines<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
    auto sum = zero;
    over_window(w, row, column, [&](Index element) { sum += at<decltype(zero)>(x + image + element); });
    put(result + pooled, decltype(zero)(sum / T(elements_inside(w, row, column))));
  });
}

// Whether no element is in two windows, and whether each is in one.
inline bool are_apart(const Axis& axis) { return axis.stride >= axis.kernel; }
inline bool is_covered(const Axis& axis) {
  return axis.stride <= axis.kernel && axis.first(0) == 0 && axis.last(axis.count - 1) == axis.size;
}

// Gradients of some images: put(to, value) gives an element its share, a sum where windows overlap.
template <class T, class Body>
inline void spread(const Windows& w, T* result, Index begin, Index end, const Body& body) {
  const bool apart = are_apart(w.rows) && are_apart(w.columns);
  if (!apart || !is_covered(w.rows) || !is_covered(w.columns))
    for (Index i = begin * w.image(); i < end * w.image(); ++i) result[i] = T(0);
  const Index first = begin * w.rows.count, last = end * w.rows.count;
  if (apart)
    body(first, last, [](T* to, auto value) { put(to, value); });
  else
    body(first, last, [](T* to, auto value) { put(to, decltype(value)(at<decltype(value)>(to) + value)); });
}

template <class T>
APART void mean_gradients(const Windows& w, const T* gradient, T* result, Index begin, Index end) {
  spread(w, result, begin, end, [&](Index first, Index last, const auto& give) {
    over_lines<T>(w, first, last, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
      const decltype(zero) share = at<decltype(zero)>(gradient + pooled) / T(elements_inside(w, row, column));
      over_window(w, row, column, [&](Index element) { give(result + image + element, share); });
    });
  });
}

// A window's gradient goes to its first largest element, as numbers are compared; if `rectified`, only to one above 0.
template <class T>
APART void largest_gradients(const Windows& w, const T* x, const T* gradient, T* result, Index begin, Index end,
                             bool rectified) {
  spread(w, result, begin, end, [&](Index first, Index last, const auto& give) {
    over_lines<T>(w, first, last, [&](Index image, Index pooled, Index row, Index column, auto zero, auto none) {
      using V = decltype(zero);
      V most = zero;
      auto number = none;
      typename Number<T>::type own = 0;
      over_window(w, row, column, [&](Index element) {
        const V value = at<V>(x + image + element);
        if (own == 0) most = value;
        number = most < value ? none + own : number;
        most = most < value ? value : most;
        ++own;
      });
      V share = at<V>(gradient + pooled);
      if (rectified) share *= most > T(0) ? zero + T(1) : zero;
      own = 0;
      over_window(w, row, column, [&](Index element) {
        give(result + image + element, number == none + own ? share : zero);
        ++own;
      });
    });
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
  EXPORT void max_gradient_##suffix(const Windows* w, const T* x, const T* gradient, T* result, Index threads,       \
                                    Index rectified) {                                                               \
    in_rows(w->batch, w->image(), threads, [=](Index begin, Index end) {                                             \
      largest_gradients(*w, x, gradient, result, begin, end, rectified != 0);                                        \
    });                                                                                                              \
  }

KERNELS(f32, float)
KERNELS(f64, double)
