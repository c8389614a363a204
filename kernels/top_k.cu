// The k largest elements of each row in descending order, and their indices; ties are in index order, NaN last. For
// small k: each of them takes a pass over the row, which stays in the cache.
#include "basics.h"

template <class T>
struct Entry {
  T value;
  Index place;  // -1: none
};

// Whether a sorts before b.
template <class T>
__device__ bool before(Entry<T> a, Entry<T> b) {
  bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
  if (a_is_nan != b_is_nan) return b_is_nan;
  if (!a_is_nan && a.value != b.value) return a.value > b.value;
  return a.place < b.place;
}
template <class T>
__device__ Entry<T> first_of(Entry<T> a, Entry<T> b) {
  if (a.place < 0) return b;
  if (b.place < 0) return a;
  return before(b, a) ? b : a;
}
template <class T>
__device__ Entry<T> first_of_warp(Entry<T> mine) {
  for (int other = 16; other; other >>= 1) {
    Entry<T> theirs = {__shfl_xor_sync(ALL_LANES, mine.value, other),
                       __shfl_xor_sync(ALL_LANES, mine.place, other)};
    mine = first_of(mine, theirs);
  }
  return mine;
}

template <class T>
__device__ void top_k(const T* x, T* values, int* places, Index rows, Index columns, Index k) {
  __shared__ T kept_values[32];
  __shared__ Index kept_places[32];
  FOR_ROWS(row, rows) {
    Entry<T> last = {T(0), -1};
    for (Index number = 0; number < k; ++number) {
      Entry<T> best = {T(0), -1};
      for (Index i = threadIdx.x; i < columns; i += blockDim.x) {
        Entry<T> entry = {x[row * columns + i], i};
        if (last.place < 0 || before(last, entry)) best = first_of(best, entry);
      }
      best = first_of_warp(best);
      if (blockDim.x > 32) {
        int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
        __syncthreads();
        if (lane == 0) {
          kept_values[threadIdx.x >> 5] = best.value;
          kept_places[threadIdx.x >> 5] = best.place;
        }
        __syncthreads();
        if (lane < warps)
          best = Entry<T>{kept_values[lane], kept_places[lane]};
        else
          best = Entry<T>{T(0), -1};
        best = first_of_warp(best);
      }
      if (threadIdx.x == 0) {
        values[row * k + number] = best.value;
        places[row * k + number] = (int)best.place;
      }
      last = best;
    }
  }
}

#define MAKE(T, NAME)                                                                        \
  WIDE_KERNEL(top_k_##NAME)(const T* x, T* values, int* places, Index rows, Index columns, Index k) { \
    top_k(x, values, places, rows, columns, k);                                              \
  }
FOR_NUMBERS(MAKE)
#undef MAKE
