// Optimizer formulas for one element of a variable, its slots and its gradient. The scalars `s` are in the order of
// tfmini/_src/ops/state/optimizer_formulas.py, which explains the formulas.
#pragma once

#include "basics.h"

// TensorFlow's rules for NaN: the maximum of a slot and a NaN is the slot, and the sign of NaN is 0.
template <class T>
inline T slot_max(T slot, T x) {
  return slot < x ? x : slot;
}
template <class T>
inline T gradient_sign(T x) {
  return x > 0 ? T(1) : x < 0 ? T(-1) : T(0);
}

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
    vhat = slot_max(vhat, v);
    var -= m / (square_root(vhat) + epsilon) * alpha;
  }
};

template <class T>
struct AdaMax {
  T rest1, beta2, epsilon, rate;
  AdaMax(const T* s, bool) : rest1(1 - s[2]), beta2(s[3]), epsilon(s[4]), rate(s[1] / (1 - s[0])) {}
  void operator()(T& var, T& m, T& v, T&, T grad) const {
    m += (grad - m) * rest1;
    v = slot_max(v * beta2, magnitude(grad));
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

template <class T>
struct AdagradDA {
  T rate, l1, l2, step;
  AdagradDA(const T* s, bool) : rate(s[0]), l1(s[1]), l2(s[2]), step(s[3]) {}
  void operator()(T& var, T& sums, T& squares, T&, T grad) const {
    sums += grad;
    squares += grad * grad;
    T shrunk = l1 > 0 ? signum(sums) * maximum(magnitude(sums) - l1 * step, T(0)) : sums;
    var = -rate * shrunk / (l2 * step * rate + square_root(squares));
  }
};

// Supports only the default power, -1/2. A NaN linear term yields 0, and NaN in updates of rows.
template <class T, bool shrinks, bool rows>
struct Ftrl {
  T rate, l1, twice_l2, twice_shrinkage;
  explicit Ftrl(const T* s) : rate(s[0]), l1(s[1]), twice_l2(2 * s[2]), twice_shrinkage(shrinks ? 2 * s[3] : T(0)) {}
  void operator()(T& var, T& accum, T& linear, T&, T grad) const {
    T shrunk_gradient = shrinks ? grad + twice_shrinkage * var : grad;
    T power = square_root(accum);
    accum += grad * grad;
    T new_power = square_root(accum);
    linear = linear + shrunk_gradient - (new_power - power) / rate * var;
    T excess = linear < -l1 ? -l1 - linear : l1 - linear;
    T zero = rows ? linear * T(0) : T(0);
    var = magnitude(linear) > l1 ? excess / (new_power / rate + twice_l2) : zero;
  }
};
template <class T, bool rows>
using PlainFtrl = Ftrl<T, false, rows>;
template <class T, bool rows>
using ShrinkingFtrl = Ftrl<T, true, rows>;

// Applies the L1 and L2 penalties after a gradient step.
template <class T>
inline T proximal(T updated, T rate, T l1, T l2) {
  T shrunk = l1 > 0 ? signum(updated) * maximum(magnitude(updated) - rate * l1, T(0)) : updated;
  return shrunk / (T(1) + l2 * rate);
}

template <class T>
struct ProximalGradientDescent {
  T rate, l1, l2;
  ProximalGradientDescent(const T* s, bool) : rate(s[0]), l1(s[1]), l2(s[2]) {}
  void operator()(T& var, T&, T&, T&, T grad) const { var = proximal(var - rate * grad, rate, l1, l2); }
};

template <class T>
struct ProximalAdagrad {
  T rate, l1, l2;
  ProximalAdagrad(const T* s, bool) : rate(s[0]), l1(s[1]), l2(s[2]) {}
  void operator()(T& var, T& accum, T&, T&, T grad) const {
    accum += grad * grad;
    T adapted_rate = rate / square_root(accum);
    var = proximal(var - grad * adapted_rate, adapted_rate, l1, l2);
  }
};

template <class T>
struct AddSign {
  T rate, alpha, decay, beta, rest;
  AddSign(const T* s, bool) : rate(s[0]), alpha(s[1]), decay(s[2]), beta(s[3]), rest(1 - s[3]) {}
  void operator()(T& var, T& m, T&, T&, T grad) const {
    m = m * beta + grad * rest;
    var -= (gradient_sign(grad) * gradient_sign(m) * decay + alpha) * rate * grad;
  }
};

// The caller precomputes the only two powers that occur, for agreement and for disagreement.
template <class T>
struct PowerSign {
  T rate, agreed, opposed, beta, rest;
  PowerSign(const T* s, bool) : rate(s[0]), agreed(s[1]), opposed(s[2]), beta(s[3]), rest(1 - s[3]) {}
  void operator()(T& var, T& m, T&, T&, T grad) const {
    m = m * beta + grad * rest;
    T agreement = gradient_sign(grad) * gradient_sign(m);
    T power = agreement > 0 ? agreed : agreement < 0 ? opposed : T(1);
    var -= power * rate * grad;
  }
};
