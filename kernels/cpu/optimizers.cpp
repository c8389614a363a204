// The optimizers' updates, one pass over a variable, its slots and its gradient.
//
// A kernel NAME_f32 or NAME_f64 takes `count` variables as rows of numbers: the addresses of the cells (the variable and its
// slots, in the order of TensorFlow's op) and of the gradient, and how many elements each has. Behind them come the scalars
// in the order of tfmini/ops/state/update_rules.py, one flag (use_nesterov, update_slots) and the threads over which each
// variable is divided. The formulas, and where they come from, stand in that file.

#include "threads.h"

namespace {

template <class T>
struct GradientDescent {
  T alpha;
  GradientDescent(const T* s, bool) : alpha(s[0]) {}
  void operator()(T& var, T&, T&, T&, T grad) const { var -= grad * alpha; }
};

template <class T, bool nesterov>
struct Momentum {
  T rate, decay;
  explicit Momentum(const T* s) : rate(s[0]), decay(s[1]) {}
  void operator()(T& var, T& accum, T&, T&, T grad) const {
    accum = accum * decay + grad;
    if (nesterov)
      var -= (accum * decay + grad) * rate;
    else
      var -= accum * rate;
  }
};

template <class T, bool nesterov>
struct KerasMomentum {
  T rate, decay;
  explicit KerasMomentum(const T* s) : rate(s[0]), decay(s[1]) {}
  void operator()(T& var, T& accum, T&, T&, T grad) const {
    T scaled = grad * rate;
    accum = accum * decay - scaled;
    if (nesterov)
      var += accum * decay - scaled;
    else
      var += accum;
  }
};

template <class T>
inline void move_averages(T& m, T& v, T grad, T rest1, T rest2) {
  m += (grad - m) * rest1;
  v += (grad * grad - v) * rest2;
}

template <class T, bool nesterov>
struct Adam {
  T beta1, rest1, rest2, epsilon, alpha;
  explicit Adam(const T* s)
      : beta1(s[3]), rest1(1 - s[3]), rest2(1 - s[4]), epsilon(s[5]),
        alpha(s[2] * square_root(1 - s[1]) / (1 - s[0])) {}
  void operator()(T& var, T& m, T& v, T&, T grad) const {
    move_averages(m, v, grad, rest1, rest2);
    T root = square_root(v) + epsilon;
    T step = nesterov ? (grad * rest1 + m * beta1) / root : m / root;
    var -= step * alpha;
  }
};

template <class T>
struct AdamWithAmsgrad {
  T rest1, rest2, epsilon, alpha;
  AdamWithAmsgrad(const T* s, bool)
      : rest1(1 - s[3]), rest2(1 - s[4]), epsilon(s[5]), alpha(s[2] * square_root(1 - s[1]) / (1 - s[0])) {}
  void operator()(T& var, T& m, T& v, T& vhat, T grad) const {
    move_averages(m, v, grad, rest1, rest2);
    vhat = maximum(vhat, v);
    var -= m / (square_root(vhat) + epsilon) * alpha;
  }
};

template <class T>
struct AdaMax {
  T rest1, beta2, epsilon, rate;
  AdaMax(const T* s, bool) : rest1(1 - s[2]), beta2(s[3]), epsilon(s[4]), rate(s[1] / (1 - s[0])) {}
  void operator()(T& var, T& m, T& v, T&, T grad) const {
    m += (grad - m) * rest1;
    v = maximum(v * beta2, magnitude(grad));
    var -= m / (v + epsilon) * rate;
  }
};

template <class T, bool update_slots>
struct Adagrad {
  T rate;
  explicit Adagrad(const T* s) : rate(s[0]) {}
  void operator()(T& var, T& accum, T&, T&, T grad) const {
    if (update_slots) accum += grad * grad;
    var -= grad / square_root(accum) * rate;
  }
};

template <class T, bool update_slots>
struct AdagradV2 {
  T rate, epsilon;
  explicit AdagradV2(const T* s) : rate(s[0]), epsilon(s[1]) {}
  void operator()(T& var, T& accum, T&, T&, T grad) const {
    if (update_slots) accum += grad * grad;
    var -= grad / (square_root(accum) + epsilon) * rate;
  }
};

template <class T>
struct Adadelta {
  T rate, rho, rest, epsilon;
  Adadelta(const T* s, bool) : rate(s[0]), rho(s[1]), rest(1 - s[1]), epsilon(s[2]) {}
  void operator()(T& var, T& accum, T& accum_update, T&, T grad) const {
    accum = accum * rho + grad * grad * rest;
    T update = square_root(accum_update + epsilon) / square_root(accum + epsilon) * grad;
    var -= update * rate;
    accum_update = accum_update * rho + update * update * rest;
  }
};

template <class T>
struct RmsProp {
  T rate, rest, momentum, epsilon;
  RmsProp(const T* s, bool) : rate(s[0]), rest(1 - s[1]), momentum(s[2]), epsilon(s[3]) {}
  void operator()(T& var, T& ms, T& mom, T&, T grad) const {
    ms += (grad * grad - ms) * rest;
    mom = mom * momentum + grad * rate / square_root(ms + epsilon);
    var -= mom;
  }
};

template <class T>
struct CenteredRmsProp {
  T rate, rest, momentum, epsilon;
  CenteredRmsProp(const T* s, bool) : rate(s[0]), rest(1 - s[1]), momentum(s[2]), epsilon(s[3]) {}
  void operator()(T& var, T& mg, T& ms, T& mom, T grad) const {
    ms += (grad * grad - ms) * rest;
    mg += (grad - mg) * rest;
    mom = mom * momentum + grad * rate / square_root(ms - mg * mg + epsilon);
    var -= mom;
  }
};

// Applies a formula to some elements; `cells` beyond the kernel's own are scratch that the compiler drops.
template <int cells, class T, class Formula>
inline void update_part(const Index* row, Index begin, Index end, Formula formula) {
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
      update_part<cells, T>(row, first, last < end ? last : end, formula);
    }
  };
  in_parts(parts, parts, work);
}

}  // namespace

#define PARAMETERS(T) const Index *variables, Index count, const T *scalars, int flag, Index threads

#define PLAIN_OF(name, suffix, T, cells, Formula)                                        \
  EXPORT void name##_##suffix(PARAMETERS(T)) {                                           \
    update<cells, T>(variables, count, threads, Formula<T>(scalars, flag != 0));         \
  }
#define PLAIN(name, cells, Formula)         \
  PLAIN_OF(name, f32, float, cells, Formula) \
  PLAIN_OF(name, f64, double, cells, Formula)

#define FLAGGED_OF(name, suffix, T, cells, Formula)                                      \
  EXPORT void name##_##suffix(PARAMETERS(T)) {                                           \
    if (flag != 0)                                                                       \
      update<cells, T>(variables, count, threads, Formula<T, true>(scalars));            \
    else                                                                                 \
      update<cells, T>(variables, count, threads, Formula<T, false>(scalars));           \
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
