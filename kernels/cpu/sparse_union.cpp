// The union of the indices of two sparse tensors.

#include "basics.h"

namespace {

// Three-way comparison of two indices.
inline int compare_indices(const Index* a, const Index* b, Index rank) {
  for (Index axis = 0; axis < rank; ++axis) {
    const Index x = load_index(a, axis), y = load_index(b, axis);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

}  // namespace

// Merges two index matrices [count, rank]. For each result row, computes its index and its row in either matrix, -1 if
// absent. `result` has capacity for all rows of both matrices. Returns the number of rows.
EXPORT Index unite_indices(const Index* a, Index a_count, const Index* b, Index b_count, Index rank, Index* result,
                           Index* a_rows, Index* b_rows) {
  Index i = 0, j = 0, size = 0;
  for (; i < a_count || j < b_count; ++size) {
    const int order = i == a_count ? 1 : j == b_count ? -1 : compare_indices(a + i * rank, b + j * rank, rank);
    std::memcpy(result + size * rank, order > 0 ? b + j * rank : a + i * rank, std::size_t(rank) * sizeof(Index));
    a_rows[size] = order > 0 ? -1 : i++;
    b_rows[size] = order < 0 ? -1 : j++;
  }
  return size;
}
