// Products with a prepacked right matrix.
#pragma once

#include "tiles.h"

constexpr Index MAX_REPACKED_ROWS = 4 * ROWS;  // each thread packs so few rows itself, and the columns are divided

// Multiplies rows of the left matrix, `width` elements apart, by the panels from column `first` on; the result has row
// stride `whole`; the bias is optional. False if out of memory.
bool multiply_rows(const float* a, Index width, Index rows, Index inner, const float* panels, Index first, Index columns,
                   Index whole, const float* bias, float* result);
