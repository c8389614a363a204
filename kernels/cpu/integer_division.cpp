// Floor division of integers, and remainders with the divisor's sign, computed in doubles: the quotient of two integers
// below 2^53 rounds to an integer only if it is one.

#include "elementary.h"
#include "threads.h"

namespace {

constexpr Index BLOCK = 64;
constexpr double ROUNDER = Format<double>::rounder;

// Convert integers below 2^51 in magnitude: these are the last bits of their sum with ROUNDER.
inline double as_double(Index x) { return bits_as<double>(x + bits_as<Index>(ROUNDER)) - ROUNDER; }
inline Index as_integer(double x) { return bits_as<Index>(x + ROUNDER) - bits_as<Index>(ROUNDER); }

// Divides x by y; `step` is 0 for a single divisor. Returns false for a zero divisor and for operands larger than
// `limit`.
template <bool remainders, class T>
NOINLINE bool divide(const T* x, const T* y, T* out, Index count, Index step) {
  constexpr std::uint64_t limit = std::uint64_t(1) << (sizeof(T) == 4 ? 30 : 50);
  for (Index begin = 0; begin < count; begin += BLOCK) {
    const Index size = count - begin < BLOCK ? count - begin : BLOCK;
    Index a[BLOCK], b[BLOCK];
    for (Index i = 0; i < size; ++i) a[i] = x[begin + i];
    if (step)
      for (Index i = 0; i < size; ++i) b[i] = y[begin + i];
    else
      for (Index i = 0; i < size; ++i) b[i] = *y;
    std::uint64_t out_of_range = 0;  // the top bit is set if the distance to a limit wraps around
    for (Index i = 0; i < size; ++i) {
      const std::uint64_t shifted_x = std::uint64_t(a[i]) + limit, shifted_y = std::uint64_t(b[i]) + limit;
      out_of_range |=
          shifted_x | (2 * limit - shifted_x) | shifted_y | (2 * limit - shifted_y) | (b[i] ? 0 : ~std::uint64_t(0));
    }
    if (out_of_range >> 63) return false;
    for (Index i = 0; i < size; ++i) {
      const Index quotient = as_integer(__builtin_floor(as_double(a[i]) / as_double(b[i])));
      out[begin + i] = T(remainders ? a[i] - quotient * b[i] : quotient);
    }
  }
  return true;
}

}  // namespace

#define EXPORT_DIVISION(name, remainders, suffix, T)                                                                   \
  EXPORT int name##_##suffix(const T* x, const T* y, T* out, Index count, Index step, Index threads) {                 \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_ranges(count, GRAIN, threads, [&](Index, Index begin, Index end) {                                    \
      if (!divide<remainders>(x + begin, y + begin * step, out + begin, end - begin, step)) done = false;              \
    });                                                                                                                \
    return done;                                                                                                       \
  }

EXPORT_DIVISION(floor_divide, false, i32, std::int32_t)
EXPORT_DIVISION(floor_divide, false, i64, Index)
EXPORT_DIVISION(remainder, true, i32, std::int32_t)
EXPORT_DIVISION(remainder, true, i64, Index)
