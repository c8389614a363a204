// Sums over the threads of a block along y.
#pragma once

// Sums one value from each thread of a block [height, width], both powers of two, over a column's threads, all of which
// get the sum. `scratch` holds as many values as there are threads; nothing else uses it.
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
