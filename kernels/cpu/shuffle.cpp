// Fisher-Yates shuffle.

#include "basics.h"

// order [size]: starts as 0, 1, ..., and swaps elements i and i + words[i] % (size - i) for i from 0 to size - 2.
EXPORT void shuffled(const std::uint32_t* words, Index* order, Index size) {
  for (Index i = 0; i < size; ++i) order[i] = i;
  constexpr Index BLOCK = 64;  // elements prefetched while the previous ones are swapped
  Index others[BLOCK];
  for (Index first = 0; first + 1 < size; first += BLOCK) {
    const Index count = size - 1 - first < BLOCK ? size - 1 - first : BLOCK;
    for (Index k = 0; k < count; ++k) {
      others[k] = first + k + words[first + k] % std::uint32_t(size - first - k);
      __builtin_prefetch(order + others[k], 1);
    }
    for (Index k = 0; k < count; ++k) {
      const Index held = order[first + k];
      order[first + k] = order[others[k]];
      order[others[k]] = held;
    }
  }
}
