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
__device__ void turn(const Filters& filters) {
  __shared__ T square[TILE][TILE + 1];
  int number = blockIdx.y;
  const T* source = (const T*)filters.sources[number];
  T* target = (T*)filters.targets[number];
  Index rows = filters.rows[number], middle = filters.middle[number], columns = filters.columns[number];
  Index down = (rows + TILE - 1) / TILE, across = (columns + TILE - 1) / TILE;
  for (Index place = blockIdx.x; place < down * across * middle; place += gridDim.x) {
    Index column = place % across * TILE, row = place / across % down * TILE, at = place / across / down;
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (row + y < rows && column + threadIdx.x < columns)
        square[y][threadIdx.x] = source[((row + y) * middle + at) * columns + column + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += blockDim.y)
      if (column + y < columns && row + threadIdx.x < rows)
        target[((column + y) * middle + at) * rows + row + threadIdx.x] = square[threadIdx.x][y];
    __syncthreads();
  }
}

#define MAKE(T, WIDTH) \
  KERNEL(turn_##WIDTH)(const __grid_constant__ Filters filters) { turn<T>(filters); }
MAKE(unsigned short, 2)
MAKE(unsigned, 4)
MAKE(Word64, 8)
#undef MAKE
