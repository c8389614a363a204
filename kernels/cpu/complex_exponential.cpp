// Exponentials of complex numbers, computed in doubles; each part is within one ulp. Nonfinite and large arguments use
// the C library.

#include <complex>

#include "double_precision_math.h"
#include "threads.h"

namespace {

using double_precision::BLOCK;

NOINLINE void exponentials(const float* x, float* out, Index count) {
  for (Index begin = 0; begin < count; begin += BLOCK) {
    const Index size = count - begin < BLOCK ? count - begin : BLOCK;
    double real[BLOCK] = {}, imaginary[BLOCK] = {};
    float results[2 * BLOCK];
    for (Index i = 0; i < size; ++i) real[i] = x[2 * (begin + i)], imaginary[i] = x[2 * (begin + i) + 1];
    auto is_supported = [&](Index i) { return (magnitude(real[i]) < 1e3) & (magnitude(imaginary[i]) < 1e6); };
    int needs_fallback = 0;
    for (Index i = 0; i < BLOCK; ++i) needs_fallback |= !is_supported(i);
    for (Index i = 0; i < BLOCK; ++i) {
      const double length = exponential(real[i]);
      results[2 * i] = float(length * double_precision::Sine<1>::evaluate(imaginary[i]));
      results[2 * i + 1] = float(length * double_precision::Sine<0>::evaluate(imaginary[i]));
    }
    if (needs_fallback)
      for (Index i = 0; i < size; ++i)
        if (!is_supported(i)) {
          const std::complex<float> value = std::exp(std::complex<float>(float(real[i]), float(imaginary[i])));
          results[2 * i] = value.real(), results[2 * i + 1] = value.imag();
        }
    std::memcpy(out + 2 * begin, results, std::size_t(2 * size) * sizeof(float));
  }
}

}  // namespace

EXPORT void exponentials_c64(const float* x, float* out, Index count, Index threads) {
  parallel_for_ranges(count, GRAIN / 8, threads, [&](Index, Index begin, Index end) {
    exponentials(x + 2 * begin, out + 2 * begin, end - begin);
  });
}
