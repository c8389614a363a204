// Groups of elementwise operations as small programs: steps of one operation each on registers. The registers 0 ...
// inputs - 1 are the inputs, the last ones the results; those between hold a block of intermediate values. Inputs and
// results are read as matrices of one shape that lie as a Place says: they may be columns of wider ones.
#pragma once

#include "basics.h"

struct Step {
  std::int32_t operation, first, second, third, target;
};

// Where an array's elements are: the number of the first one, the distances of rows and of columns, 0 where the same
// element stands for all of them; and what they are, which in registers are numbers of the program's type. Of booleans
// the bytes are 0 and 1. ROW_SUMS is a result that holds the sum of each row of its register: blocks are whole rows then.
// TOTAL and TOTAL_OF_SQUARES are results of one element, the sum of all, in an array with an element for each block.
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

// Computes the elements from `begin` to `end`, `block` at a time. `objects` are the inputs and the results, that lie
// at `places`. False where there is no memory.
bool evaluate(const Program& program, const char* const* objects, const Place* places, Index begin, Index end,
              Index columns, Index block);
