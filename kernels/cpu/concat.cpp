// Concatenation of matrices along their columns.

#include "threads.h"

namespace {

inline Index part_bound(Index size, Index part, Index parts, Index step) {
  if (part == parts) return size;
  const Index end = (size * part + parts - 1) / parts;
  const Index rounded = (end + step - 1) / step * step;
  return rounded < size ? rounded : size;
}

}  // namespace

// Concatenates the rows of `count` matrices, each given by its address, the bytes per row, and the row stride in bytes.
// Parts divide the rows as in products and programs; a single row is divided within each matrix.
EXPORT void join_rows(const Index* starts, const Index* widths, const Index* distances, Index count, char* result,
                      Index rows, Index parts, Index threads) {
  Index row_bytes = 0;
  for (Index i = 0; i < count; ++i) row_bytes += widths[i];
  auto work = [&](Index part) {
    Index begin = 0, end = 1;
    if (rows > 1) begin = part_bound(rows, part, parts, 16), end = part_bound(rows, part + 1, parts, 16);
    char* out = result + begin * row_bytes;
    for (Index row = begin; row < end; ++row)
      for (Index i = 0; i < count; ++i) {
        const char* from = reinterpret_cast<const char*>(starts[i]) + row * distances[i];
        Index first = 0, last = widths[i];
        if (rows == 1)
          first = part_bound(widths[i], part, parts, 64), last = part_bound(widths[i], part + 1, parts, 64);
        std::memcpy(out + first, from + first, std::size_t(last - first));
        out += widths[i];
      }
  };
  parallel_for(parts, threads, work);
}
