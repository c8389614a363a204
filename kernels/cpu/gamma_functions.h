// Incomplete gamma and beta functions, zeta and polygamma in double precision, for BLOCK pairs or triples of operands
// at a time. Pairs that use the same series are summed in parallel until all have converged to `epsilon`.
//
// Unless noted otherwise, the first operand is positive and below 1e5; for zeta and polygamma, the order is at most 1e4
// and the other operand is positive. The caller handles all other operands.
#pragma once

#include "double_precision_math.h"

namespace double_precision {

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();
constexpr double INFINITE = std::numeric_limits<double>::infinity();

constexpr int TOGETHER = 16;  // pairs summed in parallel
constexpr int STEPS = 4;      // terms between convergence checks

// Series sums for igamma(a, x) and its derivative with respect to `a`.
struct Sums {
  double value[TOGETHER], slope[TOGETHER];
};

// Sums 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...; the sum times x^a e^-x / gamma(a + 1) is igamma(a, x).
template <bool with_slope>
NOINLINE void power_series(const double* a, const double* x, double epsilon, Sums& sums) {
  double divisor[TOGETHER], term[TOGETHER], total[TOGETHER], harmonic[TOGETHER], slope[TOGETHER];
  for (int i = 0; i < TOGETHER; ++i) divisor[i] = a[i], term[i] = total[i] = 1, harmonic[i] = slope[i] = 0;
  for (int n = 0; n < 20000; n += STEPS) {
    for (int step = 0; step < STEPS; ++step)
      for (int i = 0; i < TOGETHER; ++i) {
        divisor[i] += 1;
        const double part = 1 / divisor[i];
        term[i] *= x[i] * part;
        total[i] += term[i];
        if (with_slope) harmonic[i] += part, slope[i] -= term[i] * harmonic[i];
      }
    int is_unconverged = 0;
    for (int i = 0; i < TOGETHER; ++i)
      is_unconverged |= with_slope ? term[i] * harmonic[i] > -epsilon * slope[i] : term[i] > epsilon * total[i];
    if (!is_unconverged) break;
  }
  for (int i = 0; i < TOGETHER; ++i) sums.value[i] = total[i], sums.slope[i] = slope[i];
}

// Evaluates the continued fraction p / q for x > 1 and x > a; p / q times x^a e^-x / gamma(a) is 1 - igamma(a, x). Each
// step computes p, q and their derivatives with respect to `a` from the previous two steps.
template <bool with_slope>
NOINLINE void continued_fraction(const double* a, const double* x, double epsilon, Sums& sums) {
  using Each = double[TOGETHER];
  Each p0, q0, p1, q1, dp0, dq0, dp1, dq1;
  for (int i = 0; i < TOGETHER; ++i) {
    p0[i] = 1, q0[i] = x[i], dp0[i] = dq0[i] = 0;
    p1[i] = x[i] + 1, q1[i] = (x[i] + 2 - a[i]) * x[i], dp1[i] = 0, dq1[i] = -x[i];
  }
  for (int n = 1; n < 2000; n += STEPS) {
    for (int step = 0; step < STEPS; ++step)
      for (int i = 0; i < TOGETHER; ++i) {
        const double k = n + step, coefficient = x[i] + 2 - a[i] + 2 * k, previous_coefficient = (1 - a[i] + k) * k;
        const double p = p1[i] * coefficient - p0[i] * previous_coefficient,
                     q = q1[i] * coefficient - q0[i] * previous_coefficient;
        if (with_slope) {
          const double dp = dp1[i] * coefficient - dp0[i] * previous_coefficient + k * p0[i] - p1[i];
          const double dq = dq1[i] * coefficient - dq0[i] * previous_coefficient + k * q0[i] - q1[i];
          dp0[i] = dp1[i], dq0[i] = dq1[i], dp1[i] = dp, dq1[i] = dq;
        }
        p0[i] = p1[i], q0[i] = q1[i], p1[i] = p, q1[i] = q;
      }
    int is_unconverged = 0;
    for (int i = 0; i < TOGETHER; ++i) {
      const double scale = 1 / (magnitude(q1[i]) > 1 ? magnitude(q1[i]) : 1);
      p0[i] *= scale, q0[i] *= scale, p1[i] *= scale, q1[i] *= scale;
      const double value = p1[i] / q1[i], last = p0[i] / q0[i];
      double change = magnitude(value - last), size = magnitude(value);
      sums.value[i] = value;
      if (with_slope) {
        dp0[i] *= scale, dq0[i] *= scale, dp1[i] *= scale, dq1[i] *= scale;
        const double slope = (dp1[i] - value * dq1[i]) / q1[i];
        change += magnitude(slope - (dp0[i] - last * dq0[i]) / q0[i]), size += magnitude(slope);
        sums.slope[i] = slope;
      }
      is_unconverged |= change > epsilon * size;
    }
    if (!is_unconverged) break;
  }
}

// Sums the series for the selected pairs of a block, and scatters the sums.
template <bool with_slope, class Is>
inline void sum_selected(void (*series)(const double*, const double*, double, Sums&), const double* a, const double* x,
                         double epsilon, const Is& selects, double* value, double* slope) {
  int selected[BLOCK], count = 0;
  for (int i = 0; i < BLOCK; ++i) {
    selected[count] = i;
    count += selects(a[i], x[i]);
  }
  for (int begin = 0; begin < count; begin += TOGETHER) {
    double batch_a[TOGETHER], batch_x[TOGETHER];
    Sums sums;
    auto index_of = [&](int i) { return selected[begin + i < count ? begin + i : begin]; };
    for (int i = 0; i < TOGETHER; ++i) batch_a[i] = a[index_of(i)], batch_x[i] = x[index_of(i)];
    series(batch_a, batch_x, epsilon, sums);
    for (int i = 0; i < TOGETHER; ++i) {
      value[index_of(i)] = sums.value[i];
      if (with_slope) slope[index_of(i)] = sums.slope[i];
    }
  }
}

enum Incomplete { LOWER, UPPER, SLOPE };

// Computes igamma, igammac, or the derivative of igamma with respect to a, for arbitrary x.
template <Incomplete kind>
NOINLINE void incomplete_gamma(const double* first, const double* second, double epsilon, double* out) {
  double a[BLOCK], x[BLOCK], value[BLOCK], slope[BLOCK];
  auto is_supported = [](double a, double x) { return (a > 0) & (x > 0) & (x < INFINITE); };
  int needs_fallback = 0;
  for (int i = 0; i < BLOCK; ++i) {
    const bool is_valid = is_supported(first[i], second[i]);
    a[i] = is_valid ? first[i] : 1, x[i] = is_valid ? second[i] : 1;
    needs_fallback |= !is_valid;
  }
  constexpr bool with_slope = kind == SLOPE;
  auto is_above = [](double a, double x) { return (x > 1) & (x > a); };
  auto is_below = [&](double a, double x) { return !is_above(a, x); };
  sum_selected<with_slope>(power_series<with_slope>, a, x, epsilon, is_below, value, slope);
  sum_selected<with_slope>(continued_fraction<with_slope>, a, x, epsilon, is_above, value, slope);
  for (int i = 0; i < BLOCK; ++i) {
    const bool above = is_above(a[i], x[i]);
    const double log_x = logarithm(x[i]), next = a[i] + 1;
    // gamma(a) = gamma(a + 1) / a
    const double factor = exponential(a[i] * log_x - x[i] - LogGamma::evaluate(next)) * (above ? a[i] : 1);
    if (with_slope) {
      const double part = log_x - Digamma::evaluate(next) + (above ? 1 / a[i] : 0);
      const double derivative = factor * (slope[i] + value[i] * part);
      out[i] = above ? -derivative : derivative;
    } else {
      const double tail = factor * value[i];
      out[i] = above == (kind == UPPER) ? tail : 1 - tail;
    }
  }
  if (!needs_fallback) return;
  for (int i = 0; i < BLOCK; ++i) {
    const double p = first[i], q = second[i];
    if (is_supported(p, q)) continue;
    if (q == 0)
      out[i] = kind == UPPER && p > 0 ? 1 : kind == UPPER ? NOT_A_NUMBER : 0;
    else if (q == INFINITE && p > 0)
      out[i] = kind == LOWER ? 1 : 0;
    else
      out[i] = NOT_A_NUMBER;
  }
}

// Computes zeta as the first six terms of 1 / q^x + 1 / (q + 1)^x + ... plus the Euler-Maclaurin remainder.
NOINLINE inline void zeta(const double* x, const double* q, double, double* out) {
  constexpr int FIRST = 6, LAST = 6;
  // Even Bernoulli numbers B(2k) / (2k)!.
  constexpr double terms[LAST] = {1.0 / 12,      -1.0 / 720,     1.0 / 30240,
                                  -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000};
  double total[BLOCK] = {}, power[BLOCK];
  for (int k = 0; k <= FIRST; ++k) {
    for (int i = 0; i < BLOCK; ++i) power[i] = exponential(-x[i] * logarithm(q[i] + k));
    if (k < FIRST)
      for (int i = 0; i < BLOCK; ++i) total[i] += power[i];
  }
  for (int i = 0; i < BLOCK; ++i) {
    const double end = q[i] + FIRST, part = 1 / end;
    double remainder = 0, factor = x[i] * part;
    for (int j = 0; j < LAST; ++j) {
      remainder += terms[j] * factor;
      factor *= (x[i] + (2 * j + 1)) * (x[i] + (2 * j + 2)) * (part * part);
    }
    total[i] += power[i] * (end / (x[i] - 1) + 0.5 + remainder);
  }
  for (int i = 0; i < BLOCK; ++i) out[i] = x[i] > 1 ? total[i] : x[i] == 1 ? INFINITE : NOT_A_NUMBER;
}

// Computes polygamma as (-1)^(n + 1) n! zeta(n + 1, x); as digamma(x) for n = 0.
NOINLINE inline void polygamma(const double* n, const double* x, double epsilon, double* out) {
  double next[BLOCK], factor[BLOCK], digammas[BLOCK];
  for (int i = 0; i < BLOCK; ++i) next[i] = n[i] + 1;
  zeta(next, x, epsilon, out);
  int zeros = 0;
  for (int i = 0; i < BLOCK; ++i) zeros |= n[i] == 0;
  for (int i = 0; i < BLOCK; ++i) factor[i] = LogGamma::evaluate(next[i]);
  for (int i = 0; i < BLOCK; ++i) factor[i] = exponential(factor[i]);
  if (zeros)
    for (int i = 0; i < BLOCK; ++i) digammas[i] = Digamma::evaluate(x[i]);
  for (int i = 0; i < BLOCK; ++i) {
    const double integer = std::floor(n[i]), half = 0.5 * integer;
    const double value = (std::floor(half) == half ? -factor[i] : factor[i]) * out[i];
    const double result = zeros && n[i] == 0 ? digammas[i] : value;
    out[i] = n[i] < 0 || n[i] != integer ? NOT_A_NUMBER : result;
  }
}

// Applies a function to BLOCK pairs at a time.
template <class T>
NOINLINE void apply_to_pairs(void (*function)(const double*, const double*, double, double*), const T* first,
                          const T* second, T* out, Index count) {
  constexpr double epsilon = sizeof(T) == sizeof(float) ? 1e-10 : 1e-15;
  double a[BLOCK], b[BLOCK], results[BLOCK];
  for (Index i = 0; i < count; i += BLOCK) {
    for (int k = 0; k < BLOCK; ++k) {
      const Index from = i + k < count ? i + k : count - 1;
      a[k] = first[from], b[k] = second[from];
    }
    function(a, b, epsilon, results);
    for (int k = 0; k < BLOCK && i + k < count; ++k) out[i + k] = T(results[k]);
  }
}

// Evaluates the continued fraction p / q of betainc(a, b, x) for x < (a + 1) / (a + b + 2), NIST Digital Library of
// Mathematical Functions, 8.17.22: betainc is x^a (1 - x)^b gamma(a + b) / (gamma(a + 1) gamma(b)) divided by p / q.
// Each step computes p and q from the previous two steps.
NOINLINE inline void beta_fraction(const double* a, const double* b, const double* x, double epsilon, double* value) {
  double p0[TOGETHER], q0[TOGETHER], p1[TOGETHER], q1[TOGETHER];
  for (int i = 0; i < TOGETHER; ++i) p0[i] = p1[i] = q1[i] = 1, q0[i] = 0;
  for (int m = 0; m < 5000; m += STEPS) {
    for (int step = 0; step < STEPS; ++step)
      for (int i = 0; i < TOGETHER; ++i) {
        const double k = m + step, n = k + 1, twice = a[i] + 2 * k;
        const double odd = -(a[i] + k) * (a[i] + b[i] + k) * x[i] / (twice * (twice + 1));
        const double even = n * (b[i] - n) * x[i] / ((twice + 1) * (twice + 2));
        p0[i] = p1[i] + odd * p0[i], q0[i] = q1[i] + odd * q0[i];
        p1[i] = p0[i] + even * p1[i], q1[i] = q0[i] + even * q1[i];
      }
    int is_unconverged = 0;
    for (int i = 0; i < TOGETHER; ++i) {
      const double scale = 1 / q1[i];
      p0[i] *= scale, q0[i] *= scale, p1[i] *= scale, q1[i] = 1;
      value[i] = p1[i];
      is_unconverged |= magnitude(p1[i] - p0[i] / q0[i]) > epsilon * magnitude(p1[i]);
    }
    if (!is_unconverged) break;
  }
}

// Computes betainc(a, b, x); NaN unless a > 0, b > 0 and 0 < x < 1. `a` and `b` must be below 1e5.
NOINLINE inline void incomplete_beta_batch(const double* first, const double* second, const double* third,
                                           double epsilon, double* results) {
  double a[TOGETHER], b[TOGETHER], x[TOGETHER], complement[TOGETHER], divisor[TOGETHER];
  int is_valid[TOGETHER], uses_complement[TOGETHER];
  for (int i = 0; i < TOGETHER; ++i) {
    const double input_a = first[i], input_b = second[i], input_x = third[i];
    is_valid[i] = (input_a > 0) & (input_b > 0) & (input_x > 0) & (input_x < 1);
    uses_complement[i] = input_x * (input_a + input_b + 2) > input_a + 1;
    a[i] = !is_valid[i] ? 1 : uses_complement[i] ? input_b : input_a;
    b[i] = !is_valid[i] ? 1 : uses_complement[i] ? input_a : input_b;
    x[i] = !is_valid[i] ? 0.25 : uses_complement[i] ? 1 - input_x : input_x;
    complement[i] = !is_valid[i] ? 0.75 : uses_complement[i] ? input_x : 1 - input_x;
  }
  beta_fraction(a, b, x, epsilon, divisor);
  for (int i = 0; i < TOGETHER; ++i) {
    const double gammas = LogGamma::evaluate(a[i] + b[i]) - LogGamma::evaluate(a[i] + 1) - LogGamma::evaluate(b[i]);
    const double value = exponential(a[i] * logarithm(x[i]) + b[i] * logarithm(complement[i]) + gammas) / divisor[i];
    results[i] = is_valid[i] ? (uses_complement[i] ? 1 - value : value) : NOT_A_NUMBER;
  }
}

template <class T>
void incomplete_betas(const T* first, const T* second, const T* third, T* out, Index count) {
  constexpr double epsilon = sizeof(T) == sizeof(float) ? 1e-13 : 1e-15;  // strict, because convergence may be slow
  for (Index begin = 0; begin < count; begin += TOGETHER) {
    double a[TOGETHER], b[TOGETHER], x[TOGETHER], results[TOGETHER];
    for (int i = 0; i < TOGETHER; ++i) {
      const Index from = begin + i < count ? begin + i : count - 1;
      a[i] = first[from], b[i] = second[from], x[i] = third[from];
    }
    incomplete_beta_batch(a, b, x, epsilon, results);
    for (int i = 0; i < TOGETHER && begin + i < count; ++i) out[begin + i] = T(results[i]);
  }
}

}  // namespace double_precision
