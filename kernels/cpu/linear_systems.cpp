// Solvers of linear systems, batched over matrices and right-hand sides: triangular, tridiagonal, and general by LU.

#include "elementary.h"
#include "scratch.h"
#include "threads.h"

namespace {

constexpr Index ROWS = 4;  // rows solved at once, so that each previous row is read only once
constexpr int UNROLL = 2;    // vectors per panel row

thread_local Scratch scratch;

// Solves a lower triangular system `a` for a panel of right-hand sides in place; if `step` is -1, the rows run upwards
// in memory.
template <class T>
NOINLINE void substitute(const T* a, T* panel, Index size, Index step) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  Vector* x = reinterpret_cast<Vector*>(panel);
  const Index next = step * UNROLL;
  for (Index i = 0; i < size; i += ROWS) {
    const Index rows = size - i < ROWS ? size - i : ROWS;
    const T* block_rows = a + i * size;
    Vector sums[ROWS][UNROLL] = {};
    for (Index j = 0; j < i; ++j)
      for (Index r = 0; r < ROWS; ++r) {
        const T factor = block_rows[(r < rows ? r : 0) * size + j];
        for (int v = 0; v < UNROLL; ++v) sums[r][v] += x[j * next + v] * factor;
      }
    for (Index r = 0; r < rows; ++r)
      for (int v = 0; v < UNROLL; ++v) {
        Vector sum = sums[r][v];
        for (Index j = i; j < i + r; ++j) sum += x[j * next + v] * block_rows[r * size + j];
        x[(i + r) * next + v] = (x[(i + r) * next + v] - sum) / block_rows[r * size + i + r];
      }
  }
}

// Copies a triangle from `corner` with the given strides, so that an upper or transposed triangle becomes a lower one.
template <class T>
NOINLINE void copy_triangle(const T* corner, Index down, Index right, T* triangle, Index size) {
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j <= i; ++j) triangle[i * size + j] = corner[i * down + j * right];
}

template <class T>
struct Sizes {
  Index size, columns;  // of the matrices; right-hand sides
  bool lower, transposed;
};

// Copies a panel of right-hand sides, UNROLL vectors wide, from `b`, with rows permuted by `order` if present, and
// copies the panel back to the solution. Without right-hand sides, the identity is used.
template <class T>
struct Panel {
  static constexpr Index WIDTH = UNROLL * VECTOR / sizeof(T);
  T* rows;
  Index size, columns, first, own;
  Panel(T* memory, Index size, Index columns, Index first)
      : rows(memory), size(size), columns(columns), first(first),
        own(columns - first < WIDTH ? columns - first : WIDTH) {}
  void read(const T* b, const Index* order) const {
    for (Index i = 0; i < size; ++i) {
      const Index from = order ? order[i] : i;
      for (Index c = b ? own : 0; c < WIDTH; ++c) rows[i * WIDTH + c] = T(!b && from == first + c);
      if (b) std::memcpy(rows + i * WIDTH, b + from * columns + first, std::size_t(own) * sizeof(T));
    }
  }
  void write(T* x) const {
    for (Index i = 0; i < size; ++i)
      std::memcpy(x + i * columns + first, rows + i * WIDTH, std::size_t(own) * sizeof(T));
  }
  T* last() const { return rows + (size - 1) * WIDTH; }
};

// Scratch memory for an aligned panel, a triangle, and `extra_bytes` after them; null if out of memory.
template <class T>
struct Memory {
  T *panel = nullptr, *triangle = nullptr, *extra = nullptr;
  Memory(Index size, std::size_t extra_bytes) {
    const std::size_t wide = std::size_t(size) * UNROLL * VECTOR, all = std::size_t(size * size) * sizeof(T);
    char* found = static_cast<char*>(scratch.reserve(wide + all + extra_bytes));
    if (!found) return;
    panel = reinterpret_cast<T*>(found);
    triangle = reinterpret_cast<T*>(found + wide);
    extra = reinterpret_cast<T*>(found + wide + all);
  }
};

template <class T>
NOINLINE int solve_triangle(const T* a, const T* b, T* x, const Sizes<T>& sizes) {
  const Index size = sizes.size;
  for (Index i = 0; i < size; ++i)
    if (a[i * (size + 1)] == T(0)) return 0;
  if (a[0] != a[0]) return 0;
  const Memory<T> memory(size, 0);
  if (!memory.panel) return -1;
  // An upper triangle, read backwards from its last element, is a lower triangle.
  const bool forward = sizes.lower != sizes.transposed;
  const Index sign = forward ? 1 : -1, down = sizes.transposed ? 1 : size, right = sizes.transposed ? size : 1;
  copy_triangle(forward ? a : a + size * size - 1, sign * down, sign * right, memory.triangle, size);
  for (Index first = 0; first < sizes.columns; first += Panel<T>::WIDTH) {
    const Panel<T> panel(memory.panel, size, sizes.columns, first);
    panel.read(b, nullptr);
    substitute<T>(memory.triangle, forward ? panel.rows : panel.last(), size, sign);
    panel.write(x);
  }
  return 1;
}

// Computes the LU decomposition in place, with partial pivoting; returns false if a pivot is 0.
template <class T>
NOINLINE bool lu_decompose(T* a, Index* order, Index size) {
  for (Index i = 0; i < size; ++i) order[i] = i;
  for (Index k = 0; k < size; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < size; ++i)
      if (magnitude(a[i * size + k]) > magnitude(a[pivot * size + k])) pivot = i;
    T *pivot_row = a + k * size, *swapped_row = a + pivot * size;
    if (swapped_row[k] == T(0)) return false;
    if (pivot != k) {
      for (Index c = 0; c < size; ++c) {
        const T saved = pivot_row[c];
        pivot_row[c] = swapped_row[c], swapped_row[c] = saved;
      }
      const Index saved = order[k];
      order[k] = order[pivot], order[pivot] = saved;
    }
    for (Index i = k + 1; i < size; ++i) {
      T* row = a + i * size;
      const T factor = row[k] = row[k] / pivot_row[k];
      ELEMENT_BY_ELEMENT
      for (Index c = k + 1; c < size; ++c) row[c] = multiply_add(-factor, pivot_row[c], row[c]);
    }
  }
  return true;
}

template <class T>
NOINLINE int solve_general(const T* a, const T* b, T* x, const Sizes<T>& sizes) {
  const Index size = sizes.size;
  if (a[0] != a[0]) return 0;
  const std::size_t square_bytes = std::size_t(size * size) * sizeof(T);
  const Memory<T> memory(size, square_bytes + std::size_t(size) * sizeof(Index));
  if (!memory.panel) return -1;
  T *lower = memory.triangle, *upper = memory.extra;
  Index* order =
      reinterpret_cast<Index*>(reinterpret_cast<char*>(upper) + square_bytes);  // aligned: the squares fill full words
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) lower[i * size + j] = sizes.transposed ? a[j * size + i] : a[i * size + j];
  if (!lu_decompose(lower, order, size)) return 0;
  copy_triangle(lower + size * size - 1, -size, Index(-1), upper, size);
  for (Index i = 0; i < size; ++i) lower[i * size + i] = T(1);
  for (Index first = 0; first < sizes.columns; first += Panel<T>::WIDTH) {
    const Panel<T> panel(memory.panel, size, sizes.columns, first);
    panel.read(b, order);
    substitute<T>(lower, panel.rows, size, 1);
    substitute<T>(upper, panel.last(), size, -1);
    panel.write(x);
  }
  return 1;
}

// Tridiagonal solver: eliminates the super-, main and subdiagonal downwards; `memory` holds three more diagonals.
template <class T>
NOINLINE int solve_tridiagonal(const T* a, const T* b, T* x, T* memory, Index size, Index columns, bool pivoting) {
  const T *above = a, *middle = a + size, *below = a + 2 * size;
  T *first = memory, *second = first + size, *third = second + size;
  std::memcpy(x, b, std::size_t(size * columns) * sizeof(T));
  T pivot = middle[0], off_diagonal = above[0];
  for (Index i = 0; i + 1 < size; ++i) {
    const T lower_element = below[i + 1], next = middle[i + 1], following = i + 2 < size ? above[i + 1] : T(0);
    const bool swaps = pivoting && magnitude(lower_element) > magnitude(pivot);
    first[i] = swaps ? lower_element : pivot;
    if (first[i] == T(0)) return 0;
    second[i] = swaps ? next : off_diagonal;
    third[i] = swaps ? following : T(0);
    const T factor = (swaps ? pivot : lower_element) / first[i];
    pivot = (swaps ? off_diagonal : next) - factor * second[i];
    off_diagonal = (swaps ? T(0) : following) - factor * third[i];
    T *row = x + i * columns, *next_row = row + columns;
    for (Index c = 0; c < columns; ++c) {
      const T upper = swaps ? next_row[c] : row[c], lower = swaps ? row[c] : next_row[c];
      row[c] = upper, next_row[c] = lower - factor * upper;
    }
  }
  if (pivot == T(0)) return 0;
  first[size - 1] = pivot;
  for (Index i = size - 1; i >= 0; --i) {
    T* row = x + i * columns;
    for (Index c = 0; c < columns; ++c) {
      T value = row[c];
      if (i + 1 < size) value -= second[i] * row[columns + c];
      if (i + 2 < size) value -= third[i] * row[2 * columns + c];
      row[c] = value / first[i];
    }
  }
  return 1;
}

// Calls solve(n) for each matrix; returns the smallest result.
template <class Solve>
int min_result(Index count, Index work, Index threads, const Solve& solve) {
  std::atomic<int> worst{1};
  parallel_for_rows(count, work, threads, [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      const int result = solve(n);
      if (result < worst.load()) worst.store(result);
    }
  });
  return worst.load();
}

// Calls solve(matrix, right-hand sides, solution, sizes) for each matrix; returns the smallest result.
template <class T, class Solve>
int solve_each(const T* a, const T* b, T* x, Index count, const Sizes<T>& sizes, Index threads, Solve solve) {
  const Index matrix_size = sizes.size * sizes.size, rhs_size = sizes.size * sizes.columns;
  return min_result(count, matrix_size * (sizes.columns / 8 + 1), threads, [&](Index n) {
    return solve(a + n * matrix_size, b ? b + n * rhs_size : nullptr, x + n * rhs_size, sizes);
  });
}

template <class T>
int solve_each_tridiagonal(const T* a, const T* b, T* x, Index count, Index size, Index columns, bool pivoting,
                           Index threads) {
  const Index rhs_size = size * columns;
  return min_result(count, size * (columns + 4), threads, [&](Index n) {
    T* memory = reinterpret_cast<T*>(scratch.reserve(std::size_t(3 * size) * sizeof(T)));
    return memory ? solve_tridiagonal(a + n * 3 * size, b + n * rhs_size, x + n * rhs_size, memory, size, columns,
                                      pivoting)
                  : -1;
  });
}

// Copies each matrix to `factors` and decomposes it in place.
template <class T>
int factor_each(const T* a, T* factors, Index* orders, Index count, Index size, Index threads) {
  const Index matrix_size = size * size;
  return min_result(count, matrix_size * (size / 8 + 1), threads, [&](Index n) {
    T* matrix_factors = factors + n * matrix_size;
    std::memcpy(matrix_factors, a + n * matrix_size, std::size_t(matrix_size) * sizeof(T));
    return matrix_factors[0] == matrix_factors[0] && lu_decompose(matrix_factors, orders + n * size, size) ? 1 : 0;
  });
}

template <class T>
inline T dot_product(const T* a, const T* b, Index size) {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  constexpr Index WIDTH = VECTOR / sizeof(T);
  Vector sums{}, x, y;
  Index k = 0;
  for (; k + WIDTH <= size; k += WIDTH) {
    std::memcpy(&x, a + k, sizeof x);
    std::memcpy(&y, b + k, sizeof y);
    sums += x * y;
  }
  T sum = 0;
  for (; k < size; ++k) sum += a[k] * b[k];
  if (size >= WIDTH)
    for (Index i = 0; i < WIDTH; ++i) sum += sums[i];
  return sum;
}

// Computes the lower Cholesky factor, row by row, from the lower triangle. Returns false unless the matrix is positive
// definite.
template <class T>
NOINLINE bool cholesky(const T* a, T* factor, Index size) {
  for (Index i = 0; i < size; ++i) {
    T* const row = factor + i * size;
    for (Index j = 0; j < i; ++j) {
      const T* const above = factor + j * size;
      row[j] = (a[i * size + j] - dot_product(row, above, j)) / above[j];
    }
    const T square = a[i * size + i] - dot_product(row, row, i);
    if (!(square > 0)) return false;
    row[i] = T(square_root(double(square)));
    for (Index j = i + 1; j < size; ++j) row[j] = 0;
  }
  return true;
}

}  // namespace

// Solvers of a x = b for a [count, size, size], b and x [count, size, columns]; `transposed` transposes each matrix.
// Only the lower or upper half of triangular matrices is read; tridiagonal matrices are passed as diagonals [count, 3,
// size]. If b is null, it is the identity. They return -1 if out of memory, and 0, with an incomplete x, for a singular
// matrix; as in TensorFlow, this includes matrices whose first element is NaN. The factors are L, without its unit
// diagonal, and U in one square matrix; `orders` [count, size] are the row permutations.
#define SYSTEMS(suffix, T)                                                                                             \
  EXPORT int solve_triangles_##suffix(const T* a, const T* b, T* x, Index count, Index size, Index columns,            \
                                      Index lower, Index transposed, Index threads) {                                  \
    return solve_each<T>(a, b, x, count, {size, columns, lower != 0, transposed != 0}, threads, solve_triangle<T>);    \
  }                                                                                                                    \
  EXPORT int solve_systems_##suffix(const T* a, const T* b, T* x, Index count, Index size, Index columns,              \
                                    Index transposed, Index threads) {                                                 \
    return solve_each<T>(a, b, x, count, {size, columns, false, transposed != 0}, threads, solve_general<T>);          \
  }                                                                                                                    \
  EXPORT int solve_tridiagonal_##suffix(const T* a, const T* b, T* x, Index count, Index size, Index columns,          \
                                        Index pivoting, Index threads) {                                               \
    return solve_each_tridiagonal<T>(a, b, x, count, size, columns, pivoting != 0, threads);                           \
  }                                                                                                                    \
  EXPORT int factor_##suffix(const T* a, T* factors, Index* orders, Index count, Index size, Index threads) {          \
    return factor_each<T>(a, factors, orders, count, size, threads);                                                   \
  }                                                                                                                    \
  EXPORT int cholesky_##suffix(const T* a, T* factors, Index count, Index size, Index threads) {                       \
    return min_result(count, size * size * (size / 8 + 1), threads,                                                    \
                      [=](Index n) { return int(cholesky(a + n * size * size, factors + n * size * size, size)); });   \
  }

SYSTEMS(f32, float)
SYSTEMS(f64, double)
