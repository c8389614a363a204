// Fused elementwise operations as small programs: each step applies one operation to registers. Registers 0 to inputs -
// 1 are the inputs, the last ones are the results; the others hold a block of intermediate values. Inputs and results
// are matrices of one shape, each described by an ArrayLayout; they may be column ranges of wider matrices.
#pragma once

#include "basics.h"

struct Step {
  std::int32_t operation, first, second, third, target;
};

// The layout of an array: the offset of its first element, the row and column strides (0 to broadcast), and the element
// kind. OWN_TYPE is the register type; booleans are bytes 0 and 1. ROW_SUMS is a result that holds the sum of each
// register row, which requires blocks of complete rows. TOTAL and TOTAL_OF_SQUARES are sums over all elements, in an
// array with one element per block.
enum Elements { OWN_TYPE, BOOLEANS, HALVES, ROW_SUMS, TOTAL, TOTAL_OF_SQUARES };

struct ArrayLayout {
  Index offset, row, column, elements;
};

struct Program {
  const Step* steps;
  Index count;
  Index inputs, registers, results;
  Index field;  // offset of the data address in an object; -1 if the objects are the data addresses
};

// Evaluates the elements `begin` to `end`, `block` at a time. `objects` are the inputs and results, with the given
// layouts. Returns false if out of memory.
bool evaluate(const Program& program, const char* const* objects, const ArrayLayout* layouts, Index begin, Index end,
              Index columns, Index block);
