// Inputs and results of a captured step, whose addresses change: `stage` copies inputs to the buffers of the step and
// stores the addresses of the results; `deliver`, the last kernel of the step, copies the results to these addresses.
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

// Copies with the widest elements that the alignment of both addresses and of the size permits.
__device__ void copy_bytes(Index source, Index target, Index size) {
  Index alignment = source | target | size;
  if (!(alignment & 15)) return copy_elements<Wide>(source, target, size);
  if (!(alignment & 7)) return copy_elements<Word64>(source, target, size);
  if (!(alignment & 3)) return copy_elements<unsigned>(source, target, size);
  if (!(alignment & 1)) return copy_elements<unsigned short>(source, target, size);
  copy_elements<unsigned char>(source, target, size);
}

// Stores the target addresses of the results `first` to `first + address_count` in result_addresses [results].
KERNEL(stage)(const __grid_constant__ Copies copies, int count,
             const __grid_constant__ Copies addresses, int first, int address_count,
             Index* __restrict__ result_addresses) {
  if (blockIdx.x == 0 && blockIdx.y == 0)
    for (int i = threadIdx.x; i < address_count; i += blockDim.x) result_addresses[first + i] = addresses.targets[i];
  int row = blockIdx.y;
  if (row < count) copy_bytes(copies.sources[row], copies.targets[row], copies.sizes[row]);
}

// Copies results to the addresses result_addresses[first], result_addresses[first + 1], ...
KERNEL(deliver)(const __grid_constant__ Copies results, int first,
               const Index* __restrict__ result_addresses) {
  int row = blockIdx.y;
  copy_bytes(results.sources[row], result_addresses[first + row], results.sizes[row]);
}
