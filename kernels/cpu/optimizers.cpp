// Optimizer updates, in one pass over a variable, its slots and its gradient.
//
// A kernel NAME_f32 or NAME_f64 updates `count` variables, each described by a row of integers: the addresses of its
// arrays (the variable and its slots, in the order of TensorFlow's op) and of its gradient, and the element count. The
// scalars follow, in the order of tfmini/_src/ops/state/optimizer_formulas.py, then one flag (use_nesterov,
// update_slots, by_rows) and the number of threads per variable.
//
// With `ids`, there is a single variable of `height` rows, and the gradient has one row per id. Rows are applied in
// order, so repeated ids accumulate. Out-of-range ids are skipped.

#include "formulas.h"
#include "threads.h"

namespace {

// Applies a formula to a range of elements; arrays beyond the `cells` of the kernel are dummies that the compiler
// eliminates.
template <int cells, class T, class Formula>
NOINLINE void update_elements(const Index* row, Index begin, Index end, Formula formula) {
  auto array = [=](int i) { return reinterpret_cast<T*>(row[i]); };
  T* __restrict a = array(0);
  T* __restrict b = cells > 1 ? array(1) : nullptr;
  T* __restrict c = cells > 2 ? array(2) : nullptr;
  T* __restrict d = cells > 3 ? array(3) : nullptr;
  const T* __restrict gradient = array(cells);
  for (Index i = begin; i < end; ++i) {
    T first = a[i], second = cells > 1 ? b[i] : T(0), third = cells > 2 ? c[i] : T(0), fourth = cells > 3 ? d[i] : T(0);
    formula(first, second, third, fourth, gradient[i]);
    a[i] = first;
    if (cells > 1) b[i] = second;
    if (cells > 2) c[i] = third;
    if (cells > 3) d[i] = fourth;
  }
}

template <int cells, class T, class Formula>
void update(const Index* variables, Index count, Index threads, Formula formula) {
  constexpr Index STEP = 1024, WIDTH = cells + 2;
  const Index parts = threads < 1 ? 1 : threads;
  auto work = [&](Index part) {
    for (Index v = 0; v < count; ++v) {
      const Index* row = variables + v * WIDTH;
      const Index end = row[cells + 1], steps = (end + STEP - 1) / STEP;
      const Index first = steps * part / parts * STEP, last = steps * (part + 1) / parts * STEP;
      update_elements<cells, T>(row, first, last < end ? last : end, formula);
    }
  };
  parallel_for(parts, parts, work);
}

// Applies gradient rows of `width` elements to the rows `ids` of one variable. The work is divided by columns, or by
// ids if rows are short.
template <int cells, class T, class Formula>
void update_rows(const Index* row, Index count, Index threads, const Index* ids, Index height, Index width,
                 Formula formula) {
  constexpr Index STEP = 16, PREFETCH_DISTANCE = 4, LINE = 64 / sizeof(T);
  const Index bytes = width * Index(sizeof(T)), steps = (width + STEP - 1) / STEP;
  const bool by_columns = width >= 2 * STEP * threads;
  auto work = [&](Index part) {
    Index first = 0, last = width;
    if (by_columns) {
      first = steps * part / threads * STEP, last = steps * (part + 1) / threads * STEP;
      if (last > width) last = width;
    }
    for (Index i = 0; i < count; ++i) {
      const Index id = load_index(ids, i),
                  upcoming = i + PREFETCH_DISTANCE < count ? load_index(ids, i + PREFETCH_DISTANCE) : -1;
      if (!is_in_range(id, height) || (!by_columns && id % threads != part)) continue;
      if (is_in_range(upcoming, height))
        for (int k = 0; k < cells; ++k) {
          const T* next = reinterpret_cast<const T*>(row[k] + upcoming * bytes);
          for (Index column = first; column < last; column += LINE) __builtin_prefetch(next + column, 1, 2);
        }
      Index row_addresses[cells + 1];
      for (int k = 0; k < cells; ++k) row_addresses[k] = row[k] + id * bytes;
      row_addresses[cells] = row[cells] + i * bytes;
      update_elements<cells, T>(row_addresses, first, last, formula);
    }
  };
  parallel_for(threads, threads, work);
}

template <int cells, class T, class Formula>
void updates(const Index* variables, Index count, Index threads, const Index* ids, Index height, Index width,
             Formula formula) {
  if (ids)
    update_rows<cells, T>(variables, count, threads, ids, height, width, formula);
  else
    update<cells, T>(variables, count, threads, formula);
}

}  // namespace

#define PARAMETERS(T)                                                                                                  \
  const Index *variables, Index count, const T *scalars, int flag, Index threads, const Index *ids, Index height,      \
      Index width

#define PLAIN_OF(name, suffix, T, cells, Formula)                                                    \
  EXPORT void name##_##suffix(PARAMETERS(T)) {                                                       \
    updates<cells, T>(variables, count, threads, ids, height, width, Formula<T>(scalars, flag != 0));        \
  }
#define PLAIN(name, cells, Formula)         \
  PLAIN_OF(name, f32, float, cells, Formula) \
  PLAIN_OF(name, f64, double, cells, Formula)

#define FLAGGED_OF(name, suffix, T, cells, Formula)                                                  \
  EXPORT void name##_##suffix(PARAMETERS(T)) {                                                       \
    if (flag != 0)                                                                                   \
      updates<cells, T>(variables, count, threads, ids, height, width, Formula<T, true>(scalars));           \
    else                                                                                             \
      updates<cells, T>(variables, count, threads, ids, height, width, Formula<T, false>(scalars));          \
  }
#define FLAGGED(name, cells, Formula)         \
  FLAGGED_OF(name, f32, float, cells, Formula) \
  FLAGGED_OF(name, f64, double, cells, Formula)

PLAIN(gradient_descent, 1, GradientDescent)
FLAGGED(momentum, 2, Momentum)
FLAGGED(keras_momentum, 2, KerasMomentum)
FLAGGED(adam, 3, Adam)
PLAIN(adam_with_amsgrad, 4, AdamWithAmsgrad)
PLAIN(adamax, 3, AdaMax)
FLAGGED(adagrad, 2, Adagrad)
FLAGGED(adagrad_v2, 2, AdagradV2)
PLAIN(adadelta, 3, Adadelta)
PLAIN(rmsprop, 3, RmsProp)
PLAIN(centered_rmsprop, 4, CenteredRmsProp)
PLAIN(adagrad_da, 3, AdagradDA)
FLAGGED(ftrl, 3, PlainFtrl)
FLAGGED(ftrl_v2, 3, ShrinkingFtrl)
PLAIN(proximal_gradient_descent, 1, ProximalGradientDescent)
PLAIN(proximal_adagrad, 2, ProximalAdagrad)
PLAIN(add_sign, 2, AddSign)
PLAIN(power_sign, 2, PowerSign)
