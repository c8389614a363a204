// Greedy decoding for connectionist temporal classification: the best class of each step, without blanks.

#include "threads.h"

namespace {

constexpr Index LANES = 16;  // classes compared in parallel

// Returns the argmax over the classes of a step; ties go to the first class. Ignores NaN, except that a NaN in the
// first class wins.
template <class T>
Index best_class(const T* row, Index classes) {
  T max_values[LANES];
  Index c = 0;
  if (row[0] != row[0]) return 0;
  for (Index k = 0; k < LANES; ++k) max_values[k] = row[0];
  for (; c + LANES <= classes; c += LANES)
    for (Index k = 0; k < LANES; ++k) max_values[k] = row[c + k] > max_values[k] ? row[c + k] : max_values[k];
  for (; c < classes; ++c) max_values[0] = row[c] > max_values[0] ? row[c] : max_values[0];
  for (Index k = 1; k < LANES; ++k) max_values[0] = max_values[k] > max_values[0] ? max_values[k] : max_values[0];
  for (Index i = 0; i < classes; ++i)
    if (row[i] == max_values[0]) return i;
  return 0;
}

// Decodes the examples `begin` to `end`: labels, with stride `time` between examples, and their counts.
template <class T>
NOINLINE void decode(const T* inputs, const std::int32_t* lengths, Index time, Index batch, Index classes, Index blank,
                  bool merges, Index* labels, Index* counts, T* scores, Index begin, Index end) {
  for (Index example = begin; example < end; ++example) {
    const Index full_length = load_index(lengths, example), length = full_length < time ? full_length : time;
    Index count = 0, last = -1;
    T score = 0;
    for (Index t = 0; t < length; ++t) {
      const T* row = inputs + (t * batch + example) * classes;
      const Index best = best_class(row, classes);
      score -= row[best];
      if (best != blank && !(merges && best == last)) labels[example * time + count++] = best;
      last = best;
    }
    counts[example] = count;
    scores[example] = score;
  }
}

template <class T>
Index decode_batch(const T* inputs, const std::int32_t* lengths, Index time, Index batch, Index classes, Index blank,
                   bool merges, Index* labels, Index* points, Index* counts, T* scores, Index* shape, Index threads) {
  parallel_for_rows(batch, time * classes, threads, [=](Index begin, Index end) {
    decode(inputs, lengths, time, batch, classes, blank, merges, labels, counts, scores, begin, end);
  });
  Index total = 0, longest = 0;
  for (Index example = 0; example < batch; ++example) {
    const Index count = counts[example];
    for (Index i = 0; i < count; ++i, ++total) {
      labels[total] = labels[example * time + i];
      points[2 * total] = example;
      points[2 * total + 1] = i;
    }
    longest = count > longest ? count : longest;
  }
  shape[0] = batch;
  shape[1] = longest;
  return total;
}

}  // namespace

// Decodes inputs [time, batch, classes] to a sparse tensor: labels and their points [example, number], both with
// capacity for all steps, and its shape; also computes the negated sum of the maxima of each example. Returns the
// number of labels.
#define GREEDY(suffix, T)                                                                                              \
  EXPORT Index greedy_labels_##suffix(const T* inputs, const std::int32_t* lengths, Index time, Index batch,           \
                                      Index classes, Index blank, bool merges, Index* labels, Index* points,           \
                                      Index* counts, T* scores, Index* shape, Index threads) {                         \
    return decode_batch(inputs, lengths, time, batch, classes, blank, merges, labels, points, counts, scores, shape,   \
                        threads);                                                                                      \
  }

GREEDY(f32, float)
GREEDY(f64, double)
