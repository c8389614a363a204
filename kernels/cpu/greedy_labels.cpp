// Greedy decoding for connectionist temporal classification: the best class of each step, without blanks.

#include "threads.h"

namespace {

constexpr Index SIDE = 16;  // classes compared in parallel

// Argmax over the classes of a step; ties go to the first. Ignores NaN, except that a NaN in the first class wins.
template <class T>
Index best_class(const T* row, Index classes) {
  T most[SIDE];
  Index c = 0;
  if (row[0] != row[0]) return 0;
  for (Index k = 0; k < SIDE; ++k) most[k] = row[0];
  for (; c + SIDE <= classes; c += SIDE)
    for (Index k = 0; k < SIDE; ++k) most[k] = row[c + k] > most[k] ? row[c + k] : most[k];
  for (; c < classes; ++c) most[0] = row[c] > most[0] ? row[c] : most[0];
  for (Index k = 1; k < SIDE; ++k) most[0] = most[k] > most[0] ? most[k] : most[0];
  for (Index i = 0; i < classes; ++i)
    if (row[i] == most[0]) return i;
  return 0;
}

// Labels of the examples `begin` to `end`, with stride `time`, and their counts.
template <class T>
NOINLINE void decode(const T* inputs, const std::int32_t* lengths, Index time, Index batch, Index classes, Index blank,
                  bool merges, Index* labels, Index* counts, T* scores, Index begin, Index end) {
  for (Index example = begin; example < end; ++example) {
    const Index given = number_at(lengths, example), length = given < time ? given : time;
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
Index decoded(const T* inputs, const std::int32_t* lengths, Index time, Index batch, Index classes, Index blank,
              bool merges, Index* labels, Index* points, Index* counts, T* scores, Index* shape, Index threads) {
  in_rows(batch, time * classes, threads, [=](Index begin, Index end) {
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

// Decodes inputs [time, batch, classes] to a sparse tensor: labels and their points [example, number], both with room
// for all steps, and its shape; also each example's negated sum of maxima. Returns the number of labels.
#define GREEDY(suffix, T)                                                                                               \
  EXPORT Index greedy_labels_##suffix(const T* inputs, const std::int32_t* lengths, Index time, Index batch,            \
                                      Index classes, Index blank, bool merges, Index* labels, Index* points,            \
                                      Index* counts, T* scores, Index* shape, Index threads) {                          \
    return decoded(inputs, lengths, time, batch, classes, blank, merges, labels, points, counts, scores, shape,         \
                   threads);                                                                                            \
  }

GREEDY(f32, float)
GREEDY(f64, double)
