// Functions of floats that are computed in doubles, some elements together: rounded to floats they are within a unit in
// the last place, and as good as single precision for doubles. What few arguments need is left to the C library.
#pragma once

#include "elementary.h"

namespace in_doubles {

constexpr int SOME = 64;  // elements
constexpr double PI = 3.14159265358979323846;

// What multiples of pi leave of x is at most pi / 2, and cos(x) = sin(x + pi / 2). Pi is taken off in two parts, of which
// the first times a multiple of 20 bits is exact.
template <int quarter>
struct Sine {
  static bool suits(double x) { return magnitude(x) < 1e6; }
  static double rare(double x) { return quarter ? std::cos(x) : std::sin(x); }
  static double of(double x) {
    constexpr double rounder = Format<double>::rounder, shift = 0.5 * quarter;
    const double rounded = multiply_add(x, 1 / PI, shift) + rounder;
    const double n = rounded - rounder - shift;
    const double r = multiply_add(n, -1.2154201013012385e-10, multiply_add(n, -3.14159265346825122833, x)), z = r * r;
    const double value = r * multiply_add(z, horner(z, -2.407971370737834562e-8, 2.7536442963968369522e-6,
                                                    -1.9841086288980701469e-4, 8.3333327676318120818e-3,
                                                    -1.6666666663874306666e-1), 1.0);
    return bits_as<double>(bits_as<std::uint64_t>(value) ^ bits_as<std::uint64_t>(rounded) << 63);
  }
};

// Stirling's series holds from 7 on; smaller arguments are moved there by the recurrence, whose factors are x ... x + 6.
struct Moved {
  double is_small, z, product = 1, slope = 0;  // the product of the factors, and its slope
  explicit Moved(double x) : is_small(x < 7), z(x + 7 * is_small) {
    const double first = x * is_small + 7 * (1 - is_small);  // GCC makes two paths of a choice
    for (int k = 0; k < 7; ++k) slope = slope * (first + k) + product, product *= first + k;
  }
};

struct LogGamma {
  static bool suits(double x) { return x > 0 && x < 1e300; }
  static double rare(double x) {
    int sign;
    return lgamma_r(x, &sign);
  }
  static double of(double x) {
    const Moved moved(x);
    const double part = 1 / moved.z, square = part * part;
    const double series =
        horner(square, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12);
    const double rest = 0.91893853320467274178 - moved.is_small * logarithm(moved.product) + part * series;
    return (moved.z - 0.5) * logarithm(moved.z) - moved.z + rest;
  }
};

struct Digamma {
  static bool suits(double x) { return x > 0 && x < 1e300; }
  static double rare(double x) {
    if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::infinity();  // TensorFlow's, at the poles
    if (x < 0) return of(1 - x) - PI / std::tan(PI * (x - std::floor(x)));
    return x;
  }
  static double of(double x) {
    const Moved moved(x);
    const double part = 1 / moved.z, square = part * part;
    const double series =
        horner(square, 1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12);
    return logarithm(moved.z) - (0.5 * part + square * series) - moved.is_small * moved.slope / moved.product;
  }
};

// Of SOME elements, in place.
template <class Function>
APART void apply(double* elements) {
  double given[SOME];
  std::memcpy(given, elements, sizeof given);
  int rare = 0;
  for (int i = 0; i < SOME; ++i) rare |= !Function::suits(given[i]);
  for (int i = 0; i < SOME; ++i) elements[i] = Function::of(given[i]);
  if (rare)
    for (int i = 0; i < SOME; ++i)
      if (!Function::suits(given[i])) elements[i] = Function::rare(given[i]);
}

// `function` on SOME elements at a time.
template <class T>
APART void apply_to_all(void (*function)(double*), const T* in, T* out, Index count) {
  double elements[SOME];
  Index i = 0;
  for (; i + SOME <= count; i += SOME) {
    for (int k = 0; k < SOME; ++k) elements[k] = in[i + k];
    function(elements);
    for (int k = 0; k < SOME; ++k) out[i + k] = T(elements[k]);
  }
  if (i == count) return;
  for (int k = 0; k < SOME; ++k) elements[k] = i + k < count ? double(in[i + k]) : 1.0;
  function(elements);
  for (int k = 0; i + k < count; ++k) out[i + k] = T(elements[k]);
}

}  // namespace in_doubles
