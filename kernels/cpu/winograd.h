// Convolutions with 3 x 3 or 5 x 5 filters, without strides, by Winograd's minimal filtering: 16 or 36 multiplications
// per four results, instead of 36 or 100 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// arXiv:1509.09308, F(2 x 2, 3 x 3)). With tiles of 2 x 2 results, rounding errors are about those of direct summation,
// and a result depends only on its window: if the window is all zeros, it is exactly zero.
#pragma once

#include "convolution.h"
#include "tiles.h"

// Returns whether this algorithm is used for a convolution with this many filters, or for its filter gradient: if there
// are enough channels and pixels to amortize the transforms.
bool supports_winograd(const Windows& w, Index filters);
bool supports_winograd_gradient(const Windows& w, Index filters);

// Return the number of scratch elements that the functions below need.
Index winograd_memory(const Windows& w, Index filters, Index threads);
Index winograd_gradient_memory(const Windows& w, Index filters);

// Writes the result [batch, rows, columns, filters] with the epilogue applied. The filter is [taps, taps, depth,
// filters] or, if `flipped` (as for an input gradient), [taps, taps, filters, depth] with rows and columns in reverse
// order.
void winograd_convolution(const Windows& w, Index filters, const float* x, const float* filter, bool flipped,
                          const Epilogue& epilogue, float* result, float* scratch, Index threads);

// Computes the filter gradient [taps, taps, depth, filters] from the gradient of the result.
void winograd_filter_gradient(const Windows& w, Index filters, const float* x, const float* gradient, float* result,
                              float* scratch, Index threads);
