// Batch normalization of the columns of a matrix [rows, channels]: two kernels each way. The first
// leaves what `height` rows each have in `parts` [2, gridDim.y, channels], the second puts these
// together in each of its blocks and goes through the rows again. Threads are [rows, channels], both
// powers of two; the order of sums depends on the sizes alone.
#include "basics.h"

#define THREADS 256

struct Place {
  Index column, first, end;  // the thread's channel; the block's rows
  bool inside;
};

__device__ Place place_of(Index rows, Index channels, Index height) {
  Place place;
  place.column = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  place.first = (Index)blockIdx.y * height;
  place.end = place.first + height < rows ? place.first + height : rows;
  place.inside = place.column < channels;
  return place;
}

// The sum over the block's threads of a channel, in each of them.
__device__ float sum_channel(float value, float* scratch) {
  int at = threadIdx.y * blockDim.x + threadIdx.x;
  __syncthreads();  // what was there before has been read
  scratch[at] = value;
  __syncthreads();
  for (int half = blockDim.y / 2; half; half /= 2) {
    if (threadIdx.y < half) scratch[at] += scratch[at + half * blockDim.x];
    __syncthreads();
  }
  return scratch[threadIdx.x];
}

// Writes what the block's rows have in a channel.
__device__ void write_parts(Place at, Index channels, float first, float second, float* parts) {
  if (!at.inside || threadIdx.y > 0) return;
  parts[blockIdx.y * channels + at.column] = first;
  parts[((Index)gridDim.y + blockIdx.y) * channels + at.column] = second;
}

// The mean of the block's rows, and the sum of squares of the distances from it.
KERNEL(batch_moments)(const float* x, float* parts, Index rows, Index channels, Index height) {
  __shared__ float scratch[THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, squares = 0;
  if (at.inside)
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y)
      sum += x[row * channels + at.column];
  float mean = sum_channel(sum, scratch) / (float)(at.end - at.first);
  if (at.inside)
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
      float apart = x[row * channels + at.column] - mean;
      squares += apart * apart;
    }
  squares = sum_channel(squares, scratch);
  write_parts(at, channels, mean, squares, parts);
}

// (x - mean) / sqrt(variance + epsilon) * scale + offset, by the batch's own mean and variance, which go to two
// arrays each, the latter also with rows - 1 in place of rows.
KERNEL(batch_normalize)(const float* x, const float* parts, const float* scale, const float* offset,
                        float* y, float* mean_out, float* unbiased_out, float* mean_kept,
                        float* variance_kept, Index rows, Index channels, Index height,
                        float epsilon) {
  __shared__ float scratch[THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, squares = 0;
  if (at.inside)
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index left = rows - part * height;
      sum += parts[part * channels + at.column] * (float)(left < height ? left : height);
    }
  float mean = sum_channel(sum, scratch) / (float)rows;
  if (at.inside)
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index left = rows - part * height;
      float apart = parts[part * channels + at.column] - mean;
      squares += parts[(gridDim.y + part) * channels + at.column] +
                 apart * apart * (float)(left < height ? left : height);
    }
  squares = sum_channel(squares, scratch);
  if (!at.inside) return;
  float variance = squares / (float)rows;
  float factor = scale[at.column] / sqrtf(variance + epsilon), shift = offset[at.column];
  for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y)
    y[row * channels + at.column] = (x[row * channels + at.column] - mean) * factor + shift;
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    mean_out[at.column] = mean_kept[at.column] = mean;
    variance_kept[at.column] = variance;
    unbiased_out[at.column] = rows > 1 ? variance * ((float)rows / (float)(rows - 1)) : variance;
  }
}

// The same by a mean and a variance that are given, which are copied to two arrays each.
KERNEL(normalize_by)(const float* x, const float* scale, const float* offset, const float* mean,
                     const float* variance, float* y, float* mean_out, float* variance_out,
                     float* mean_kept, float* variance_kept, Index size, Index channels,
                     float epsilon) {
  GRID_STRIDE(i, size) {
    Index c = i % channels;
    y[i] = (x[i] - mean[c]) * (scale[c] / sqrtf(variance[c] + epsilon)) + offset[c];
    if (i < channels) {
      mean_out[c] = mean_kept[c] = mean[c];
      variance_out[c] = variance_kept[c] = variance[c];
    }
  }
}

// The sums of the gradient, and of the gradient times the distance from the mean.
KERNEL(batch_gradient_sums)(const float* grad, const float* x, const float* mean, float* parts,
                            Index rows, Index channels, Index height) {
  __shared__ float scratch[THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, products = 0;
  if (at.inside) {
    float middle = mean[at.column];
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
      float given = grad[row * channels + at.column];
      sum += given;
      products += given * (x[row * channels + at.column] - middle);
    }
  }
  sum = sum_channel(sum, scratch);
  products = sum_channel(products, scratch);
  write_parts(at, channels, sum, products, parts);
}

// The gradients of x, scale and offset. With `trained` the mean and variance are those of x, and change with it.
KERNEL(batch_gradients)(const float* grad, const float* x, const float* parts, const float* scale,
                        const float* mean, const float* variance, float* of_x, float* of_scale,
                        float* of_offset, Index rows, Index channels, Index height, float epsilon,
                        bool trained) {
  __shared__ float scratch[THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, products = 0;
  if (at.inside)
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      sum += parts[part * channels + at.column];
      products += parts[(gridDim.y + part) * channels + at.column];
    }
  sum = sum_channel(sum, scratch);
  products = sum_channel(products, scratch);
  if (!at.inside) return;
  float inverse = 1 / sqrtf(variance[at.column] + epsilon), middle = mean[at.column];
  float factor = scale[at.column] * inverse, of_apart = 0, shift = 0;
  if (trained) {
    of_apart = -factor * inverse * inverse * products / (float)rows;
    shift = -factor * sum / (float)rows;
  }
  for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
    Index i = row * channels + at.column;
    of_x[i] = grad[i] * factor + ((x[i] - middle) * of_apart + shift);
  }
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    of_scale[at.column] = products * inverse;
    of_offset[at.column] = sum;
  }
}
