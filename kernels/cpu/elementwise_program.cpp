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
constexpr Index MIN_PREFETCHED_BYTES = 1 << 15;  // smaller arrays are in the L1 cache

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

// Operations in numerical order, with the names of NumPy and SciPy; gradients have TensorFlow's names. Gradients take
// the result `a` of the function and the incoming gradient `b`, and preserve zeros of `b`. TensorFlow's maximum and
// minimum, `larger` and `smaller`, return `a` if either operand is NaN.
#define ELEMENT_OPERATIONS(EACH)                                                                                       \
  EACH(positive, a)                                                                                                    \
  EACH(negative, -a)                                                                                                   \
  EACH(absolute, magnitude(a))                                                                                         \
  EACH(sign, signum(a))                                                                                                \
  EACH(square, a* a)                                                                                                   \
  EACH(sqrt, square_root(a))                                                                                           \
  EACH(reciprocal, T(1) / a)                                                                                           \
  EACH(exp, exponential(a))                                                                                            \
  EACH(expm1, exponential_minus_one(a))                                                                                \
  EACH(log, logarithm(a))                                                                                              \
  EACH(log1p, logarithm_of_one_plus(a))                                                                                \
  EACH(tanh, hyperbolic_tangent(a))                                                                                    \
  EACH(expit, logistic(a))                                                                                             \
  EACH(erf, error_function(a))                                                                                         \
  EACH(add, a + b)                                                                                                     \
  EACH(subtract, a - b)                                                                                                \
  EACH(multiply, a* b)                                                                                                 \
  EACH(divide, a / b)                                                                                                  \
  EACH(maximum, (::maximum(a, b)))                                                                                     \
  EACH(minimum, (::minimum(a, b)))                                                                                     \
  EACH(fmax, max_ignoring_nan(a, b))                                                                                   \
  EACH(fmin, min_ignoring_nan(a, b))                                                                                   \
  EACH(larger, a < b ? b : a)                                                                                          \
  EACH(smaller, a > b ? b : a)                                                                                         \
  EACH(greater, T(a > b))                                                                                              \
  EACH(greater_equal, T(a >= b))                                                                                       \
  EACH(less, T(a < b))                                                                                                 \
  EACH(less_equal, T(a <= b))                                                                                          \
  EACH(equal, T(a == b))                                                                                               \
  EACH(not_equal, T(a != b))                                                                                           \
  EACH(where, a != T(0) ? b : c)                                                                                       \
  EACH(sqrt_grad, b == T(0) ? T(0) : b * T(0.5) / a)                                                                   \
  EACH(rsqrt_grad, b == T(0) ? T(0) : (b * T(-0.5)) * ((a * a) * a))                                                   \
  EACH(reciprocal_grad, b == T(0) ? T(0) : -b * (a * a))                                                               \
  EACH(softsign, a / (magnitude(a) + T(1)))                                                                            \
  EACH(softsign_grad, a / ((magnitude(b) + T(1)) * (magnitude(b) + T(1))))                                             \
  EACH(floor, std::floor(a))                                                                                           \
  EACH(softplus, softplus_of(a))                                                                                       \
  EACH(to_half, T(Half(a)))
// Operations implemented as functions on entire blocks.
#define BLOCK_OPERATIONS(EACH)                                                                                         \
  EACH(remainder, )                                                                                                    \
  EACH(sin, ) EACH(cos, ) EACH(lgamma, ) EACH(digamma, ) EACH(i0e, ) EACH(i1e, ) EACH(igamma, ) EACH(igammac, )        \
      EACH(igamma_slope, ) EACH(zeta, ) EACH(polygamma, ) EACH(tan, ) EACH(arcsin, ) EACH(arccos, ) EACH(arctan, )     \
          EACH(sinh, ) EACH(cosh, ) EACH(arcsinh, ) EACH(arccosh, ) EACH(arctanh, ) EACH(arctan2, ) EACH(power, )      \
              EACH(betainc, ) EACH(erfc, )

namespace operations {
ELEMENT_OPERATIONS(OPERATION)

template <class T>
inline T floor_remainder(T a, T b) {
  const T remainder = std::fmod(a, b);
  if (remainder == 0) return copy_sign(T(0), b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// NumPy's remainder. For floats, a truncated quotient below 2^29 and its product with b are exact in doubles. If the
// quotient was rounded up, the remainder has the wrong sign, and b is added, as it also is if the signs of a and b
// differ.
template <class T>
void remainder(const T* first, const T* second, const T*, T* out, Index count) {
  constexpr Index BLOCK = 64;
  for (Index begin = 0; begin < count; begin += BLOCK) {
    const Index size = count - begin < BLOCK ? count - begin : BLOCK;
    T remainders[BLOCK];
    int needs_fallback = sizeof(T) == sizeof(double);
    if (!needs_fallback)
      for (Index i = 0; i < size; ++i) {
        const double a = first[begin + i], b = second[begin + i], quotient = a / b;
        double value = a - __builtin_trunc(quotient) * b;
        value = value * b < 0 ? value + b : value;
        needs_fallback |= !(magnitude(quotient) < double(1 << 29)) | !(magnitude(value) <= magnitude(b));
        remainders[i] = T(value == 0 ? copy_sign(0.0, b) : value);
      }
    if (needs_fallback)
      for (Index i = 0; i < size; ++i) remainders[i] = floor_remainder(first[begin + i], second[begin + i]);
    std::memcpy(out + begin, remainders, std::size_t(size) * sizeof(T));
  }
}

#define DOUBLE_PRECISION(name, Function)                                                                               \
  template <class T>                                                                                                   \
  void name(const T* first, const T*, const T*, T* out, Index count) {                                                 \
    double_precision::apply_blockwise(double_precision::apply<double_precision::Function>, first, out, count);         \
  }
DOUBLE_PRECISION(sin, Sine<0>)
DOUBLE_PRECISION(cos, Sine<1>)
DOUBLE_PRECISION(lgamma, LogGamma)
DOUBLE_PRECISION(digamma, Digamma)
DOUBLE_PRECISION(i0e, ScaledBessel<0>)
DOUBLE_PRECISION(i1e, ScaledBessel<1>)

#define FLOATS_IN_DOUBLES(name, Function)                                                                              \
  template <class T>                                                                                                   \
  void name(const T* first, const T*, const T*, T* out, Index count) {                                                 \
    double_precision::apply_to_floats<double_precision::Function>(first, out, count);                                  \
  }
FLOATS_IN_DOUBLES(erfc, ComplementaryError)
FLOATS_IN_DOUBLES(tan, Tangent)
FLOATS_IN_DOUBLES(arcsin, Arcsine)
FLOATS_IN_DOUBLES(arccos, Arccosine)
FLOATS_IN_DOUBLES(arctan, Arctangent)
FLOATS_IN_DOUBLES(sinh, HyperbolicSine)
FLOATS_IN_DOUBLES(cosh, HyperbolicCosine)
FLOATS_IN_DOUBLES(arcsinh, InverseHyperbolicSine)
FLOATS_IN_DOUBLES(arccosh, InverseHyperbolicCosine)
FLOATS_IN_DOUBLES(arctanh, InverseHyperbolicTangent)

template <class T>
void arctan2(const T* first, const T* second, const T*, T* out, Index count) {
  double_precision::angles(first, second, out, count);
}

template <class T>
void power(const T* first, const T* second, const T*, T* out, Index count) {
  double_precision::powers(first, second, out, count);
}

#define PAIRS_IN_DOUBLES(name, function)                                                                               \
  template <class T>                                                                                                   \
  void name(const T* first, const T* second, const T*, T* out, Index count) {                                          \
    double_precision::apply_to_pairs(double_precision::function, first, second, out, count);                           \
  }
PAIRS_IN_DOUBLES(igamma, incomplete_gamma<double_precision::LOWER>)
PAIRS_IN_DOUBLES(igammac, incomplete_gamma<double_precision::UPPER>)
PAIRS_IN_DOUBLES(igamma_slope, incomplete_gamma<double_precision::SLOPE>)
PAIRS_IN_DOUBLES(zeta, zeta)
PAIRS_IN_DOUBLES(polygamma, polygamma)

template <class T>
void betainc(const T* a, const T* b, const T* x, T* out, Index count) {
  double_precision::incomplete_betas(a, b, x, out, count);
}
}  // namespace operations

#define ENTRY(name, expression) operations::name<T>,
template <class T>
constexpr Operation<T> table[] = {ELEMENT_OPERATIONS(ENTRY) BLOCK_OPERATIONS(ENTRY)};

// Copies elements, starting at index `first`, of a matrix whose column stride is 0 or 1.
template <class T, class U>
NOINLINE void gather(const T* matrix, Index columns, const ArrayLayout& layout, Index first, Index count, U* out) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index chunk = columns - column < count ? columns - column : count;
    const T* source = matrix + row * layout.row + column * layout.column;
    if (layout.column != 0) {
      ELEMENT_BY_ELEMENT
      for (Index i = 0; i < chunk; ++i) out[i] = U(source[i]);
    } else {
      for (Index i = 0; i < chunk; ++i) out[i] = U(*source);
    }
    out += chunk, count -= chunk, ++row, column = 0;
  }
}

// The inverse of `gather`.
template <class T, class U>
NOINLINE void scatter(const T* in, Index columns, const ArrayLayout& layout, Index first, Index count, U* matrix) {
  Index row = first / columns, column = first % columns;
  while (count > 0) {
    Index chunk = columns - column < count ? columns - column : count;
    U* target = matrix + row * layout.row + column;
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < chunk; ++i) target[i] = U(in[i]);
    in += chunk, count -= chunk, ++row, column = 0;
  }
}

template <class T>
inline T* array_data(const Program& program, const char* object) {
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
NOINLINE bool run(const Program& program, const char* const* objects, const ArrayLayout* array_layouts, Index begin,
                  Index end, Index columns, Index block) {
  if (begin >= end) return true;  // `columns` may be 0
  const Index first_result = program.registers - program.results;
  T* memory = static_cast<T*>(scratch.reserve(std::size_t(program.registers * block) * sizeof(T)));
  if (!memory) return false;
  const T* reads[MAX_REGISTERS];
  T* writes[MAX_REGISTERS];
  T* arrays[MAX_REGISTERS];
  ArrayLayout layouts[MAX_REGISTERS];
  bool is_in_place[MAX_REGISTERS] = {};  // read and written in place
  for (Index r = 0; r < program.registers; ++r) {
    reads[r] = writes[r] = memory + r * block;
    if (r >= program.inputs && r < first_result) continue;
    layouts[r] = *array_layouts++;
    arrays[r] = array_data<T>(program, *objects++);
    if (layouts[r].elements == OWN_TYPE) arrays[r] += layouts[r].offset;
    is_in_place[r] = layouts[r].column == 1 && layouts[r].row == columns && layouts[r].elements == OWN_TYPE;
  }
  const Index first_block = end - begin < block ? end - begin : block;
  auto bytes = [&](Index r) { return reinterpret_cast<std::uint8_t*>(arrays[r]) + layouts[r].offset; };
  auto halves = [&](Index r) { return reinterpret_cast<Half*>(arrays[r]) + layouts[r].offset; };
  auto load = [&](Index r, Index first, Index size) {
    if (layouts[r].elements == BOOLEANS)
      gather(bytes(r), columns, layouts[r], first, size, writes[r]);
    else if (layouts[r].elements == HALVES)
      gather(halves(r), columns, layouts[r], first, size, writes[r]);
    else
      gather(arrays[r], columns, layouts[r], first, size, writes[r]);
  };
  for (Index r = 0; r < program.inputs; ++r)
    if (layouts[r].row == 0 && layouts[r].column == 0) load(r, 0, first_block);
  // The hardware prefetcher handles a single pass.
  const bool prefetches = program.count > 1 && (end - begin) * Index(sizeof(T)) >= MIN_PREFETCHED_BYTES;
  Index prefetched[MAX_REGISTERS], prefetched_count = 0;  // arrays whose next block is prefetched
  for (Index r = 0; r < program.registers; ++r)
    if (is_in_place[r]) prefetched[prefetched_count++] = r;
  for (Index first = begin; first < end; first += block) {
    const Index size = end - first < block ? end - first : block;
    for (Index r = 0; r < program.inputs; ++r)
      if (is_in_place[r])
        reads[r] = arrays[r] + first;
      else if (layouts[r].row != 0 || layouts[r].column != 0)
        load(r, first, size);
    for (Index r = first_result; r < program.registers; ++r)
      if (is_in_place[r]) reads[r] = writes[r] = arrays[r] + first;
    for (Index s = 0; s < program.count; ++s) {
      const Step& step = program.steps[s];
      table<T>[step.operation](reads[step.first], reads[step.second], reads[step.third], writes[step.target], size);
      if (!prefetches) continue;
      // Prefetches part of the next block after each step, so that memory accesses overlap with arithmetic.
      const Index next = end - first - size < block ? end - first - size : block;
      Index from = next * prefetched_count * s / program.count;
      const Index to = next * prefetched_count * (s + 1) / program.count;
      while (from < to) {
        const Index r = prefetched[from / next], begin = from % next;
        const Index chunk = next - begin < to - from ? next - begin : to - from;
        prefetch(reads[r] + size + begin, chunk, r >= first_result);
        from += chunk;
      }
    }
    for (Index r = first_result; r < program.registers; ++r)
      if (layouts[r].elements == BOOLEANS)
        scatter(reads[r], columns, layouts[r], first, size, bytes(r));
      else if (layouts[r].elements == HALVES)
        scatter(reads[r], columns, layouts[r], first, size, halves(r));
      else if (layouts[r].elements == ROW_SUMS)
        row_sums(reads[r], arrays[r] + first / columns, 0, size / columns, columns);
      else if (layouts[r].elements == TOTAL)
        arrays[r][first / block] = total<false>(reads[r], size);
      else if (layouts[r].elements == TOTAL_OF_SQUARES)
        arrays[r][first / block] = total<true>(reads[r], size);
      else if (!is_in_place[r])
        scatter(reads[r], columns, layouts[r], first, size, arrays[r]);
  }
  return true;
}

bool is_total(const ArrayLayout& layout) { return layout.elements == TOTAL || layout.elements == TOTAL_OF_SQUARES; }

// Returns the granularity of part boundaries, in elements.
Index part_step(const Program& program, const ArrayLayout* layouts, Index size, Index columns, Index block,
                Index parts) {
  bool sums_rows = false;
  for (Index r = program.inputs; r < program.inputs + program.results; ++r) {
    if (is_total(layouts[r])) return block;
    sums_rows = sums_rows || layouts[r].elements == ROW_SUMS;
  }
  if (size > 32 * parts * columns) return 16 * columns;
  return sums_rows ? columns : 64;
}

// Adds the sums of all blocks to the first one.
template <class T>
void add_totals(const Program& program, const char* const* objects, const ArrayLayout* layouts, Index blocks) {
  for (Index r = program.inputs; r < program.inputs + program.results; ++r) {
    if (!is_total(layouts[r])) continue;
    T* sums = array_data<T>(program, objects[r]);
    sums[0] = total<false>(sums, blocks);
  }
}

}  // namespace

bool evaluate(const Program& program, const char* const* objects, const ArrayLayout* layouts, Index begin, Index end,
              Index columns, Index block) {
  return run<float>(program, objects, layouts, begin, end, columns, block);
}

#define NAME(name, expression) #name " "

// Returns the operation names in numerical order, separated by spaces.
EXPORT const char* program_operations() { return ELEMENT_OPERATIONS(NAME) BLOCK_OPERATIONS(NAME); }
EXPORT int program_registers() { return MAX_REGISTERS; }

// Evaluates a program on all elements, divided into parts: multiples of sixteen rows if there are enough, as in matrix
// products; otherwise at least complete rows if rows are summed, and complete blocks for totals.
#define EXPORT_EVALUATE(suffix, T)                                                                                     \
  EXPORT int evaluate_##suffix(const Program* program, const char* const* objects, const ArrayLayout* places,          \
                               Index size, Index columns, Index block, Index parts, Index threads) {                   \
    const Index step = part_step(*program, places, size, columns, block, parts);                                       \
    auto bound = [&](Index part) {                                                                                     \
      Index end = ((size * part + parts - 1) / parts + step - 1) / step * step;                                        \
      return end < size ? end : size;                                                                                  \
    };                                                                                                                 \
    std::atomic<bool> done{true};                                                                                      \
    auto work = [&](Index part) {                                                                                      \
      if (!run<T>(*program, objects, places, bound(part), bound(part + 1), columns, block)) done.store(false);         \
    };                                                                                                                 \
    parallel_for(parts, threads, work);                                                                                \
    if (size > 0) add_totals<T>(*program, objects, places, (size + block - 1) / block);                                \
    return done;                                                                                                       \
  }

EXPORT_EVALUATE(f32, float)
EXPORT_EVALUATE(f64, double)
