// Matrix products by NumPy's BLAS, divided among the threads of this library: parts of one product, or the products of
// a batch. A BLAS call is single-threaded; its thread then applies the epilogue (a bias and an activation, or the
// gradient of the activation) while the part is in its cache.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "elementary.h"
#include "threads.h"

namespace {

constexpr int ROW_MAJOR = 101, NOT_TRANSPOSED = 111, TRANSPOSED = 112;  // CBLAS constants
enum Activation : Index { IDENTITY, RELU, TANH, SIGMOID, RELU_GRADIENT };

// A product of two matrices with row stride `width`; `function` is cblas_sgemm or cblas_dgemm, with 64-bit sizes if
// `wide`. The result is divided along its rows or columns at `parts` + 1 bounds, and each part into pieces of at most
// `piece` columns; `after` is the epilogue.
struct Product {
  void* function;
  Index wide;
  Index rows, inner, columns;
  Index transposed_a, width_a, transposed_b, width_b;
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
inline T* array_data(const Product& product, const char* object) {
  if (product.field < 0) return reinterpret_cast<T*>(const_cast<char*>(object));
  T* address;
  std::memcpy(&address, object + product.field, sizeof address);
  return address;
}

#define ELEMENTWISE(name, expression)                                                                                  \
  template <class T>                                                                                                   \
  NOINLINE void name(T* __restrict values, [[maybe_unused]] const T* __restrict other, Index count) {                  \
    for (Index i = 0; i < count; ++i) values[i] = expression;                                                          \
  }
ELEMENTWISE(add_bias, values[i] + other[i])
ELEMENTWISE(rectify, (maximum(values[i], T(0))))
ELEMENTWISE(apply_tanh, hyperbolic_tangent(values[i]))
ELEMENTWISE(apply_sigmoid, logistic(values[i]))
ELEMENTWISE(relu_gradient, (values[i] * (other[i] > T(0) ? T(1) : T(0))))

// Applies the epilogue to `count` elements of a row.
template <class T>
inline void apply_epilogue(Index activation, T* values, const T* bias, const T* features, Index count) {
  if (bias != nullptr) add_bias(values, bias, count);
  if (activation == RELU) rectify<T>(values, nullptr, count);
  if (activation == TANH) apply_tanh<T>(values, nullptr, count);
  if (activation == SIGMOID) apply_sigmoid<T>(values, nullptr, count);
  if (activation == RELU_GRADIENT) relu_gradient(values, features, count);
}

template <class T, class Size>
void multiply_part(const Product& p, Index part, const T* a, const T* b, T* result, const T* bias, const T* features) {
  using Function = void (*)(int, int, int, Size, Size, Size, T, const T*, Size, const T*, Size, T, T*, Size);
  const auto function = reinterpret_cast<Function>(p.function);
  const Index begin = p.bounds[part], count = p.bounds[part + 1] - begin;
  if (count == 0) return;
  const T* left = p.by_rows ? a + begin * (p.transposed_a ? 1 : p.width_a) : a;
  const Index rows = p.by_rows ? count : p.rows;
  const Index first = p.by_rows ? 0 : begin, last = p.by_rows ? p.columns : begin + count;
  T* out = result + (p.by_rows ? begin * p.columns : 0);
  for (Index column = first; column < last; column += p.piece) {
    const Index columns = last - column < p.piece ? last - column : p.piece;
    function(ROW_MAJOR, p.transposed_a ? TRANSPOSED : NOT_TRANSPOSED, p.transposed_b ? TRANSPOSED : NOT_TRANSPOSED,
             Size(rows), Size(columns), Size(p.inner), T(1), left, Size(p.width_a),
             b + column * (p.transposed_b ? p.width_b : 1), Size(p.width_b), T(0), out + column, Size(p.columns));
  }
  if (bias == nullptr && p.after == IDENTITY) return;
  for (Index row = 0; row < rows; ++row) {
    const Index offset = (p.by_rows ? begin + row : row) * p.columns + first;
    apply_epilogue(p.after, result + offset, bias == nullptr ? bias : bias + first, features + offset, last - first);
  }
}

template <class T, class Size>
void multiply(const Product& p, const T* a, const T* b, T* result, const T* bias, const T* features) {
  parallel_for(p.parts, p.threads, [&](Index part) { multiply_part<T, Size>(p, part, a, b, result, bias, features); });
}

template <class T, class Size>
void multiply_batch(const Batch& batch, const T* a, const T* b, T* result) {
  const Product& p = batch.each;
  parallel_for(p.parts, p.threads, [&](Index part) {
    for (Index i = batch.count * part / p.parts; i < batch.count * (part + 1) / p.parts; ++i) {
      T* out = result + i * p.rows * p.columns;
      multiply_part<T, Size>(p, 0, a + i * batch.step_a, b + i * batch.step_b, out, nullptr, out);
    }
  });
}

}  // namespace

// Arrays are objects whose data addresses are at offset `field`. `bias` has one element per column and `features` has
// the shape of the result; both may be null.
#define EXPORT_PRODUCT(suffix, T)                                                                                      \
  EXPORT void product_##suffix(const Product* product, const char* a, const char* b, const char* result,               \
                               const char* bias, const char* features) {                                               \
    const T *left = array_data<T>(*product, a), *right = array_data<T>(*product, b);                                   \
    T* out = array_data<T>(*product, result);                                                                          \
    const T* bias_data = bias == nullptr ? nullptr : array_data<T>(*product, bias);                                    \
    const T* features_data = features == nullptr ? out : array_data<T>(*product, features);                            \
    if (product->wide)                                                                                                 \
      multiply<T, std::int64_t>(*product, left, right, out, bias_data, features_data);                                 \
    else                                                                                                               \
      multiply<T, std::int32_t>(*product, left, right, out, bias_data, features_data);                                 \
  }                                                                                                                    \
  EXPORT void products_##suffix(const Batch* batch, const char* a, const char* b, const char* result) {                \
    const T *left = array_data<T>(batch->each, a), *right = array_data<T>(batch->each, b);                             \
    T* out = array_data<T>(batch->each, result);                                                                       \
    if (batch->each.wide)                                                                                              \
      multiply_batch<T, std::int64_t>(*batch, left, right, out);                                                       \
    else                                                                                                               \
      multiply_batch<T, std::int32_t>(*batch, left, right, out);                                                       \
  }

EXPORT_PRODUCT(f32, float)
EXPORT_PRODUCT(f64, double)
