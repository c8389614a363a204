// Branch-free elementary functions, within 2 ulp, which the compiler vectorizes. They are always inlined, since a call
// would prevent vectorization of the loop.
//
// Range reduction leads to a small interval where a polynomial has the type's precision: exp(x) = 2^n exp(r) and log(x)
// = n log(2) + 2 artanh(s), s = (m - 1) / (m + 1), as in W. Cody and W. Waite, "Software Manual for the Elementary
// Functions", 1980. The coefficients were fitted at Chebyshev nodes with 50 digits.
#pragma once

#include "basics.h"

template <class To, class From>
inline To bits_as(From from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// a * b + c, with a single rounding if the processor has FMA.
template <class T>
[[gnu::always_inline]] inline T multiply_add(T a, T b, T c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if constexpr (sizeof(T) == 4)
    return __builtin_fmaf(a, b, c);
  else
    return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Evaluates a polynomial by Horner's rule, highest coefficient first.
template <class T>
[[gnu::always_inline]] inline T horner(T, T value) { return value; }
template <class T, class... Coefficients>
[[gnu::always_inline]] inline T horner(T x, T value, T next, Coefficients... coefficients) {
  return horner(x, multiply_add(value, x, next), coefficients...);
}

template <class T>
struct Format;

template <>
struct Format<float> {
  using Bits = std::int32_t;
  using Unsigned = std::uint32_t;
  static constexpr int fraction = 23;
  static constexpr Bits bias = 127;
  static constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float smallest = 1.17549435e-38f, to_normal = 8388608.0f;
  static constexpr float lowest_exponent = -87.3365402f, highest_exponent = 88.7228317f;
  static constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float tanh_small = 0.625f, tanh_large = 9.1f;
  [[gnu::always_inline]] static float exp_tail(float r) {
    return horner(r, 1.9891982e-4f, 1.39345419e-3f, 8.33331002e-3f, 4.16664568e-2f, 0.166666668f, 0.5f);
  }
  [[gnu::always_inline]] static float log_tail(float z) {
    return horner(z, 0.233419434f, 0.28550397f, 0.400001256f, 0.666666665f);
  }
  [[gnu::always_inline]] static float tanh_tail(float z) {
    return horner(z, 2.26950168e-3f, -8.32318706e-3f, 2.17625029e-2f, -5.39584616e-2f, 0.133333001f, -0.333333331f);
  }
  static constexpr float softplus_limit = 13.942385f, erf_large = 3.95f;
  static float erf_tail(float z) {
    return horner(z, 7.902759874e-5f, -8.02478733e-4f, 5.189962573e-3f, -2.68546579e-2f, 0.1128360502f,
                  -0.3761262755f, 0.128379166f);
  }
  static float log_erfc(float s) {
    return horner(s, 1.863746147e-4f, -1.82930828e-3f, 9.895155412e-3f, -4.150310382e-2f, -0.8431178075f,
                  -2.638966847f, -1.849605517f);
  }
};

template <>
struct Format<double> {
  using Bits = std::int64_t;
  using Unsigned = std::uint64_t;
  static constexpr int fraction = 52;
  static constexpr Bits bias = 1023;
  static constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double smallest = 2.2250738585072014e-308, to_normal = 4503599627370496.0;
  static constexpr double lowest_exponent = -708.3964185322641, highest_exponent = 709.782712893384;
  static constexpr double log2_e = 1.4426950408889634074;
  static constexpr double ln2_high = 0.693147180369123816490, ln2_low = 1.90821492927058770002e-10;
  static constexpr double tanh_small = 0.55, tanh_large = 20.0;
  [[gnu::always_inline]] static double exp_tail(double r) {
    return horner(r, 1.6087177234380782278e-10, 2.0918961837795778064e-9, 2.5052069594795684812e-8,
                  2.755726102934376868e-7, 2.7557319248633825543e-6, 2.4801587338565345553e-5,
                  1.9841269841262762552e-4, 1.3888888888878268954e-3, 8.3333333333333340768e-3,
                  4.1666666666666677821e-2, 1.6666666666666666667e-1, 0.5);
  }
  [[gnu::always_inline]] static double log_tail(double z) {
    return horner(z, 0.13100721383503491392, 0.13267418596474883398, 0.15386290534658991988, 0.18181794700897799585,
                  0.22222222400547757297, 0.28571428570764450117, 0.40000000000000941266, 0.66666666666666666448);
  }
  [[gnu::always_inline]] static double tanh_tail(double z) {
    return horner(z, 1.128027883367423531e-6, -5.2311177474661957726e-6, 1.5278591801824254864e-5,
                  -3.9051018639161029768e-5, 9.6859005538272181691e-5, -2.3911920743483324887e-4,
                  5.9002620712936464791e-4, -1.4558342795395300666e-3, 3.59212803019573154e-3,
                  -8.863235529656654501e-3, 2.1869488536149529747e-2, -5.3968253968253899761e-2,
                  0.13333333333333333301, -0.33333333333333333333);
  }
  static constexpr double softplus_limit = 34.04365338911715, erf_large = 6.0;
  static double erf_tail(double z) {
    return horner(z, 5.9614999271414436252e-11, -1.1375357964793541027e-9, 1.466041252863119131e-8,
                  -1.6350405788978344888e-7, 1.646100912888472057e-6, -1.4925595799421923731e-5,
                  1.2055331133690620084e-4, -8.5483269814416147495e-4, 5.2239776248288324736e-3,
                  -2.6866170645077962568e-2, 0.11283791670954885516, -0.37612638903183748227,
                  0.12837916709551257378);
  }
  static double log_erfc(double s) {
    return horner(s, 1.0483053341932210357e-12, -2.9037402542226155276e-11, 3.7066211098869091745e-10,
                  -2.8797524770094384618e-9, 1.4979751241280755308e-8, -5.224757231875650452e-8,
                  9.8016342811439096865e-8, 1.4209865542711264332e-7, -2.0588127922147542339e-6,
                  9.6080178086281158019e-6, -2.7158512221731273284e-5, 2.6277578322171043235e-5,
                  2.3732258565667863696e-4, -1.9779025929468783724e-3, 1.0033825378302428692e-2,
                  -4.1561098042167528961e-2, -0.84310725635865996001, -2.6389675142347885372,
                  -1.8496055099332482561);
  }
};

// 2^n for n in the normal exponent range.
template <class T>
[[gnu::always_inline]] inline T power_of_two(typename Format<T>::Bits n) {
  using Unsigned = typename Format<T>::Unsigned;
  return bits_as<T>((Unsigned(n) + Unsigned(Format<T>::bias)) << Format<T>::fraction);
}

// Range reduction: x = n log(2) + r with |r| <= log(2) / 2.
template <class T>
struct Reduced {
  T rest;
  typename Format<T>::Bits exponent;
  explicit Reduced(T x) {
    using F = Format<T>;
    T shifted = multiply_add(x, F::log2_e, F::rounder);
    T n = shifted - F::rounder;
    using Unsigned = typename F::Unsigned;
    exponent = typename F::Bits(bits_as<Unsigned>(shifted) - bits_as<Unsigned>(F::rounder));
    rest = multiply_add(n, -F::ln2_low, multiply_add(n, -F::ln2_high, x));
  }
};

// Subnormal results are flushed to 0.
template <class T>
[[gnu::always_inline]] inline T exponential(T x) {
  using F = Format<T>;
  using Unsigned = typename F::Unsigned;
  Reduced<T> reduced(x);
  T r = reduced.rest;
  T fraction = T(1) + multiply_add(r * r, F::exp_tail(r), r);
  T value = bits_as<T>(Unsigned(bits_as<Unsigned>(fraction) + (Unsigned(reduced.exponent) << F::fraction)));
  value = x < F::lowest_exponent ? T(0) : value;
  value = x > F::highest_exponent ? std::numeric_limits<T>::infinity() : value;
  return x != x ? x : value;
}

// 1 / (1 + exp(-x)), adding 1 to exp(-x) before rounding. Subnormal results are flushed to 0.
template <class T>
[[gnu::always_inline]] inline T logistic(T x) {
  using F = Format<T>;
  T bounded = x > T(50) ? T(-50) : -x;
  bounded = bounded > -F::lowest_exponent ? -F::lowest_exponent : bounded;
  Reduced<T> reduced(bounded);
  T r = reduced.rest;
  T scale = power_of_two<T>(reduced.exponent);
  T value = T(1) / multiply_add(scale, multiply_add(r * r, F::exp_tail(r), r), scale + T(1));
  value = -x > -F::lowest_exponent ? T(0) : value;
  return x != x ? x : value;
}

template <class T>
[[gnu::always_inline]] inline T exponential_minus_one(T x) {
  using F = Format<T>;
  T bounded = x < T(-50) ? T(-50) : x;
  bounded = bounded > T(50) ? T(50) : bounded;
  Reduced<T> reduced(bounded);
  T r = reduced.rest;
  T scale = power_of_two<T>(reduced.exponent);
  T value = multiply_add(scale, multiply_add(r * r, F::exp_tail(r), r), scale - T(1));
  value = x > T(50) ? exponential(x) : value;
  return x == T(0) ? x : value;
}

template <class T>
[[gnu::always_inline]] inline T logarithm(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  bool tiny = x < F::smallest;
  T scaled = tiny ? x * F::to_normal : x;
  // Chooses the exponent n such that m = x / 2^n is in [sqrt(1/2), sqrt(2)).
  using Unsigned = typename F::Unsigned;
  Bits bits = Bits(bits_as<Unsigned>(scaled) - bits_as<Unsigned>(T(0.70710678118654752440)));
  Bits n = (bits >> F::fraction) - (tiny ? Bits(F::fraction) : Bits(0));
  T m = bits_as<T>((bits & ((Bits(1) << F::fraction) - 1)) + bits_as<Bits>(T(0.70710678118654752440)));
  T f = m - T(1);
  T s = f / (T(2) + f);
  T z = s * s;
  T square = T(0.5) * f * f;
  T exponent = bits_as<T>(n + bits_as<Bits>(F::rounder)) - F::rounder;
  T value = exponent * F::ln2_high + (f - (square - (s * (square + z * F::log_tail(z)) + exponent * F::ln2_low)));
  constexpr T infinity = std::numeric_limits<T>::infinity();
  value = x == infinity ? infinity : value;
  value = x == T(0) ? -infinity : value;
  return x < T(0) || x != x ? std::numeric_limits<T>::quiet_NaN() : value;
}

// log(1 + x), corrected for the rounding error of 1 + x.
template <class T>
[[gnu::always_inline]] inline T logarithm_of_one_plus(T x) {
  T sum = T(1) + x;
  T lost = x - (sum - T(1));
  T value = logarithm(sum) + lost / sum;
  value = sum == T(1) ? x : value;
  return sum == std::numeric_limits<T>::infinity() || sum == T(0) ? logarithm(sum) : value;
}

// 1 - 2 / (exp(2 x) + 1), or a polynomial near 0, where this cancels.
template <class T>
[[gnu::always_inline]] inline T hyperbolic_tangent(T x) {
  using F = Format<T>;
  T size = magnitude(x);
  T z = x * x;
  T small = multiply_add(x, z * F::tanh_tail(z), x);
  T bounded = size > F::tanh_large ? F::tanh_large : size;
  Reduced<T> reduced(T(2) * bounded);
  T r = reduced.rest;
  T scale = power_of_two<T>(reduced.exponent);
  T minus_one = multiply_add(r * r, F::exp_tail(r), r);
  T large = T(1) - T(2) / multiply_add(scale, minus_one, scale + T(1));
  return size < F::tanh_small || x != x ? small : copy_sign(large, x);
}

// x (1 + a polynomial of x^2) for |x| < 1, else 1 - erfc(x), where log(erfc(x)) is a polynomial of x - 1: the smaller
// erfc(x) is, the less its error contributes.
template <class T>
[[gnu::always_inline]] inline T error_function(T x) {
  using F = Format<T>;
  T size = magnitude(x);
  T small = multiply_add(x, F::erf_tail(x * x), x);
  T bounded = size > F::erf_large ? F::erf_large : size;
  T large = T(1) - exponential(F::log_erfc(bounded - T(1)));
  return size < T(1) || x != x ? small : copy_sign(large, x);
}

// log(exp(x) + 1) with TensorFlow's cutoffs: x or exp(x) where the sum would absorb one of its terms.
template <class T>
[[gnu::always_inline]] inline T softplus_of(T x) {
  constexpr T limit = Format<T>::softplus_limit;
  T power = exponential(x > limit ? limit : x);
  T value = x < -limit ? power : logarithm(power + T(1));
  return x > value ? x : value;
}
