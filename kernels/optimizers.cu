// Optimizer updates, of any number of variables per launch.
//
// The table is passed by value, so that a captured launch depends only on the arrays. It has one row per variable: the
// addresses of the variable, its slots and its gradient, the size, and the index of its first block. A block processes
// CHUNK elements of one variable. Scalars are shared by all variables of a launch, and read from device memory, so that
// captured launches see new values. Formulas and operation order are the same as in
// tfmini/_src/ops/state/optimizer_formulas.py.
#include "basics.h"

const Index CHUNK = 4096;
const int MAX_VARIABLES = 64;  // 3.5 KB; a launch has 4 KB of parameters

struct Row {
  Index arrays[5];
  Index size, first_block;
};
struct Table {
  Row rows[MAX_VARIABLES];
};

// Calls rule(cells, gradient) for each element; the cells are the values of the element in the variable and the slots.
template <class T, int CELLS, class Rule>
__device__ __forceinline__ void update(const Table& table, int variables, Rule rule) {
  int first = 0, end = variables;  // binary search for the variable of the block
  while (end - first > 1) {
    int middle = (first + end) / 2;
    if (table.rows[middle].first_block <= blockIdx.x)
      first = middle;
    else
      end = middle;
  }
  Index begin = (blockIdx.x - table.rows[first].first_block) * CHUNK;
  Index size = table.rows[first].size;
  if (begin + CHUNK < size) size = begin + CHUNK;
  const T* gradient = (const T*)table.rows[first].arrays[CELLS];
  T* arrays[CELLS];
#pragma unroll
  for (int i = 0; i < CELLS; ++i) arrays[i] = (T*)table.rows[first].arrays[i];
  // Loads several elements before storing the first: throughput depends on the number of loads in flight.
  const int batch = 4;
  for (Index i = begin + threadIdx.x; i < size; i += batch * blockDim.x) {
    T cells[batch][CELLS], gradients[batch];
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      Index index = i + n * blockDim.x;
      if (index >= size) continue;
      gradients[n] = gradient[index];
#pragma unroll
      for (int k = 0; k < CELLS; ++k) cells[n][k] = arrays[k][index];
    }
#pragma unroll
    for (int n = 0; n < batch; ++n) {
      Index index = i + n * blockDim.x;
      if (index >= size) continue;
      rule(cells[n], gradients[n]);
#pragma unroll
      for (int k = 0; k < CELLS; ++k) arrays[k][index] = cells[n][k];
    }
  }
}

#define TABLE const __grid_constant__ Table table, Index variables

template <class T>
struct GradientDescent {
  T alpha;
  __device__ void operator()(T* cells, T gradient) const { cells[0] -= gradient * alpha; }
};
#define MAKE(T, NAME)                                              \
  KERNEL(gradient_descent_##NAME)(TABLE, const T* alpha) {         \
    update<T, 1>(table, variables, GradientDescent<T>{*alpha});    \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct Momentum {
  T rate, momentum;
  bool nesterov;
  __device__ void operator()(T* cells, T gradient) const {
    T accum = cells[1] * momentum + gradient;
    cells[1] = accum;
    cells[0] -= nesterov ? (accum * momentum + gradient) * rate : accum * rate;
  }
};
#define MAKE(T, NAME)                                                                             \
  KERNEL(momentum_##NAME)(TABLE, const T* rate, const T* momentum, bool nesterov) {               \
    update<T, 2>(table, variables, Momentum<T>{*rate, *momentum, nesterov});                      \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct KerasMomentum {
  T rate, momentum;
  bool nesterov;
  __device__ void operator()(T* cells, T gradient) const {
    T scaled = gradient * rate, accum = cells[1] * momentum - scaled;
    cells[1] = accum;
    cells[0] += nesterov ? accum * momentum - scaled : accum;
  }
};
#define MAKE(T, NAME)                                                                    \
  KERNEL(keras_momentum_##NAME)(TABLE, const T* rate, const T* momentum, bool nesterov) { \
    update<T, 2>(table, variables, KerasMomentum<T>{*rate, *momentum, nesterov});        \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct Adam {
  T alpha, beta1, beta2, epsilon;
  bool nesterov;
  __device__ void operator()(T* cells, T gradient) const {
    T m = cells[1] + (gradient - cells[1]) * (1 - beta1);
    T v = cells[2] + (gradient * gradient - cells[2]) * (1 - beta2);
    cells[1] = m;
    cells[2] = v;
    T step = nesterov ? gradient * (1 - beta1) + m * beta1 : m;
    cells[0] -= step / (sqrt(v) + epsilon) * alpha;
  }
};
#define MAKE(T, NAME)                                                                            \
  KERNEL(adam_##NAME)(TABLE, const T* beta1_power, const T* beta2_power, const T* rate,          \
                     const T* beta1, const T* beta2, const T* epsilon, bool nesterov) {          \
    T alpha = *rate * sqrt(1 - *beta2_power) / (1 - *beta1_power);                               \
    update<T, 3>(table, variables, Adam<T>{alpha, *beta1, *beta2, *epsilon, nesterov});          \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Returns TensorFlow's maximum of a slot and a value: the slot if the value is NaN.
template <class T>
__device__ T larger(T slot, T x) {
  return slot < x ? x : slot;
}

// Cells: the variable, m, v and the running maximum of v.
template <class T>
struct AdamWithAmsgrad {
  T alpha, beta1, beta2, epsilon;
  __device__ void operator()(T* cells, T gradient) const {
    T m = cells[1] + (gradient - cells[1]) * (1 - beta1);
    T v = cells[2] + (gradient * gradient - cells[2]) * (1 - beta2);
    cells[1] = m;
    cells[2] = v;
    cells[3] = larger(cells[3], v);
    cells[0] -= m / (sqrt(cells[3]) + epsilon) * alpha;
  }
};
#define MAKE(T, NAME)                                                                            \
  KERNEL(adam_with_amsgrad_##NAME)(TABLE, const T* beta1_power, const T* beta2_power,            \
                                  const T* rate, const T* beta1, const T* beta2,                 \
                                  const T* epsilon) {                                            \
    T alpha = *rate * sqrt(1 - *beta2_power) / (1 - *beta1_power);                               \
    update<T, 4>(table, variables, AdamWithAmsgrad<T>{alpha, *beta1, *beta2, *epsilon});         \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct AdaMax {
  T alpha, beta1, beta2, epsilon;
  __device__ void operator()(T* cells, T gradient) const {
    T m = cells[1] + (gradient - cells[1]) * (1 - beta1);
    T v = larger(cells[2] * beta2, fabs(gradient));
    cells[1] = m;
    cells[2] = v;
    cells[0] -= m / (v + epsilon) * alpha;
  }
};
#define MAKE(T, NAME)                                                                          \
  KERNEL(adamax_##NAME)(TABLE, const T* beta1_power, const T* rate, const T* beta1,            \
                       const T* beta2, const T* epsilon) {                                     \
    T alpha = *rate / (1 - *beta1_power);                                                      \
    update<T, 3>(table, variables, AdaMax<T>{alpha, *beta1, *beta2, *epsilon});                \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct Adagrad {
  T rate, epsilon;
  bool update_slots;
  __device__ void operator()(T* cells, T gradient) const {
    if (update_slots) cells[1] += gradient * gradient;
    cells[0] -= gradient / (sqrt(cells[1]) + epsilon) * rate;
  }
};
#define MAKE(T, NAME)                                                                 \
  KERNEL(adagrad_##NAME)(TABLE, const T* rate, bool update_slots) {                   \
    update<T, 2>(table, variables, Adagrad<T>{*rate, T(0), update_slots});            \
  }                                                                                   \
  KERNEL(adagrad_v2_##NAME)(TABLE, const T* rate, const T* epsilon, bool update_slots) { \
    update<T, 2>(table, variables, Adagrad<T>{*rate, *epsilon, update_slots});        \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct Adadelta {
  T rate, rho, epsilon;
  __device__ void operator()(T* cells, T gradient) const {
    T accum = cells[1] * rho + gradient * gradient * (1 - rho);
    T step = sqrt(cells[2] + epsilon) / sqrt(accum + epsilon) * gradient;
    cells[1] = accum;
    cells[0] -= step * rate;
    cells[2] = cells[2] * rho + step * step * (1 - rho);
  }
};
#define MAKE(T, NAME)                                                                  \
  KERNEL(adadelta_##NAME)(TABLE, const T* rate, const T* rho, const T* epsilon) {      \
    update<T, 3>(table, variables, Adadelta<T>{*rate, *rho, *epsilon});                \
  }
FOR_FLOATS(MAKE)
#undef MAKE

template <class T>
struct RMSProp {
  T rate, rho, momentum, epsilon;
  __device__ void operator()(T* cells, T gradient) const {
    T ms = cells[1] + (gradient * gradient - cells[1]) * (1 - rho);
    T mom = cells[2] * momentum + gradient * rate / sqrt(ms + epsilon);
    cells[1] = ms;
    cells[2] = mom;
    cells[0] -= mom;
  }
};
#define MAKE(T, NAME)                                                                   \
  KERNEL(rmsprop_##NAME)(TABLE, const T* rate, const T* rho, const T* momentum,         \
                        const T* epsilon) {                                             \
    update<T, 3>(table, variables, RMSProp<T>{*rate, *rho, *momentum, *epsilon});       \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Cells: the variable, mg, ms, mom.
template <class T>
struct CenteredRMSProp {
  T rate, rho, momentum, epsilon;
  __device__ void operator()(T* cells, T gradient) const {
    T ms = cells[2] + (gradient * gradient - cells[2]) * (1 - rho);
    T mg = cells[1] + (gradient - cells[1]) * (1 - rho);
    T mom = cells[3] * momentum + gradient * rate / sqrt(ms - mg * mg + epsilon);
    cells[1] = mg;
    cells[2] = ms;
    cells[3] = mom;
    cells[0] -= mom;
  }
};
#define MAKE(T, NAME)                                                                         \
  KERNEL(centered_rmsprop_##NAME)(TABLE, const T* rate, const T* rho, const T* momentum,      \
                                 const T* epsilon) {                                          \
    update<T, 4>(table, variables, CenteredRMSProp<T>{*rate, *rho, *momentum, *epsilon});     \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Cells: the variable, the accumulator, the linear term.
template <class T>
struct Ftrl {
  T rate, l1, l2, shrinkage, power;
  __device__ T raise_to_power(T accum) const { return power == T(-0.5) ? sqrt(accum) : pow(accum, -power); }
  __device__ void operator()(T* cells, T gradient) const {
    T var = cells[0], old_power = raise_to_power(cells[1]);
    T accum = cells[1] + gradient * gradient, new_power = raise_to_power(accum);
    T pulled = shrinkage == 0 ? gradient : gradient + 2 * shrinkage * var;
    T linear = cells[2] + pulled - (new_power - old_power) / rate * var;
    T excess = linear < -l1 ? -l1 - linear : l1 - linear;
    cells[1] = accum;
    cells[2] = linear;
    cells[0] = fabs(linear) > l1 ? excess / (new_power / rate + 2 * l2) : T(0);  // 0 if NaN
  }
};
#define MAKE(T, NAME)                                                                            \
  KERNEL(ftrl_##NAME)(TABLE, const T* rate, const T* l1, const T* l2, const T* power) {          \
    update<T, 3>(table, variables, Ftrl<T>{*rate, *l1, *l2, T(0), *power});                      \
  }                                                                                              \
  KERNEL(ftrl_v2_##NAME)(TABLE, const T* rate, const T* l1, const T* l2, const T* l2_shrinkage,  \
                        const T* power) {                                                        \
    update<T, 3>(table, variables, Ftrl<T>{*rate, *l1, *l2, *l2_shrinkage, *power});             \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Returns the sign; the sign of NaN is 0, as in TensorFlow.
template <class T>
__device__ T sign(T value) {
  return value > 0 ? T(1) : value < 0 ? T(-1) : T(0);
}

// Steps grow if the signs of the gradient and of its average agree: additively in AddSign, exponentially in PowerSign.
template <class T, bool POWER>
struct Signs {
  T rate, scale, decay, beta;
  __device__ void operator()(T* cells, T gradient) const {
    T m = cells[1] * beta + gradient * (1 - beta);
    cells[1] = m;
    T agreement = sign(gradient) * sign(m);
    T factor = POWER ? exp(agreement * (scale * decay)) : agreement * decay + scale;
    cells[0] -= factor * rate * gradient;
  }
};
#define MAKE(T, NAME)                                                                        \
  KERNEL(add_sign_##NAME)(TABLE, const T* rate, const T* alpha, const T* sign_decay,         \
                         const T* beta) {                                                    \
    update<T, 2>(table, variables, Signs<T, false>{*rate, *alpha, *sign_decay, *beta});      \
  }                                                                                          \
  KERNEL(power_sign_##NAME)(TABLE, const T* rate, const T* logbase, const T* sign_decay,     \
                           const T* beta) {                                                  \
    update<T, 2>(table, variables, Signs<T, true>{*rate, *logbase, *sign_decay, *beta});     \
  }
FOR_FLOATS(MAKE)
#undef MAKE
