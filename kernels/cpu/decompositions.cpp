// QR decomposition and eigenvalues of many small matrices, by Householder reflections.
//
// A reflection is I - tau v v' with v[0] = 1: G. Golub and C. Van Loan, "Matrix Computations", 5.1. Rows are padded to
// full vectors.

#include "elementary.h"
#include "scratch.h"
#include "threads.h"

namespace {

constexpr Index WIDTH = VECTOR / sizeof(float);
typedef float Vector __attribute__((vector_size(VECTOR)));

thread_local Scratch scratch;

// Returns the number of vectors that hold `size` floats.
inline Index vectors(Index size) { return (size + WIDTH - 1) / WIDTH; }

inline float* floats(Vector* row) { return reinterpret_cast<float*>(row); }
inline float& element(Vector* row, Index i) { return reinterpret_cast<float*>(row)[i]; }

// Computes the reflection that maps x to (first, 0, 0, ...). Overwrites x by v, and returns tau: 0 if x already has
// this form, as in Eigen.
NOINLINE float make_reflection(float* x, Index size, float& first) {
  double rest = 0;
  for (Index i = 1; i < size; ++i) rest += double(x[i]) * double(x[i]);
  first = x[0];
  x[0] = 1.0f;
  if (rest <= double(std::numeric_limits<float>::min())) return 0.0f;
  const double old_first = double(first), length = square_root(old_first * old_first + rest),
               new_first = old_first >= 0 ? -length : length;
  const float scale = float(old_first - new_first);
  for (Index i = 1; i < size; ++i) x[i] /= scale;
  first = float(new_first);
  return float((new_first - old_first) / new_first);
}

// Computes a -= tau v (v' a) for the first `width` vectors of rows that are `row_stride` vectors apart.
NOINLINE void reflect(Vector* a, Index row_stride, Index width, const float* v, float tau, Index rows) {
  for (Index c = 0; c < width; ++c) {
    Vector *column = a + c, sums[4] = {};
    Index r = 0;
    for (; r + 4 <= rows; r += 4)
      for (Index k = 0; k < 4; ++k) sums[k] += column[(r + k) * row_stride] * v[r + k];
    for (; r < rows; ++r) sums[0] += column[r * row_stride] * v[r];
    const Vector sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * tau;
    for (r = 0; r < rows; ++r) column[r * row_stride] -= sum * v[r];
  }
}

// a [rows, columns]; q [rows, inner]; r [inner, columns].
struct Factors {
  Index rows, columns, inner;
  Index steps() const { return rows < columns ? rows : columns; }
  std::size_t bytes() const {
    return std::size_t(rows * (vectors(columns) + vectors(inner))) * VECTOR +
           std::size_t(steps() * (rows + 1)) * sizeof(float);
  }
  void of(const float* a, float* q, float* r, Vector* memory) const {
    const Index wide = vectors(columns), wide_q = vectors(inner);
    Vector *work = memory, *q_rows = work + rows * wide;
    float *reflections = floats(q_rows + rows * wide_q), *taus = reflections + steps() * rows;
    std::memset(memory, 0, std::size_t(rows * (wide + wide_q)) * VECTOR);
    for (Index i = 0; i < rows; ++i)
      std::memcpy(work + i * wide, a + i * columns, std::size_t(columns) * sizeof(float));
    for (Index k = 0; k < steps(); ++k) {
      float *v = reflections + k * rows, first;
      for (Index i = k; i < rows; ++i) v[i] = element(work + i * wide, k);
      taus[k] = make_reflection(v + k, rows - k, first);
      // Elements left of the diagonal are not read again, so the entire vector with the diagonal element may be
      // overwritten.
      if (taus[k] != 0.0f) reflect(work + k * wide + k / WIDTH, wide, wide - k / WIDTH, v + k, taus[k], rows - k);
      element(work + k * wide, k) = first;
    }
    for (Index i = 0; i < inner; ++i)
      for (Index j = 0; j < columns; ++j) r[i * columns + j] = i <= j ? element(work + i * wide, j) : 0.0f;
    for (Index i = 0; i < inner; ++i) element(q_rows + i * wide_q, i) = 1.0f;
    for (Index k = steps() - 1; k >= 0; --k)
      if (taus[k] != 0.0f)
        reflect(q_rows + k * wide_q + k / WIDTH, wide_q, wide_q - k / WIDTH, reflections + k * rows + k, taus[k],
                rows - k);
    for (Index i = 0; i < rows; ++i)
      std::memcpy(q + i * inner, q_rows + i * wide_q, std::size_t(inner) * sizeof(float));
  }
};

// Reduces a symmetric matrix to tridiagonal form: computes its diagonal and its squared subdiagonal.
NOINLINE void tridiagonal(Vector* a, Index size, double* diagonal, double* squares, Vector* v, Vector* p) {
  const Index wide = vectors(size);
  for (Index k = 0; k + 1 < size; ++k) {
    // The trailing submatrix begins in vector `from`; v is 0 before it.
    const Index first = k + 1, from = first / WIDTH;
    Vector* row = a + k * wide;
    diagonal[k] = double(element(row, k));
    for (Index c = from; c < wide; ++c) v[c] = row[c], p[c] = Vector{};
    for (Index i = from * WIDTH; i < first; ++i) element(v, i) = 0.0f;
    float subdiagonal;
    const float tau = make_reflection(floats(v) + first, size - first, subdiagonal);
    squares[k] = double(subdiagonal) * double(subdiagonal);
    if (tau == 0.0f) continue;
    for (Index i = first; i < size; ++i) {
      const float factor = element(v, i) * tau;
      for (Index c = from; c < wide; ++c) p[c] += a[i * wide + c] * factor;
    }
    Vector products{};
    for (Index c = from; c < wide; ++c) products += p[c] * v[c];
    float dot = 0;
    for (Index i = 0; i < WIDTH; ++i) dot += products[i];
    for (Index c = from; c < wide; ++c) p[c] -= v[c] * (0.5f * tau * dot);
    for (Index i = first; i < size; ++i) {
      const float x = element(v, i), y = element(p, i);
      for (Index c = from; c < wide; ++c) a[i * wide + c] -= p[c] * x + v[c] * y;
    }
  }
  diagonal[size - 1] = double(element(a + (size - 1) * wide, size - 1));
  squares[size - 1] = 0;
}

// Computes the eigenvalues of a tridiagonal matrix in ascending order, by the rational QL method: C. Reinsch,
// "Tridiagonal QL algorithm", Communications of the ACM 16 (1973). Returns false if they converge too slowly.
bool rational_ql(double* d, double* squares, Index size) {
  double shifted = 0, largest = 0, small = 0, negligible = 0;
  for (Index l = 0; l < size; ++l) {
    const double bound = magnitude(d[l]) + square_root(squares[l]);
    if (largest <= bound)
      largest = bound, small = largest * std::numeric_limits<double>::epsilon(), negligible = small * small;
    for (int tries = 0;; ++tries) {
      Index m = l;
      while (squares[m] > negligible) ++m;  // the last element is 0
      if (m == l) break;
      if (tries == 60) return false;
      const double s = square_root(squares[l]), previous = d[l], p = (d[l + 1] - previous) / (2 * s);
      d[l] = s / (p + copy_sign(square_root(p * p + 1), p));
      const double shift = previous - d[l];
      for (Index i = l + 1; i < size; ++i) d[i] -= shift;
      shifted += shift;
      double g = d[m] == 0 ? small : d[m], h = g, ratio = 0;
      for (Index i = m - 1; i >= l; --i) {
        const double product = g * h, sum = product + squares[i];
        squares[i + 1] = ratio * sum;
        ratio = squares[i] / sum;
        d[i + 1] = h + ratio * (h + d[i]);
        g = d[i] - squares[i] / g;
        if (g == 0) g = small;
        h = g * product / sum;
      }
      d[l] = h;
      squares[l] = ratio * g;
      if (h == 0 || magnitude(squares[l]) <= magnitude(negligible / h)) break;
      squares[l] *= h;
      if (squares[l] == 0) break;
    }
    const double eigenvalue = d[l] + shifted;
    Index position = l;
    for (; position > 0 && d[position - 1] > eigenvalue; --position) d[position] = d[position - 1];
    d[position] = eigenvalue;
  }
  return true;
}

// Computes the eigenvalues of a finite symmetric matrix; reads its lower triangle.
NOINLINE bool symmetric_eigenvalues(const float* a, float* values, Index size, Vector* memory) {
  const Index wide = vectors(size);
  Vector *matrix = memory, *v = matrix + size * wide, *p = v + wide;
  double *diagonal = reinterpret_cast<double*>(p + wide), *squares = diagonal + size;
  float largest = 0;
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j <= i; ++j) largest = maximum(largest, magnitude(a[i * size + j]));
  int exponent;
  std::frexp(largest, &exponent);
  const double scale = std::ldexp(1.0, -exponent);
  std::memset(memory, 0, std::size_t(size * wide) * VECTOR);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j <= i; ++j)
      element(matrix + i * wide, j) = element(matrix + j * wide, i) = float(double(a[i * size + j]) * scale);
  tridiagonal(matrix, size, diagonal, squares, v, p);
  if (!rational_ql(diagonal, squares, size)) return false;
  for (Index i = 0; i < size; ++i) values[i] = float(diagonal[i] / scale);
  return true;
}

// Calls work(index, scratch memory of the thread) for each matrix; returns 0 if out of memory or if a call returns
// false.
template <class Work>
int for_each_matrix(Index count, Index operations, std::size_t bytes, Index threads, Work work) {
  std::atomic<int> done{1};
  parallel_for_rows(count, operations / 8, threads, [=, &done](Index begin, Index end) {
    Vector* memory = static_cast<Vector*>(scratch.reserve(bytes));
    for (Index n = begin; n < end; ++n)
      if (!memory || !work(n, memory)) return done.store(0);
  });
  return done.load();
}

}  // namespace

// Computes QR decompositions. a [count, rows, columns]; q [count, rows, inner]; r [count, inner, columns]. Returns 0 if
// out of memory.
EXPORT int qr_f32(const float* a, float* q, float* r, Index count, Index rows, Index columns, Index inner,
                  Index threads) {
  const Factors factors{rows, columns, inner};
  return for_each_matrix(count, rows * columns * inner, factors.bytes(), threads, [=](Index n, Vector* memory) {
    factors.of(a + n * rows * columns, q + n * rows * inner, r + n * inner * columns, memory);
    return true;
  });
}

// Computes eigenvalues of symmetric matrices. a [count, size, size]: only lower triangles are read; values [count,
// size]. Returns 0 if out of memory or if the iteration does not converge.
EXPORT int eigenvalues_f32(const float* a, float* values, Index count, Index size, Index threads) {
  const std::size_t bytes = std::size_t((size + 2) * vectors(size)) * VECTOR + std::size_t(2 * size) * sizeof(double);
  return for_each_matrix(count, size * size * size, bytes, threads, [=](Index n, Vector* memory) {
    return symmetric_eigenvalues(a + n * size * size, values + n * size, size, memory);
  });
}
