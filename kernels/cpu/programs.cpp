// Groups of elementwise operations as small programs, run over blocks that stay in the first cache.
//
// A program is steps of one operation each on registers. The registers 0 ... inputs - 1 are the inputs; those after them
// hold a block of intermediate values; the last step writes the result. An input is an array in one piece, a matrix whose
// rows lie apart (a slice of columns), or one element for all.

#include "lanes.h"

namespace {

constexpr Index BLOCK = 1024;  // elements: a dozen registers of floats fit 48 KiB
constexpr int MOST = 64;       // registers

struct Step {
  std::int32_t operation, first, second, target;
};

template <class T>
using Operation = void (*)(const T* a, const T* b, T* out, Index count);

#define OPERATION(name, expression)                                           \
  template <class T>                                                          \
  void name(const T* first, const T* second, T* out, Index count) {           \
    _Pragma("GCC ivdep") /* `out` is apart from an operand, or the same */    \
    for (Index i = 0; i < count; ++i) {                                       \
      T a = first[i], b = second[i];                                          \
      (void)a, (void)b;                                                       \
      out[i] = expression;                                                    \
    }                                                                         \
  }

// numpy's names, in the order of their numbers.
#define ALL(EACH)                                    \
  EACH(positive, a)                                  \
  EACH(negative, -a)                                 \
  EACH(absolute, magnitude(a))                       \
  EACH(sign, sign_of(a))                             \
  EACH(square, a * a)                                \
  EACH(sqrt, square_root(a))                         \
  EACH(reciprocal, T(1) / a)                         \
  EACH(exp, exponential(a))                          \
  EACH(expm1, exponential_minus_one(a))              \
  EACH(log, logarithm(a))                            \
  EACH(log1p, logarithm_of_one_plus(a))              \
  EACH(tanh, hyperbolic_tangent(a))                  \
  EACH(add, a + b)                                   \
  EACH(subtract, a - b)                              \
  EACH(multiply, a * b)                              \
  EACH(divide, a / b)                                \
  EACH(maximum, (::maximum(a, b)))                   \
  EACH(minimum, (::minimum(a, b)))                   \
  EACH(fmax, fmax_of(a, b))                          \
  EACH(fmin, fmin_of(a, b))                          \
  EACH(logaddexp, (::maximum(a, b)) + logarithm_of_one_plus(exponential(-magnitude(a == b ? T(0) : a - b))))

namespace operations {
ALL(OPERATION)
}

#define ENTRY(name, expression) operations::name<T>,
template <class T>
constexpr Operation<T> table[] = {ALL(ENTRY)};

// Copies the elements from `first` on of a matrix whose rows are `stride` elements apart.
template <class T>
inline void gather(const T* matrix, Index columns, Index stride, Index first, Index count, T* out) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index some = columns - column < count ? columns - column : count;
    std::memcpy(out, matrix + row * stride + column, std::size_t(some) * sizeof(T));
    out += some, count -= some, ++row, column = 0;
  }
}

// `strides` has for each input 0 for one element, 1 for an array in one piece, or what lies between a matrix's rows.
template <class T>
void run(const Step* steps, int count, const T* const* inputs, const Index* strides, int input_count, T* result,
         Index begin, Index end, Index columns, T* memory) {
  const T* reads[MOST];
  T* writes[MOST] = {};
  for (int r = 0; r < MOST; ++r) reads[r] = writes[r] = memory + r * BLOCK;
  for (int r = 0; r < input_count; ++r)
    if (strides[r] == 0)
      for (Index i = 0; i < BLOCK; ++i) writes[r][i] = *inputs[r];
  for (Index first = begin; first < end; first += BLOCK) {
    Index size = end - first < BLOCK ? end - first : BLOCK;
    for (int r = 0; r < input_count; ++r)
      if (strides[r] == 1)
        reads[r] = inputs[r] + first;
      else if (strides[r] != 0)
        gather(inputs[r], columns, strides[r], first, size, writes[r]);
    for (int s = 0; s < count; ++s) {
      const Step& step = steps[s];
      T* out = s + 1 == count ? result + first : writes[step.target];
      table<T>[step.operation](reads[step.first], reads[step.second], out, size);
    }
  }
}

}  // namespace

#define NAME(name, expression) #name " "

// The operations' names in the order of their numbers.
EXPORT const char* program_operations() { return ALL(NAME); }
EXPORT int program_registers() { return MOST; }
// Elements that `memory` of a program with so many registers has.
EXPORT Index program_memory(int registers) { return registers * BLOCK; }

#define KERNEL(suffix, T)                                                                                     \
  EXPORT void program_##suffix(const Step* steps, int count, const T* const* inputs, const Index* strides,       \
                               int input_count, T* result, Index begin, Index end, Index columns, T* memory) {   \
    run(steps, count, inputs, strides, input_count, result, begin, end, columns, memory);                        \
  }

KERNEL(f32, float)
KERNEL(f64, double)
