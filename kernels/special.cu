// Elementwise error and gamma functions.
#include "basics.h"

// The digamma function; infinite at its poles 0, -1, -2 ...
//
// Negative x use the reflection formula, digamma(1 - x) = digamma(x) + pi / tan(pi x), where only the fractional part
// of x matters. The recurrence digamma(x + 1) = digamma(x) + 1 / x then shifts x to a range in which the asymptotic
// series (Abramowitz and Stegun, 6.3.18) is accurate to the last digits.
__device__ inline double digamma(double x) {
  const double PI = 3.14159265358979323846;
  double result = 0;
  if (x <= 0) {
    if (x == floor(x)) return -log(0.0);
    result = -PI / tan(PI * (x - floor(x)));
    x = 1 - x;
  }
  for (; x < 10; x += 1) result -= 1 / x;
  double s = 1 / (x * x);
  double series =
      s * (1.0 / 12 -
           s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * 691 / 32760)))));
  return result + log(x) - 0.5 / x - series;
}

#define MAKE_ALL(T, NAME)                                   \
  KERNEL(erf_##NAME)(const T* x, T* y, Index size) {        \
    GRID_STRIDE(i, size) y[i] = erf(x[i]);                  \
  }                                                         \
  KERNEL(erfc_##NAME)(const T* x, T* y, Index size) {       \
    GRID_STRIDE(i, size) y[i] = erfc(x[i]);                 \
  }                                                         \
  KERNEL(lgamma_##NAME)(const T* x, T* y, Index size) {     \
    GRID_STRIDE(i, size) y[i] = lgamma(x[i]);               \
  }                                                         \
  KERNEL(digamma_##NAME)(const T* x, T* y, Index size) {    \
    GRID_STRIDE(i, size) y[i] = T(digamma(double(x[i])));   \
  }
FOR_FLOATS(MAKE_ALL)
#undef MAKE_ALL
