// What the scheduler and the checks of memory know of each other.
#pragma once
#include <cstdint>

namespace simulated {

struct Thread {
  unsigned x, y, z;
  unsigned number;     // in its block
  unsigned block;      // 1 for the first block that runs
  unsigned barriers;   // of the block so far
  unsigned meetings;   // of its warp so far
  char *stack, *stack_end;
};

// Null outside a launch.
extern Thread* running;

// Ends the launch with this message; does not return.
[[noreturn]] void fail(const char* format, ...);

}  // namespace simulated
