// Powers: floats are computed in doubles; doubles use the C library; common exponents use products, quotients and
// roots.
#pragma once

#include "in_doubles.h"

namespace in_doubles {

// log2(x) of a normal x = 2^n m: n + s p(s^2) with s = (m - 1) / (m + 1); and 2^x for |x| < 1000: 2^n times a
// polynomial. Fitted at Chebyshev nodes, within 6e-11.
inline double logarithm_of_two(double x) {
  constexpr double root = 0.70710678118654752440;
  const std::uint64_t bits = bits_as<std::uint64_t>(x) - bits_as<std::uint64_t>(root);
  const double m = bits_as<double>((bits & ((std::uint64_t(1) << 52) - 1)) + bits_as<std::uint64_t>(root));
  const std::uint64_t exponent = (bits + (std::uint64_t(1024) << 52)) >> 52;  // unsigned: SIMD lacks an arithmetic shift
  const double n =
      bits_as<double>(exponent + bits_as<std::uint64_t>(Format<double>::rounder)) - (Format<double>::rounder + 1024);
  const double s = (m - 1) / (m + 1);
  return multiply_add(s, horner(s * s, 0.34071398955245807, 0.41167366701788755, 0.5770835675412197, 0.96179667344428121,
                                2.8853900817899918), n);
}

inline double power_of_two_fraction(double x) {
  const double shifted = x + Format<double>::rounder, f = x - (shifted - Format<double>::rounder);
  const double fraction =
      horner(f, 1.5303699001378845e-05, 0.00015469729140704658, 0.0013333478480888061, 0.0096180256135980358,
             0.055504109063177154, 0.24022651213495422, 0.69314718055683411, 0.99999999995956224);
  return bits_as<double>(bits_as<std::uint64_t>(fraction) + (bits_as<std::uint64_t>(shifted) << 52));
}

// x^y as 2^(y log2|x|): negative for x < 0 and odd y, NaN for x < 0 and a non-integer y. Binary exponents beyond 200
// exceed the float range.
inline double power_of(double x, double y) {
  double exponent = y * logarithm_of_two(magnitude(x));
  exponent = exponent > 200 ? 200 : exponent;
  exponent = exponent < -200 ? -200 : exponent;
  const double size = power_of_two_fraction(exponent), half = 0.5 * y;
  const bool whole = y == __builtin_floor(y), even = half == __builtin_floor(half);
  const double of_negative = whole ? (even ? size : -size) : std::numeric_limits<double>::quiet_NaN();
  return x < 0 ? of_negative : size;
}

// 0, infinity and NaN use the C library.
inline bool is_common(double x, double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return (magnitude(x) > 0) & (magnitude(x) < infinity) & (magnitude(y) < infinity);
}

template <class T>
inline bool are_all(const T* y, T exponent, Index count) {
  int others = 0;
  for (Index i = 0; i < count; ++i) others |= y[i] != exponent;
  return !others;
}

// Powers with an exponent for which TensorFlow's optimizer substitutes other ops; false for other exponents.
template <class T>
bool common_powers(const T* x, T exponent, T* out, Index count) {
#define EXPONENT(value, expression)            \
  if (exponent == T(value)) {                  \
    ELEMENT_BY_ELEMENT                         \
    for (Index i = 0; i < count; ++i) {        \
      const T a = x[i];                        \
      out[i] = T(expression);                  \
    }                                          \
    return true;                               \
  }
  EXPONENT(2, a * a)
  EXPONENT(1, a)
  EXPONENT(0.5, square_root(a))
  EXPONENT(-0.5, T(1) / square_root(a))
  EXPONENT(-1, T(1) / a)
  if (sizeof(T) == sizeof(float)) EXPONENT(3, double(a) * a * a)
#undef EXPONENT
  return false;
}

template <class T>
NOINLINE void powers(const T* x, const T* y, T* out, Index count) {
  if (count == 0) return;
  const T exponent = y[0];
  if (are_all(y, exponent, count) && common_powers(x, exponent, out, count)) return;
  if constexpr (sizeof(T) == sizeof(float)) {
    for (Index i = 0; i < count; i += BLOCK) {
      const Index size = i + BLOCK < count ? BLOCK : count - i;
      T results[BLOCK];
      int rare = 0;
      for (Index k = 0; k < size; ++k) rare |= !is_common(x[i + k], y[i + k]);
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < size; ++k) results[k] = T(power_of(x[i + k], y[i + k]));
      if (rare)
        for (Index k = 0; k < size; ++k)
          if (!is_common(x[i + k], y[i + k])) results[k] = std::pow(x[i + k], y[i + k]);
      std::memcpy(out + i, results, std::size_t(size) * sizeof(T));
    }
  } else {
    for (Index i = 0; i < count; ++i) out[i] = std::pow(x[i], y[i]);
  }
}

}  // namespace in_doubles
