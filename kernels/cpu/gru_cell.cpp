// Forward and backward step of a gated recurrent unit, without the matrix products.

#include "elementary.h"
#include "threads.h"

namespace {

inline void copy(const float* from, float* to, Index count) {
  std::memcpy(to, from, std::size_t(count) * sizeof *to);
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

// Computes the reset and update gates from sums [batch, 2 * units]; in `both`, multiplies h by the reset gate.
EXPORT void gru_gates(const float* sums, const float* bias, const float* h, Index batch, Index inputs, Index units,
                      float* both, float* r, float* u, Index threads) {
  in_rows(batch, 2 * units, threads, [=](Index begin, Index end) {
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
  in_rows(batch, units, threads, [=](Index begin, Index end) {
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

// The gradient of the candidates' pre-activations.
EXPORT void gru_candidate_gradient(const float* grad, const float* u, const float* c, Index count, float* result) {
  ELEMENT_BY_ELEMENT
  for (Index i = 0; i < count; ++i) result[i] = grad[i] * (1 - u[i]) * (1 - c[i] * c[i]);
}

// The gradient of the gates' pre-activations, given the gradient `through_c` [batch, inputs + units] of x and of the
// product of reset gate and h; and the part of h's gradient that bypasses the product with the gates' weights.
EXPORT void gru_gate_gradients(const float* grad, const float* through_c, const float* h, const float* r, const float* u,
                               const float* c, Index batch, Index inputs, Index units, float* gates, float* h_grad) {
  for (Index row = 0; row < batch; ++row) {
    const float* const of_product = through_c + row * (inputs + units) + inputs;
    const Index begin = row * units;
    const float *out = grad + begin, *state = h + begin, *reset = r + begin, *update = u + begin, *candidate = c + begin;
    float *of_reset = gates + 2 * begin, *of_update = of_reset + units, *of_state = h_grad + begin;
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) {
      of_reset[k] = of_product[k] * state[k] * (reset[k] * (1 - reset[k]));
      of_update[k] = out[k] * (state[k] - candidate[k]) * (update[k] * (1 - update[k]));
      of_state[k] = of_product[k] * reset[k] + out[k] * update[k];
    }
  }
}

// The gradient of x: the sum of those through the candidates and the gates. Adds h's gradient through the gates to
// h_grad.
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
