// Powers. Floats are computed in double precision, doubles by the C library; common exponents use products, quotients
// and roots.
#pragma once

#include "double_precision_math.h"

namespace double_precision {

// log2(x) of a normal x = 2^n m is n + s p(s^2) with s = (m - 1) / (m + 1); 2^x for |x| < 1000 is 2^n times a
// polynomial. Both are fitted at Chebyshev nodes, within 6e-11.
inline double binary_logarithm(double x) {
  constexpr double root = 0.70710678118654752440;
  const std::uint64_t bits = bits_as<std::uint64_t>(x) - bits_as<std::uint64_t>(root);
  const double m = bits_as<double>((bits & ((std::uint64_t(1) << 52) - 1)) + bits_as<std::uint64_t>(root));
  const std::uint64_t exponent = (bits + (std::uint64_t(1024) << 52)) >> 52;  // unsigned: SIMD lacks an arithmetic shift
  const double n =
      bits_as<double>(exponent + bits_as<std::uint64_t>(Format<double>::rounder)) - (Format<double>::rounder + 1024);
  const double s = (m - 1) / (m + 1);
  return multiply_add(s,
                      horner(s * s, 0.34071398955245807, 0.41167366701788755, 0.5770835675412197, 0.96179667344428121,
                             2.8853900817899918),
                      n);
}

inline double binary_exponential(double x) {
  const double shifted = x + Format<double>::rounder, f = x - (shifted - Format<double>::rounder);
  const double fraction =
      horner(f, 1.5303699001378845e-05, 0.00015469729140704658, 0.0013333478480888061, 0.0096180256135980358,
             0.055504109063177154, 0.24022651213495422, 0.69314718055683411, 0.99999999995956224);
  return bits_as<double>(bits_as<std::uint64_t>(fraction) + (bits_as<std::uint64_t>(shifted) << 52));
}

// Returns x^y as 2^(y log2|x|): negative for x < 0 and odd y, NaN for x < 0 and a non-integer y. Binary exponents
// beyond 200 exceed the float range.
inline double raise_to_power(double x, double y) {
  double exponent = y * binary_logarithm(magnitude(x));
  exponent = exponent > 200 ? 200 : exponent;
  exponent = exponent < -200 ? -200 : exponent;
  const double size = binary_exponential(exponent), half = 0.5 * y;
  const bool is_integer = y == __builtin_floor(y), is_even = half == __builtin_floor(half);
  const double negative_base_value = is_integer ? (is_even ? size : -size) : std::numeric_limits<double>::quiet_NaN();
  return x < 0 ? negative_base_value : size;
}

// Returns whether the fast path applies; powers of 0, infinity and NaN use the C library.
inline bool is_regular(double x, double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return (magnitude(x) > 0) & (magnitude(x) < infinity) & (magnitude(y) < infinity);
}

template <class T>
inline bool all_equal(const T* y, T exponent, Index count) {
  int mismatches = 0;
  for (Index i = 0; i < count; ++i) mismatches |= y[i] != exponent;
  return !mismatches;
}

// Computes powers for the exponents for which TensorFlow's optimizer substitutes other ops; returns false for other
// exponents.
template <class T>
bool special_powers(const T* x, T exponent, T* out, Index count) {
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
  if (all_equal(y, exponent, count) && special_powers(x, exponent, out, count)) return;
  if constexpr (sizeof(T) == sizeof(float)) {
    for (Index i = 0; i < count; i += BLOCK) {
      const Index size = i + BLOCK < count ? BLOCK : count - i;
      T results[BLOCK];
      int has_irregular = 0;
      for (Index k = 0; k < size; ++k) has_irregular |= !is_regular(x[i + k], y[i + k]);
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < size; ++k) results[k] = T(raise_to_power(x[i + k], y[i + k]));
      if (has_irregular)
        for (Index k = 0; k < size; ++k)
          if (!is_regular(x[i + k], y[i + k])) results[k] = std::pow(x[i + k], y[i + k]);
      std::memcpy(out + i, results, std::size_t(size) * sizeof(T));
    }
  } else {
    for (Index i = 0; i < count; ++i) out[i] = std::pow(x[i], y[i]);
  }
}

}  // namespace double_precision
