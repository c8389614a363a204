// Positions of 64-bit integers among distinct keys.

#include "key_places.h"

namespace {

using Long = std::uint64_t;

// MurmurHash3's finalizer (Austin Appleby), which spreads each bit of a key over the whole word.
inline Long spread(Long key) {
  key = (key ^ key >> 33) * 0xFF51AFD7ED558CCDu;
  key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53u;
  return key ^ key >> 33;
}

inline Long place_of(const KeyPlaces& table, Long element, const Long* keys) {
  return table.place_of(spread(element), [=](std::int32_t position) { return keys[position] == element; });
}

}  // namespace

// Places the keys of a table of `count` places in a larger one of `mask` + 1.
EXPORT void move_numbers(const std::int32_t* others, Index count, const Long* keys, std::int32_t* places, Long mask) {
  KeyPlaces{places, mask}.take_from(others, count, [=](std::int32_t position) { return spread(keys[position]); });
}

// The position of the key that each element equals, or -1.
EXPORT void find_numbers(const Long* elements, Index count, Index* out, const Long* keys, std::int32_t* places,
                         Long mask) {
  for (Index i = 0; i < count; ++i) {
    out[i] = places[place_of({places, mask}, Long(number_at(elements, i)), keys)];
  }
}

// The position of each element, which becomes a key if it is none. The caller has room for all of them.
EXPORT void add_numbers(const Long* elements, Index count, Index* out, Long* keys, std::int32_t* places, Long mask,
                        KeyCounts* counts, const std::int32_t* spares) {
  for (Index i = 0; i < count; ++i) {
    const Long element = Long(number_at(elements, i)), at = place_of({places, mask}, element, keys);
    if (places[at] < 0) keys[places[at] = counts->next(spares)] = element;
    out[i] = places[at];
  }
}

// Removes the keys that elements equal; their positions become spare.
EXPORT void remove_numbers(const Long* elements, Index count, const Long* keys, std::int32_t* places, Long mask,
                           KeyCounts* counts, std::int32_t* spares) {
  const KeyPlaces table = {places, mask};
  for (Index i = 0; i < count; ++i) {
    const Long at = place_of(table, Long(number_at(elements, i)), keys);
    if (places[at] < 0) continue;
    spares[counts->spare++] = places[at];
    table.vacate(at, [=](std::int32_t position) { return spread(keys[position]); });
  }
}
