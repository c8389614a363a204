// Matrix products by numpy's BLAS, divided among this library's threads: parts of one product, or the products of a
// batch. A BLAS call is single-threaded; its thread then applies the epilogue (a bias and an activation, or the
// activation's gradient) while the part is in its cache.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "elementary.h"
#include "threads.h"

namespace {

constexpr int ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112;  // CBLAS constants
enum After : Index { NOTHING, RELU, TANH, SIGMOID, RELU_GRADIENT };

// A product of two matrices with row stride `width`; `function` is cblas_sgemm or cblas_dgemm, with 64-bit sizes if
// `wide`. The result is divided along its rows or columns at `parts` + 1 bounds, and each part into pieces of at most
// `piece` columns; `after` is the epilogue.
struct Product {
  void* function;
  Index wide;
  Index rows, inner, columns;
  Index turned_a, width_a, turned_b, width_b;
  Index by_rows, parts, threads, piece;
  const Index* bounds;
  Index field;  // offset of the data address in an object; -1 if the objects are the data addresses
  Index after;
};

// Products of `count` pairs of matrices with strides `step_a` and `step_b`, one part each.
struct Batch {
  Product each;
  Index count, step_a, step_b;
};

template <class T>
inline T* elements(const Product& product, const char* object) {
  if (product.field < 0) return reinterpret_cast<T*>(const_cast<char*>(object));
  T* address;
  std::memcpy(&address, object + product.field, sizeof address);
  return address;
}

#define EACH(name, expression)                                                                                \
  template <class T>                                                                                          \
  NOINLINE void name(T* __restrict values, [[maybe_unused]] const T* __restrict beside, Index count) {           \
    for (Index i = 0; i < count; ++i) values[i] = expression;                                                 \
  }
EACH(add_to, values[i] + beside[i])
EACH(rectify, (maximum(values[i], T(0))))
EACH(tanh_of, hyperbolic_tangent(values[i]))
EACH(sigmoid_of, logistic(values[i]))
EACH(keep_positive, (values[i] * (beside[i] > T(0) ? T(1) : T(0))))

// Applies the epilogue to `count` elements of a row.
template <class T>
inline void finish(Index after, T* values, const T* bias, const T* features, Index count) {
  if (bias != nullptr) add_to(values, bias, count);
  if (after == RELU) rectify<T>(values, nullptr, count);
  if (after == TANH) tanh_of<T>(values, nullptr, count);
  if (after == SIGMOID) sigmoid_of<T>(values, nullptr, count);
  if (after == RELU_GRADIENT) keep_positive(values, features, count);
}

template <class T, class Size>
void multiply_part(const Product& p, Index part, const T* a, const T* b, T* result, const T* bias, const T* features) {
  using Function = void (*)(int, int, int, Size, Size, Size, T, const T*, Size, const T*, Size, T, T*, Size);
  const auto function = reinterpret_cast<Function>(p.function);
  const Index begin = p.bounds[part], count = p.bounds[part + 1] - begin;
  if (count == 0) return;
  const T* left = p.by_rows ? a + begin * (p.turned_a ? 1 : p.width_a) : a;
  const Index rows = p.by_rows ? count : p.rows;
  const Index first = p.by_rows ? 0 : begin, last = p.by_rows ? p.columns : begin + count;
  T* out = result + (p.by_rows ? begin * p.columns : 0);
  for (Index column = first; column < last; column += p.piece) {
    const Index columns = last - column < p.piece ? last - column : p.piece;
    function(ROW_MAJOR, p.turned_a ? TRANSPOSED : PLAIN, p.turned_b ? TRANSPOSED : PLAIN, Size(rows), Size(columns),
             Size(p.inner), T(1), left, Size(p.width_a), b + column * (p.turned_b ? p.width_b : 1), Size(p.width_b),
             T(0), out + column, Size(p.columns));
  }
  if (bias == nullptr && p.after == NOTHING) return;
  for (Index row = 0; row < rows; ++row) {
    const Index at = (p.by_rows ? begin + row : row) * p.columns + first;
    finish(p.after, result + at, bias == nullptr ? bias : bias + first, features + at, last - first);
  }
}

template <class T, class Size>
void multiply(const Product& p, const T* a, const T* b, T* result, const T* bias, const T* features) {
  in_parts(p.parts, p.threads, [&](Index part) { multiply_part<T, Size>(p, part, a, b, result, bias, features); });
}

template <class T, class Size>
void multiply_batch(const Batch& batch, const T* a, const T* b, T* result) {
  const Product& p = batch.each;
  in_parts(p.parts, p.threads, [&](Index part) {
    for (Index i = batch.count * part / p.parts; i < batch.count * (part + 1) / p.parts; ++i) {
      T* out = result + i * p.rows * p.columns;
      multiply_part<T, Size>(p, 0, a + i * batch.step_a, b + i * batch.step_b, out, nullptr, out);
    }
  });
}

}  // namespace

// Arrays are objects whose data addresses are at offset `field`. `bias` has one element per column and `features` the
// result's shape; both may be null.
#define EXPORT_PRODUCT(suffix, T)                                                                                            \
  EXPORT void product_##suffix(const Product* product, const char* a, const char* b, const char* result,             \
                               const char* bias, const char* features) {                                             \
    const T *left = elements<T>(*product, a), *right = elements<T>(*product, b);                                     \
    T* out = elements<T>(*product, result);                                                                          \
    const T* added = bias == nullptr ? nullptr : elements<T>(*product, bias);                                        \
    const T* beside = features == nullptr ? out : elements<T>(*product, features);                                   \
    if (product->wide)                                                                                               \
      multiply<T, std::int64_t>(*product, left, right, out, added, beside);                                          \
    else                                                                                                             \
      multiply<T, std::int32_t>(*product, left, right, out, added, beside);                                          \
  }                                                                                                                  \
  EXPORT void products_##suffix(const Batch* batch, const char* a, const char* b, const char* result) {              \
    const T *left = elements<T>(batch->each, a), *right = elements<T>(batch->each, b);                               \
    T* out = elements<T>(batch->each, result);                                                                       \
    if (batch->each.wide)                                                                                            \
      multiply_batch<T, std::int64_t>(*batch, left, right, out);                                                     \
    else                                                                                                             \
      multiply_batch<T, std::int32_t>(*batch, left, right, out);                                                     \
  }

EXPORT_PRODUCT(f32, float)
EXPORT_PRODUCT(f64, double)
