// Forward and backward step of a gated recurrent unit, without the matrix products.

#include "elementary.h"
#include "threads.h"

namespace {

inline void copy(const float* source, float* target, Index count) {
  std::memcpy(target, source, std::size_t(count) * sizeof *target);
}

}  // namespace

// Concatenates x and h along their columns.
EXPORT void gru_inputs(const float* x, const float* h, Index batch, Index inputs, Index units, float* both) {
  for (Index row = 0; row < batch; ++row) {
    float* const out = both + row * (inputs + units);
    copy(x + row * inputs, out, inputs);
    copy(h + row * units, out + inputs, units);
  }
}

// Computes the reset and update gates from sums [batch, 2 * units]; multiplies h by the reset gate in `both`.
EXPORT void gru_gates(const float* sums, const float* bias, const float* h, Index batch, Index inputs, Index units,
                      float* both, float* r, float* u, Index threads) {
  parallel_for_rows(batch, 2 * units, threads, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const float *sum = sums + row * 2 * units, *state = h + row * units;
      float *reset = r + row * units, *update = u + row * units, *product = both + row * (inputs + units) + inputs;
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < units; ++k) reset[k] = logistic(sum[k] + bias[k]);
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < units; ++k) update[k] = logistic(sum[units + k] + bias[units + k]);
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < units; ++k) product[k] = state[k] * reset[k];
    }
  });
}

// Computes the candidates in place and the new state.
EXPORT void gru_output(float* c, const float* bias, const float* u, const float* h, Index batch, Index units,
                       float* result, Index threads) {
  parallel_for_rows(batch, units, threads, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const float *update = u + row * units, *state = h + row * units;
      float *candidate = c + row * units, *out = result + row * units;
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < units; ++k) candidate[k] = hyperbolic_tangent(candidate[k] + bias[k]);
      ELEMENT_BY_ELEMENT
      for (Index k = 0; k < units; ++k) out[k] = update[k] * state[k] + (1 - update[k]) * candidate[k];
    }
  });
}

// Computes the gradient of the pre-activations of the candidates.
EXPORT void gru_candidate_gradient(const float* grad, const float* u, const float* c, Index count, float* result) {
  ELEMENT_BY_ELEMENT
  for (Index i = 0; i < count; ++i) result[i] = grad[i] * (1 - u[i]) * (1 - c[i] * c[i]);
}

// Computes the gradient of the pre-activations of the gates, given the gradient `through_c` [batch, inputs + units] of
// x and of the product of the reset gate and h; and the part of the gradient of h that bypasses the product with the
// weights of the gates.
EXPORT void gru_gate_gradients(const float* grad, const float* through_c, const float* h, const float* r,
                               const float* u, const float* c, Index batch, Index inputs, Index units, float* gates,
                               float* h_grad) {
  for (Index row = 0; row < batch; ++row) {
    const float* const product_gradient = through_c + row * (inputs + units) + inputs;
    const Index begin = row * units;
    const float *out = grad + begin, *state = h + begin, *reset = r + begin, *update = u + begin,
                *candidate = c + begin;
    float *reset_gradient = gates + 2 * begin, *update_gradient = reset_gradient + units,
          *state_gradient = h_grad + begin;
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) {
      reset_gradient[k] = product_gradient[k] * state[k] * (reset[k] * (1 - reset[k]));
      update_gradient[k] = out[k] * (state[k] - candidate[k]) * (update[k] * (1 - update[k]));
      state_gradient[k] = product_gradient[k] * reset[k] + out[k] * update[k];
    }
  }
}

// Computes the gradient of x: the sum of the gradients through the candidates and through the gates. Adds the gradient
// of h through the gates to h_grad.
EXPORT void gru_input_gradients(const float* through_c, const float* through_gates, Index batch, Index inputs,
                                Index units, float* x_grad, float* h_grad) {
  for (Index row = 0; row < batch; ++row) {
    const float *a = through_c + row * (inputs + units), *b = through_gates + row * (inputs + units);
    float *x = x_grad + row * inputs, *h = h_grad + row * units;
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < inputs; ++k) x[k] = a[k] + b[k];
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) h[k] += b[inputs + k];
  }
}
