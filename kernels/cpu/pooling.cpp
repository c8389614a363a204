// Pooling of images [batch, rows, columns, depth] and its gradients. A window's elements are scanned in order, skipping
// those outside the image; one thread adds an image's gradients, window by window.

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

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

// Calls body(offset) for each window element inside the image, with the offset of its first channel.
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

// SIMD vectors of `bytes` bytes: of values, and of integers of the same width.
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

// Calls body(channel, values, numbers) for all channels: widest vectors first, then narrower ones, then single
// channels. The types of `values` and `numbers`, both zero, determine the width.
template <class T, class Body>
inline void over_channels(Index depth, const Body& body) {
  constexpr int SHORT_BYTES = 16;
  constexpr Index LONG_ELEMENTS = VECTOR / sizeof(T), SHORT_ELEMENTS = SHORT_BYTES / sizeof(T);
  using Long = Lanes<T, VECTOR>;
  using Short = Lanes<T, SHORT_BYTES>;
  Index c = 0;
  for (; c + LONG_ELEMENTS <= depth; c += LONG_ELEMENTS) body(c, typename Long::Vector{}, typename Long::Numbers{});
  for (; c + SHORT_ELEMENTS <= depth; c += SHORT_ELEMENTS) body(c, typename Short::Vector{}, typename Short::Numbers{});
  for (; c < depth; ++c) body(c, T(0), typename Number<T>::type(0));
}

// Calls body(image, pooled element, row, column, values, numbers) for all windows and channels of some lines.
template <class T, class Body>
inline void over_lines(const Windows& w, Index begin, Index end, const Body& body) {
  for (Index line = begin; line < end; ++line) {
    const Index image = line / w.rows.count * w.image(), row = line % w.rows.count;
    for (Index column = 0; column < w.columns.count; ++column) {
      const Index pooled = (line * w.columns.count + column) * w.depth;
      over_channels<T>(w.depth, [&](Index c, auto zero, auto none) {
        body(image + c, pooled + c, row, column, zero, none);
      });
    }
  }
}

// Max pooling; results are at least `lowest`, and NaN is ignored.
template <class T>
NOINLINE void largest(const Windows& w, const T* x, T* result, Index begin, Index end, T lowest) {
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

// Argmax pooling: each window's maximum and its index in the image, or in the batch if `in_batch`; ties go to the
// first.
template <class T>
NOINLINE void largest_places(const Windows& w, const T* x, T* result, Index* places, Index begin, Index end, bool in_batch) {
  over_lines<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto none) {
    using V = decltype(zero);
    const Index before = in_batch ? image : image % w.image();
    Index first = -1;
    V most = zero;
    auto number = none;
    over_window(w, row, column, [&](Index element) {
      const V value = at<V>(x + image + element);
      if (first < 0) first = element, most = value;
      number = most < value ? none + typename Number<T>::type(element - first) : number;
      most = most < value ? value : most;
    });
    put(result + pooled, most);
    typename Number<T>::type numbers[sizeof(none) / sizeof(T)];
    put(numbers, number);
    for (Index i = 0; i < Index(sizeof(none) / sizeof(T)); ++i) places[pooled + i] = before + first + i + numbers[i];
  });
}

template <class T>
NOINLINE void means(const Windows& w, const T* x, T* result, Index begin, Index end) {
  over_lines<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
    auto sum = zero;
    over_window(w, row, column, [&](Index element) { sum += at<decltype(zero)>(x + image + element); });
    put(result + pooled, decltype(zero)(sum / T(elements_inside(w, row, column))));
  });
}

// Whether windows are disjoint, and whether they cover all elements.
inline bool are_apart(const Axis& axis) { return axis.stride >= axis.kernel; }
inline bool is_covered(const Axis& axis) {
  return axis.stride <= axis.kernel && axis.first(0) == 0 && axis.last(axis.count - 1) == axis.size;
}

// Gradients of some images: put(to, value) adds to an element, or stores it if windows are disjoint.
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

// The windows that contain an element, for elements visited in order: `first` to `end`, exclusive.
struct Covering {
  const Axis& axis;
  Index first = 0, end = 0;
  void move(Index element) {
    while (end < axis.count && axis.first(end) <= element) ++end;
    while (first < end && axis.last(first) <= element) ++first;
  }
};

// Sums, for each element, the `shares` of all windows that contain it, in window order.
template <class T>
inline void sum_windows(const Windows& w, const T* shares, T* result) {
  Covering rows{w.rows};
  for (Index y = 0; y < w.rows.size; ++y) {
    rows.move(y);
    Covering columns{w.columns};
    for (Index x = 0; x < w.columns.size; ++x, result += w.depth) {
      columns.move(x);
      over_channels<T>(w.depth, [&](Index c, auto sum, auto) {
        for (Index row = rows.first; row < rows.end; ++row)
          for (Index column = columns.first; column < columns.end; ++column)
            sum += at<decltype(sum)>(shares + (row * w.columns.count + column) * w.depth + c);
        put(result + c, sum);
      });
    }
  }
}

template <class T>
NOINLINE void mean_gradients(const Windows& w, const T* gradient, T* result, Index begin, Index end) {
  const auto share = [&](Index pooled, Index row, Index column, auto zero) {
    return at<decltype(zero)>(gradient + pooled) * (T(1) / T(elements_inside(w, row, column)));
  };
  T* shares = nullptr;
  if (!are_apart(w.rows) || !are_apart(w.columns))
    shares = static_cast<T*>(scratch.of(std::size_t(w.pooled_image()) * sizeof(T)));
  for (Index image = begin; shares && image < end; ++image) {
    const Index first = image * w.rows.count, start = image * w.pooled_image();
    over_lines<T>(w, first, first + w.rows.count, [&](Index, Index pooled, Index row, Index column, auto zero, auto) {
      put(shares + pooled - start, share(pooled, row, column, zero));
    });
    sum_windows(w, shares, result + image * w.image());
  }
  if (shares) return;
  spread(w, result, begin, end, [&](Index first, Index last, const auto& give) {
    over_lines<T>(w, first, last, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
      const auto own = share(pooled, row, column, zero);
      over_window(w, row, column, [&](Index element) { give(result + image + element, own); });
    });
  });
}

// Adds the gradient of each window to the position of its first maximum; if `rectified` is true, only if the maximum is positive.
template <class T>
NOINLINE void largest_gradients(const Windows& w, const T* x, const T* gradient, T* result, Index begin, Index end,
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
  EXPORT void max_places_##suffix(const Windows* w, const T* x, T* result, Index threads, Index in_batch,            \
                                  Index* places) {                                                                   \
    in_rows(w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,               \
            [=](Index begin, Index end) { largest_places(*w, x, result, places, begin, end, in_batch != 0); });      \
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
