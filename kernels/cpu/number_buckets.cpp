// Integer hash table with a power-of-two number of buckets: the key itself is the hash, and probing advances by 1, 2, 3
// ... as in TensorFlow's dense tables. Two reserved keys mark empty and deleted buckets.

#include "basics.h"

namespace {

// The bucket of an element, or the first bucket that is `empty` or `deleted`; -1 if there is none.
inline Index bucket_of(Index element, const Index* buckets, Index mask, Index empty, Index deleted) {
  Index at = element & mask;
  for (Index step = 1; step <= mask + 1; ++step) {
    const Index held = buckets[at];
    if (held == element || held == empty || held == deleted) return at;
    at = (at + step) & mask;
  }
  return -1;
}

}  // namespace

// The bucket of each element, -1 for missing ones.
EXPORT void find_in_buckets(const Index* elements, Index count, Index* out, const Index* buckets, Index mask,
                            Index empty) {
  for (Index i = 0; i < count; ++i) {
    const Index element = number_at(elements, i), at = bucket_of(element, buckets, mask, empty, empty);
    out[i] = at >= 0 && buckets[at] == element ? at : -1;
  }
}

// Inserts the elements, for which buckets are free; returns the number of new ones.
EXPORT Index put_in_buckets(const Index* elements, Index count, Index* out, Index* buckets, Index mask, Index empty,
                            Index deleted) {
  Index added = 0;
  for (Index i = 0; i < count; ++i) {
    const Index element = number_at(elements, i), at = bucket_of(element, buckets, mask, empty, deleted);
    out[i] = at;
    if (at < 0) continue;
    added += buckets[at] != element;
    buckets[at] = element;
  }
  return added;
}
