// Histograms of floats with bins of equal width; outliers count in the first and last bins.

#include "basics.h"
#include "threads.h"

namespace {

constexpr Index BLOCK = 256;

// Counts values in bins; returns false if there is a NaN, which has no bin.
template <class T>
NOINLINE bool count_in_bins(const T* values, Index size, T low, double width, Index bins, Index* counts) {
  const double last = double(bins - 1);
  int has_nan = 0;
  for (Index begin = 0; begin < size; begin += BLOCK) {
    const Index chunk = size - begin < BLOCK ? size - begin : BLOCK;
    double bin_positions[BLOCK];
    for (Index i = 0; i < chunk; ++i) {
      const double position = double(values[begin + i] - low) / width;
      has_nan |= position != position;
      bin_positions[i] = position > 0 ? (position < last ? position : last) : 0;
    }
    for (Index i = 0; i < chunk; ++i) ++counts[Index(bin_positions[i])];
  }
  return !has_nan;
}

}  // namespace

// `counts` are zero-initialized arrays, one per thread.
#define EXPORT_HISTOGRAM(suffix, T)                                                                                    \
  EXPORT int histogram_##suffix(const T* values, Index size, T low, double width, Index bins, Index* counts,           \
                                Index threads) {                                                                       \
    std::atomic<bool> done{true};                                                                                      \
    parallel_for_ranges(size, GRAIN, threads, [&](Index thread, Index begin, Index end) {                              \
      if (!count_in_bins(values + begin, end - begin, low, width, bins, counts + thread * bins)) done = false;         \
    });                                                                                                                \
    return done;                                                                                                       \
  }

EXPORT_HISTOGRAM(f32, float)
EXPORT_HISTOGRAM(f64, double)
