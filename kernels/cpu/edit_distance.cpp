// Edit distances of number sequences: insertions, deletions and substitutions.

#include <algorithm>

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

// Returns the edit distance of two sequences; -1 if out of memory. Computes a row of the distance table for each
// element of `b`, overwriting the previous row.
Index distance(const Index* a, Index size, const Index* b, Index count) {
  while (size > 0 && count > 0 && a[0] == b[0]) ++a, ++b, --size, --count;
  while (size > 0 && count > 0 && a[size - 1] == b[count - 1]) --size, --count;
  if (size == 0 || count == 0) return size + count;
  std::int32_t* row = static_cast<std::int32_t*>(scratch.reserve((size + 1) * sizeof(std::int32_t)));
  if (row == nullptr) return -1;
  for (Index i = 0; i <= size; ++i) row[i] = std::int32_t(i);
  for (Index j = 0; j < count; ++j) {
    std::int32_t diagonal = row[0], left = ++row[0];
    for (Index i = 0; i < size; ++i) {
      const std::int32_t above = row[i + 1];
      left = std::min(std::min(left, above) + 1, diagonal + (a[i] != b[j]));
      diagonal = above, row[i + 1] = left;
    }
  }
  return row[size];
}

}  // namespace

// Computes the edit distance of each pair of sequences; pair i consists of the elements of `a` and `b` between
// consecutive start offsets. If `normalize` is true, distances are divided by the length of `b` (infinite if `b` is
// empty). Returns false if out of memory.
EXPORT bool edit_distances(const Index* a, const Index* a_starts, const Index* b, const Index* b_starts, Index pairs,
                           bool normalize, float* out, Index threads) {
  std::atomic<bool> done{true};
  parallel_for_ranges(pairs, 16, threads, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index size = a_starts[i + 1] - a_starts[i], count = b_starts[i + 1] - b_starts[i];
      const Index edits = distance(a + a_starts[i], size, b + b_starts[i], count);
      if (edits < 0) return done.store(false);
      const double infinity = std::numeric_limits<double>::infinity();
      const double normalized = count ? double(edits) / double(count) : size ? infinity : 0.0;
      out[i] = float(normalize ? normalized : double(edits));
    }
  });
  return done;
}
