// An open-addressing hash table whose slots hold the positions of distinct keys in arrays of the caller. Free slots are
// negative; fewer than half of the slots are occupied.
#pragma once

#include "basics.h"

struct KeyPlaces {
  std::int32_t* places;
  std::uint64_t mask;

  // Returns the slot of the key accepted by equals(position), or the free slot in which to insert it.
  template <class Equals>
  std::uint64_t place_of(std::uint64_t hash, const Equals& equals) const {
    std::uint64_t at = hash & mask;
    while (places[at] >= 0 && !equals(places[at])) at = (at + 1) & mask;
    return at;
  }

  // Frees a slot and moves later keys back, because a gap would end the search for them.
  template <class Hash>
  void vacate(std::uint64_t gap, const Hash& hash_of) const {
    for (std::uint64_t at = (gap + 1) & mask; places[at] >= 0; at = (at + 1) & mask) {
      const std::uint64_t way = at - hash_of(places[at]);  // distance from the home slot of the key
      if ((way & mask) < ((at - gap) & mask)) continue;
      places[gap] = places[at];
      gap = at;
    }
    places[gap] = -1;
  }

  // Inserts all keys of a smaller table.
  template <class Hash>
  void take_from(const std::int32_t* others, Index count, const Hash& hash_of) const {
    for (Index i = 0; i < count; ++i) {
      if (others[i] >= 0) places[place_of(hash_of(others[i]), [](std::int32_t) { return false; })] = others[i];
    }
  }
};

// The number of positions ever used, and the number of spare positions (of removed keys, kept as a stack).
struct KeyCounts {
  Index size, spare;

  std::int32_t next(const std::int32_t* spares) { return spare > 0 ? spares[--spare] : std::int32_t(size++); }
};
