// Batch normalization of the columns of a matrix [rows, channels], two kernels per direction. The first one writes
// partial statistics per `height` rows to `parts` [2, gridDim.y, channels]; the second combines them in every block and
// processes the rows again. Blocks are [rows, channels], both powers of two; the summation order depends only on the
// sizes.
//
// The memory layout is [rows / inner, channels, inner]: `inner` is 1 with channels last, the pixel count of an image
// with channels first.
#include "basics.h"
#include "columns.h"
#include "half.h"

#define THREADS 256

// Loops are unrolled to keep several loads in flight, because occupancy is low.

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

// The memory offset of an element.
__device__ __forceinline__ Index element(Index row, Index column, Index channels, Index inner) {
  if (inner == 1) return row * channels + column;
  Index image = row < 1ll << 31 ? (Index)((unsigned)row / (unsigned)inner) : row / inner;
  return (image * channels + column) * inner + row - image * inner;
}

// The epilogue: adds `beside`, if not null, and applies ReLU.
template <class T>
__device__ __forceinline__ T finished(float value, const T* beside, Index i, bool rectify) {
  T made = value;
  if (beside) made = made + beside[i];
  return rectify && made < 0 ? T(0) : made;
}

// The incoming gradient, passed through the ReLU with the output `result`, if not null.
template <class T>
__device__ __forceinline__ float arriving(const T* grad, const T* result, Index i) {
  return !result || result[i] > 0 ? (float)grad[i] : 0.0f;
}

// Writes a channel's two sums over the block's rows.
__device__ void write_parts(Place at, Index channels, float first, float second, float* parts) {
  if (!at.inside || threadIdx.y > 0) return;
  parts[blockIdx.y * channels + at.column] = first;
  parts[((Index)gridDim.y + blockIdx.y) * channels + at.column] = second;
}

// The mean over the block's rows, and the sum of squared deviations from it.
template <class T>
__device__ void batch_moments(const T* x, float* parts, Index rows, Index channels, Index inner,
                              Index height) {
  __shared__ float scratch[2][THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, squares = 0;
  if (at.inside)
#pragma unroll 4
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y)
      sum += x[element(row, at.column, channels, inner)];
  float mean = sum_column(sum, scratch[0]) / (float)(at.end - at.first);
  if (at.inside)
#pragma unroll 4
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
      float apart = x[element(row, at.column, channels, inner)] - mean;
      squares += apart * apart;
    }
  squares = sum_column(squares, scratch[1]);
  write_parts(at, channels, mean, squares, parts);
}

// (x - mean) / sqrt(variance + epsilon) * scale + offset with the batch's own mean and variance. Writes each of these
// to two arrays; the second variance is divided by rows - 1 instead of rows.
template <class T>
__device__ void batch_normalize(const T* __restrict__ x, const float* parts, const float* scale,
                                const float* offset, const T* __restrict__ beside,
                                T* __restrict__ y, float* mean_out,
                                float* unbiased_out, float* mean_kept, float* variance_kept,
                                Index rows, Index channels, Index inner, Index height,
                                float epsilon, bool rectify) {
  __shared__ float scratch[2][THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, squares = 0;
  if (at.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index left = rows - part * height;
      sum += parts[part * channels + at.column] * (float)(left < height ? left : height);
    }
  float mean = sum_column(sum, scratch[0]) / (float)rows;
  if (at.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      Index left = rows - part * height;
      float apart = parts[part * channels + at.column] - mean;
      squares += parts[(gridDim.y + part) * channels + at.column] +
                 apart * apart * (float)(left < height ? left : height);
    }
  squares = sum_column(squares, scratch[1]);
  if (!at.inside) return;
  float variance = squares / (float)rows;
  float factor = scale[at.column] / sqrtf(variance + epsilon), shift = offset[at.column];
#pragma unroll 4
  for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
    Index i = element(row, at.column, channels, inner);
    y[i] = finished((x[i] - mean) * factor + shift, beside, i, rectify);
  }
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    mean_out[at.column] = mean_kept[at.column] = mean;
    variance_kept[at.column] = variance;
    unbiased_out[at.column] = rows > 1 ? variance * ((float)rows / (float)(rows - 1)) : variance;
  }
}

// The same with given mean and variance, each of which is copied to two arrays.
template <class T>
__device__ void normalize_by(const T* x, const float* scale, const float* offset,
                             const float* mean, const float* variance, const T* beside, T* y,
                             float* mean_out, float* variance_out, float* mean_kept,
                             float* variance_kept, Index size, Index channels, Index inner,
                             float epsilon, bool rectify) {
  GRID_STRIDE(i, size) {
    Index c = i / inner % channels;
    float value = (x[i] - mean[c]) * (scale[c] / sqrtf(variance[c] + epsilon)) + offset[c];
    y[i] = finished(value, beside, i, rectify);
    if (i < channels) {
      mean_out[i] = mean_kept[i] = mean[i];
      variance_out[i] = variance_kept[i] = variance[i];
    }
  }
}

// The sums of the gradient, and of the gradient times the deviation from the mean.
template <class T>
__device__ void batch_gradient_sums(const T* grad, const T* result, const T* x, const float* mean,
                                    float* parts, Index rows, Index channels, Index inner,
                                    Index height) {
  __shared__ float scratch[2][THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, products = 0;
  if (at.inside) {
    float middle = mean[at.column];
#pragma unroll 4
    for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
      Index i = element(row, at.column, channels, inner);
      float given = arriving(grad, result, i);
      sum += given;
      products += given * (x[i] - middle);
    }
  }
  sum = sum_column(sum, scratch[0]);
  products = sum_column(products, scratch[1]);
  write_parts(at, channels, sum, products, parts);
}

// The gradients of x, scale and offset. With `trained`, they include the dependence of mean and variance on x.
template <class T>
__device__ void batch_gradients(const T* __restrict__ grad, const T* __restrict__ result,
                                const T* __restrict__ x, const float* parts, const float* scale,
                                const float* mean, const float* variance, T* __restrict__ of_x,
                                float* of_scale, float* of_offset, Index rows,
                                Index channels, Index inner, Index height, float epsilon,
                                bool trained) {
  __shared__ float scratch[2][THREADS];
  Place at = place_of(rows, channels, height);
  float sum = 0, products = 0;
  if (at.inside)
#pragma unroll 8
    for (Index part = threadIdx.y; part < gridDim.y; part += blockDim.y) {
      sum += parts[part * channels + at.column];
      products += parts[(gridDim.y + part) * channels + at.column];
    }
  sum = sum_column(sum, scratch[0]);
  products = sum_column(products, scratch[1]);
  if (!at.inside) return;
  float inverse = 1 / sqrtf(variance[at.column] + epsilon), middle = mean[at.column];
  float factor = scale[at.column] * inverse, of_apart = 0, shift = 0;
  if (trained) {
    of_apart = -factor * inverse * inverse * products / (float)rows;
    shift = -factor * sum / (float)rows;
  }
#pragma unroll 4
  for (Index row = at.first + threadIdx.y; row < at.end; row += blockDim.y) {
    Index i = element(row, at.column, channels, inner);
    of_x[i] = arriving(grad, result, i) * factor + ((x[i] - middle) * of_apart + shift);
  }
  if (blockIdx.y == 0 && threadIdx.y == 0) {
    of_scale[at.column] = products * inverse;
    of_offset[at.column] = sum;
  }
}

#define MAKE(T, NAME)                                                                               \
  KERNEL(batch_moments_##NAME)(const T* x, float* parts, Index rows, Index channels, Index inner,   \
      Index height) {                                                                               \
    batch_moments(x, parts, rows, channels, inner, height);                                         \
  }                                                                                                 \
  KERNEL(batch_normalize_##NAME)(const T* __restrict__ x, const float* parts, const float* scale,   \
      const float* offset, const T* __restrict__ beside, T* __restrict__ y, float* mean_out, float* unbiased_out, float* \
      mean_kept, float* variance_kept, Index rows, Index channels, Index inner, Index height,       \
      float epsilon, bool rectify) {                                                                \
    batch_normalize(x, parts, scale, offset, beside, y, mean_out, unbiased_out, mean_kept,          \
        variance_kept, rows, channels, inner, height, epsilon, rectify);                            \
  }                                                                                                 \
  KERNEL(normalize_by_##NAME)(const T* x, const float* scale, const float* offset, const float*     \
      mean, const float* variance, const T* beside, T* y, float* mean_out, float* variance_out,     \
      float* mean_kept, float* variance_kept, Index size, Index channels, Index inner, float        \
      epsilon, bool rectify) {                                                                      \
    normalize_by(x, scale, offset, mean, variance, beside, y, mean_out, variance_out, mean_kept,    \
        variance_kept, size, channels, inner, epsilon, rectify);                                    \
  }                                                                                                 \
  KERNEL(batch_gradient_sums_##NAME)(const T* grad, const T* result, const T* x, const float*       \
      mean, float* parts, Index rows, Index channels, Index inner, Index height) {                  \
    batch_gradient_sums(grad, result, x, mean, parts, rows, channels, inner, height);               \
  }                                                                                                 \
  KERNEL(batch_gradients_##NAME)(const T* __restrict__ grad, const T* __restrict__ result,          \
      const T* __restrict__ x, const float* parts, const float* scale, const float* mean,           \
      const float* variance, T* __restrict__ of_x, float* of_scale,                                 \
      float* of_offset, Index rows, Index channels, Index inner, Index height, float epsilon,       \
      bool trained) {                                                                               \
    batch_gradients(grad, result, x, parts, scale, mean, variance, of_x, of_scale, of_offset, rows, \
        channels, inner, height, epsilon, trained);                                                 \
  }
MAKE(float, f32)
MAKE(Half, f16)
#undef MAKE
