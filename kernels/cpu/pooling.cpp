// Pooling of images [batch, rows, columns, depth] and its gradients. The elements of a window are scanned in order,
// skipping those outside the image; the gradients of an image are added by one thread, window by window.

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

// Calls body(offset) for each element of a window inside the image, with the offset of its first channel.
template <class Body>
inline void for_each_window_element(const Windows& w, Index row, Index column, const Body& body) {
  const Index top = w.rows.first(row), bottom = w.rows.last(row);
  const Index left = w.columns.first(column), right = w.columns.last(column);
  for (Index y = top; y < bottom; ++y)
    for (Index x = left; x < right; ++x) body((y * w.columns.size + x) * w.depth);
}

inline Index window_size(const Windows& w, Index row, Index column) {
  return (w.rows.last(row) - w.rows.first(row)) * (w.columns.last(column) - w.columns.first(column));
}

template <class T>
struct Number;
template <>
struct Number<float> { using type = std::int32_t; };
template <>
struct Number<double> { using type = std::int64_t; };

// SIMD vectors of `bytes` bytes: of values, and of integers with the same width.
template <class T, int bytes>
struct Lanes {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef typename Number<T>::type Numbers __attribute__((vector_size(bytes)));
};

template <class V, class T>
inline V load(const T* source) {
  V x;
  std::memcpy(&x, source, sizeof x);
  return x;
}

template <class V, class T>
inline void store(T* target, V x) {
  std::memcpy(target, &x, sizeof x);
}

// Calls body(channel, values, numbers) for all channels: widest vectors first, then narrower ones, then single
// channels. `values` and `numbers` are zero; their types determine the width.
template <class T, class Body>
inline void for_each_channel(Index depth, const Body& body) {
  constexpr int SHORT_BYTES = 16;
  constexpr Index LONG_ELEMENTS = VECTOR / sizeof(T), SHORT_ELEMENTS = SHORT_BYTES / sizeof(T);
  using Long = Lanes<T, VECTOR>;
  using Short = Lanes<T, SHORT_BYTES>;
  Index c = 0;
  for (; c + LONG_ELEMENTS <= depth; c += LONG_ELEMENTS) body(c, typename Long::Vector{}, typename Long::Numbers{});
  for (; c + SHORT_ELEMENTS <= depth; c += SHORT_ELEMENTS) body(c, typename Short::Vector{}, typename Short::Numbers{});
  for (; c < depth; ++c) body(c, T(0), typename Number<T>::type(0));
}

// Calls body(image, pooled element, row, column, values, numbers) for all windows and channels of the lines `begin` to
// `end`.
template <class T, class Body>
inline void for_each_window(const Windows& w, Index begin, Index end, const Body& body) {
  for (Index line = begin; line < end; ++line) {
    const Index image = line / w.rows.count * w.image(), row = line % w.rows.count;
    for (Index column = 0; column < w.columns.count; ++column) {
      const Index pooled = (line * w.columns.count + column) * w.depth;
      for_each_channel<T>(w.depth, [&](Index c, auto zero, auto int_zero) {
        body(image + c, pooled + c, row, column, zero, int_zero);
      });
    }
  }
}

// Max pooling; results are at least `lowest`, and NaN is ignored.
template <class T>
NOINLINE void max_pool(const Windows& w, const T* x, T* result, Index begin, Index end, T lowest) {
  for_each_window<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
    using V = decltype(zero);
    V max_value = zero + lowest;
    for_each_window_element(w, row, column, [&](Index element) {
      const V value = load<V>(x + image + element);
      max_value = value > max_value ? value : max_value;
    });
    store(result + pooled, max_value);
  });
}

// Argmax pooling: computes the maximum of each window and its index in the image, or in the batch if `in_batch`; ties
// go to the first element.
template <class T>
NOINLINE void max_pool_argmax(const Windows& w, const T* x, T* result, Index* argmax, Index begin, Index end,
                              bool in_batch) {
  for_each_window<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto int_zero) {
    using V = decltype(zero);
    const Index base = in_batch ? image : image % w.image();
    Index first = -1;
    V max_value = zero;
    auto max_index = int_zero;
    for_each_window_element(w, row, column, [&](Index element) {
      const V value = load<V>(x + image + element);
      if (first < 0) first = element, max_value = value;
      max_index = max_value < value ? int_zero + typename Number<T>::type(element - first) : max_index;
      max_value = max_value < value ? value : max_value;
    });
    store(result + pooled, max_value);
    typename Number<T>::type indices[sizeof(int_zero) / sizeof(T)];
    store(indices, max_index);
    for (Index i = 0; i < Index(sizeof(int_zero) / sizeof(T)); ++i) argmax[pooled + i] = base + first + i + indices[i];
  });
}

template <class T>
NOINLINE void average_pool(const Windows& w, const T* x, T* result, Index begin, Index end) {
  for_each_window<T>(w, begin, end, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
    auto sum = zero;
    for_each_window_element(w, row, column, [&](Index element) { sum += load<decltype(zero)>(x + image + element); });
    store(result + pooled, decltype(zero)(sum / T(window_size(w, row, column))));
  });
}

// Return whether windows are disjoint, and whether they cover all elements.
inline bool are_disjoint(const Axis& axis) { return axis.stride >= axis.kernel; }
inline bool is_covered(const Axis& axis) {
  return axis.stride <= axis.kernel && axis.first(0) == 0 && axis.last(axis.count - 1) == axis.size;
}

// Computes the gradients of the images `begin` to `end`: body's argument add_or_store(target, value) adds to an
// element, or stores to it if windows are disjoint.
template <class T, class Body>
inline void scatter_gradients(const Windows& w, T* result, Index begin, Index end, const Body& body) {
  const bool disjoint = are_disjoint(w.rows) && are_disjoint(w.columns);
  if (!disjoint || !is_covered(w.rows) || !is_covered(w.columns))
    for (Index i = begin * w.image(); i < end * w.image(); ++i) result[i] = T(0);
  const Index first = begin * w.rows.count, last = end * w.rows.count;
  if (disjoint)
    body(first, last, [](T* target, auto value) { store(target, value); });
  else
    body(first, last,
         [](T* target, auto value) { store(target, decltype(value)(load<decltype(value)>(target) + value)); });
}

// The windows that contain an element, for elements visited in order: from `first` up to `end`, exclusive.
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
      for_each_channel<T>(w.depth, [&](Index c, auto sum, auto) {
        for (Index row = rows.first; row < rows.end; ++row)
          for (Index column = columns.first; column < columns.end; ++column)
            sum += load<decltype(sum)>(shares + (row * w.columns.count + column) * w.depth + c);
        store(result + c, sum);
      });
    }
  }
}

template <class T>
NOINLINE void average_pool_gradients(const Windows& w, const T* gradient, T* result, Index begin, Index end) {
  const auto share = [&](Index pooled, Index row, Index column, auto zero) {
    return load<decltype(zero)>(gradient + pooled) * (T(1) / T(window_size(w, row, column)));
  };
  T* shares = nullptr;
  if (!are_disjoint(w.rows) || !are_disjoint(w.columns))
    shares = static_cast<T*>(scratch.reserve(std::size_t(w.pooled_image()) * sizeof(T)));
  for (Index image = begin; shares && image < end; ++image) {
    const Index first = image * w.rows.count, start = image * w.pooled_image();
    for_each_window<T>(w, first, first + w.rows.count,
                       [&](Index, Index pooled, Index row, Index column, auto zero, auto) {
                         store(shares + pooled - start, share(pooled, row, column, zero));
                       });
    sum_windows(w, shares, result + image * w.image());
  }
  if (shares) return;
  scatter_gradients(w, result, begin, end, [&](Index first, Index last, const auto& add_or_store) {
    for_each_window<T>(w, first, last, [&](Index image, Index pooled, Index row, Index column, auto zero, auto) {
      const auto value = share(pooled, row, column, zero);
      for_each_window_element(w, row, column, [&](Index element) { add_or_store(result + image + element, value); });
    });
  });
}

// Adds the gradient of each window at its first maximum; if `rectified` is true, only if the maximum is positive.
template <class T>
NOINLINE void max_pool_gradients(const Windows& w, const T* x, const T* gradient, T* result, Index begin, Index end,
                                 bool rectified) {
  scatter_gradients(w, result, begin, end, [&](Index first, Index last, const auto& add_or_store) {
    for_each_window<T>(w, first, last,
                       [&](Index image, Index pooled, Index row, Index column, auto zero, auto int_zero) {
                         using V = decltype(zero);
                         V max_value = zero;
                         auto max_index = int_zero;
                         typename Number<T>::type element_index = 0;
                         for_each_window_element(w, row, column, [&](Index element) {
                           const V element_value = load<V>(x + image + element);
                           if (element_index == 0) max_value = element_value;
                           max_index = max_value < element_value ? int_zero + element_index : max_index;
                           max_value = max_value < element_value ? element_value : max_value;
                           ++element_index;
                         });
                         V value = load<V>(gradient + pooled);
                         if (rectified) value *= max_value > T(0) ? zero + T(1) : zero;
                         element_index = 0;
                         for_each_window_element(w, row, column, [&](Index element) {
                           add_or_store(result + image + element, max_index == int_zero + element_index ? value : zero);
                           ++element_index;
                         });
                       });
  });
}

}  // namespace

#define KERNELS(suffix, T)                                                                                             \
  EXPORT void max_pooled_##suffix(const Windows* w, const T* x, T* result, Index threads, T lowest) {                  \
    parallel_for_rows(w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,       \
                      [=](Index begin, Index end) { max_pool(*w, x, result, begin, end, lowest); });                   \
  }                                                                                                                    \
  EXPORT void max_places_##suffix(const Windows* w, const T* x, T* result, Index threads, Index in_batch,              \
                                  Index* argmax) {                                                                     \
    parallel_for_rows(                                                                                                 \
        w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,                     \
        [=](Index begin, Index end) { max_pool_argmax(*w, x, result, argmax, begin, end, in_batch != 0); });           \
  }                                                                                                                    \
  EXPORT void average_pooled_##suffix(const Windows* w, const T* x, T* result, Index threads) {                        \
    parallel_for_rows(w->lines(), w->columns.count * w->depth * w->rows.kernel * w->columns.kernel / 2, threads,       \
                      [=](Index begin, Index end) { average_pool(*w, x, result, begin, end); });                       \
  }                                                                                                                    \
  EXPORT void average_gradient_##suffix(const Windows* w, const T* gradient, T* result, Index threads) {               \
    parallel_for_rows(w->batch, w->image(), threads,                                                                   \
                      [=](Index begin, Index end) { average_pool_gradients(*w, gradient, result, begin, end); });      \
  }                                                                                                                    \
  EXPORT void max_gradient_##suffix(const Windows* w, const T* x, const T* gradient, T* result, Index threads,         \
                                    Index rectified) {                                                                 \
    parallel_for_rows(w->batch, w->image(), threads, [=](Index begin, Index end) {                                     \
      max_pool_gradients(*w, x, gradient, result, begin, end, rectified != 0);                                         \
    });                                                                                                                \
  }

KERNELS(f32, float)
KERNELS(f64, double)
