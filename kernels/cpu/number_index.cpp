// Positions of 64-bit integers among distinct keys: a hash table with open addressing.

#include "basics.h"

namespace {

using Long = std::uint64_t;

// MurmurHash3's finalizer (Austin Appleby), which spreads each bit of a key over the whole word.
inline Long spread(Long key) {
  key = (key ^ key >> 33) * 0xFF51AFD7ED558CCDu;
  key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53u;
  return key ^ key >> 33;
}

}  // namespace

// Puts the numbers of keys into a table of `mask` + 1 places; a free place is negative.
EXPORT void place_numbers(const Long* keys, std::int32_t count, std::int32_t* places, Long mask) {
  for (std::int32_t i = 0; i < count; ++i) {
    Long at = spread(keys[i]) & mask;
    while (places[at] >= 0) at = (at + 1) & mask;
    places[at] = i;
  }
}

// The number of the key that each element equals, or -1.
EXPORT void positions_of_numbers(const Long* elements, Index count, Index* out, const Long* keys,
                                 const std::int32_t* places, Long mask) {
  for (Index i = 0; i < count; ++i) {
    Long at = spread(elements[i]) & mask;
    while (places[at] >= 0 && keys[places[at]] != elements[i]) at = (at + 1) & mask;
    out[i] = places[at];
  }
}
