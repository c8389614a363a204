// Batch normalization of the columns of a matrix [rows, channels], with two kernels per direction. The first one writes
// partial statistics per `height` rows to `parts` [2, gridDim.y, channels]; the second one combines them in every block
// and processes the rows again. Blocks are [rows, channels], both powers of two; the summation order depends only on
// the sizes.
//
// The memory layout is [rows / inner, channels, inner]: `inner` is 1 if channels are last, and the pixel count of an
// image if channels are first.
#include "basics.h"
#include "columns.h"
#include "half.h"

#define THREADS 256

// Loops are unrolled to keep several loads in flight, because occupancy is low.

struct Slice {
  Index column, first, end;  // the channel of the thread; the rows of the block
  bool inside;
};

__device__ Slice make_slice(Index rows, Index channels, Index height) {
  Slice slice;
  slice.column = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  slice.first = (Index)blockIdx.y * height;
  slice.end = slice.first + height < rows ? slice.first + height : rows;
  slice.inside = slice.column < channels;
  return slice;
}

// Returns the memory offset of an element.
__device__ __forceinline__ Index element(Index row, Index column, Index channels, Index inner) {
  if (inner == 1) return row * channels + column;
  Index image = row < 1ll << 31 ? (Index)((unsigned)row / (unsigned)inner) : row / inner;
  return (image * channels + column) * inner + row - image * inner;
}

// The epilogue: adds `residual`, if not null, and applies ReLU.
template <class T>
__device__ __forceinline__ T apply_epilogue(float value, const T* residual, Index i, bool rectify) {
  T result = value;
  if (residual) result = result + residual[i];
  return rectify && result < 0 ? T(0) : result;
}

// Returns the incoming gradient, passed through the ReLU whose output is `result`, if that is not null.
template <class T>
__device__ __forceinline__ float relu_gradient(const T* grad, const T* result, Index i) {
  return !result || result[i] > 0 ? (float)grad[i] : 0.0f;
}

// Writes two sums of a channel over the rows of the block.
__device__ void write_parts(Slice slice, Index channels, float first, float second, float* parts) {
  if (!slice.inside || threadIdx.y > 0) return;
  parts[blockIdx.y * channels + slice.column] = first;
  parts[((Index)gridDim.y + blockIdx.y) * channels + slice.column] = second;
}

// Computes the mean over the rows of the block, and the sum of squared deviations from it.
template <class T>
__device__ void batch_moments(const T* x, float* parts, Index rows, Index channels, Index inner,
                              Index height) {
  __shared__ float scratch[2][THREADS];
  Slice slice = make_slice(rows, channels, height);
  float sum = 0, squares = 0;
  if (slice.inside)
#pragma unroll 4
    for (Index row = slice.first + threadIdx.y; row < slice.end; row += blockDim.y)
      sum += x[element(row, slice.column, channels, inner)];
  float mean = sum_column(sum, scratch[0]) / (float)(slice.end - slice.first);
  if (slice.inside)
#pragma unroll 4
    for (Index row = slice.first + threadIdx.y; row < slice.end; row += blockDim.y) {
      float deviation = x[element(row, slice.column, channels, inner)] - mean;
      squares += deviation * deviation;
    }
  squares = sum_column(squares, scratch[1]);
  write_parts(slice, channels, mean, squares, parts);
}

// Computes (x - mean) / sqrt(variance + epsilon) * scale + offset with the mean and variance of the batch. Writes mean
// and variance to two arrays each; the second variance is divided by rows - 1 instead of rows.
template <class T>
__device__ void batch_normalize(const T* __restrict__ x, const float* parts, const float* scale,
                                const float* offset, const T* __restrict__ residual,
                                T* __restrict__ y, float* mean_out,
                                float* unbiased_out, float* saved_mean, float* saved_variance,
                                Index rows, Index channels, Index inner, Index height,
                                float epsilon, bool rectify) {
  __shared__ float scratch[2][THREADS];
  Slice slice = make_slice(rows, channels, height);
  float sum = 0, squares = 0;
  if (slice.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index remaining = rows - part * height;
      sum += parts[part * channels + slice.column] * (float)(remaining < height ? remaining : height);
    }
  float mean = sum_column(sum, scratch[0]) / (float)rows;
  if (slice.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index remaining = rows - part * height;
      float deviation = parts[part * channels + slice.column] - mean;
      squares += parts[(gridDim.y + part) * channels + slice.column] +
                 deviation * deviation * (float)(remaining < height ? remaining : height);
    }
  squares = sum_column(squares, scratch[1]);
  if (!slice.inside) return;
  float variance = squares / (float)rows;
  float factor = scale[slice.column] / sqrtf(variance + epsilon), shift = offset[slice.column];
#pragma unroll 4
  for (Index row = slice.first + threadIdx.y; row < slice.end; row += blockDim.y) {
    Index i = element(row, slice.column, channels, inner);
    y[i] = apply_epilogue((x[i] - mean) * factor + shift, residual, i, rectify);
  }
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    mean_out[slice.column] = saved_mean[slice.column] = mean;
    saved_variance[slice.column] = variance;
    unbiased_out[slice.column] = rows > 1 ? variance * ((float)rows / (float)(rows - 1)) : variance;
  }
}

// Like batch_normalize, with given mean and variance, each of which is copied to two arrays.
template <class T>
__device__ void normalize_by(const T* x, const float* scale, const float* offset,
                             const float* mean, const float* variance, const T* residual, T* y,
                             float* mean_out, float* variance_out, float* saved_mean,
                             float* saved_variance, Index size, Index channels, Index inner,
                             float epsilon, bool rectify) {
  GRID_STRIDE(i, size) {
    Index c = i / inner % channels;
    float value = (x[i] - mean[c]) * (scale[c] / sqrtf(variance[c] + epsilon)) + offset[c];
    y[i] = apply_epilogue(value, residual, i, rectify);
    if (i < channels) {
      mean_out[i] = saved_mean[i] = mean[i];
      variance_out[i] = saved_variance[i] = variance[i];
    }
  }
}

// Computes the sums of the gradient, and of the gradient times the deviation from the mean.
template <class T>
__device__ void batch_gradient_sums(const T* grad, const T* result, const T* x, const float* mean,
                                    float* parts, Index rows, Index channels, Index inner,
                                    Index height) {
  __shared__ float scratch[2][THREADS];
  Slice slice = make_slice(rows, channels, height);
  float sum = 0, products = 0;
  if (slice.inside) {
    float channel_mean = mean[slice.column];
#pragma unroll 4
    for (Index row = slice.first + threadIdx.y; row < slice.end; row += blockDim.y) {
      Index i = element(row, slice.column, channels, inner);
      float gradient = relu_gradient(grad, result, i);
      sum += gradient;
      products += gradient * (x[i] - channel_mean);
    }
  }
  sum = sum_column(sum, scratch[0]);
  products = sum_column(products, scratch[1]);
  write_parts(slice, channels, sum, products, parts);
}

// Computes the gradients of x, scale and offset. If `trained` is true, they include the dependence of mean and variance
// on x.
template <class T>
__device__ void batch_gradients(const T* __restrict__ grad, const T* __restrict__ result,
                                const T* __restrict__ x, const float* parts, const float* scale,
                                const float* mean, const float* variance, T* __restrict__ x_grad,
                                float* scale_grad, float* offset_grad, Index rows,
                                Index channels, Index inner, Index height, float epsilon,
                                bool trained) {
  __shared__ float scratch[2][THREADS];
  Slice slice = make_slice(rows, channels, height);
  float sum = 0, products = 0;
  if (slice.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      sum += parts[part * channels + slice.column];
      products += parts[(gridDim.y + part) * channels + slice.column];
    }
  sum = sum_column(sum, scratch[0]);
  products = sum_column(products, scratch[1]);
  if (!slice.inside) return;
  float inverse = 1 / sqrtf(variance[slice.column] + epsilon), channel_mean = mean[slice.column];
  float factor = scale[slice.column] * inverse, deviation_factor = 0, shift = 0;
  if (trained) {
    deviation_factor = -factor * inverse * inverse * products / (float)rows;
    shift = -factor * sum / (float)rows;
  }
#pragma unroll 4
  for (Index row = slice.first + threadIdx.y; row < slice.end; row += blockDim.y) {
    Index i = element(row, slice.column, channels, inner);
    x_grad[i] = relu_gradient(grad, result, i) * factor + ((x[i] - channel_mean) * deviation_factor + shift);
  }
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    scale_grad[slice.column] = products * inverse;
    offset_grad[slice.column] = sum;
  }
}

#define MAKE(T, NAME)                                                                                     \
  KERNEL(batch_moments_##NAME)(const T* x, float* parts, Index rows, Index channels, Index inner,         \
      Index height) {                                                                                     \
    batch_moments(x, parts, rows, channels, inner, height);                                               \
  }                                                                                                       \
  KERNEL(batch_normalize_##NAME)(const T* __restrict__ x, const float* parts, const float* scale,         \
      const float* offset, const T* __restrict__ residual, T* __restrict__ y, float* mean_out,            \
      float* unbiased_out, float* saved_mean, float* saved_variance, Index rows, Index channels,          \
      Index inner, Index height,                                                                          \
      float epsilon, bool rectify) {                                                                      \
    batch_normalize(x, parts, scale, offset, residual, y, mean_out, unbiased_out, saved_mean,             \
        saved_variance, rows, channels, inner, height, epsilon, rectify);                                 \
  }                                                                                                       \
  KERNEL(normalize_by_##NAME)(const T* x, const float* scale, const float* offset, const float*           \
      mean, const float* variance, const T* residual, T* y, float* mean_out, float* variance_out,         \
      float* saved_mean, float* saved_variance, Index size, Index channels, Index inner, float            \
      epsilon, bool rectify) {                                                                            \
    normalize_by(x, scale, offset, mean, variance, residual, y, mean_out, variance_out, saved_mean,       \
        saved_variance, size, channels, inner, epsilon, rectify);                                         \
  }                                                                                                       \
  KERNEL(batch_gradient_sums_##NAME)(const T* grad, const T* result, const T* x, const float*             \
      mean, float* parts, Index rows, Index channels, Index inner, Index height) {                        \
    batch_gradient_sums(grad, result, x, mean, parts, rows, channels, inner, height);                     \
  }                                                                                                       \
  KERNEL(batch_gradients_##NAME)(const T* __restrict__ grad, const T* __restrict__ result,                \
      const T* __restrict__ x, const float* parts, const float* scale, const float* mean,                 \
      const float* variance, T* __restrict__ x_grad, float* scale_grad,                                   \
      float* offset_grad, Index rows, Index channels, Index inner, Index height, float epsilon,           \
      bool trained) {                                                                                     \
    batch_gradients(grad, result, x, parts, scale, mean, variance, x_grad, scale_grad, offset_grad, rows, \
        channels, inner, height, epsilon, trained);                                                       \
  }
MAKE(float, f32)
MAKE(Half, f16)
#undef MAKE
