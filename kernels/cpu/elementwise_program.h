// Groups of elementwise operations as small programs: steps of one operation each on registers. The registers 0 ...
// inputs - 1 are the inputs, the last ones the results; the others hold a block of intermediate values. Inputs and results
// are accessed as matrices of one shape, located by a Place: they may be columns of wider matrices.
#pragma once

#include "basics.h"

struct Step {
  std::int32_t operation, first, second, third, target;
};

// The position of an array's elements: the index of the first one; the row and column strides, 0 for a repeated
// element; and the element kind, the program's type in registers. Booleans are bytes 0 and 1. ROW_SUMS is a result with
// the sum of each row of its register, which requires blocks of whole rows. TOTAL and TOTAL_OF_SQUARES are results of one
// element, the sum of all, in an array with an element per block.
enum Elements { OWN_TYPE, BOOLEANS, HALVES, ROW_SUMS, TOTAL, TOTAL_OF_SQUARES };

struct Place {
  Index offset, row, column, elements;
};

struct Program {
  const Step* steps;
  Index count;
  Index inputs, registers, results;
  Index field;  // where in an object is the address of its elements; -1: the addresses are given themselves
};

// Computes the elements from `begin` to `end`, `block` at a time. `objects` are the inputs and the results, located by
// `places`. False if out of memory.
bool evaluate(const Program& program, const char* const* objects, const Place* places, Index begin, Index end,
              Index columns, Index block);
