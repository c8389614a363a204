// Convolutions with filters of 3 x 3 or 5 x 5 elements and without strides, by Winograd's minimal filtering: 16 or 36
// multiplications for four results, instead of 36 or 100 (Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks", arXiv:1509.09308, F(2 x 2, 3 x 3)). With tiles of two results, rounding errors are about those of the sum, and a
// result depends on nothing outside its window: if the window is all zeros, it is exactly zero.
#pragma once

#include "convolution.h"
#include "tiles.h"

// Whether a convolution with this many filters, or its filter's gradient, is computed this way: if channels and pixels
// outweigh the transforms.
bool suits_winograd(const Windows& w, Index filters);
bool suits_winograd_gradient(const Windows& w, Index filters);

// Elements of scratch memory for the functions below.
Index winograd_memory(const Windows& w, Index filters, Index threads);
Index winograd_gradient_memory(const Windows& w, Index filters);

// [batch, rows, columns, filters], and what follows it. The filter is [taps, taps, depth, filters]; one that is
// `turned` is [taps, taps, filters, depth], with its rows and columns from last to first: that of the gradient of an input.
void convolve_by_winograd(const Windows& w, Index filters, const float* x, const float* filter, bool turned,
                          const Epilogue& after, float* result, float* memory, Index threads);

// [taps, taps, depth, filters]: the gradient of the filter, given that of the result.
void winograd_filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                              float* memory, Index threads);
