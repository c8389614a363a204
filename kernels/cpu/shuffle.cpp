// Fisher-Yates shuffle.

#include "basics.h"

// Shuffles order [size], initially 0, 1, ...: swaps the elements i and i + words[i] % (size - i) for i from 0 to size -
// 2.
EXPORT void shuffled(const std::uint32_t* words, Index* order, Index size) {
  for (Index i = 0; i < size; ++i) order[i] = i;
  constexpr Index BLOCK = 64;  // elements prefetched while the previous ones are swapped
  Index targets[BLOCK];
  for (Index first = 0; first + 1 < size; first += BLOCK) {
    const Index count = size - 1 - first < BLOCK ? size - 1 - first : BLOCK;
    for (Index k = 0; k < count; ++k) {
      targets[k] = first + k + words[first + k] % std::uint32_t(size - first - k);
      __builtin_prefetch(order + targets[k], 1);
    }
    for (Index k = 0; k < count; ++k) {
      const Index saved = order[first + k];
      order[first + k] = order[targets[k]];
      order[targets[k]] = saved;
    }
  }
}
