// Fused elementwise operations: small programs, evaluated block by block in the L1 cache.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "elementwise_program.h"

#include "gamma_functions.h"
#include "half.h"
#include "lanes.h"
#include "power.h"
#include "scratch.h"
#include "threads.h"
#include "trigonometry.h"

namespace {

constexpr int MAX_REGISTERS = 64;
constexpr Index MIN_PREFETCHED_BYTES = 1 << 15;  // of an array; smaller ones are in the L1 cache

template <class T>
using Operation = void (*)(const T* a, const T* b, const T* c, T* out, Index count);

#define OPERATION(name, expression)                                           \
  template <class T>                                                          \
  void name(const T* first, const T* second, const T* third, T* out, Index count) {\
    ELEMENT_BY_ELEMENT                                                        \
    for (Index i = 0; i < count; ++i) {                                       \
      T a = first[i], b = second[i], c = third[i];                            \
      (void)a, (void)b, (void)c;                                              \
      out[i] = expression;                                                    \
    }                                                                         \
  }

// Operations in numerical order, with numpy's and scipy's names; gradients have TensorFlow's. Gradients take the
// function's result `a` and the incoming gradient `b`, and keep zeros of `b`. TensorFlow's maximum and minimum,
// `larger` and `smaller`, return `a` if either operand is NaN.
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
  EACH(larger, a < b ? b : a)                        \
  EACH(smaller, a > b ? b : a)                       \
  EACH(greater, T(a > b))                            \
  EACH(greater_equal, T(a >= b))                     \
  EACH(less, T(a < b))                               \
  EACH(less_equal, T(a <= b))                        \
  EACH(equal, T(a == b))                             \
  EACH(not_equal, T(a != b))                         \
  EACH(where, a != T(0) ? b : c)                     \
  EACH(sqrt_grad, b == T(0) ? T(0) : b * T(0.5) / a) \
  EACH(rsqrt_grad, b == T(0) ? T(0) : (b * T(-0.5)) * ((a * a) * a)) \
  EACH(reciprocal_grad, b == T(0) ? T(0) : -b * (a * a)) \
  EACH(softsign, a / (magnitude(a) + T(1)))          \
  EACH(softsign_grad, a / ((magnitude(b) + T(1)) * (magnitude(b) + T(1)))) \
  EACH(floor, std::floor(a))                         \
  EACH(softplus, softplus_of(a))                     \
  EACH(to_half, T(Half(a)))
// Operations implemented as functions on whole blocks.
#define MORE(EACH)                                                       \
  EACH(remainder, ) EACH(sin, ) EACH(cos, ) EACH(lgamma, ) EACH(digamma, ) \
  EACH(i0e, ) EACH(i1e, ) EACH(igamma, ) EACH(igammac, ) EACH(igamma_slope, ) EACH(zeta, ) EACH(polygamma, ) \
  EACH(tan, ) EACH(arcsin, ) EACH(arccos, ) EACH(arctan, ) EACH(sinh, ) EACH(cosh, ) EACH(arcsinh, )      \
  EACH(arccosh, ) EACH(arctanh, ) EACH(arctan2, ) EACH(power, ) EACH(betainc, ) EACH(erfc, )

namespace operations {
ALL(OPERATION)

template <class T>
inline T remainder_of(T a, T b) {
  const T rest = std::fmod(a, b);
  if (rest == 0) return with_sign_of(T(0), b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

// numpy's remainder. For floats, a truncated quotient below 2^29 and its product with b are exact in doubles. If the
// quotient was rounded up, the remainder has the wrong sign; b is added to it, as it is if the signs of a and b differ.
template <class T>
void remainder(const T* first, const T* second, const T*, T* out, Index count) {
  constexpr Index BLOCK = 64;
  for (Index begin = 0; begin < count; begin += BLOCK) {
    const Index size = count - begin < BLOCK ? count - begin : BLOCK;
    T rests[BLOCK];
    int outside = sizeof(T) == sizeof(double);
    if (!outside)
      for (Index i = 0; i < size; ++i) {
        const double a = first[begin + i], b = second[begin + i], quotient = a / b;
        double rest = a - __builtin_trunc(quotient) * b;
        rest = rest * b < 0 ? rest + b : rest;
        outside |= !(magnitude(quotient) < double(1 << 29)) | !(magnitude(rest) <= magnitude(b));
        rests[i] = T(rest == 0 ? with_sign_of(0.0, b) : rest);
      }
    if (outside)
      for (Index i = 0; i < size; ++i) rests[i] = remainder_of(first[begin + i], second[begin + i]);
    std::memcpy(out + begin, rests, std::size_t(size) * sizeof(T));
  }
}

#define IN_DOUBLES(name, Function)                                                             \
  template <class T>                                                                           \
  void name(const T* first, const T*, const T*, T* out, Index count) {                         \
    in_doubles::apply_to_all(in_doubles::apply<in_doubles::Function>, first, out, count);      \
  }
IN_DOUBLES(sin, Sine<0>)
IN_DOUBLES(cos, Sine<1>)
IN_DOUBLES(lgamma, LogGamma)
IN_DOUBLES(digamma, Digamma)
IN_DOUBLES(i0e, ScaledBessel<0>)
IN_DOUBLES(i1e, ScaledBessel<1>)

#define OF_FLOATS(name, Function)                                                              \
  template <class T>                                                                           \
  void name(const T* first, const T*, const T*, T* out, Index count) {                         \
    in_doubles::apply_to_floats<in_doubles::Function>(first, out, count);                      \
  }
OF_FLOATS(erfc, ComplementaryError)
OF_FLOATS(tan, Tangent)
OF_FLOATS(arcsin, Arcsine)
OF_FLOATS(arccos, Arccosine)
OF_FLOATS(arctan, Arctangent)
OF_FLOATS(sinh, HyperbolicSine)
OF_FLOATS(cosh, HyperbolicCosine)
OF_FLOATS(arcsinh, InverseHyperbolicSine)
OF_FLOATS(arccosh, InverseHyperbolicCosine)
OF_FLOATS(arctanh, InverseHyperbolicTangent)

template <class T>
void arctan2(const T* first, const T* second, const T*, T* out, Index count) {
  in_doubles::angles(first, second, out, count);
}

template <class T>
void power(const T* first, const T* second, const T*, T* out, Index count) {
  in_doubles::powers(first, second, out, count);
}

#define OF_PAIRS(name, function)                                                               \
  template <class T>                                                                           \
  void name(const T* first, const T* second, const T*, T* out, Index count) {                  \
    in_doubles::apply_to_pairs(in_doubles::function, first, second, out, count);               \
  }
OF_PAIRS(igamma, incomplete_gamma<in_doubles::LOWER>)
OF_PAIRS(igammac, incomplete_gamma<in_doubles::UPPER>)
OF_PAIRS(igamma_slope, incomplete_gamma<in_doubles::SLOPE>)
OF_PAIRS(zeta, zeta)
OF_PAIRS(polygamma, polygamma)

template <class T>
void betainc(const T* a, const T* b, const T* x, T* out, Index count) {
  in_doubles::incomplete_betas(a, b, x, out, count);
}
}  // namespace operations

#define ENTRY(name, expression) operations::name<T>,
template <class T>
constexpr Operation<T> table[] = {ALL(ENTRY) MORE(ENTRY)};

// Copies elements, from index `first` on, of a matrix whose column stride is 0 or 1.
template <class T, class U>
NOINLINE void gather(const T* matrix, Index columns, const Place& place, Index first, Index count, U* out) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index some = columns - column < count ? columns - column : count;
    const T* from = matrix + row * place.row + column * place.column;
    if (place.column != 0) {
      ELEMENT_BY_ELEMENT
      for (Index i = 0; i < some; ++i) out[i] = U(from[i]);
    } else {
      for (Index i = 0; i < some; ++i) out[i] = U(*from);
    }
    out += some, count -= some, ++row, column = 0;
  }
}

// The inverse of `gather`.
template <class T, class U>
NOINLINE void scatter(const T* in, Index columns, const Place& place, Index first, Index count, U* matrix) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index some = columns - column < count ? columns - column : count;
    U* to = matrix + row * place.row + column;
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < some; ++i) to[i] = U(in[i]);
    in += some, count -= some, ++row, column = 0;
  }
}

template <class T>
inline T* elements(const Program& program, const char* object) {
  if (program.field < 0) return reinterpret_cast<T*>(const_cast<char*>(object));
  T* address;
  std::memcpy(&address, object + program.field, sizeof address);
  return address;
}

thread_local Scratch scratch;

// Prefetches cache lines for reading or writing.
template <class T>
inline void prefetch(const T* from, Index count, bool written) {
  constexpr Index LINE = 64 / sizeof(T);
  for (Index i = 0; i < count; i += LINE)
    if (written)
      __builtin_prefetch(from + i, 1, 2);
    else
      __builtin_prefetch(from + i, 0, 2);
}

template <class T>
NOINLINE bool run(const Program& program, const char* const* objects, const Place* places, Index begin, Index end,
               Index columns, Index block) {
  if (begin >= end) return true;  // `columns` may be 0
  const Index first_result = program.registers - program.results;
  T* memory = static_cast<T*>(scratch.of(std::size_t(program.registers * block) * sizeof(T)));
  if (!memory) return false;
  const T* reads[MAX_REGISTERS];
  T* writes[MAX_REGISTERS];
  T* arrays[MAX_REGISTERS];
  Place lies[MAX_REGISTERS];
  bool is_direct[MAX_REGISTERS] = {};  // read and written in place
  for (Index r = 0; r < program.registers; ++r) {
    reads[r] = writes[r] = memory + r * block;
    if (r >= program.inputs && r < first_result) continue;
    lies[r] = *places++;
    arrays[r] = elements<T>(program, *objects++);
    if (lies[r].elements == OWN_TYPE) arrays[r] += lies[r].offset;
    is_direct[r] = lies[r].column == 1 && lies[r].row == columns && lies[r].elements == OWN_TYPE;
  }
  const Index most = end - begin < block ? end - begin : block;
  auto bytes = [&](Index r) { return reinterpret_cast<std::uint8_t*>(arrays[r]) + lies[r].offset; };
  auto halves = [&](Index r) { return reinterpret_cast<Half*>(arrays[r]) + lies[r].offset; };
  auto fetch = [&](Index r, Index first, Index size) {
    if (lies[r].elements == BOOLEANS)
      gather(bytes(r), columns, lies[r], first, size, writes[r]);
    else if (lies[r].elements == HALVES)
      gather(halves(r), columns, lies[r], first, size, writes[r]);
    else
      gather(arrays[r], columns, lies[r], first, size, writes[r]);
  };
  for (Index r = 0; r < program.inputs; ++r)
    if (lies[r].row == 0 && lies[r].column == 0) fetch(r, 0, most);
  // The hardware prefetcher handles a single pass.
  const bool far = program.count > 1 && (end - begin) * Index(sizeof(T)) >= MIN_PREFETCHED_BYTES;
  Index asked[MAX_REGISTERS], far_away = 0;  // arrays whose next block is prefetched
  for (Index r = 0; r < program.registers; ++r)
    if (is_direct[r]) asked[far_away++] = r;
  for (Index first = begin; first < end; first += block) {
    const Index size = end - first < block ? end - first : block;
    for (Index r = 0; r < program.inputs; ++r)
      if (is_direct[r])
        reads[r] = arrays[r] + first;
      else if (lies[r].row != 0 || lies[r].column != 0)
        fetch(r, first, size);
    for (Index r = first_result; r < program.registers; ++r)
      if (is_direct[r]) reads[r] = writes[r] = arrays[r] + first;
    for (Index s = 0; s < program.count; ++s) {
      const Step& step = program.steps[s];
      table<T>[step.operation](reads[step.first], reads[step.second], reads[step.third], writes[step.target], size);
      if (!far) continue;
      // Prefetches part of the next block after each step, so that memory accesses overlap with arithmetic.
      const Index next = end - first - size < block ? end - first - size : block;
      Index from = next * far_away * s / program.count;
      const Index to = next * far_away * (s + 1) / program.count;
      while (from < to) {
        const Index r = asked[from / next], begin = from % next;
        const Index some = next - begin < to - from ? next - begin : to - from;
        prefetch(reads[r] + size + begin, some, r >= first_result);
        from += some;
      }
    }
    for (Index r = first_result; r < program.registers; ++r)
      if (lies[r].elements == BOOLEANS)
        scatter(reads[r], columns, lies[r], first, size, bytes(r));
      else if (lies[r].elements == HALVES)
        scatter(reads[r], columns, lies[r], first, size, halves(r));
      else if (lies[r].elements == ROW_SUMS)
        row_sums(reads[r], arrays[r] + first / columns, 0, size / columns, columns);
      else if (lies[r].elements == TOTAL)
        arrays[r][first / block] = total<false>(reads[r], size);
      else if (lies[r].elements == TOTAL_OF_SQUARES)
        arrays[r][first / block] = total<true>(reads[r], size);
      else if (!is_direct[r])
        scatter(reads[r], columns, lies[r], first, size, arrays[r]);
  }
  return true;
}

bool is_total(const Place& place) { return place.elements == TOTAL || place.elements == TOTAL_OF_SQUARES; }

// The step size of part boundaries, in elements.
Index part_step(const Program& program, const Place* places, Index size, Index columns, Index block, Index parts) {
  bool sums_rows = false;
  for (Index r = program.inputs; r < program.inputs + program.results; ++r) {
    if (is_total(places[r])) return block;
    sums_rows = sums_rows || places[r].elements == ROW_SUMS;
  }
  if (size > 32 * parts * columns) return 16 * columns;
  return sums_rows ? columns : 64;
}

// Adds the per-block sums into the first one.
template <class T>
void add_totals(const Program& program, const char* const* objects, const Place* places, Index blocks) {
  for (Index r = program.inputs; r < program.inputs + program.results; ++r) {
    if (!is_total(places[r])) continue;
    T* sums = elements<T>(program, objects[r]);
    sums[0] = total<false>(sums, blocks);
  }
}

}  // namespace

bool evaluate(const Program& program, const char* const* objects, const Place* places, Index begin, Index end,
              Index columns, Index block) {
  return run<float>(program, objects, places, begin, end, columns, block);
}

#define NAME(name, expression) #name " "

// Operation names in numerical order, space-separated.
EXPORT const char* program_operations() { return ALL(NAME) MORE(NAME); }
EXPORT int program_registers() { return MAX_REGISTERS; }

// Divides the elements into parts: whole rows in multiples of sixteen if there are enough, as in matrix products;
// otherwise at least whole rows if rows are summed, and whole blocks for totals.
#define EXPORT_EVALUATE(suffix, T)                                                                                         \
  EXPORT int evaluate_##suffix(const Program* program, const char* const* objects, const Place* places, Index size, \
                               Index columns, Index block, Index parts, Index threads) {                          \
    const Index step = part_step(*program, places, size, columns, block, parts);                                  \
    auto bound = [&](Index part) {                                                                                \
      Index end = ((size * part + parts - 1) / parts + step - 1) / step * step;                                   \
      return end < size ? end : size;                                                                             \
    };                                                                                                            \
    std::atomic<bool> done{true};                                                                                 \
    auto work = [&](Index part) {                                                                                 \
      if (!run<T>(*program, objects, places, bound(part), bound(part + 1), columns, block)) done.store(false);   \
    };                                                                                                            \
    in_parts(parts, threads, work);                                                                               \
    if (size > 0) add_totals<T>(*program, objects, places, (size + block - 1) / block);                           \
    return done;                                                                                                  \
  }

EXPORT_EVALUATE(f32, float)
EXPORT_EVALUATE(f64, double)
