// Inputs and results of a captured step, whose addresses change: `stage` copies inputs to the step's buffers and stores
// the result addresses; `deliver`, the last kernel of the step, copies the results there.
//
// The grid is [blocks, copies]; sizes are in bytes. Tables are passed by value, as in concat.cu.
#include "basics.h"

const int MAX_COPIES = 64;

struct Copies {
  Index sources[MAX_COPIES], targets[MAX_COPIES], sizes[MAX_COPIES];
};

template <class T>
__device__ void copy_elements(Index source, Index target, Index size) {
  GRID_STRIDE(i, size / (Index)sizeof(T)) ((T*)target)[i] = ((const T*)source)[i];
}

// Copies with the widest elements that both addresses and the size permit.
__device__ void copy_bytes(Index source, Index target, Index size) {
  Index odd = source | target | size;
  if (!(odd & 15)) return copy_elements<Wide>(source, target, size);
  if (!(odd & 7)) return copy_elements<Word64>(source, target, size);
  if (!(odd & 3)) return copy_elements<unsigned>(source, target, size);
  if (!(odd & 1)) return copy_elements<unsigned short>(source, target, size);
  copy_elements<unsigned char>(source, target, size);
}

// Stores the target addresses of results `first` to `first + given` in places [results].
KERNEL(stage)(const __grid_constant__ Copies copies, int count,
             const __grid_constant__ Copies addresses, int first, int given,
             Index* __restrict__ places) {
  if (blockIdx.x == 0 && blockIdx.y == 0)
    for (int i = threadIdx.x; i < given; i += blockDim.x) places[first + i] = addresses.targets[i];
  int row = blockIdx.y;
  if (row < count) copy_bytes(copies.sources[row], copies.targets[row], copies.sizes[row]);
}

// Copies results to the addresses in places[first], places[first + 1], ...
KERNEL(deliver)(const __grid_constant__ Copies results, int first,
               const Index* __restrict__ places) {
  int row = blockIdx.y;
  copy_bytes(results.sources[row], places[first + row], results.sizes[row]);
}
