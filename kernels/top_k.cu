// Finds the k largest elements of each row in descending order, and their indices; ties are in index order, and NaN is
// last. Meant for small k: each element takes a pass over the row, which stays in the cache.
#include "basics.h"

template <class T>
struct Entry {
  T value;
  Index index;  // -1: no entry
};

// Returns whether a sorts before b.
template <class T>
__device__ bool sorts_before(Entry<T> a, Entry<T> b) {
  bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
  if (a_is_nan != b_is_nan) return b_is_nan;
  if (!a_is_nan && a.value != b.value) return a.value > b.value;
  return a.index < b.index;
}
template <class T>
__device__ Entry<T> first_entry(Entry<T> a, Entry<T> b) {
  if (a.index < 0) return b;
  if (b.index < 0) return a;
  return sorts_before(b, a) ? b : a;
}
template <class T>
__device__ Entry<T> warp_first(Entry<T> entry) {
  for (int other = 16; other; other >>= 1) {
    Entry<T> other_entry = {__shfl_xor_sync(ALL_LANES, entry.value, other),
                            __shfl_xor_sync(ALL_LANES, entry.index, other)};
    entry = first_entry(entry, other_entry);
  }
  return entry;
}

template <class T>
__device__ void top_k(const T* x, T* values, int* indices, Index rows, Index columns, Index k) {
  __shared__ T shared_values[32];
  __shared__ Index shared_indices[32];
  FOR_ROWS(row, rows) {
    Entry<T> last = {T(0), -1};
    for (Index number = 0; number < k; ++number) {
      Entry<T> best = {T(0), -1};
      for (Index i = threadIdx.x; i < columns; i += blockDim.x) {
        Entry<T> entry = {x[row * columns + i], i};
        if (last.index < 0 || sorts_before(last, entry)) best = first_entry(best, entry);
      }
      best = warp_first(best);
      if (blockDim.x > 32) {
        int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
        __syncthreads();
        if (lane == 0) {
          shared_values[threadIdx.x >> 5] = best.value;
          shared_indices[threadIdx.x >> 5] = best.index;
        }
        __syncthreads();
        if (lane < warps)
          best = Entry<T>{shared_values[lane], shared_indices[lane]};
        else
          best = Entry<T>{T(0), -1};
        best = warp_first(best);
      }
      if (threadIdx.x == 0) {
        values[row * k + number] = best.value;
        indices[row * k + number] = (int)best.index;
      }
      last = best;
    }
  }
}

#define MAKE(T, NAME)                                                                                  \
  WIDE_KERNEL(top_k_##NAME)(const T* x, T* values, int* indices, Index rows, Index columns, Index k) { \
    top_k(x, values, indices, rows, columns, k);                                                       \
  }
FOR_NUMBERS(MAKE)
#undef MAKE
