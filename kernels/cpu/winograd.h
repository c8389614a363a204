// Convolutions with 3 x 3 or 5 x 5 filters, without strides, by Winograd's minimal filtering: 16 or 36 multiplications
// per four results, instead of 36 or 100 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// arXiv:1509.09308, F(2 x 2, 3 x 3)). With tiles of 2 x 2 results, rounding errors are about those of direct summation,
// and a result depends only on its window: if the window is all zeros, it is exactly zero.
#pragma once

#include "convolution.h"
#include "tiles.h"

// Whether this algorithm is used for a convolution with this many filters, or for its filter gradient: if there are
// enough channels and pixels to amortize the transforms.
bool suits_winograd(const Windows& w, Index filters);
bool suits_winograd_gradient(const Windows& w, Index filters);

// Elements of scratch memory for the functions below.
Index winograd_memory(const Windows& w, Index filters, Index threads);
Index winograd_gradient_memory(const Windows& w, Index filters);

// Writes [batch, rows, columns, filters], with the epilogue applied. The filter is [taps, taps, depth, filters];
// `turned`, as for an input gradient, it is [taps, taps, filters, depth] with rows and columns in reverse order.
void convolve_by_winograd(const Windows& w, Index filters, const float* x, const float* filter, bool turned,
                          const Epilogue& after, float* result, float* memory, Index threads);

// The filter gradient [taps, taps, depth, filters], given the result's gradient.
void winograd_filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                              float* memory, Index threads);
