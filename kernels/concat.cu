// Concatenates arrays along an axis, up to 64 per launch. Elements are only moved, so there is one kernel per element
// width.
//
// The address table is passed by value, as in optimizers.cu, so that a captured launch depends only on the arrays.
#include "basics.h"

const int MAX_SOURCES = 64;

// Source n is [outer, ends[n] - ends[n - 1]]: the columns of the result starting at ends[n - 1] (ends[-1] is `first`).
struct Sources {
  Index addresses[MAX_SOURCES], ends[MAX_SOURCES];
};

// Writes columns `first` to `first + width` of result [outer, total].
template <class T, class Number>
__device__ void join(const Sources& sources, int count, T* __restrict__ result, Number size,
                     Number width, Index first, Index total) {
  GRID_STRIDE_BY(Number, i, size) {
    Number row = i / width;
    Index column = first + (i - row * width);
    int low = 0, high = count - 1;  // finds the first source that ends after the column
    while (low < high) {
      int middle = (low + high) / 2;
      if (sources.ends[middle] > column)
        high = middle;
      else
        low = middle + 1;
    }
    Index start = low ? sources.ends[low - 1] : first;
    const T* source = (const T*)sources.addresses[low];
    result[(Index)row * total + column] = source[(Index)row * (sources.ends[low] - start) + column - start];
  }
}
#define PAIR(A) A

#define MAKE(T, WIDTH)                                                                            \
  KERNEL(join_##WIDTH)(const __grid_constant__ Sources sources, int count, void* __restrict__ result, \
                      Index size, Index width, Index first, Index total) {                        \
    SIZED(size, join, PAIR(T), sources, count, (T*)result, size, width, first, total);            \
  }
FOR_WIDTHS(MAKE)
#undef MAKE
