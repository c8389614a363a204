// Forward and backward step of a long short-term memory cell, without the matrix products.

#include "elementary.h"
#include "threads.h"

namespace {

// Each loop processes one row of units on few arrays, so that the compiler vectorizes it.
NOINLINE void gate(const float* __restrict sums, const float* __restrict bias, float more, const float* __restrict state,
                const float* __restrict weights, Index units, float* __restrict out) {
  if (weights) {
    for (Index k = 0; k < units; ++k) out[k] = logistic(sums[k] + bias[k] + more + state[k] * weights[k]);
  } else {
    for (Index k = 0; k < units; ++k) out[k] = logistic(sums[k] + bias[k] + more);
  }
}

NOINLINE void candidates(const float* __restrict sums, const float* __restrict bias, Index units, float* __restrict out) {
  for (Index k = 0; k < units; ++k) out[k] = hyperbolic_tangent(sums[k] + bias[k]);
}

NOINLINE void next_state(const float* __restrict ci, const float* __restrict i, const float* __restrict last,
                      const float* __restrict f, float clip, Index units, float* __restrict out) {
  for (Index k = 0; k < units; ++k) out[k] = ci[k] * i[k] + last[k] * f[k];
  if (!(clip > 0)) return;
  for (Index k = 0; k < units; ++k) out[k] = minimum(maximum(out[k], -clip), clip);
}

NOINLINE void outputs(const float* __restrict cs, const float* __restrict o, Index units, float* __restrict co,
                   float* __restrict h) {
  for (Index k = 0; k < units; ++k) co[k] = hyperbolic_tangent(cs[k]);
  for (Index k = 0; k < units; ++k) h[k] = co[k] * o[k];
}

// The gradient of cs, without the part through the gates, and the gradients of the sums.
template <bool PEEPHOLES>
NOINLINE void row_back(const float* __restrict last, const float* __restrict i, const float* __restrict f,
                    const float* __restrict o, const float* __restrict ci, const float* __restrict co,
                    const float* __restrict cs_grad, const float* __restrict h_grad, const float* __restrict wci,
                    const float* __restrict wcf, const float* __restrict wco, Index units, float* __restrict gates,
                    float* __restrict before) {
  float *of_i = gates, *of_ci = gates + units, *of_f = gates + 2 * units, *of_o = gates + 3 * units;
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) of_o[k] = o[k] * (1 - o[k]) * (h_grad[k] * co[k]);
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) before[k] = (1 - co[k] * co[k]) * (h_grad[k] * o[k]) + cs_grad[k];
  if (PEEPHOLES) {
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) before[k] += of_o[k] * wco[k];
  }
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) of_ci[k] = before[k] * i[k] * (1 - ci[k] * ci[k]);
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) of_i[k] = before[k] * ci[k] * (i[k] * (1 - i[k]));
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) of_f[k] = before[k] * last[k] * (f[k] * (1 - f[k]));
  ELEMENT_BY_ELEMENT
  for (Index k = 0; k < units; ++k) before[k] *= f[k];
  if (PEEPHOLES) {
    ELEMENT_BY_ELEMENT
    for (Index k = 0; k < units; ++k) before[k] = before[k] + of_i[k] * wci[k] + of_f[k] * wcf[k];
  }
}

}  // namespace

// The sums [batch, 4 * units] are in the order i, ci, f, o. Peepholes wci, wcf and wco are all present or all null; a
// clip of 0 disables clipping.
EXPORT void lstm_step(const float* sums, const float* bias, const float* cs_prev, const float* wci, const float* wcf,
                      const float* wco, float forget_bias, float clip, Index batch, Index units, float* i, float* cs,
                      float* f, float* o, float* ci, float* co, float* h, Index threads) {
  in_rows(batch, 4 * units, threads, [=](Index begin, Index end) {
    for (Index at = begin * units; at < end * units; at += units) {
      const float *of_i = sums + 4 * at, *last = cs_prev + at;
      gate(of_i, bias, 0.0f, last, wci, units, i + at);
      candidates(of_i + units, bias + units, units, ci + at);
      gate(of_i + 2 * units, bias + 2 * units, forget_bias, last, wcf, units, f + at);
      next_state(ci + at, i + at, last, f + at, clip, units, cs + at);
      gate(of_i + 3 * units, bias + 3 * units, 0.0f, cs + at, wco, units, o + at);
      outputs(cs + at, o + at, units, co + at, h + at);
    }
  });
}

struct LstmStep {
  const float *cs_prev, *i, *f, *o, *ci, *co, *wci, *wcf, *wco;
};

// Gradients of the gates' sums, in the order of `lstm_step`, and of cs_prev.
EXPORT void lstm_step_back(const LstmStep* step, const float* cs_grad, const float* h_grad, Index batch, Index units,
                           float* gates, float* cs_prev_grad, Index threads) {
  const LstmStep s = *step;
  in_rows(batch, 4 * units, threads, [=](Index begin, Index end) {
    for (Index at = begin * units; at < end * units; at += units)
      (s.wci ? row_back<true> : row_back<false>)(s.cs_prev + at, s.i + at, s.f + at, s.o + at, s.ci + at, s.co + at,
                                                 cs_grad + at, h_grad + at, s.wci, s.wcf, s.wco, units, gates + 4 * at,
                                                 cs_prev_grad + at);
  });
}
