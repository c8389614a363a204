// Stable sort of positions in [0, extent) for updates by index; `order` holds their original indices. Out-of-range
// positions become `extent` and sort last. Unlike CuPy's sort, it never synchronizes with the device, so it can be
// captured.
//
// Small inputs are ranked in one launch by comparing all pairs. Large ones use a radix sort with eight-bit digits,
// least significant first, in three launches per digit: blocks count the digits in their tiles; prefix sums of the
// counts (scans.cu), by digit and block, are each block's output offsets; blocks scatter their positions in order.
#include "basics.h"

const int THREADS = 256;
const int ROUNDS = 8;  // positions per thread
const int TILE = THREADS * ROUNDS;
const int RADIX = 256;

template <class Place>
__device__ Index known(Place place, Index extent) {
  return place >= 0 && place < extent ? (Index)place : extent;
}

template <class Place>
__device__ void rank(const Place* places, Index* sorted, Index* order, Index count, Index extent) {
  __shared__ Index others[THREADS];
  Index i = (Index)blockIdx.x * THREADS + threadIdx.x;
  Index mine = i < count ? known(places[i], extent) : 0;
  Index before = 0;
  for (Index first = 0; first < count; first += THREADS) {
    __syncthreads();
    if (first + threadIdx.x < count)
      others[threadIdx.x] = known(places[first + threadIdx.x], extent);
    __syncthreads();
    int end = count - first < THREADS ? count - first : THREADS;
    for (int j = 0; j < end; ++j)
      before += others[j] < mine || (others[j] == mine && first + j < i);
  }
  if (i < count) {
    sorted[before] = mine;
    order[before] = i;
  }
}

// Writes counts [digit, block].
template <class Place>
__device__ void count_digits(const Place* places, int* counts, Index count, Index extent, int shift) {
  __shared__ int found[RADIX];
  found[threadIdx.x] = 0;
  __syncthreads();
  Index first = (Index)blockIdx.x * TILE;
  for (int round = 0; round < ROUNDS; ++round) {
    Index i = first + round * THREADS + threadIdx.x;
    if (i < count) atomicAdd(&found[known(places[i], extent) >> shift & (RADIX - 1)], 1);
  }
  __syncthreads();
  counts[(Index)threadIdx.x * gridDim.x + blockIdx.x] = found[threadIdx.x];
}

// `order` may be null in the first pass. `starts` are the exclusive prefix sums of the counts.
template <class Place>
__device__ void move_digits(const Place* places, const Index* order, const int* starts,
                            Index* sorted, Index* sorted_order, Index count, Index extent,
                            int shift) {
  __shared__ int next[RADIX];                         // position of the next element with a digit
  __shared__ int in_warp[THREADS / 32][RADIX];        // counts by warp in this round
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  next[threadIdx.x] = starts[(Index)threadIdx.x * gridDim.x + blockIdx.x];
  for (int round = 0; round < ROUNDS; ++round) {
    for (int w = 0; w < THREADS / 32; ++w) in_warp[w][threadIdx.x] = 0;
    __syncthreads();
    Index i = (Index)blockIdx.x * TILE + round * THREADS + threadIdx.x;
    bool present = i < count;
    Index place = present ? known(places[i], extent) : 0;
    int digit = place >> shift & (RADIX - 1);
    unsigned same = __ballot_sync(ALL_LANES, present);  // lanes with the same digit
    for (int bit = 0; bit < 8; ++bit) {
      unsigned set = __ballot_sync(ALL_LANES, digit >> bit & 1);
      same &= digit >> bit & 1 ? set : ~set;
    }
    int earlier = __popc(same & ((1u << lane) - 1));
    if (present && earlier == 0) in_warp[warp][digit] = __popc(same);
    __syncthreads();
    if (present) {
      int target = next[digit] + earlier;
      for (int w = 0; w < warp; ++w) target += in_warp[w][digit];
      sorted[target] = place;
      sorted_order[target] = order ? order[i] : i;
    }
    __syncthreads();
    for (int w = 0; w < THREADS / 32; ++w) next[threadIdx.x] += in_warp[w][threadIdx.x];
  }
}

#define MAKE(PLACE, NAME)                                                                       \
  KERNEL(rank_##NAME)(const PLACE* places, Index* sorted, Index* order, Index count,            \
                     Index extent) {                                                            \
    rank(places, sorted, order, count, extent);                                                 \
  }                                                                                             \
  KERNEL(count_digits_##NAME)(const PLACE* places, int* counts, Index count, Index extent,      \
                             Index shift) {                                                     \
    count_digits(places, counts, count, extent, (int)shift);                                    \
  }                                                                                             \
  KERNEL(move_digits_##NAME)(const PLACE* places, const Index* order, const int* starts,        \
                            Index* sorted, Index* sorted_order, Index count, Index extent,      \
                            Index shift) {                                                      \
    move_digits(places, order, starts, sorted, sorted_order, count, extent, (int)shift);        \
  }
MAKE(int, i32)
MAKE(Index, i64)
#undef MAKE
