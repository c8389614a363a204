// Transposes many arrays from [rows, middle, columns] to [columns, middle, rows] in one launch, to convert filters
// between TensorFlow's layout, [sizes ..., channels, filters], and cuDNN's: channels last if `middle` is 1, channels
// first if `rows` are the sizes.
//
// The grid is [blocks, arrays] with blocks of 32 by 8 threads. Tables are passed by value, as in concat.cu.
#include "basics.h"

const int MAX_FILTERS = 64;
const int TILE = 32;

struct Filters {
  Index sources[MAX_FILTERS], targets[MAX_FILTERS];
  Index rows[MAX_FILTERS], middle[MAX_FILTERS], columns[MAX_FILTERS];
};

// Processes square tiles, so that both reads and writes are coalesced.
template <class T>
__device__ void transpose_filters(const Filters& filters) {
  __shared__ T tile[TILE][TILE + 1];
  int filter = blockIdx.y;
  const T* source = (const T*)filters.sources[filter];
  T* target = (T*)filters.targets[filter];
  Index rows = filters.rows[filter], middle = filters.middle[filter], columns = filters.columns[filter];
  Index tile_rows = (rows + TILE - 1) / TILE, tile_columns = (columns + TILE - 1) / TILE;
  for (Index tile_index = blockIdx.x; tile_index < tile_rows * tile_columns * middle; tile_index += gridDim.x) {
    Index column = tile_index % tile_columns * TILE, row = tile_index / tile_columns % tile_rows * TILE;
    Index middle_index = tile_index / tile_columns / tile_rows;
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (row + y < rows && column + threadIdx.x < columns)
        tile[y][threadIdx.x] = source[((row + y) * middle + middle_index) * columns + column + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (column + y < columns && row + threadIdx.x < rows)
        target[((column + y) * middle + middle_index) * rows + row + threadIdx.x] = tile[threadIdx.x][y];
    __syncthreads();
  }
}

#define MAKE(T, WIDTH) \
  KERNEL(turn_##WIDTH)(const __grid_constant__ Filters filters) { transpose_filters<T>(filters); }
MAKE(unsigned short, 2)
MAKE(unsigned, 4)
MAKE(Word64, 8)
#undef MAKE
