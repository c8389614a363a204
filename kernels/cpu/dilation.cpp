// Grayscale dilation of images [batch, rows, columns, depth] and its gradients. The filter is scanned in order; ties go
// to the first element. The gradients of an image are added by one thread, window by window.

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

struct Axis {
  Index size, kernel, stride, dilation, before, count;
  // The windows whose element `offset` is inside the image: from `first` up to `last`, exclusive.
  Index first(Index offset) const {
    const Index start = before - offset * dilation;
    return start > 0 ? (start + stride - 1) / stride : 0;
  }
  Index last(Index offset) const {
    const Index room = size - 1 + before - offset * dilation;
    const Index end = room < 0 ? 0 : room / stride + 1;
    return end < count ? end : count;
  }
  Index start(Index window) const { return window * stride - before; }
};

struct Windows {
  Index batch, depth;
  Axis rows, columns;
  Index line() const { return columns.count * depth; }
  Index image() const { return rows.size * columns.size * depth; }
};

template <class T>
struct Number;
template <>
struct Number<float> { using type = std::int32_t; };
template <>
struct Number<double> { using type = std::int64_t; };

template <class T>
inline void update_max(const T* __restrict x, const T* __restrict filter, T* __restrict max_values, Index count) {
  for (Index i = 0; i < count; ++i) {
    const T sum = x[i] + filter[i];
    max_values[i] = sum > max_values[i] ? sum : max_values[i];
  }
}

template <class T, class N>
inline void update_argmax(const T* __restrict x, const T* __restrict filter, T* __restrict max_values,
                          N* __restrict argmax, N element, Index count) {
  for (Index i = 0; i < count; ++i) {
    const T sum = x[i] + filter[i];
    const bool is_larger = sum > max_values[i];
    max_values[i] = is_larger ? sum : max_values[i];
    argmax[i] = is_larger ? element : argmax[i];
  }
}

// Calls body(filter element, input, filter values, offset in the result row, count) for each contiguous run under a row
// of windows. The filter is [rows, columns, depth] or, for adjacent windows, repeated as [rows, columns, line].
template <class T, class Body>
inline void for_each_run(const Windows& w, const T* image, const T* filter, Index row, const Body& body) {
  const bool is_contiguous = w.columns.stride == 1;
  const Index filter_stride = is_contiguous ? w.line() : w.depth;
  for (Index i = 0; i < w.rows.kernel; ++i) {
    const Index y = w.rows.start(row) + i * w.rows.dilation;
    if (y < 0 || y >= w.rows.size) continue;
    for (Index j = 0; j < w.columns.kernel; ++j) {
      const Index first = w.columns.first(j), last = w.columns.last(j), element = i * w.columns.kernel + j;
      if (first >= last) continue;
      const Index x = w.columns.start(first) + j * w.columns.dilation;
      const T* input = image + (y * w.columns.size + x) * w.depth;
      const T* filter_values = filter + element * filter_stride;
      if (is_contiguous) {
        body(element, input, filter_values, first * w.depth, (last - first) * w.depth);
        continue;
      }
      for (Index column = first; column < last; ++column, input += w.columns.stride * w.depth)
        body(element, input, filter_values, column * w.depth, w.depth);
    }
  }
}

template <class T>
NOINLINE void dilate(const Windows& w, const T* x, const T* filter, T* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    T* max_values = result + line * w.line();
    for (Index i = 0; i < w.line(); ++i) max_values[i] = std::numeric_limits<T>::lowest();
    for_each_run(w, x + line / w.rows.count * w.image(), filter, line % w.rows.count,
                 [&](Index, const T* input, const T* filter_values, Index offset, Index count) {
                   update_max(input, filter_values, max_values + offset, count);
                 });
  }
}

// Calls body(row, column, channel, filter element of the maximum or -1, gradient) for all windows of an image. Returns
// false if out of memory, like the functions below.
template <class T, class Body>
inline bool for_each_argmax(const Windows& w, const T* image, const T* filter, const T* gradient, const Body& body) {
  using N = typename Number<T>::type;
  const Index line = w.line();
  T* max_values = static_cast<T*>(scratch.reserve(std::size_t(line) * 2 * sizeof(T)));
  if (!max_values) return false;
  N* argmax = reinterpret_cast<N*>(max_values + line);
  for (Index row = 0; row < w.rows.count; ++row) {
    for (Index i = 0; i < line; ++i) max_values[i] = std::numeric_limits<T>::lowest(), argmax[i] = N(-1);
    for_each_run(w, image, filter, row,
                 [&](Index element, const T* input, const T* filter_values, Index offset, Index count) {
                   update_argmax(input, filter_values, max_values + offset, argmax + offset, N(element), count);
                 });
    const T* output_gradient = gradient + row * line;
    for (Index column = 0, i = 0; column < w.columns.count; ++column)
      for (Index c = 0; c < w.depth; ++c, ++i) body(row, column, c, Index(argmax[i]), output_gradient[i]);
  }
  return true;
}

inline Index clamp_index(Index index, Index size) { return index < 0 ? 0 : index < size ? index : size - 1; }

// Computes input gradients; the gradient of a window without a maximum is added at its start.
template <class T>
NOINLINE bool input_gradients(const Windows& w, const T* x, const T* filter, const T* gradient, T* result, Index begin,
                           Index end) {
  for (Index image = begin; image < end; ++image) {
    T* target = result + image * w.image();
    for (Index i = 0; i < w.image(); ++i) target[i] = T(0);
    auto add = [&](Index row, Index column, Index c, Index number, T value) {
      Index y = w.rows.start(row), left = w.columns.start(column);
      if (number < 0) {
        y = clamp_index(y, w.rows.size), left = clamp_index(left, w.columns.size);
      } else {
        const std::uint32_t n = std::uint32_t(number), wide = std::uint32_t(w.columns.kernel);
        y += Index(n / wide) * w.rows.dilation, left += Index(n % wide) * w.columns.dilation;
      }
      target[(y * w.columns.size + left) * w.depth + c] += value;
    };
    if (!for_each_argmax(w, x + image * w.image(), filter, gradient + image * w.rows.count * w.line(), add))
      return false;
  }
  return true;
}

// Computes filter gradients [batch, filter], one per image.
template <class T>
NOINLINE bool filter_gradients(const Windows& w, const T* x, const T* filter, const T* gradient, T* result, Index begin,
                            Index end) {
  const Index size = w.rows.kernel * w.columns.kernel * w.depth;
  for (Index image = begin; image < end; ++image) {
    T* target = result + image * size;
    for (Index i = 0; i < size; ++i) target[i] = T(0);
    auto add = [&](Index, Index, Index c, Index number, T value) {
      target[(number < 0 ? 0 : number) * w.depth + c] += value;
    };
    if (!for_each_argmax(w, x + image * w.image(), filter, gradient + image * w.rows.count * w.line(), add))
      return false;
  }
  return true;
}

}  // namespace

#define KERNELS(suffix, T)                                                                                             \
  EXPORT int dilated_##suffix(const Windows* w, const T* x, const T* filter, T* result, Index threads) {               \
    parallel_for_rows(w->batch * w->rows.count, w->line() * w->rows.kernel * w->columns.kernel / 4, threads,           \
                      [=](Index begin, Index end) { dilate(*w, x, filter, result, begin, end); });                     \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int dilation_input_gradient_##suffix(const Windows* w, const T* x, const T* filter, const T* gradient,        \
                                              T* result, Index threads) {                                              \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_rows(w->batch, GRAIN, threads, [=, &done](Index begin, Index end) {                                   \
      if (!input_gradients(*w, x, filter, gradient, result, begin, end)) done.store(false);                            \
    });                                                                                                                \
    return done;                                                                                                       \
  }                                                                                                                    \
  EXPORT int dilation_filter_gradient_##suffix(const Windows* w, const T* x, const T* filter, const T* gradient,       \
                                               T* result, Index threads) {                                             \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_rows(w->batch, GRAIN, threads, [=, &done](Index begin, Index end) {                                   \
      if (!filter_gradients(*w, x, filter, gradient, result, begin, end)) done.store(false);                           \
    });                                                                                                                \
    return done;                                                                                                       \
  }

KERNELS(f32, float)
KERNELS(f64, double)
