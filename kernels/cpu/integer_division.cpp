// Quotients rounded down, and the remainders, which have the divisors' signs, of integers: computed in doubles, whose
// quotient of integers below 2^53 is rounded to an integer only where it is one.

#include "elementary.h"
#include "threads.h"

namespace {

constexpr Index SOME = 64;  // elements
constexpr double ROUNDER = Format<double>::rounder;

// Of integers below 2^51, added to it, they are its last bits.
inline double as_double(Index x) { return bits_as<double>(x + bits_as<Index>(ROUNDER)) - ROUNDER; }
inline Index as_integer(double x) { return bits_as<Index>(x + ROUNDER) - bits_as<Index>(ROUNDER); }

// `step` is 0 where one divisor is that of all. False for a divisor of 0 and for operands larger than `most`.
template <bool remainders, class T>
APART bool divide(const T* x, const T* y, T* out, Index count, Index step) {
  constexpr Index most = sizeof(T) == 4 ? Index(1) << 30 : Index(1) << 50;
  for (Index begin = 0; begin < count; begin += SOME) {
    const Index size = count - begin < SOME ? count - begin : SOME;
    Index a[SOME], b[SOME];
    for (Index i = 0; i < size; ++i) a[i] = x[begin + i];
    if (step)
      for (Index i = 0; i < size; ++i) b[i] = y[begin + i];
    else
      for (Index i = 0; i < size; ++i) b[i] = *y;
    Index outside = 0;
    for (Index i = 0; i < size; ++i) outside |= (a[i] + most) | (most - a[i]) | (b[i] + most) | (most - b[i]) | -(b[i] == 0);
    if (outside < 0) return false;
    for (Index i = 0; i < size; ++i) {
      const Index quotient = as_integer(__builtin_floor(as_double(a[i]) / as_double(b[i])));
      out[begin + i] = T(remainders ? a[i] - quotient * b[i] : quotient);
    }
  }
  return true;
}

}  // namespace

#define KERNEL(name, remainders, suffix, T)                                                             \
  EXPORT int name##_##suffix(const T* x, const T* y, T* out, Index count, Index step, Index threads) {  \
    std::atomic<bool> done{true};                                                                       \
    in_pieces(count, PIECE, threads, [&](Index, Index begin, Index end) {                               \
      if (!divide<remainders>(x + begin, y + begin * step, out + begin, end - begin, step)) done = false; \
    });                                                                                                 \
    return done;                                                                                        \
  }

KERNEL(floor_divide, false, i32, std::int32_t)
KERNEL(floor_divide, false, i64, Index)
KERNEL(remainder, true, i32, std::int32_t)
KERNEL(remainder, true, i64, Index)
