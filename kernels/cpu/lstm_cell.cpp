// Forward and backward step of a long short-term memory cell, without the matrix products.

#include "elementary.h"
#include "threads.h"

namespace {

// Each loop processes one row of units and few arrays, so that the compiler vectorizes it.
NOINLINE void gate(const float* __restrict sums, const float* __restrict bias, float extra_bias,
                   const float* __restrict state, const float* __restrict weights, Index units, float* __restrict out) {
  if (weights) {
    for (Index k = 0; k < units; ++k) out[k] = logistic(sums[k] + bias[k] + extra_bias + state[k] * weights[k]);
  } else {
    for (Index k = 0; k < units; ++k) out[k] = logistic(sums[k] + bias[k] + extra_bias);
  }
}

NOINLINE void candidates(const float* __restrict sums, const float* __restrict bias, Index units,
                         float* __restrict out) {
  for (Index k = 0; k < units; ++k) out[k] = hyperbolic_tangent(sums[k] + bias[k]);
}

NOINLINE void next_state(const float* __restrict ci, const float* __restrict i, const float* __restrict previous_state,
                         const float* __restrict f, float clip, Index units, float* __restrict out) {
  for (Index k = 0; k < units; ++k) out[k] = ci[k] * i[k] + previous_state[k] * f[k];
  if (!(clip > 0)) return;
  for (Index k = 0; k < units; ++k) out[k] = minimum(maximum(out[k], -clip), clip);
}

NOINLINE void outputs(const float* __restrict cs, const float* __restrict o, Index units, float* __restrict co,
                   float* __restrict h) {
  for (Index k = 0; k < units; ++k) co[k] = hyperbolic_tangent(cs[k]);
  for (Index k = 0; k < units; ++k) h[k] = co[k] * o[k];
}

// Computes the gradient of cs, without the part through the gates, and the gradients of the sums.
template <bool PEEPHOLES>
NOINLINE void backward_row(const float* __restrict previous_state, const float* __restrict i, const float* __restrict f,
                           const float* __restrict o, const float* __restrict ci, const float* __restrict co,
                           const float* __restrict cs_grad, const float* __restrict h_grad, const float* __restrict wci,
                           const float* __restrict wcf, const float* __restrict wco, Index units,
                           float* __restrict gates, float* __restrict state_gradient) {
  float *i_gradient = gates, *ci_gradient = gates + units, *f_gradient = gates + 2 * units,
        *o_gradient = gates + 3 * units;
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) o_gradient[k] = o[k] * (1 - o[k]) * (h_grad[k] * co[k]);
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) state_gradient[k] = (1 - co[k] * co[k]) * (h_grad[k] * o[k]) + cs_grad[k];
  if (PEEPHOLES) {
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) state_gradient[k] += o_gradient[k] * wco[k];
  }
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) ci_gradient[k] = state_gradient[k] * i[k] * (1 - ci[k] * ci[k]);
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) i_gradient[k] = state_gradient[k] * ci[k] * (i[k] * (1 - i[k]));
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) f_gradient[k] = state_gradient[k] * previous_state[k] * (f[k] * (1 - f[k]));
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) state_gradient[k] *= f[k];
  if (PEEPHOLES) {
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k)
      state_gradient[k] = state_gradient[k] + i_gradient[k] * wci[k] + f_gradient[k] * wcf[k];
  }
}

}  // namespace

// Computes a forward step. The sums [batch, 4 * units] are in the order i, ci, f, o. The peepholes wci, wcf and wco are
// all present or all null; a clip of 0 disables clipping.
EXPORT void lstm_step(const float* sums, const float* bias, const float* cs_prev, const float* wci, const float* wcf,
                      const float* wco, float forget_bias, float clip, Index batch, Index units, float* i, float* cs,
                      float* f, float* o, float* ci, float* co, float* h, Index threads) {
  parallel_for_rows(batch, 4 * units, threads, [=](Index begin, Index end) {
    for (Index offset = begin * units; offset < end * units; offset += units) {
      const float *row_sums = sums + 4 * offset, *previous_state = cs_prev + offset;
      gate(row_sums, bias, 0.0f, previous_state, wci, units, i + offset);
      candidates(row_sums + units, bias + units, units, ci + offset);
      gate(row_sums + 2 * units, bias + 2 * units, forget_bias, previous_state, wcf, units, f + offset);
      next_state(ci + offset, i + offset, previous_state, f + offset, clip, units, cs + offset);
      gate(row_sums + 3 * units, bias + 3 * units, 0.0f, cs + offset, wco, units, o + offset);
      outputs(cs + offset, o + offset, units, co + offset, h + offset);
    }
  });
}

struct LstmStep {
  const float *cs_prev, *i, *f, *o, *ci, *co, *wci, *wcf, *wco;
};

// Computes the gradients of the sums of the gates, in the order of `lstm_step`, and the gradient of cs_prev.
EXPORT void lstm_step_back(const LstmStep* step, const float* cs_grad, const float* h_grad, Index batch, Index units,
                           float* gates, float* cs_prev_grad, Index threads) {
  const LstmStep s = *step;
  parallel_for_rows(batch, 4 * units, threads, [=](Index begin, Index end) {
    for (Index offset = begin * units; offset < end * units; offset += units)
      (s.wci ? backward_row<true> : backward_row<false>)(s.cs_prev + offset, s.i + offset, s.f + offset, s.o + offset,
                                                         s.ci + offset, s.co + offset, cs_grad + offset,
                                                         h_grad + offset, s.wci, s.wcf, s.wco, units,
                                                         gates + 4 * offset, cs_prev_grad + offset);
  });
}
