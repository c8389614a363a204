// Sums over the threads of a block along y.
#pragma once

// Sums one value per thread of a block [height, width], both powers of two, over each column's threads; all of them get
// the sum. `scratch` has one value per thread and is used for nothing else.
template <class T>
__device__ T sum_column(T value, T* scratch) {
  int at = threadIdx.y * blockDim.x + threadIdx.x;
  scratch[at] = value;
  __syncthreads();
  for (int half = blockDim.y / 2; half; half /= 2) {
    if (threadIdx.y < half) scratch[at] += scratch[at + half * blockDim.x];
    __syncthreads();
  }
  return scratch[threadIdx.x];
}
