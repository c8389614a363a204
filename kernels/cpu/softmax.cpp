// Softmax, log-softmax, and cross entropies with their gradients. Each row is read from memory once and then stays in
// the L1 cache. Narrow rows are processed sixteen at a time, one per lane.

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

#include "lanes.h"
#include "threads.h"

namespace {

constexpr Index MAX_NARROW_COLUMNS = 32;

// Sixteen interleaved rows: element i of row k is at [i][k]. If there are fewer rows, the others are zero.
template <class T>
struct LaneTile {
  T at[MAX_NARROW_COLUMNS][LANES];
  LaneTile() {}
  LaneTile(const T* rows, Index count, Index columns) {
    T padded[MAX_NARROW_COLUMNS * LANES];
    if (count < LANES) {
      std::fill(std::copy(rows, rows + count * columns, padded), padded + LANES * columns, T(0));
      rows = padded;
    }
    for (Index i = 0; i < columns; ++i)
      for (int k = 0; k < LANES; ++k) at[i][k] = rows[k * columns + i];
  }
  void put(T* rows, Index count, Index columns) const {
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < columns; ++i) rows[k * columns + i] = at[i][k];
  }
};

// Interleaved rows minus their maxima, the exponentials of the differences, and the sums of the exponentials.
template <class T>
struct NarrowRows {
  typedef T Vector __attribute__((vector_size(VECTOR)));
  static constexpr int WIDTH = VECTOR / sizeof(T);
  LaneTile<T> shifted, exponentials;
  T totals[LANES] = {};
  NarrowRows(const T* rows, Index count, Index columns)
      : shifted(rows, count, columns) {
    T max_values[LANES];
    for (int k = 0; k < LANES; k += WIDTH) {
      Vector x, max_value;
      std::memcpy(&max_value, shifted.at[0] + k, VECTOR);
      for (Index i = 1; i < columns; ++i) {
        std::memcpy(&x, shifted.at[i] + k, VECTOR);
        max_value = (x > max_value) | (x != x) ? x : max_value;
      }
      std::memcpy(max_values + k, &max_value, VECTOR);
    }
    for (Index i = 0; i < columns; ++i)
      for (int k = 0; k < LANES; ++k) {
        const T x = shifted.at[i][k] - max_values[k], power = exponential(x);
        shifted.at[i][k] = x, exponentials.at[i][k] = power, totals[k] += power;
      }
  }
  void logarithms(T* out) const {
    for (int k = 0; k < LANES; ++k) out[k] = logarithm(totals[k]);
  }
  void divide(Index columns) {
    T scales[LANES];
    for (int k = 0; k < LANES; ++k) scales[k] = T(1) / totals[k];
    for (Index i = 0; i < columns; ++i)
      for (int k = 0; k < LANES; ++k) exponentials.at[i][k] *= scales[k];
  }
};

// Calls body(first row, row count) for up to sixteen rows at a time.
template <class Body>
inline void for_each_row_group(Index begin, Index end, Body body) {
  for (Index row = begin; row < end; row += LANES) body(row, end - row < LANES ? end - row : LANES);
}

// Computes the softmax of up to sixteen rows, their maxima, and the sums of the exponentials.
template <class T>
NOINLINE void wide_softmax(const T* logits, T* result, Index count, Index columns, T* max_values, T* totals) {
  for (Index row = 0; row < count; ++row) {
    const T* x = logits + row * columns;
    T* y = result + row * columns;
    T max_value = row_max(x, columns);
    for (Index i = 0; i < columns; ++i) y[i] = exponential(x[i] - max_value);
    T total = sum_values<T>(columns, [=](Index i) { return y[i]; });
    T scale = T(1) / total;
    for (Index i = 0; i < columns; ++i) y[i] *= scale;
    max_values[row] = max_value, totals[row] = total;
  }
}

template <class T>
NOINLINE void softmax(const T* logits, T* result, Index begin, Index end, Index columns) {
  if (columns <= MAX_NARROW_COLUMNS)
    return for_each_row_group(begin, end, [=](Index row, Index count) {
      NarrowRows<T> rows(logits + row * columns, count, columns);
      rows.divide(columns);
      rows.exponentials.put(result + row * columns, count, columns);
    });
  T max_values[LANES], totals[LANES];
  for_each_row_group(begin, end, [&](Index row, Index count) {
    wide_softmax(logits + row * columns, result + row * columns, count, columns, max_values, totals);
  });
}

template <class T>
NOINLINE void log_softmax(const T* logits, T* result, Index begin, Index end, Index columns) {
  if (columns <= MAX_NARROW_COLUMNS)
    return for_each_row_group(begin, end, [=](Index row, Index count) {
      NarrowRows<T> rows(logits + row * columns, count, columns);
      T shifts[LANES];
      rows.logarithms(shifts);
      for (Index i = 0; i < columns; ++i)
        for (int k = 0; k < LANES; ++k) rows.shifted.at[i][k] -= shifts[k];
      rows.shifted.put(result + row * columns, count, columns);
    });
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    T* y = result + row * columns;
    T max_value = row_max(x, columns);
    T total = sum_values<T>(columns, [=](Index i) { return exponential(x[i] - max_value); });
    T shift = logarithm(total);
    for (Index i = 0; i < columns; ++i) y[i] = (x[i] - max_value) - shift;
  }
}

// Computes the loss of each row and its gradient with respect to the logits.
template <class T>
NOINLINE void cross_entropy(const T* logits, const T* labels, T* loss, T* gradient, Index begin, Index end,
                            Index columns) {
  if (columns <= MAX_NARROW_COLUMNS)
    return for_each_row_group(begin, end, [=](Index row, Index count) {
      NarrowRows<T> rows(logits + row * columns, count, columns);
      const LaneTile<T> label_tile(labels + row * columns, count, columns);
      T shifts[LANES], sums[LANES] = {};
      rows.logarithms(shifts);
      rows.divide(columns);
      for (Index i = 0; i < columns; ++i)
        for (int k = 0; k < LANES; ++k) {
          sums[k] += label_tile.at[i][k] * (shifts[k] - rows.shifted.at[i][k]);
          rows.exponentials.at[i][k] -= label_tile.at[i][k];
        }
      std::memcpy(loss + row, sums, std::size_t(count) * sizeof(T));
      rows.exponentials.put(gradient + row * columns, count, columns);
    });
  for (Index row = begin; row < end; ++row) {
    const T* x = logits + row * columns;
    const T* p = labels + row * columns;
    T* g = gradient + row * columns;
    T max_value = row_max(x, columns);
    for (Index i = 0; i < columns; ++i) g[i] = exponential(x[i] - max_value);
    T total = sum_values<T>(columns, [=](Index i) { return g[i]; });
    T shift = logarithm(total), scale = T(1) / total;
    loss[row] = sum_values<T>(columns, [=](Index i) { return p[i] * (shift - (x[i] - max_value)); });
    for (Index i = 0; i < columns; ++i) g[i] = g[i] * scale - p[i];
  }
}

// Like cross_entropy, with one class label per row; the loss of an invalid label is NaN.
template <class T, class Label>
NOINLINE void sparse_cross_entropy(const T* logits, const Label* labels, T* loss, T* gradient, Index begin, Index end,
                          Index columns) {
  if (columns <= MAX_NARROW_COLUMNS)
    return for_each_row_group(begin, end, [=](Index row, Index count) {
      NarrowRows<T> rows(logits + row * columns, count, columns);
      T shifts[LANES];
      rows.logarithms(shifts);
      rows.divide(columns);
      for (Index k = 0; k < count; ++k) {
        const Index label = load_index(labels, row + k);
        loss[row + k] = std::numeric_limits<T>::quiet_NaN();
        if (!is_in_range(label, columns)) continue;
        loss[row + k] = shifts[k] - rows.shifted.at[label][k];
        rows.exponentials.at[label][k] -= T(1);
      }
      rows.exponentials.put(gradient + row * columns, count, columns);
    });
  T max_values[LANES], totals[LANES], shifts[LANES];
  for (int k = 0; k < LANES; ++k) totals[k] = T(1);
  for_each_row_group(begin, end, [&](Index row, Index count) {
    const T* x = logits + row * columns;
    T* g = gradient + row * columns;
    wide_softmax(x, g, count, columns, max_values, totals);
    for (int k = 0; k < LANES; ++k) shifts[k] = logarithm(totals[k]);
    for (Index k = 0; k < count; ++k) {
      const Index label = load_index(labels, row + k);
      loss[row + k] = std::numeric_limits<T>::quiet_NaN();
      if (!is_in_range(label, columns)) continue;
      loss[row + k] = shifts[k] - (x[k * columns + label] - max_values[k]);
      g[k * columns + label] -= T(1);
    }
  });
}

}  // namespace

#define SPARSE(suffix, T, label, Label)                                                                                \
  EXPORT void sparse_cross_entropy_##label##_##suffix(const T* x, const Label* labels, T* loss, T* gradient,           \
                                                      Index rows, Index columns, Index threads) {                      \
    parallel_for_rows(rows, columns, threads, [=](Index begin, Index end) {                                            \
      sparse_cross_entropy(x, labels, loss, gradient, begin, end, columns);                                            \
    });                                                                                                                \
  }

SPARSE(f32, float, i32, std::int32_t)
SPARSE(f32, float, i64, std::int64_t)
SPARSE(f64, double, i32, std::int32_t)
SPARSE(f64, double, i64, std::int64_t)

#define KERNELS(suffix, T)                                                                                             \
  EXPORT void softmax_##suffix(const T* x, T* y, Index rows, Index columns, Index threads) {                           \
    parallel_for_rows(rows, columns, threads, [=](Index begin, Index end) { softmax(x, y, begin, end, columns); });    \
  }                                                                                                                    \
  EXPORT void log_softmax_##suffix(const T* x, T* y, Index rows, Index columns, Index threads) {                       \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { log_softmax(x, y, begin, end, columns); });                        \
  }                                                                                                                    \
  EXPORT void cross_entropy_##suffix(const T* x, const T* p, T* loss, T* gradient, Index rows, Index columns,          \
                                     Index threads) {                                                                  \
    parallel_for_rows(rows, columns, threads,                                                                          \
                      [=](Index begin, Index end) { cross_entropy(x, p, loss, gradient, begin, end, columns); });      \
  }

KERNELS(f32, float)
KERNELS(f64, double)
