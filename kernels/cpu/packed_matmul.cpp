// Products with a right matrix packed into panels once and reused, as in the steps of a recurrent network. The
// summation order depends only on the sizes.

#include "packed_matmul.h"

#include "scratch.h"
#include "threads.h"
#include "tiles.h"

namespace {

constexpr Index BLOCK = 10 * ROWS;  // rows per block

thread_local Scratch scratch;

inline const float* copied(const float* row, float* to, Index count) {
  std::memcpy(to, row, std::size_t(count) * sizeof(float));
  return to;
}

}  // namespace

bool multiply_rows(const float* a, Index width, Index rows, Index inner, const float* panels, Index first, Index columns,
                   Index whole, const float* bias, float* result) {
  Index places[BLOCK];
  const float* rows_at[BLOCK];
  const bool copies = collides(width);
  float* left = copies ? static_cast<float*>(scratch.of(std::size_t(BLOCK) * LEFT * sizeof(float))) : nullptr;
  if (copies && !left) return false;
  for (Index begin = 0; begin < rows; begin += BLOCK) {
    const Index count = between(0, rows - begin, BLOCK);
    for (Index i = 0; i < count; ++i) places[i] = (begin + i) * whole + first;
    for (Index k = 0; k < inner; k += INNER) {
      const Index some = between(0, inner - k, INNER);
      for (Index i = 0; i < count; ++i) {
        rows_at[i] = a + (begin + i) * width + k;
        if (copies) rows_at[i] = copied(rows_at[i], left + i * LEFT, some);
      }
      for (Index i = count; i % ROWS; ++i) rows_at[i] = rows_at[0];
      const Epilogue after{bias && k + some == inner ? bias + first : nullptr, nullptr, 0};
      multiply_tiles({rows_at, 0, &some, 1}, count, panels + first * inner, inner, k, columns,
                     {result, places, k > 0, after});
    }
  }
  return true;
}

// Elements needed for packing a right matrix.
EXPORT Index packed_size(Index inner, Index columns) { return 16 + panels_size(inner, columns); }

// Packs a right matrix [inner, columns], or a transposed one; lines are `width` elements apart.
EXPORT void pack(const float* b, Index width, Index turned, Index inner, Index columns, float* packed, Index threads) {
  float* panels = aligned(packed);
  in_rows((columns + PANEL - 1) / PANEL, inner * PANEL, threads, [=](Index begin, Index end) {
    for (Index first = begin * PANEL; first < end * PANEL && first < columns; first += PANEL) {
      const Index some = between(0, columns - first, PANEL);
      if (turned)
        lay_transposed(b + first * width, width, inner, some, panels + first * inner, inner, 0);
      else
        lay_rows(b + first, width, inner, some, panels + first * inner, inner, 0);
    }
  });
}

// The left matrix has row stride `width`; the bias is optional. False if out of memory.
EXPORT int packed_product(const float* a, Index width, Index rows, Index inner, Index columns, float* packed,
                          const float* bias, float* result, Index threads) {
  const float* panels = aligned(packed);
  const bool by_columns = rows < MAX_REPACKED_ROWS * threads;
  const Index size = by_columns ? columns : rows, unit = by_columns ? PANEL : ROWS;
  const Index share = (size + threads - 1) / threads;
  std::atomic<bool> done{true};
  in_pieces(size, (share + unit - 1) / unit * unit, threads, [&](Index, Index begin, Index end) {
    const bool made =
        by_columns ? multiply_rows(a, width, rows, inner, panels, begin, end - begin, columns, bias, result)
                   : multiply_rows(a + begin * width, width, end - begin, inner, panels, 0, columns, columns, bias,
                                   result + begin * columns);
    if (!made) done.store(false);
  });
  return done;
}
