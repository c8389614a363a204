// An integer hash table with a power-of-two number of buckets: the key itself is the hash, and probing advances by 1,
// 2, 3 ..., as in TensorFlow's dense tables. Two reserved keys mark empty and deleted buckets.

#include "basics.h"

namespace {

// Returns the bucket of an element, or the first bucket that is `empty` or `deleted`; -1 if there is none.
inline Index find_bucket(Index element, const Index* buckets, Index mask, Index empty, Index deleted) {
  Index bucket = element & mask;
  for (Index step = 1; step <= mask + 1; ++step) {
    const Index key = buckets[bucket];
    if (key == element || key == empty || key == deleted) return bucket;
    bucket = (bucket + step) & mask;
  }
  return -1;
}

}  // namespace

// Finds the bucket of each element, -1 for missing elements.
EXPORT void find_in_buckets(const Index* elements, Index count, Index* out, const Index* buckets, Index mask,
                            Index empty) {
  for (Index i = 0; i < count; ++i) {
    const Index element = load_index(elements, i), bucket = find_bucket(element, buckets, mask, empty, empty);
    out[i] = bucket >= 0 && buckets[bucket] == element ? bucket : -1;
  }
}

// Inserts the elements, for which buckets are free; returns the number of new elements.
EXPORT Index put_in_buckets(const Index* elements, Index count, Index* out, Index* buckets, Index mask, Index empty,
                            Index deleted) {
  Index added = 0;
  for (Index i = 0; i < count; ++i) {
    const Index element = load_index(elements, i), bucket = find_bucket(element, buckets, mask, empty, deleted);
    out[i] = bucket;
    if (bucket < 0) continue;
    added += buckets[bucket] != element;
    buckets[bucket] = element;
  }
  return added;
}
