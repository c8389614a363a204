// Positions of 64-bit integers among distinct keys.

#include "key_index.h"

namespace {

using Long = std::uint64_t;

// Fibonacci hashing: the upper bits of a product with the golden ratio spread consecutive keys evenly (D. Knuth, "The
// Art of Computer Programming", volume 3, 6.4). Mixing upper key bits into lower ones first avoids clusters of keys at
// Fibonacci distances, or with equal low words.
inline Long hash_key(Long key, Long mask) {
  return ((key ^ key >> 12 ^ key >> 32) * 0x9E3779B97F4A7C15u) >> __builtin_clzll(mask);
}

inline Long find_slot(const KeyIndex& table, Long element, const Long* keys) {
  const Long hash = hash_key(element, table.mask);
  return table.find_slot(hash, [=](std::int32_t position) { return keys[position] == element; });
}

}  // namespace

// Inserts the keys of a table of `count` slots into a larger table of `mask` + 1 slots.
EXPORT void move_numbers(const std::int32_t* others, Index count, const Long* keys, std::int32_t* slots, Long mask) {
  KeyIndex{slots, mask}.insert_all(others, count,
                                   [=](std::int32_t position) { return hash_key(keys[position], mask); });
}

// Finds the position of the key equal to each element, or -1.
EXPORT void find_numbers(const Long* elements, Index count, Index* out, const Long* keys, std::int32_t* slots,
                         Long mask) {
  for (Index i = 0; i < count; ++i) {
    out[i] = slots[find_slot({slots, mask}, Long(load_index(elements, i)), keys)];
  }
}

// Finds the position of each element; adds missing keys, for which the caller has reserved space.
EXPORT void add_numbers(const Long* elements, Index count, Index* out, Long* keys, std::int32_t* slots, Long mask,
                        KeyCounts* counts, const std::int32_t* spares) {
  for (Index i = 0; i < count; ++i) {
    const Long element = Long(load_index(elements, i)), slot = find_slot({slots, mask}, element, keys);
    if (slots[slot] < 0) keys[slots[slot] = counts->next(spares)] = element;
    out[i] = slots[slot];
  }
}

// Removes the keys equal to elements; their positions become spare.
EXPORT void remove_numbers(const Long* elements, Index count, const Long* keys, std::int32_t* slots, Long mask,
                           KeyCounts* counts, std::int32_t* spares) {
  const KeyIndex table = {slots, mask};
  for (Index i = 0; i < count; ++i) {
    const Long slot = find_slot(table, Long(load_index(elements, i)), keys);
    if (slots[slot] < 0) continue;
    spares[counts->spare++] = slots[slot];
    table.remove(slot, [=](std::int32_t position) { return hash_key(keys[position], mask); });
  }
}
