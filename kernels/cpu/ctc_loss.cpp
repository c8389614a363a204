// Connectionist temporal classification: likelihood and gradient over all alignments of a label sequence with the time
// steps of an example. tfmini/_src/ops/nn/ctc/ctc_loss.py explains the variables.

#include "lanes.h"
#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

constexpr Index PAD = 2;  // padding states at both ends, unreachable by any path

// Returns log(exp(a) + exp(b) + exp(c)).
template <class T>
inline T log_sum_exp(T a, T b, T c) {
  const T max_value = maximum(a, maximum(b, c)),
          shift = max_value == -std::numeric_limits<T>::infinity() ? T(0) : max_value;
  return logarithm(exponential(a - shift) + exponential(b - shift) + exponential(c - shift)) + shift;
}

// One example of a batch.
template <class T>
struct Example {
  const T* logits;       // logits of the first step
  T* gradient;
  const std::int32_t* labels;
  Index steps, count, classes, row;  // `row`: stride between steps, in elements
  bool merge;

  Index states() const { return 2 * count + 1; }
  std::int32_t label(Index state) const { return state & 1 ? labels[state / 2] : std::int32_t(classes - 1); }

  // Writes the softmax of a step to the gradient, and its logarithm for each state to `logs`.
  void emit(Index step, T* logs) const {
    const T* x = logits + step * row;
    T* y = gradient + step * row;
    const T max_value = row_max(x, classes);
    for (Index i = 0; i < classes; ++i) y[i] = exponential(x[i] - max_value);
    const T total = sum_values<T>(classes, [=](Index i) { return y[i]; });
    for (Index i = 0; i < classes; ++i) y[i] /= total;
    for (Index s = 0; s < states(); ++s) logs[s] = y[label(s)];
    for (Index s = 0; s < states(); ++s) logs[s] = logarithm(logs[s]);
  }

  // Returns the loss of the example, and computes its gradient; NaN if out of memory.
  T loss() const {
    const T log_zero = -std::numeric_limits<T>::infinity();
    const Index states = this->states(), width = states + 2 * PAD;
    T* memory = static_cast<T*>(scratch.reserve(sizeof(T) * width * (2 * steps + 4)));
    if (memory == nullptr) return std::numeric_limits<T>::quiet_NaN();
    for (Index i = 0; i < width * (2 * steps + 4); ++i) memory[i] = log_zero;
    T *logs = memory + PAD, *after = logs + steps * width, *stay = after + steps * width, *skip = stay + width;
    T *before = skip + width, *sums = before + width;
    for (Index s = 0; s < states; ++s) {
      stay[s] = merge || !(s & 1) ? T(0) : log_zero;
      if ((s & 1) && s > 1) skip[s] = merge && label(s) == label(s - 2) ? log_zero : T(0);
    }
    for (Index step = 0; step < steps; ++step) emit(step, logs + step * width);

    T* last = after + (steps - 1) * width;
    last[states - 1] = T(0);
    if (states > 1) last[states - 2] = T(0);
    for (Index step = steps - 1; step > 0; --step) {
      const T *own = after + step * width, *emitted = logs + step * width;
      T* out = after + (step - 1) * width;
      for (Index s = 0; s < states; ++s) sums[s] = own[s] + emitted[s];
      ELEMENT_BY_ELEMENT
      for (Index s = 0; s < states; ++s)
        out[s] = log_sum_exp(sums[s] + stay[s], sums[s + 1], sums[s + 2] + skip[s + 2]);
    }
    T likelihood = logs[0] + after[0];
    if (states > 1) likelihood = log_sum_exp(likelihood, logs[1] + after[1], log_zero);

    const T scale = likelihood == log_zero ? T(0) : likelihood;  // if no path is possible, the gradient is the softmax
    before[0] = T(0);
    if (states > 1) before[1] = T(0);
    for (Index step = 0; step < steps; ++step) {
      const T *own = after + step * width, *emitted = logs + step * width;
      T* g = gradient + step * row;
      for (Index s = 0; s < states; ++s) sums[s] = before[s] + emitted[s];
      for (Index s = 0; s < states; ++s) before[s] = exponential(sums[s] + own[s] - scale);
      T blanks = T(0);
      for (Index s = 0; s < states; s += 2) blanks += before[s];
      g[classes - 1] -= blanks;
      for (Index s = 1; s < states; s += 2) g[label(s)] -= before[s];
      ELEMENT_BY_ELEMENT
      for (Index s = 0; s < states; ++s) before[s] = log_sum_exp(sums[s] + stay[s], sums[s - 1], sums[s - 2] + skip[s]);
    }
    return T(0) - likelihood;
  }
};

// Computes the losses and gradients of a batch [time, batch, classes]. `ends` are the end offsets of the labels of each
// example. Examples without steps get zeros.
template <class T>
void losses(const T* logits, Index time, Index batch, Index classes, const std::int32_t* labels, const Index* ends,
            const std::int32_t* lengths, bool merge, T* loss, T* gradient, Index threads) {
  const Index row = batch * classes;
  parallel_for_ranges(batch, 1, threads, [=](Index, Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const Index first = b ? ends[b - 1] : 0;
      const Example<T> example = {logits + b * classes, gradient + b * classes, labels + first, lengths[b],
                                  ends[b] - first,      classes,                row,            merge};
      loss[b] = example.steps > 0 ? example.loss() : T(0);
      for (Index t = example.steps; t < time; ++t)
        for (Index i = 0; i < classes; ++i) gradient[t * row + b * classes + i] = T(0);
    }
  });
}

}  // namespace

#define CTC(suffix, T)                                                                                                 \
  EXPORT void ctc_##suffix(const T* logits, Index time, Index batch, Index classes, const std::int32_t* labels,        \
                           const Index* ends, const std::int32_t* lengths, int merge, T* loss, T* gradient,            \
                           Index threads) {                                                                            \
    losses(logits, time, batch, classes, labels, ends, lengths, merge != 0, loss, gradient, threads);                  \
  }

CTC(f32, float)
CTC(f64, double)
