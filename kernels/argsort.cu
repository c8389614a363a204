// Stable sort of indices in [0, extent) for updates by index; `order` receives their original positions. Out-of-range
// indices become `extent` and sort last. Unlike CuPy's sort, it never synchronizes with the device, so it can be
// captured.
//
// Small inputs are ranked in one launch by comparing all pairs. Large inputs use a radix sort with eight-bit digits,
// least significant first, in three launches per digit: blocks count the digits in their tiles; prefix sums of the
// counts (scans.cu), by digit and block, are the output offsets of each block; blocks scatter their indices in order.
#include "basics.h"

const int THREADS = 256;
const int ROUNDS = 8;  // indices per thread
const int TILE = THREADS * ROUNDS;
const int RADIX = 256;

template <class Id>
__device__ Index clamp_index(Id index, Index extent) {
  return index >= 0 && index < extent ? (Index)index : extent;
}

template <class Id>
__device__ void rank(const Id* indices, Index* sorted, Index* order, Index count, Index extent) {
  __shared__ Index keys[THREADS];
  Index i = (Index)blockIdx.x * THREADS + threadIdx.x;
  Index key = i < count ? clamp_index(indices[i], extent) : 0;
  Index position = 0;
  for (Index first = 0; first < count; first += THREADS) {
    __syncthreads();
    if (first + threadIdx.x < count)
      keys[threadIdx.x] = clamp_index(indices[first + threadIdx.x], extent);
    __syncthreads();
    int end = count - first < THREADS ? count - first : THREADS;
    for (int j = 0; j < end; ++j)
      position += keys[j] < key || (keys[j] == key && first + j < i);
  }
  if (i < count) {
    sorted[position] = key;
    order[position] = i;
  }
}

// Writes counts [digit, block].
template <class Id>
__device__ void count_digits(const Id* indices, int* counts, Index count, Index extent, int shift) {
  __shared__ int histogram[RADIX];
  histogram[threadIdx.x] = 0;
  __syncthreads();
  Index first = (Index)blockIdx.x * TILE;
  for (int round = 0; round < ROUNDS; ++round) {
    Index i = first + round * THREADS + threadIdx.x;
    if (i < count) atomicAdd(&histogram[clamp_index(indices[i], extent) >> shift & (RADIX - 1)], 1);
  }
  __syncthreads();
  counts[(Index)threadIdx.x * gridDim.x + blockIdx.x] = histogram[threadIdx.x];
}

// `order` may be null in the first pass. `starts` are the exclusive prefix sums of the counts.
template <class Id>
__device__ void move_digits(const Id* indices, const Index* order, const int* starts,
                            Index* sorted, Index* sorted_order, Index count, Index extent,
                            int shift) {
  __shared__ int next[RADIX];                         // output position of the next element with each digit
  __shared__ int warp_counts[THREADS / 32][RADIX];        // counts by warp in this round
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  next[threadIdx.x] = starts[(Index)threadIdx.x * gridDim.x + blockIdx.x];
  for (int round = 0; round < ROUNDS; ++round) {
    for (int w = 0; w < THREADS / 32; ++w) warp_counts[w][threadIdx.x] = 0;
    __syncthreads();
    Index i = (Index)blockIdx.x * TILE + round * THREADS + threadIdx.x;
    bool is_present = i < count;
    Index index = is_present ? clamp_index(indices[i], extent) : 0;
    int digit = index >> shift & (RADIX - 1);
    unsigned same = __ballot_sync(ALL_LANES, is_present);  // lanes with the same digit
    for (int bit = 0; bit < 8; ++bit) {
      unsigned set = __ballot_sync(ALL_LANES, digit >> bit & 1);
      same &= digit >> bit & 1 ? set : ~set;
    }
    int lower_lanes = __popc(same & ((1u << lane) - 1));
    if (is_present && lower_lanes == 0) warp_counts[warp][digit] = __popc(same);
    __syncthreads();
    if (is_present) {
      int target = next[digit] + lower_lanes;
      for (int w = 0; w < warp; ++w) target += warp_counts[w][digit];
      sorted[target] = index;
      sorted_order[target] = order ? order[i] : i;
    }
    __syncthreads();
    for (int w = 0; w < THREADS / 32; ++w) next[threadIdx.x] += warp_counts[w][threadIdx.x];
  }
}

#define MAKE(ID, NAME)                                                                     \
  KERNEL(rank_##NAME)(const ID* indices, Index* sorted, Index* order, Index count,         \
                     Index extent) {                                                       \
    rank(indices, sorted, order, count, extent);                                           \
  }                                                                                        \
  KERNEL(count_digits_##NAME)(const ID* indices, int* counts, Index count, Index extent,   \
                             Index shift) {                                                \
    count_digits(indices, counts, count, extent, (int)shift);                              \
  }                                                                                        \
  KERNEL(move_digits_##NAME)(const ID* indices, const Index* order, const int* starts,     \
                            Index* sorted, Index* sorted_order, Index count, Index extent, \
                            Index shift) {                                                 \
    move_digits(indices, order, starts, sorted, sorted_order, count, extent, (int)shift);  \
  }
MAKE(int, i32)
MAKE(Index, i64)
#undef MAKE
