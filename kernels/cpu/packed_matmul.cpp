// Products with a right matrix that is packed into panels once and reused, as in the steps of a recurrent network. The
// summation order depends only on the sizes.

#include "packed_matmul.h"

#include "scratch.h"
#include "threads.h"
#include "tiles.h"

namespace {

constexpr Index BLOCK = 10 * ROWS;  // rows per block

thread_local Scratch scratch;

inline const float* copy_row(const float* row, float* target, Index count) {
  std::memcpy(target, row, std::size_t(count) * sizeof(float));
  return target;
}

}  // namespace

bool multiply_rows(const float* a, Index width, Index rows, Index inner, const float* panels, Index first,
                   Index columns, Index result_stride, const float* bias, float* result) {
  Index offsets[BLOCK];
  const float* row_addresses[BLOCK];
  const bool needs_copy = has_cache_conflicts(width);
  float* left = needs_copy ? static_cast<float*>(scratch.reserve(std::size_t(BLOCK) * LEFT * sizeof(float))) : nullptr;
  if (needs_copy && !left) return false;
  for (Index begin = 0; begin < rows; begin += BLOCK) {
    const Index count = clamp(0, rows - begin, BLOCK);
    for (Index i = 0; i < count; ++i) offsets[i] = (begin + i) * result_stride + first;
    for (Index k = 0; k < inner; k += INNER) {
      const Index inner_count = clamp(0, inner - k, INNER);
      for (Index i = 0; i < count; ++i) {
        row_addresses[i] = a + (begin + i) * width + k;
        if (needs_copy) row_addresses[i] = copy_row(row_addresses[i], left + i * LEFT, inner_count);
      }
      for (Index i = count; i % ROWS; ++i) row_addresses[i] = row_addresses[0];
      const Epilogue epilogue{bias && k + inner_count == inner ? bias + first : nullptr, nullptr, 0};
      multiply_tiles({row_addresses, 0, &inner_count, 1}, count, panels + first * inner, inner, k, columns,
                     {result, offsets, k > 0, epilogue});
    }
  }
  return true;
}

// Returns the number of elements of a packed right matrix.
EXPORT Index packed_size(Index inner, Index columns) { return 16 + panels_size(inner, columns); }

// Packs a right matrix [inner, columns], or a transposed one if `transposed`; its rows (columns if transposed) are
// `width` elements apart.
EXPORT void pack(const float* b, Index width, Index transposed, Index inner, Index columns, float* packed,
                 Index threads) {
  float* panels = align_pointer(packed);
  parallel_for_rows((columns + PANEL - 1) / PANEL, inner * PANEL, threads, [=](Index begin, Index end) {
    for (Index first = begin * PANEL; first < end * PANEL && first < columns; first += PANEL) {
      const Index panel_columns = clamp(0, columns - first, PANEL);
      if (transposed)
        pack_transposed(b + first * width, width, inner, panel_columns, panels + first * inner, inner, 0);
      else
        pack_rows(b + first, width, inner, panel_columns, panels + first * inner, inner, 0);
    }
  });
}

// Multiplies a left matrix with row stride `width` by a packed matrix; the bias is optional. Returns false if out of
// memory.
EXPORT int packed_product(const float* a, Index width, Index rows, Index inner, Index columns, float* packed,
                          const float* bias, float* result, Index threads) {
  const float* panels = align_pointer(packed);
  const bool by_columns = rows < MAX_REPACKED_ROWS * threads;
  const Index size = by_columns ? columns : rows, unit = by_columns ? PANEL : ROWS;
  const Index share = (size + threads - 1) / threads;
  std::atomic<bool> done{true};
  parallel_for_ranges(size, (share + unit - 1) / unit * unit, threads, [&](Index, Index begin, Index end) {
    const bool succeeded = by_columns
                               ? multiply_rows(a, width, rows, inner, panels, begin, end - begin, columns, bias, result)
                               : multiply_rows(a + begin * width, width, end - begin, inner, panels, 0, columns,
                                               columns, bias, result + begin * columns);
    if (!succeeded) done.store(false);
  });
  return done;
}
