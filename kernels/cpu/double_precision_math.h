// Functions computed in double precision, several elements at a time: for floats, within one ulp; for doubles, accurate
// to single precision. Unsupported arguments use the C library.
#pragma once

#include "elementary.h"

namespace double_precision {

constexpr int BLOCK = 64;
constexpr double PI = 3.14159265358979323846;

// Sine (cos(x) = sin(x + pi / 2)): subtracting a multiple of pi leaves at most pi / 2 in magnitude. pi is split in two
// parts; the first one's products with 20-bit integers are exact.
template <int quarter>
struct Sine {
  static bool is_supported(double x) { return magnitude(x) < 1e6; }
  static double fallback(double x) { return quarter ? std::cos(x) : std::sin(x); }
  [[gnu::always_inline]] static double evaluate(double x) {
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

// Stirling's series needs arguments of at least 7. The recurrence shifts smaller ones; its factors are x, ..., x + 6.
struct ShiftedArgument {
  double is_small, z, product = 1, slope = 0;  // product of the factors, and its derivative
  explicit ShiftedArgument(double x) : is_small(x < 7), z(x + 7 * is_small) {
    const double first = x * is_small + 7 * (1 - is_small);  // GCC turns a select into two paths
    for (int k = 0; k < 7; ++k) slope = slope * (first + k) + product, product *= first + k;
  }
};

struct LogGamma {
  static bool is_supported(double x) { return x > 0 && x < 1e300; }
  static double fallback(double x) {
    int sign;
    return lgamma_r(x, &sign);
  }
  [[gnu::always_inline]] static double evaluate(double x) {
    const ShiftedArgument shifted(x);
    const double part = 1 / shifted.z, square = part * part;
    const double series =
        horner(square, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12);
    const double rest = 0.91893853320467274178 - shifted.is_small * logarithm(shifted.product) + part * series;
    return (shifted.z - 0.5) * logarithm(shifted.z) - shifted.z + rest;
  }
};

struct Digamma {
  static bool is_supported(double x) { return x > 0 && x < 1e300; }
  static double fallback(double x) {
    if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::infinity();  // as TensorFlow, at the poles
    if (x < 0) return evaluate(1 - x) - PI / std::tan(PI * (x - std::floor(x)));
    return x;
  }
  [[gnu::always_inline]] static double evaluate(double x) {
    const ShiftedArgument shifted(x);
    const double part = 1 / shifted.z, square = part * part;
    const double series =
        horner(square, 1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12);
    return logarithm(shifted.z) - (0.5 * part + square * series) - shifted.is_small * shifted.slope / shifted.product;
  }
};

// Modified Bessel functions of order 0 or 1, times exp(-|x|): a polynomial in |x| / 4 - 1 for |x| <= 8, otherwise a
// polynomial in 16 / |x| - 1 divided by sqrt(|x|), both fitted at Chebyshev nodes.
template <int order>
struct ScaledBessel {
  static bool is_supported(double x) { return x == x; }
  static double fallback(double x) { return x; }
  [[gnu::always_inline]] static double evaluate(double x) {
    const double size = magnitude(x), bounded = size < 8 ? size : 8, far = size < 8 ? 8 : size;
    const double t = 0.25 * bounded - 1, u = 16 / far - 1, near_by = order ? (x + 0.0) * small_odd(t) : small_even(t);
    const double far_away = (order ? copy_sign(large_odd(u), x) : large_even(u)) / square_root(far);
    return size < 8 ? near_by : far_away;
  }
  static double small_even(double t) {
    return horner(t, 4.9179405344e-05, -0.00013591994578, 0.00010272126779, -0.00020636386401, 0.00093522812365,
                  -0.0020461378015, 0.0035544459433, -0.0066059377868, 0.011991195088, -0.019775350789, 0.030168287433,
                  -0.042957251023, 0.056778814463, -0.069546514071, 0.079275044971, -0.084962840772, 0.087343424579,
                  -0.089043466456, 0.094515628425, -0.11300432654, 0.20700192122);
  }
  static double small_odd(double t) {
    return horner(t, 5.9839533413e-06, -1.7454654487e-05, 1.7600550971e-05, -4.0773110688e-05, 0.00015715228432,
                  -0.00036844614637, 0.0007375954869, -0.0015172289524, 0.0030091903255, -0.0055453089738,
                  0.0095829031751, -0.015567987912, 0.0236862129, -0.03367197052, 0.044674552746, -0.055279976802,
                  0.063767404636, -0.068482609105, 0.068057599897, -0.06112433799, 0.044687709876);
  }
  static double large_even(double u) {
    return horner(u, 3.2133994191e-09, 3.1734682871e-08, 1.0222964595e-07, 3.0712517855e-07, 1.4801668293e-06,
                  1.1139924005e-05, 0.00013621634811, 0.0033605522271, 0.40217650945);
  }
  static double large_odd(double u) {
    return horner(u, -4.2369384559e-09, -3.59046369e-08, -1.1423526434e-07, -3.5819536737e-07, -1.8310212838e-06,
                  -1.5035390361e-05, -0.00021923605338, -0.0097495774411, 0.38939845903);
  }
};

// erfc: exp(-x^2) / (1 + 2 |x|) times a polynomial in (|x| - 3) / (|x| + 3), fitted at Chebyshev nodes to within 3e-10.
struct ComplementaryError {
  static bool is_supported(double x) { return x == x; }
  static double fallback(double x) { return std::erfc(x); }
  [[gnu::always_inline]] static double evaluate(double x) {
    const double size = magnitude(x) < 30 ? magnitude(x) : 30;
    const double value = exponential(-size * size) / (1 + 2 * size) *
                         horner((size - 3) / (size + 3), -1.1481641468961e-05, 3.8588268705013e-06, 0.00011462995701112,
                                -0.00010412154102443, -0.00077310993891565, 0.0018881023957935, 0.0025271155205983,
                                -0.023770329148545, 0.068308399692815, -0.11927369264668, 0.12964513564846,
                                -0.047562292578347, -0.13562110588977, 1.2530080582517);
    return x < 0 ? 2 - value : value;
  }
};

// Applies a function to BLOCK elements in place.
template <class Function>
NOINLINE void apply(double* elements) {
  double input[BLOCK];
  std::memcpy(input, elements, sizeof input);
  int needs_fallback = 0;
  for (int i = 0; i < BLOCK; ++i) needs_fallback |= !Function::is_supported(input[i]);
  for (int i = 0; i < BLOCK; ++i) elements[i] = Function::evaluate(input[i]);
  if (needs_fallback)
    for (int i = 0; i < BLOCK; ++i)
      if (!Function::is_supported(input[i])) elements[i] = Function::fallback(input[i]);
}

// Applies a function to BLOCK elements at a time.
template <class T>
NOINLINE void apply_blockwise(void (*function)(double*), const T* in, T* out, Index count) {
  double elements[BLOCK];
  Index i = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    for (int k = 0; k < BLOCK; ++k) elements[k] = in[i + k];
    function(elements);
    for (int k = 0; k < BLOCK; ++k) out[i + k] = T(elements[k]);
  }
  if (i == count) return;
  for (int k = 0; k < BLOCK; ++k) elements[k] = i + k < count ? double(in[i + k]) : 1.0;
  function(elements);
  for (int k = 0; i + k < count; ++k) out[i + k] = T(elements[k]);
}

}  // namespace double_precision
