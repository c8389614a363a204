// Groups of elementwise operations as small programs, run over blocks that stay in the first cache.
//
// A program is steps of one operation each on registers. The registers 0 ... inputs - 1 are the inputs, the last ones
// the results; those between hold a block of intermediate values. All are read as matrices of the results' shape: an
// input has the distances of its rows and of its columns, 0 where the same element stands for all of them.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "lanes.h"
#include "scratch.h"
#include "threads.h"

namespace {

constexpr int MOST = 64;  // registers
constexpr Index FAR = 1 << 15;  // bytes of a part of an array from which on it is not in a cache near by

struct Step {
  std::int32_t operation, first, second, target;
};

template <class T>
using Operation = void (*)(const T* a, const T* b, T* out, Index count);

#define OPERATION(name, expression)                                           \
  template <class T>                                                          \
  void name(const T* first, const T* second, T* out, Index count) {           \
    ELEMENT_BY_ELEMENT                                                        \
    for (Index i = 0; i < count; ++i) {                                       \
      T a = first[i], b = second[i];                                          \
      (void)a, (void)b;                                                       \
      out[i] = expression;                                                    \
    }                                                                         \
  }

// The names that numpy and scipy have for them, in the order of their numbers.
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
  EACH(expit, logistic(a))                           \
  EACH(erf, error_function(a))                       \
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

// Copies the elements from `first` on of a matrix with these distances of rows and columns; a column is 0 or 1.
template <class T>
inline void gather(const T* matrix, Index columns, Index row_stride, Index column_stride, Index first, Index count,
                   T* out) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index some = columns - column < count ? columns - column : count;
    const T* from = matrix + row * row_stride + column * column_stride;
    if (column_stride != 0)
      std::memcpy(out, from, std::size_t(some) * sizeof(T));
    else
      for (Index i = 0; i < some; ++i) out[i] = *from;
    out += some, count -= some, ++row, column = 0;
  }
}

// The registers of a program: `strides` has the distances of each input's rows and columns.
struct Program {
  const Step* steps;
  Index count;
  Index inputs, registers, results;
  Index field;  // where in an object is the address of its elements; -1: the addresses are given themselves
};

template <class T>
inline T* elements(const Program& program, const char* object) {
  if (program.field < 0) return reinterpret_cast<T*>(const_cast<char*>(object));
  T* address;
  std::memcpy(&address, object + program.field, sizeof address);
  return address;
}

thread_local Scratch scratch;

// Asks for cache lines, or for the right to write them, while other work goes on.
template <bool written, class T>
inline void prefetch(const T* from, const T* to) {
  constexpr Index LINE = 64 / sizeof(T);
  for (; from < to; from += LINE) __builtin_prefetch(from, written, 2);
}

// Computes the elements from `begin` to `end`, `block` at a time. `objects` are the inputs and the results. False where
// there is no memory.
template <class T>
APART bool run(const Program& program, const char* const* objects, const Index* strides, Index begin, Index end,
               Index columns, Index block) {
  const T* inputs[MOST];
  T* results[MOST];
  for (Index r = 0; r < program.inputs; ++r) inputs[r] = elements<const T>(program, *objects++);
  for (Index k = 0; k < program.results; ++k) results[k] = elements<T>(program, *objects++);
  T* memory = static_cast<T*>(scratch.of(std::size_t(program.registers * block) * sizeof(T)));
  if (!memory) return false;
  const T* reads[MOST];
  T* writes[MOST];
  const Index first_result = program.registers - program.results;
  for (Index r = 0; r < program.registers; ++r) reads[r] = writes[r] = memory + r * block;
  const Index most = end - begin < block ? end - begin : block;
  for (Index r = 0; r < program.inputs; ++r)
    if (strides[2 * r] == 0 && strides[2 * r + 1] == 0)
      for (Index i = 0; i < most; ++i) writes[r][i] = *inputs[r];
  const bool far = (end - begin) * Index(sizeof(T)) >= FAR;
  for (Index first = begin; first < end; first += block) {
    const Index size = end - first < block ? end - first : block;
    for (Index r = 0; r < program.inputs; ++r) {
      const Index row = strides[2 * r], column = strides[2 * r + 1];
      if (column == 1 && row == columns)
        reads[r] = inputs[r] + first;
      else if (row != 0 || column != 0)
        gather(inputs[r], columns, row, column, first, size, writes[r]);
    }
    for (Index k = 0; k < program.results; ++k)
      reads[first_result + k] = writes[first_result + k] = results[k] + first;
    for (Index s = 0; s < program.count; ++s) {
      const Step& step = program.steps[s];
      table<T>[step.operation](reads[step.first], reads[step.second], writes[step.target], size);
      if (!far) continue;
      // What the next block reads and writes comes bit by bit, so that memory and arithmetic work at once.
      const Index next = end - first - size < block ? end - first - size : block;
      const Index from = size + next * s / program.count, to = size + next * (s + 1) / program.count;
      for (Index r = 0; r < program.inputs; ++r)
        if (reads[r] != writes[r]) prefetch<false>(reads[r] + from, reads[r] + to);
      for (Index k = first_result; k < program.registers; ++k) prefetch<true>(reads[k] + from, reads[k] + to);
    }
  }
  return true;
}

}  // namespace

#define NAME(name, expression) #name " "

// The operations' names in the order of their numbers.
EXPORT const char* program_operations() { return ALL(NAME); }
EXPORT int program_registers() { return MOST; }

// All elements, in parts: of whole rows, sixteen together, if there are enough, as products of matrices are divided.
#define KERNEL(suffix, T)                                                                                         \
  EXPORT int evaluate_##suffix(const Program* program, const char* const* objects, const Index* strides, Index size, \
                               Index columns, Index block, Index parts, Index threads) {                          \
    const Index step = size > 32 * parts * columns ? 16 * columns : 64;                                           \
    auto bound = [&](Index part) {                                                                                \
      Index end = ((size * part + parts - 1) / parts + step - 1) / step * step;                                   \
      return end < size ? end : size;                                                                             \
    };                                                                                                            \
    std::atomic<bool> done{true};                                                                                 \
    auto work = [&](Index part) {                                                                                 \
      if (!run<T>(*program, objects, strides, bound(part), bound(part + 1), columns, block)) done.store(false);   \
    };                                                                                                            \
    in_parts(parts, threads, work);                                                                               \
    return done;                                                                                                  \
  }

KERNEL(f32, float)
KERNEL(f64, double)
