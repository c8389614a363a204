// Feature crosses: fingerprints of all combinations of the feature values of an example.

#include "basics.h"

namespace {

using Word = std::uint64_t;

constexpr Index MAX_COLUMNS = 16;

// Combines two fingerprints like TensorFlow's FingerprintCat64.
inline Word combine(Word a, Word b) {
  constexpr Word FACTOR = 0xC6A4A7935BD1E995u;
  const auto mixed = [](Word x) { return x ^ (x >> 47); };
  const Word both = (a ^ FACTOR ^ (mixed(b * FACTOR) * FACTOR)) * FACTOR;
  return mixed(mixed(both) * FACTOR);
}

}  // namespace

EXPORT void combine_fingerprints(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* result, Index count) {
  for (Index i = 0; i < count; ++i) result[i] = combine(a[i], b[i]);
}

// Finds the start of each of `count` rows in points [points, 2], and the end of the last one; returns false if rows are
// negative or not sorted.
EXPORT int row_starts(const Index* indices, Index points, Index count, Index* starts) {
  Index next = 0, last = 0;
  for (Index i = 0; i < points; ++i) {
    const Index row = load_index(indices, 2 * i);
    if (row < last) return false;
    last = row;
    for (; next <= count && next <= row; ++next) starts[next] = i;
  }
  for (; next <= count; ++next) starts[next] = points;
  return true;
}

// Returns the number of combinations over all examples. `starts` [columns, count + 1] delimits the values of each
// column by example. Returns -1 if a start exceeds the size of its column, or on overflow.
EXPORT Index count_crosses(const Index* starts, const Index* sizes, Index columns, Index count) {
  Index total = 0;
  if (columns < 1 || columns > MAX_COLUMNS) return -1;
  for (Index example = 0; example < count; ++example) {
    Index product = 1;
    for (Index c = 0; c < columns; ++c) {
      const Index begin = starts[c * (count + 1) + example], end = starts[c * (count + 1) + example + 1];
      if (begin < 0 || begin > end || end > sizes[c]) return -1;
      if (__builtin_mul_overflow(product, end - begin, &product)) return -1;
    }
    if (__builtin_add_overflow(total, product, &total)) return -1;
  }
  return total;
}

// Computes the points and buckets of all `total` combinations; the last column varies fastest. Returns the largest
// number of combinations of an example.
EXPORT Index cross_columns(const std::uint64_t* const* features, const Index* starts, Index columns, Index count,
                           std::uint64_t key, std::uint64_t buckets, Index total, Index* points, Index* values) {
  Index out = 0, largest = 0;
  for (Index example = 0; example < count; ++example) {
    Index begin[MAX_COLUMNS], at[MAX_COLUMNS], end[MAX_COLUMNS];
    Word prefix[MAX_COLUMNS + 1] = {key};
    bool any = true;
    for (Index c = 0; c < columns; ++c) {
      begin[c] = at[c] = starts[c * (count + 1) + example];
      end[c] = starts[c * (count + 1) + example + 1];
      any &= begin[c] < end[c];
    }
    Index number = 0;
    for (Index level = 0; any && level >= 0 && out < total; ++number, ++out) {
      for (Index c = level; c < columns; ++c) prefix[c + 1] = combine(prefix[c], features[c][at[c]]);
      points[2 * out] = example;
      points[2 * out + 1] = number;
      values[out] = Index(prefix[columns] % buckets);
      for (level = columns - 1; level >= 0 && ++at[level] == end[level]; --level) at[level] = begin[level];
    }
    largest = number > largest ? number : largest;
  }
  return largest;
}
