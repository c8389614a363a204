// Random number streams of TensorFlow's CPU kernels: Philox4x32-10 (J. Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011), sixteen blocks at a time.
//
// Logarithms, sines and cosines of floats are computed in doubles and rounded, which comes closest to TensorFlow's C
// library. tfmini/_src/devices/numpy/random_distributions.py produces the same numbers.

#include "elementary.h"
#include "scratch.h"
#include "threads.h"

namespace {

using Word = std::uint32_t;
using Long = std::uint64_t;

constexpr int WIDTH = 16;
constexpr Index BLOCKS = 1 << 12;  // per range

// A key and a counter of four words, as in tfmini/_src/devices/numpy/philox.py.
struct Stream {
  Word key0, key1;
  Long high, offset;
};

struct Words {
  Word x[4][WIDTH];
};

// Generates the blocks with these indices, relative to the offset of the stream.
NOINLINE Words blocks_at(const Stream& stream, const Long* indices) {
  Words words;
  auto& x = words.x;
  for (int k = 0; k < WIDTH; ++k) {
    Long low = stream.offset + indices[k];
    x[0][k] = Word(low);
    x[1][k] = Word(low >> 32);
    x[2][k] = Word(stream.high);
    x[3][k] = Word(stream.high >> 32);
  }
  Word key0 = stream.key0, key1 = stream.key1;
  for (int round = 0; round < 10; ++round) {
    for (int k = 0; k < WIDTH; ++k) {
      Long first = Long(x[0][k]) * 0xD2511F53u, second = Long(x[2][k]) * 0xCD9E8D57u;
      Word x0 = Word(second >> 32) ^ x[1][k] ^ key0, x2 = Word(first >> 32) ^ x[3][k] ^ key1;
      x[1][k] = Word(second);
      x[3][k] = Word(first);
      x[0][k] = x0;
      x[2][k] = x2;
    }
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return words;
}

inline float unit_float(Word word) { return bits_as<float>((word & 0x7FFFFFu) | 0x3F800000u) - 1.0f; }

// The fraction consists of 20 bits of the high word and all bits of the low word.
inline double unit_double(Word high, Word low) {
  return bits_as<double>(Long(high & 0xFFFFFu) << 32 | low | 0x3FF0000000000000ull) - 1.0;
}

// Computes sines and cosines of angles in [0, 2 pi].
inline void sine_and_cosine(const double* angles, double* sines, double* cosines) {
  using F = Format<double>;
  for (int k = 0; k < WIDTH; ++k) {
    double shifted = angles[k] * 0.63661977236758134308 + F::rounder;
    double r = angles[k] - (shifted - F::rounder) * 1.5707963267948966192;
    double z = r * r;
    double sine = r + r * z * horner(z, -7.5860947896726200736e-13, 1.6058521349954986332e-10,
                                     -2.5052106167335706388e-8, 2.7557319219150781578e-6, -1.9841269841264821617e-4,
                                     8.3333333333333313789e-3, -0.16666666666666666665);
    double cosine = 1.0 - 0.5 * z + z * z * horner(z, 4.7455370173192583661e-14, -1.1470455178216906579e-11,
                                                   2.0876755754879596407e-9, -2.7557319221298086973e-7,
                                                   2.4801587301584511144e-5, -1.3888888888888887802e-3,
                                                   0.041666666666666666666);
    // Each quarter turn swaps sine and cosine and changes signs; bit 1 of the quarter index is the sign bit.
    Long quarter = bits_as<Long>(shifted);
    bool swapped = quarter & 1;
    double first = swapped ? cosine : sine, second = swapped ? sine : cosine;
    sines[k] = bits_as<double>(bits_as<Long>(first) ^ (quarter & 2) << 62);
    cosines[k] = bits_as<double>(bits_as<Long>(second) ^ ((quarter + 1) & 2) << 62);
  }
}

// Box-Muller transform: generates four normals per block, computed in single precision as in TensorFlow.
NOINLINE void normals(const Words& words, float out[4][WIDTH]) {
  float units[WIDTH], lengths[WIDTH];
  double doubles[WIDTH], sines[WIDTH], cosines[WIDTH];
  for (int pair = 0; pair < 4; pair += 2) {
    for (int k = 0; k < WIDTH; ++k) {
      float unit = unit_float(words.x[pair][k]);
      units[k] = unit < 1.0e-7f ? 1.0e-7f : unit;
    }
    for (int k = 0; k < WIDTH; ++k) doubles[k] = double(units[k]);
    for (int k = 0; k < WIDTH; ++k) doubles[k] = logarithm(doubles[k]);
    for (int k = 0; k < WIDTH; ++k) lengths[k] = float(doubles[k]);
    for (int k = 0; k < WIDTH; ++k) lengths[k] = square_root(-2.0f * lengths[k]);
    // The angle is a float: 2 pi times a float, rounded once.
    for (int k = 0; k < WIDTH; ++k) units[k] = unit_float(words.x[pair + 1][k]);
    for (int k = 0; k < WIDTH; ++k) doubles[k] = 6.283185307179586 * double(units[k]);
    for (int k = 0; k < WIDTH; ++k) units[k] = float(doubles[k]);
    for (int k = 0; k < WIDTH; ++k) doubles[k] = double(units[k]);
    sine_and_cosine(doubles, sines, cosines);
    for (int k = 0; k < WIDTH; ++k) out[pair][k] = float(sines[k]);
    for (int k = 0; k < WIDTH; ++k) out[pair + 1][k] = float(cosines[k]);
    for (int k = 0; k < WIDTH; ++k) out[pair][k] *= lengths[k];
    for (int k = 0; k < WIDTH; ++k) out[pair + 1][k] *= lengths[k];
  }
}

// Calls store(first block, count, words) for the blocks `begin` to `end`, up to sixteen at a time.
template <class Store>
NOINLINE void generate_blocks(const Stream& stream, Index begin, Index end, Store store) {
  for (Index first = begin; first < end; first += WIDTH) {
    Long indices[WIDTH];
    for (int k = 0; k < WIDTH; ++k) indices[k] = Long(first + k);
    Words words = blocks_at(stream, indices);
    int count = end - first < WIDTH ? int(end - first) : WIDTH;
    store(first, count, words);
  }
}

template <class Store>
inline void parallel_for_blocks(const Stream& stream, Index blocks, Index threads, Store store) {
  parallel_for_ranges(blocks, BLOCKS, threads,
                      [&](Index, Index begin, Index end) { generate_blocks(stream, begin, end, store); });
}

// Generates truncated normals in (-2, 2), four per group. Each group has its own `region` of blocks and uses the first
// normals within bounds; blocks of incomplete groups are generated sixteen at a time.
NOINLINE void truncated_normals(const Stream& stream, float* out, Index begin, Index end, Index region) {
  constexpr int CHUNK = 256;
  struct Group {
    Index number;
    int drawn, taken;
  };
  Group pending[CHUNK];
  for (Index first = begin; first < end; first += CHUNK) {
    int count = end - first < CHUNK ? int(end - first) : CHUNK;
    for (int g = 0; g < count; ++g) pending[g] = {first + g, 0, 0};
    while (count > 0) {
      int remaining = 0;
      for (int from = 0; from < count; from += WIDTH) {
        int lanes = count - from < WIDTH ? count - from : WIDTH;
        Long indices[WIDTH] = {};
        for (int k = 0; k < lanes; ++k)
          indices[k] = Long(pending[from + k].number) * Long(region) + Long(pending[from + k].drawn);
        float samples[4][WIDTH];
        normals(blocks_at(stream, indices), samples);
        for (int k = 0; k < lanes; ++k) {
          Group group = pending[from + k];
          for (int j = 0; j < 4 && group.taken < 4; ++j)
            if (magnitude(samples[j][k]) < 2.0f) out[group.number * 4 + group.taken++] = samples[j][k];
          ++group.drawn;
          if (group.taken < 4) pending[remaining++] = group;
        }
      }
      count = remaining;
    }
  }
}

// Pairs of doubles from the blocks of one output; the first pairs are generated for sixteen outputs at once.
struct Region {
  const Stream& stream;
  const Words* first;
  Long known, begin;
  int lane;
  Long position = 0;
  Words more;
  struct Pair {
    double first, second;
  };
  Pair next() {
    const Words* words = first + position;
    int at = lane;
    if (position >= known) {
      at = int((position - known) % WIDTH);
      if (at == 0) {
        Long indices[WIDTH];
        for (int k = 0; k < WIDTH; ++k) indices[k] = begin + position + Long(k);
        more = blocks_at(stream, indices);
      }
      words = &more;
    }
    ++position;
    auto& x = words->x;
    return {unit_double(x[0][at], x[1][at]), unit_double(x[2][at], x[3][at])};
  }
};

// Single numbers from pairs; the second number of each pair comes first.
template <bool normal>
struct Supply {
  Region& region;
  Region::Pair pair;
  bool is_left = false;
  double take() {
    is_left = !is_left;
    if (is_left) {
      pair = region.next();
      if (normal) {
        const double unit = pair.first < 1.0e-7 ? 1.0e-7 : pair.first;
        pair = {std::sqrt(-2.0 * std::log(unit)), 6.283185307179586 * pair.second};
      }
    }
    if (normal) return (is_left ? std::cos(pair.second) : std::sin(pair.second)) * pair.first;
    return is_left ? pair.second : pair.first;
  }
};

// tfmini/_src/devices/numpy/rejection_sampling.py explains the formulas for gamma and Poisson samples and cites their
// sources.
double sample_gamma(Region& region, double alpha) {
  Supply<true> normals{region, {}};
  Supply<false> uniforms{region, {}};
  if (alpha == 1) return -std::log1p(-uniforms.take());
  const bool small = alpha < 1;
  const double d = alpha + (small ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / std::sqrt(d);
  while (true) {
    const double x = normals.take();
    double v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    const double u = uniforms.take();
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v)))
      return small ? d * v * std::pow(uniforms.take(), 1 / alpha) : d * v;
  }
}

// Computes gamma samples for alpha > 1, to float precision, from the first proposals of sixteen outputs. A sample is
// NaN if its proposal is not clearly accepted, or if an error of the vectorized functions might change the rounded
// float.
NOINLINE void sample_gammas_fast(const Words* words, double alpha, double* samples) {
  const double d = alpha - 1.0 / 3, c = 1.0 / 3 / std::sqrt(d), error = 1e-11;
  const auto &normal_words = words[0].x, &uniform_words = words[1].x;
  double normals[WIDTH], angles[WIDTH], uniforms[WIDTH], sines[WIDTH], cosines[WIDTH];
  for (int k = 0; k < WIDTH; ++k) {
    const double unit = unit_double(normal_words[0][k], normal_words[1][k]);
    normals[k] = unit < 1.0e-7 ? 1.0e-7 : unit;
    angles[k] = 6.283185307179586 * unit_double(normal_words[2][k], normal_words[3][k]);
    uniforms[k] = unit_double(uniform_words[2][k], uniform_words[3][k]);
  }
  for (int k = 0; k < WIDTH; ++k) normals[k] = square_root(-2.0 * logarithm(normals[k]));
  sine_and_cosine(angles, sines, cosines);
  for (int k = 0; k < WIDTH; ++k) {
    const double x = normals[k] * cosines[k], v = 1 + c * x, value = d * (v * v * v), square = x * x;
    const float low = float(value * (1 - error)), high = float(value * (1 + error));
    const bool is_accepted = (v > 0.01) & (uniforms[k] < 1 - 1e-9 - 0.0331 * square * square) & (low == high);
    samples[k] = is_accepted ? double(low) : std::numeric_limits<double>::quiet_NaN();
  }
}

// Poisson rate of the previous sample, and exp(-rate).
struct Rate {
  double rate = 0, exponential = 1;
};

double sample_poisson(Region& region, double rate, Rate& last) {
  if (rate < 10) {
    if (rate != last.rate) last = {rate, std::exp(-rate)};
    const double limit = last.exponential;
    double product = 1;
    for (double number = 0;; number += 2) {
      const Region::Pair pair = region.next();
      product *= pair.second;
      if (product <= limit) return number;
      product *= pair.first;
      if (product <= limit) return number + 1;
    }
  }
  if (!(rate < std::numeric_limits<double>::infinity())) return std::numeric_limits<double>::quiet_NaN();
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4);
  while (true) {
    const Region::Pair pair = region.next();
    const double u = pair.second - 0.5, v = pair.first, distance = 0.5 - magnitude(u);
    const double k = std::floor((2 * a / distance + b) * u + rate + 0.43);
    if (distance >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    int sign;
    const double ratio = std::log(v * inverse / (a / (distance * distance) + b));
    if (ratio <= -rate + k * std::log(rate) - lgamma_r(k + 1, &sign)) return k;
  }
}

// Generates `size` numbers, each from its own `region` blocks: draw(words, first, count, region of a lane) generates up
// to sixteen.
template <class Draw>
void draw_regions(const Stream& stream, Index size, Index region, int known, Index threads, Draw draw) {
  parallel_for_ranges(size, 1 << 10, threads, [=, &stream](Index, Index begin, Index end) {
    for (Index first = begin; first < end; first += WIDTH) {
      Long indices[WIDTH];
      Words words[4];
      for (int n = 0; n < known; ++n) {
        for (int k = 0; k < WIDTH; ++k) indices[k] = Long(first + k) * Long(region) + Long(n);
        words[n] = blocks_at(stream, indices);
      }
      draw(words, first, end - first < WIDTH ? int(end - first) : WIDTH, [&](int k) {
        return Region{stream, words, Long(known), Long(first + k) * Long(region), k, 0, {}};
      });
    }
  });
}

thread_local Scratch scratch;

// Samples classes by inverse transform: for each row of logits and each uniform number, the first class whose
// cumulative softmax exceeds the number; the class count if no logit is finite. Returns false if out of memory.
NOINLINE bool sample_classes(const float* logits, const double* numbers, Index* out, Index begin, Index end,
                             Index classes, Index samples) {
  double* cumulative = static_cast<double*>(scratch.reserve(std::size_t(classes) * sizeof(double)));
  if (!cumulative) return false;
  constexpr float highest = std::numeric_limits<float>::max();
  for (Index row = begin; row < end; ++row) {
    const float* row_logits = logits + row * classes;
    float largest = -highest;
    for (Index i = 0; i < classes; ++i)
      largest = row_logits[i] > largest && row_logits[i] <= highest ? row_logits[i] : largest;
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < classes; ++i) {
      const double weight = exponential(double(row_logits[i]) - double(largest));
      cumulative[i] = magnitude(row_logits[i]) <= highest ? weight : 0.0;
    }
    for (Index i = 1; i < classes; ++i) cumulative[i] += cumulative[i - 1];
    for (Index s = 0; s < samples; ++s) {
      const double target = numbers[row * samples + s] * cumulative[classes - 1];
      Index low = 0, high = classes;
      while (low < high) {
        const Index middle = (low + high) / 2;
        if (cumulative[middle] <= target)
          low = middle + 1;
        else
          high = middle;
      }
      out[row * samples + s] = low;
    }
  }
  return true;
}

// Inserts a number into a power-of-two hash table in which -1 marks free slots; returns whether the number is new.
inline bool insert(Index* table, Long mask, Index number) {
  for (Long slot = Long(number) * 0x9E3779B97F4A7C15ull >> 32;; ++slot) {
    Index& entry = table[slot & mask];
    if (entry == number) return false;
    if (entry < 0) return entry = number, true;
  }
}

}  // namespace

// Samples `count` distinct classes below `size`, class k with probability log((k + 2) / (k + 1)) / log_size, and
// appends them to the `known` classes in `classes`; computes the expected count of each class. Returns the number of
// draws; 0 if out of memory or after too many draws: then the caller must draw.
EXPORT Index random_log_uniform(const Stream* stream, Index* classes, float* expected, Index known, Index count,
                                Index size, double log_size) {
  Long table_size = 64;
  while (table_size < 4 * Long(count)) table_size *= 2;
  Index* table = static_cast<Index*>(scratch.reserve(std::size_t(table_size) * sizeof(Index)));
  if (!table) return 0;
  for (Long i = 0; i < table_size; ++i) table[i] = -1;
  Index found = 0, tries = 0;
  for (Index first = 0; found < count; first += WIDTH) {
    if (first > 1024 + 16 * count) return 0;
    Long indices[WIDTH];
    for (int k = 0; k < WIDTH; ++k) indices[k] = Long(first + k);
    const Words words = blocks_at(*stream, indices);
    for (int i = 0; i < 2 * WIDTH && found < count; ++i, ++tries) {
      const Word(*x)[WIDTH] = words.x + i % 2 * 2;
      const double value = unit_double(x[0][i / 2], x[1][i / 2]) * log_size;
      const Index number = (Index(std::exp(value)) - 1) % size;  // rounding may reach `size`
      if (insert(table, table_size - 1, number)) classes[known + found++] = number;
    }
  }
  ELEMENT_BY_ELEMENT
  for (Index i = 0; i < known + count; ++i) {
    const double number = double(classes[i]);
    expected[i] = float(logarithm((number + 2.0) / (number + 1.0)) / log_size);
  }
  const float draws = float(tries);
  if (tries == count)
    for (Index i = 0; i < known + count; ++i) expected[i] *= draws;
  else
    for (Index i = 0; i < known + count; ++i)
      expected[i] = -exponential_minus_one(draws * logarithm_of_one_plus(-expected[i]));
  return tries;
}

EXPORT int choose_classes_f32(const float* logits, const double* numbers, Index* out, Index rows, Index classes,
                              Index samples, Index threads) {
  std::atomic<bool> done{true};
  parallel_for_rows(rows, 4 * classes, threads, [=, &done](Index begin, Index end) {
    if (!sample_classes(logits, numbers, out, begin, end, classes, samples)) done.store(false);
  });
  return done;
}

// Generates gamma samples; if `rounded` is true, with float precision.
EXPORT void random_gamma(const Stream* stream, const double* parameters, double* out, Index count, Index samples,
                         Index region, Index rounded, Index threads) {
  draw_regions(
      *stream, count * samples, region, 2, threads, [=](const Words* words, Index first, int lanes, auto make_region) {
        const double alpha = parameters[first / samples];
        bool try_fast = rounded && alpha > 1;
        for (Index n = first / samples + 1; n <= (first + lanes - 1) / samples; ++n) try_fast &= alpha == parameters[n];
        double values[WIDTH];
        if (try_fast) sample_gammas_fast(words, alpha, values);
        for (int k = 0; k < lanes; ++k) {
          const bool is_accepted = try_fast && values[k] == values[k];
          Region lane_region = make_region(k);
          out[first + k] = is_accepted ? values[k] : sample_gamma(lane_region, parameters[(first + k) / samples]);
        }
      });
}

EXPORT void random_poisson(const Stream* stream, const double* parameters, double* out, Index count, Index samples,
                           Index region, Index threads) {
  draw_regions(*stream, count * samples, region, 4, threads,
               [=](const Words*, Index first, int lanes, auto make_region) {
                 Rate last;
                 for (int k = 0; k < lanes; ++k) {
                   Region lane_region = make_region(k);
                   out[first + k] = sample_poisson(lane_region, parameters[(first + k) / samples], last);
                 }
               });
}

// The following functions fill `out` from `blocks` blocks, with four numbers or two doubles per block.

EXPORT void random_words(const Stream* stream, Word* out, Index blocks, Index threads) {
  parallel_for_blocks(*stream, blocks, threads, [=](Index first, int count, const Words& words) {
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < 4; ++j) out[(first + k) * 4 + j] = words.x[j][k];
  });
}

EXPORT void random_uniform_f32(const Stream* stream, float* out, Index blocks, Index threads) {
  parallel_for_blocks(*stream, blocks, threads, [=](Index first, int count, const Words& words) {
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < 4; ++j) out[(first + k) * 4 + j] = unit_float(words.x[j][k]);
  });
}

EXPORT void random_uniform_f64(const Stream* stream, double* out, Index blocks, Index threads) {
  parallel_for_blocks(*stream, blocks, threads, [=](Index first, int count, const Words& words) {
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < 2; ++j) out[(first + k) * 2 + j] = unit_double(words.x[2 * j][k], words.x[2 * j + 1][k]);
  });
}

EXPORT void random_normal_f32(const Stream* stream, float* out, Index blocks, Index threads) {
  parallel_for_blocks(*stream, blocks, threads, [=](Index first, int count, const Words& words) {
    float samples[4][WIDTH];
    normals(words, samples);
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < 4; ++j) out[(first + k) * 4 + j] = samples[j][k];
  });
}

EXPORT void random_truncated_normal_f32(const Stream* stream, float* out, Index groups, Index threads, Index region) {
  parallel_for_ranges(groups, BLOCKS, threads,
                      [=](Index, Index begin, Index end) { truncated_normals(*stream, out, begin, end, region); });
}
