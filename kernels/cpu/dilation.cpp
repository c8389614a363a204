// Grayscale dilation of images [batch, rows, columns, depth] and its gradients. The filter is scanned in order; ties go
// to the first element. One thread adds an image's gradients, window by window.

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

struct Axis {
  Index size, kernel, stride, dilation, before, count;
  // The windows whose element `offset` is inside the image: `first` to `last`, exclusive.
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
inline void raise(const T* __restrict x, const T* __restrict filter, T* __restrict most, Index count) {
  for (Index i = 0; i < count; ++i) {
    const T sum = x[i] + filter[i];
    most[i] = sum > most[i] ? sum : most[i];
  }
}

template <class T, class N>
inline void raise_numbered(const T* __restrict x, const T* __restrict filter, T* __restrict most, N* __restrict number,
                           N own, Index count) {
  for (Index i = 0; i < count; ++i) {
    const T sum = x[i] + filter[i];
    const bool larger = sum > most[i];
    most[i] = larger ? sum : most[i];
    number[i] = larger ? own : number[i];
  }
}

// Calls body(filter element, input, filter, offset in the result row, count) for each contiguous run under a row of
// windows. The filter is [rows, columns, depth] or, for adjacent windows, repeated as [rows, columns, line].
template <class T, class Body>
inline void over_line(const Windows& w, const T* image, const T* filter, Index row, const Body& body) {
  const bool side_by_side = w.columns.stride == 1;
  const Index wide = side_by_side ? w.line() : w.depth;
  for (Index i = 0; i < w.rows.kernel; ++i) {
    const Index y = w.rows.start(row) + i * w.rows.dilation;
    if (y < 0 || y >= w.rows.size) continue;
    for (Index j = 0; j < w.columns.kernel; ++j) {
      const Index first = w.columns.first(j), last = w.columns.last(j), own = i * w.columns.kernel + j;
      if (first >= last) continue;
      const Index x = w.columns.start(first) + j * w.columns.dilation;
      const T* from = image + (y * w.columns.size + x) * w.depth;
      const T* added = filter + own * wide;
      if (side_by_side) {
        body(own, from, added, first * w.depth, (last - first) * w.depth);
        continue;
      }
      for (Index column = first; column < last; ++column, from += w.columns.stride * w.depth)
        body(own, from, added, column * w.depth, w.depth);
    }
  }
}

template <class T>
NOINLINE void dilate(const Windows& w, const T* x, const T* filter, T* result, Index begin, Index end) {
  for (Index line = begin; line < end; ++line) {
    T* most = result + line * w.line();
    for (Index i = 0; i < w.line(); ++i) most[i] = std::numeric_limits<T>::lowest();
    over_line(w, x + line / w.rows.count * w.image(), filter, line % w.rows.count,
              [&](Index, const T* from, const T* added, Index at, Index count) { raise(from, added, most + at, count); });
  }
}

// Calls body(row, column, channel, filter element of the maximum or -1, gradient) for all windows of an image. False if
// out of memory, as below.
template <class T, class Body>
inline bool over_choices(const Windows& w, const T* image, const T* filter, const T* gradient, const Body& body) {
  using N = typename Number<T>::type;
  const Index line = w.line();
  T* most = static_cast<T*>(scratch.of(std::size_t(line) * 2 * sizeof(T)));
  if (!most) return false;
  N* number = reinterpret_cast<N*>(most + line);
  for (Index row = 0; row < w.rows.count; ++row) {
    for (Index i = 0; i < line; ++i) most[i] = std::numeric_limits<T>::lowest(), number[i] = N(-1);
    over_line(w, image, filter, row, [&](Index own, const T* from, const T* added, Index at, Index count) {
      raise_numbered(from, added, most + at, number + at, N(own), count);
    });
    const T* given = gradient + row * line;
    for (Index column = 0, i = 0; column < w.columns.count; ++column)
      for (Index c = 0; c < w.depth; ++c, ++i) body(row, column, c, Index(number[i]), given[i]);
  }
  return true;
}

inline Index clipped(Index place, Index size) { return place < 0 ? 0 : place < size ? place : size - 1; }

// The gradient of a window without a maximum is added at its start.
template <class T>
NOINLINE bool input_gradients(const Windows& w, const T* x, const T* filter, const T* gradient, T* result, Index begin,
                           Index end) {
  for (Index image = begin; image < end; ++image) {
    T* into = result + image * w.image();
    for (Index i = 0; i < w.image(); ++i) into[i] = T(0);
    auto add = [&](Index row, Index column, Index c, Index number, T own) {
      Index y = w.rows.start(row), left = w.columns.start(column);
      if (number < 0) {
        y = clipped(y, w.rows.size), left = clipped(left, w.columns.size);
      } else {
        const std::uint32_t n = std::uint32_t(number), wide = std::uint32_t(w.columns.kernel);
        y += Index(n / wide) * w.rows.dilation, left += Index(n % wide) * w.columns.dilation;
      }
      into[(y * w.columns.size + left) * w.depth + c] += own;
    };
    if (!over_choices(w, x + image * w.image(), filter, gradient + image * w.rows.count * w.line(), add)) return false;
  }
  return true;
}

// Filter gradients [batch, filter], one per image.
template <class T>
NOINLINE bool filter_gradients(const Windows& w, const T* x, const T* filter, const T* gradient, T* result, Index begin,
                            Index end) {
  const Index size = w.rows.kernel * w.columns.kernel * w.depth;
  for (Index image = begin; image < end; ++image) {
    T* into = result + image * size;
    for (Index i = 0; i < size; ++i) into[i] = T(0);
    auto add = [&](Index, Index, Index c, Index number, T own) { into[(number < 0 ? 0 : number) * w.depth + c] += own; };
    if (!over_choices(w, x + image * w.image(), filter, gradient + image * w.rows.count * w.line(), add)) return false;
  }
  return true;
}

}  // namespace

#define KERNELS(suffix, T)                                                                                             \
  EXPORT int dilated_##suffix(const Windows* w, const T* x, const T* filter, T* result, Index threads) {               \
    in_rows(w->batch * w->rows.count, w->line() * w->rows.kernel * w->columns.kernel / 4, threads,                     \
            [=](Index begin, Index end) { dilate(*w, x, filter, result, begin, end); });                               \
    return true;                                                                                                       \
  }                                                                                                                    \
  EXPORT int dilation_input_gradient_##suffix(const Windows* w, const T* x, const T* filter, const T* gradient,        \
                                              T* result, Index threads) {                                              \
    std::atomic<bool> done{true};                                                                                      \
    in_rows(w->batch, PIECE, threads, [=, &done](Index begin, Index end) {                                             \
      if (!input_gradients(*w, x, filter, gradient, result, begin, end)) done.store(false);                            \
    });                                                                                                                \
    return done;                                                                                                       \
  }                                                                                                                    \
  EXPORT int dilation_filter_gradient_##suffix(const Windows* w, const T* x, const T* filter, const T* gradient,       \
                                               T* result, Index threads) {                                             \
    std::atomic<bool> done{true};                                                                                      \
    in_rows(w->batch, PIECE, threads, [=, &done](Index begin, Index end) {                                             \
      if (!filter_gradients(*w, x, filter, gradient, result, begin, end)) done.store(false);                           \
    });                                                                                                                \
    return done;                                                                                                       \
  }

KERNELS(f32, float)
KERNELS(f64, double)
