// Histograms of floats with bins of equal width; outliers count in the first and last bins.

#include "basics.h"
#include "threads.h"

namespace {

constexpr Index BLOCK = 256;

// False for NaN, which has no bin.
template <class T>
NOINLINE bool count_in_bins(const T* values, Index size, T low, double width, Index bins, Index* counts) {
  const double last = double(bins - 1);
  int missing = 0;
  for (Index begin = 0; begin < size; begin += BLOCK) {
    const Index some = size - begin < BLOCK ? size - begin : BLOCK;
    double places[BLOCK];
    for (Index i = 0; i < some; ++i) {
      const double place = double(values[begin + i] - low) / width;
      missing |= place != place;
      places[i] = place > 0 ? (place < last ? place : last) : 0;
    }
    for (Index i = 0; i < some; ++i) ++counts[Index(places[i])];
  }
  return !missing;
}

}  // namespace

// `counts` are zero-initialized, one array per thread.
#define EXPORT_HISTOGRAM(suffix, T)                                                                                           \
  EXPORT int histogram_##suffix(const T* values, Index size, T low, double width, Index bins, Index* counts,        \
                                Index threads) {                                                                    \
    std::atomic<bool> done{true};                                                                                   \
    in_pieces(size, PIECE, threads, [&](Index thread, Index begin, Index end) {                                     \
      if (!count_in_bins(values + begin, end - begin, low, width, bins, counts + thread * bins)) done = false;      \
    });                                                                                                             \
    return done;                                                                                                    \
  }

EXPORT_HISTOGRAM(f32, float)
EXPORT_HISTOGRAM(f64, double)
