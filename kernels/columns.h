// Sums over the threads of a block along y.
#pragma once

// Sums one value per thread of a block [height, width], both powers of two, over the threads of each column; all of
// them receive the sum. `scratch` has one value per thread and must not be used for anything else.
template <class T>
__device__ T sum_column(T value, T* scratch) {
  int index = threadIdx.y * blockDim.x + threadIdx.x;
  scratch[index] = value;
  __syncthreads();
  for (int half = blockDim.y / 2; half; half /= 2) {
    if (threadIdx.y < half) scratch[index] += scratch[index + half * blockDim.x];
    __syncthreads();
  }
  return scratch[threadIdx.x];
}
