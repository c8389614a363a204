// Products of matrices by the linear algebra library below numpy, on one thread each, divided over this library's.

#include "threads.h"

namespace {

constexpr int ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112;  // of CBLAS

// A product of two matrices by rows of `width` elements; `function` is a cblas_sgemm or cblas_dgemm whose sizes are
// 64-bit numbers if `wide`. Its result is divided along its rows or its columns at `parts` + 1 bounds, and a part into
// pieces of at most so many columns.
struct Product {
  void* function;
  Index wide;
  Index rows, inner, columns;
  Index turned_a, width_a, turned_b, width_b;
  Index by_rows, parts, threads, piece;
  const Index* bounds;
  Index field;  // where in an object is the address of its elements; -1: the addresses are given themselves
};

template <class T>
inline T* elements(const Product& product, const char* object) {
  if (product.field < 0) return reinterpret_cast<T*>(const_cast<char*>(object));
  T* address;
  std::memcpy(&address, object + product.field, sizeof address);
  return address;
}

template <class T, class Size>
void multiply(const Product& p, const T* a, const T* b, T* result) {
  using Function = void (*)(int, int, int, Size, Size, Size, T, const T*, Size, const T*, Size, T, T*, Size);
  const auto function = reinterpret_cast<Function>(p.function);
  auto work = [&](Index part) {
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
  };
  in_parts(p.parts, p.threads, work);
}

}  // namespace

// The arrays are objects as `field` says.
#define KERNEL(suffix, T)                                                                                      \
  EXPORT void product_##suffix(const Product* product, const char* a, const char* b, const char* result) {     \
    const T *left = elements<T>(*product, a), *right = elements<T>(*product, b);                               \
    T* out = elements<T>(*product, result);                                                                    \
    if (product->wide)                                                                                         \
      multiply<T, std::int64_t>(*product, left, right, out);                                                   \
    else                                                                                                       \
      multiply<T, std::int32_t>(*product, left, right, out);                                                   \
  }

KERNEL(f32, float)
KERNEL(f64, double)
