// What a recorded step is given and gives, which lies elsewhere each time: `stage` copies arrays into the step's buffers
// and notes where its results are to go; `deliver`, the last kernel of the step, takes them there.
//
// A grid is [blocks, copies]; sizes are in bytes. Tables come by value, as in concat.cu.
#include "basics.h"

const int MOST_COPIES = 64;

struct Copies {
  Index sources[MOST_COPIES], targets[MOST_COPIES], sizes[MOST_COPIES];
};

template <class T>
__device__ void copy_elements(Index source, Index target, Index size) {
  GRID_STRIDE(i, size / (Index)sizeof(T)) ((T*)target)[i] = ((const T*)source)[i];
}

// In the widest elements that both places and the size allow.
__device__ void copy_bytes(Index source, Index target, Index size) {
  Index odd = source | target | size;
  if (!(odd & 15)) return copy_elements<Wide>(source, target, size);
  if (!(odd & 7)) return copy_elements<Word64>(source, target, size);
  if (!(odd & 3)) return copy_elements<unsigned>(source, target, size);
  if (!(odd & 1)) return copy_elements<unsigned short>(source, target, size);
  copy_elements<unsigned char>(source, target, size);
}

// addresses: where results `first` to `first + given` go -> places [results].
KERNEL(stage)(const __grid_constant__ Copies copies, int count,
             const __grid_constant__ Copies addresses, int first, int given,
             Index* __restrict__ places) {
  if (blockIdx.x == 0 && blockIdx.y == 0)
    for (int i = threadIdx.x; i < given; i += blockDim.x) places[first + i] = addresses.targets[i];
  int row = blockIdx.y;
  if (row < count) copy_bytes(copies.sources[row], copies.targets[row], copies.sizes[row]);
}

// results: where they lie -> places[first], places[first + 1], ...
KERNEL(deliver)(const __grid_constant__ Copies results, int first,
               const Index* __restrict__ places) {
  int row = blockIdx.y;
  copy_bytes(results.sources[row], places[first + row], results.sizes[row]);
}
