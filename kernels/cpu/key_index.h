// An open-addressing hash table whose slots hold the positions of distinct keys in arrays of the caller. Free slots are
// negative; fewer than half of the slots are occupied.
#pragma once

#include "basics.h"

struct KeyIndex {
  std::int32_t* slots;
  std::uint64_t mask;

  // Returns the slot of the key accepted by equals(position), or the free slot in which to insert it.
  template <class Equals>
  std::uint64_t find_slot(std::uint64_t hash, const Equals& equals) const {
    std::uint64_t slot = hash & mask;
    while (slots[slot] >= 0 && !equals(slots[slot])) slot = (slot + 1) & mask;
    return slot;
  }

  // Frees a slot and moves later keys back, because a gap would end the search for them.
  template <class Hash>
  void remove(std::uint64_t gap, const Hash& hash) const {
    for (std::uint64_t slot = (gap + 1) & mask; slots[slot] >= 0; slot = (slot + 1) & mask) {
      const std::uint64_t distance = slot - hash(slots[slot]);  // distance from the home slot of the key
      if ((distance & mask) < ((slot - gap) & mask)) continue;
      slots[gap] = slots[slot];
      gap = slot;
    }
    slots[gap] = -1;
  }

  // Inserts all keys of a smaller table.
  template <class Hash>
  void insert_all(const std::int32_t* other_slots, Index count, const Hash& hash) const {
    for (Index i = 0; i < count; ++i) {
      if (other_slots[i] >= 0)
        slots[find_slot(hash(other_slots[i]), [](std::int32_t) { return false; })] = other_slots[i];
    }
  }
};

// The number of positions ever used, and the number of spare positions (of removed keys, kept as a stack).
struct KeyCounts {
  Index size, spare;

  std::int32_t next(const std::int32_t* spares) { return spare > 0 ? spares[--spare] : std::int32_t(size++); }
};
