// Products with a packed right matrix.
#pragma once

#include "tiles.h"

constexpr Index MAX_REPACKED_ROWS = 4 * ROWS;  // up to this many rows, the columns of the product are divided

// Multiplies rows of the left matrix, `width` elements apart, by the panels starting at column `first`; the rows of the
// result are `result_stride` elements apart; the bias is optional. Returns false if out of memory.
bool multiply_rows(const float* a, Index width, Index rows, Index inner, const float* panels, Index first,
                   Index columns, Index result_stride, const float* bias, float* result);
