// Product of a sparse and a dense matrix: each sparse element, in order, adds a scaled dense row to a result row.

#include "threads.h"

namespace {

template <class T>
inline void add_scaled(const T* __restrict from, T value, T* __restrict target, Index count) {
  for (Index c = 0; c < count; ++c) target[c] += from[c] * value;
}

}  // namespace

// indices [count, 2] are rows and columns, swapped if `transposed`; dense [inner, width]; result [height, width].
// Returns false, with an incomplete result, if an element is out of range.
#define SPARSE_TIMES(suffix, T)                                                                                        \
  EXPORT int sparse_times_##suffix(const Index* indices, const T* values, const T* dense, T* result, Index count,      \
                                   Index transposed, Index height, Index inner, Index width, Index threads) {          \
    const Index max_parts = width / 16 < threads ? width / 16 : threads, parts = max_parts > 1 ? max_parts : 1;        \
    const Index share = ((width + parts - 1) / parts + 15) / 16 * 16;                                                  \
    std::atomic<bool> in_range{true};                                                                                  \
    parallel_for(parts, threads, [=, &in_range](Index part) {                                                          \
      const Index first = part * share, part_width = width - first < share ? width - first : share;                    \
      if (part_width <= 0) return;                                                                                     \
      for (Index row = 0; row < height; ++row)                                                                         \
        for (Index c = first; c < first + part_width; ++c) result[row * width + c] = T(0);                             \
      for (Index n = 0; n < count; ++n) {                                                                              \
        const Index row = load_index(indices, 2 * n + transposed),                                                     \
                    column = load_index(indices, 2 * n + 1 - transposed);                                              \
        if (!is_in_range(row, height) || !is_in_range(column, inner)) return in_range.store(false);                    \
        add_scaled(dense + column * width + first, values[n], result + row * width + first, part_width);               \
      }                                                                                                                \
    });                                                                                                                \
    return in_range;                                                                                                   \
  }

SPARSE_TIMES(f32, float)
SPARSE_TIMES(f64, double)
