// Batched matrix transposition: [batch, rows, columns] to [batch, columns, rows]. Converting between the two image
// layouts transposes pixels and channels.
//
// Blocks of 32 by 8 threads process square tiles, so that both reads and writes are coalesced.
#include "basics.h"

const int TILE = 32;

template <class T>
__device__ void transpose(const T* __restrict__ source, T* __restrict__ target, Index batch, Index rows,
                          Index columns) {
  __shared__ T square[TILE][TILE + 1];
  unsigned down = (unsigned)((rows + TILE - 1) / TILE), across = (unsigned)((columns + TILE - 1) / TILE);
  unsigned squares = (unsigned)batch * down * across;
  for (unsigned place = blockIdx.x; place < squares; place += gridDim.x) {
    Index column = place % across * TILE, row = place / across % down * TILE;
    Index matrix = (Index)(place / across / down) * rows * columns;
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (row + y < rows && column + threadIdx.x < columns)
        square[y][threadIdx.x] = source[matrix + (row + y) * columns + column + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (column + y < columns && row + threadIdx.x < rows)
        target[matrix + (column + y) * rows + row + threadIdx.x] = square[threadIdx.x][y];
    __syncthreads();
  }
}

#define MAKE(T, WIDTH)                                                                             \
  KERNEL(transpose_##WIDTH)(const T* source, T* target, Index batch, Index rows, Index columns) { \
    transpose(source, target, batch, rows, columns);                                              \
  }
MAKE(unsigned char, 1)
MAKE(unsigned short, 2)
MAKE(unsigned, 4)
MAKE(Word64, 8)
#undef MAKE
