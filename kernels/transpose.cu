// Batched matrix transposition: [batch, rows, columns] to [batch, columns, rows]. Conversion between the two image
// layouts transposes pixels and channels.
//
// Blocks of 32 by 8 threads process square tiles, so that both reads and writes are coalesced.
#include "basics.h"

const int TILE = 32;

template <class T>
__device__ void transpose(const T* __restrict__ source, T* __restrict__ target, Index batch, Index rows,
                          Index columns) {
  __shared__ T tile[TILE][TILE + 1];
  unsigned tile_rows = (unsigned)((rows + TILE - 1) / TILE), tile_columns = (unsigned)((columns + TILE - 1) / TILE);
  unsigned tile_count = (unsigned)batch * tile_rows * tile_columns;
  for (unsigned tile_index = blockIdx.x; tile_index < tile_count; tile_index += gridDim.x) {
    Index column = tile_index % tile_columns * TILE, row = tile_index / tile_columns % tile_rows * TILE;
    Index matrix = (Index)(tile_index / tile_columns / tile_rows) * rows * columns;
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (row + y < rows && column + threadIdx.x < columns)
        tile[y][threadIdx.x] = source[matrix + (row + y) * columns + column + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (column + y < columns && row + threadIdx.x < rows)
        target[matrix + (column + y) * rows + row + threadIdx.x] = tile[threadIdx.x][y];
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
