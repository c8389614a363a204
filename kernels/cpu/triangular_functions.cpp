// Square roots and logarithms of upper triangular complex matrices, from which a Schur decomposition yields those of
// general matrices: N. Higham, "Functions of Matrices", 2008, algorithms 6.3 and 11.9.

#include <complex>

#include "basics.h"

namespace {

using Number = std::complex<double>;

// Multiplies complex numbers without the special cases of the C library for infinities.
inline Number product(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Computes the square root in place, column by column, upwards from the diagonal.
void take_root(Number* t, Index n) {
  for (Index j = 0; j < n; ++j) {
    t[j * n + j] = std::sqrt(t[j * n + j]);
    for (Index i = j - 1; i >= 0; --i) {
      Number rest = t[i * n + j];
      for (Index k = i + 1; k < j; ++k) rest -= product(t[i * n + k], t[k * n + j]);
      t[i * n + j] = rest == 0.0 ? 0.0 : rest / (t[i * n + i] + t[j * n + j]);
    }
  }
}

// Returns the 1-norm of t - 1.
double distance_from_one(const Number* t, Index n) {
  double largest = 0;
  for (Index j = 0; j < n; ++j) {
    double sum = 0;
    for (Index i = 0; i <= j; ++i) sum += std::abs(t[i * n + j] - double(i == j));
    largest = maximum(sum, largest);
  }
  return largest;
}

// Padé approximant of log(1 + x) of degree 7, by Gauss quadrature of x / (1 + s x) over s from 0 to 1: accurate in
// doubles up to this distance.
constexpr double MAX_DIRECT_NORM = 0.264;
constexpr int DEGREE = 7, MAX_ROOTS = 100;
constexpr double nodes[DEGREE] = {0.025446043828620738, 0.12923440720030278, 0.29707742431130142, 0.5,
                                  0.70292257568869858,  0.87076559279969722, 0.97455395617137926};
constexpr double weights[DEGREE] = {0.064742483084434847, 0.13985269574463834, 0.19091502525255947, 0.20897959183673469,
                                    0.19091502525255947,  0.13985269574463834, 0.064742483084434847};

}  // namespace

EXPORT void triangular_root(double* matrix, Index n) { take_root(reinterpret_cast<Number*>(matrix), n); }

// Computes the logarithm. `result` [n, n] and `column` [n] must not overlap. Returns 0 if repeated square roots do not
// converge to 1.
EXPORT int triangular_logarithm(double* matrix, double* result, double* column, Index n) {
  Number *t = reinterpret_cast<Number*>(matrix), *sum = reinterpret_cast<Number*>(result);
  Number* y = reinterpret_cast<Number*>(column);
  for (Index i = 0; i < n; ++i) sum[i * n + i] = std::log(t[i * n + i]);
  double scale = 1;
  int roots = 0;
  for (; !(distance_from_one(t, n) < MAX_DIRECT_NORM); ++roots) {
    if (roots == MAX_ROOTS) return 0;
    take_root(t, n), scale *= 2;
  }
  for (Index i = 0; i < n; ++i) t[i * n + i] -= 1;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      if (i != j) sum[i * n + j] = 0;
    for (int k = 0; k < DEGREE; ++k)
      for (Index i = j; i >= 0; --i) {  // solves (1 + s t) y = weight t
        Number rest = 0;
        for (Index l = i + 1; l <= j; ++l) rest += product(t[i * n + l], y[l]);
        y[i] = (weights[k] * t[i * n + j] - nodes[k] * rest) / (1.0 + nodes[k] * t[i * n + i]);
        if (i != j) sum[i * n + j] += scale * y[i];
      }
  }
  return 1;
}
