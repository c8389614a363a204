// Trigonometric and hyperbolic functions and their inverses; floats are computed in doubles, doubles use the C library.
#pragma once

#include "double_precision_math.h"

namespace double_precision {

// atan(small / large) for 0 <= small <= large: t + t^3 p(t^2), fitted at Chebyshev nodes, within 5e-11.
inline double arctangent_of_quotient(double small, double large) {
  const double t = large == 0 ? 0.0 : small == large ? 1.0 : small / large, z = t * t;
  const double tail =
      horner(z, 5.9304495031634963e-4, -4.2216649938685204e-3, 1.407294131543798e-2, -2.9913138462082621e-2,
             4.729482346567692e-2, -6.2463167340354182e-2, 7.5866534715769277e-2, -9.0735532932701674e-2,
             0.11109392338541156, -0.14285624894566232, 0.19999998154245585, -0.33333333326947034);
  return multiply_add(t * z, tail, t);
}

// The angle of the point (x, y), from -pi to pi; distinguishes x = 0 and x = -0.
inline double angle(double y, double x) {
  const double height = magnitude(y), width = magnitude(x);
  const bool steep = height > width;
  double value = arctangent_of_quotient(steep ? width : height, steep ? height : width);
  value = steep ? 0.5 * PI - value : value;
  value = copy_sign(1.0, x) < 0 ? PI - value : value;
  value = copy_sign(value, y);
  return x != x || y != y ? x + y : value;
}

struct Tangent {
  static bool is_supported(double x) { return Sine<0>::is_supported(x); }
  static double fallback(double x) { return std::tan(x); }
  static double evaluate(double x) { return Sine<0>::evaluate(x) / Sine<1>::evaluate(x); }
};

struct Arcsine {
  static bool is_supported(double x) { return magnitude(x) <= 1; }
  static double fallback(double x) { return std::asin(x); }
  static double evaluate(double x) { return angle(x, square_root((1 - x) * (1 + x))); }
};

struct Arccosine {
  static bool is_supported(double x) { return magnitude(x) <= 1; }
  static double fallback(double x) { return std::acos(x); }
  static double evaluate(double x) { return angle(square_root((1 - x) * (1 + x)), x); }
};

struct Arctangent {
  static bool is_supported(double x) { return x == x; }
  static double fallback(double x) { return std::atan(x); }
  static double evaluate(double x) { return angle(x, 1); }
};

// With e = exp(|x|) - 1, sinh(|x|) is (e + e / (e + 1)) / 2.
struct HyperbolicSine {
  static bool is_supported(double x) { return magnitude(x) < 700; }
  static double fallback(double x) { return std::sinh(x); }
  static double evaluate(double x) {
    const double e = exponential_minus_one(magnitude(x));
    return copy_sign(0.5 * (e + e / (e + 1)), x);
  }
};

struct HyperbolicCosine {
  static bool is_supported(double x) { return magnitude(x) < 700; }
  static double fallback(double x) { return std::cosh(x); }
  static double evaluate(double x) {
    const double power = exponential(magnitude(x));
    return 0.5 * (power + 1 / power);
  }
};

struct InverseHyperbolicSine {
  static bool is_supported(double x) { return magnitude(x) < 1e150; }
  static double fallback(double x) { return std::asinh(x); }
  static double evaluate(double x) {
    const double size = magnitude(x), square = size * size;
    return copy_sign(logarithm_of_one_plus(size + square / (1 + square_root(1 + square))), x);
  }
};

struct InverseHyperbolicCosine {
  static bool is_supported(double x) { return x >= 1 && x < 1e150; }
  static double fallback(double x) { return std::acosh(x); }
  static double evaluate(double x) {
    const double excess = x - 1;
    return logarithm_of_one_plus(excess + square_root(excess * (excess + 2)));
  }
};

struct InverseHyperbolicTangent {
  static bool is_supported(double x) { return magnitude(x) < 1; }
  static double fallback(double x) { return std::atanh(x); }
  static double evaluate(double x) {
    const double size = magnitude(x);
    return copy_sign(0.5 * logarithm_of_one_plus(2 * size / (1 - size)), x);
  }
};

// Computes floats in doubles; doubles use the C library.
template <class Function, class T>
void apply_to_floats(const T* in, T* out, Index count) {
  if constexpr (sizeof(T) == sizeof(float))
    apply_blockwise(apply<Function>, in, out, count);
  else
    for (Index i = 0; i < count; ++i) out[i] = Function::fallback(in[i]);
}

template <class T>
void angles(const T* y, const T* x, T* out, Index count) {
  if constexpr (sizeof(T) == sizeof(float)) {
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < count; ++i) out[i] = T(angle(y[i], x[i]));
  } else {
    for (Index i = 0; i < count; ++i) out[i] = std::atan2(y[i], x[i]);
  }
}

}  // namespace double_precision
