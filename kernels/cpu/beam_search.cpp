// Prefix beam search for connectionist temporal classification. tfmini/_src/ops/nn/ctc/ctc_beam_search.py explains the
// algorithm and implements it in Python.

#include <algorithm>

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

constexpr std::int32_t NONE = -1;

inline float log_of_one_and(float x) { return __builtin_log1pf(__builtin_expf(x)); }
inline double log_of_one_and(double x) { return __builtin_log1p(__builtin_exp(x)); }

// Returns log(exp(a) + exp(b)), like NumPy's logaddexp.
template <class T>
inline T log_add_exp(T a, T b) {
  if (a == b) return a + T(0.693147180559945309417232121458176568);
  const T difference = a - b;
  return difference > 0    ? a + log_of_one_and(-difference)
         : difference <= 0 ? b + log_of_one_and(difference)
                           : difference;
}

// A prefix that is or was in the beam: a tree node with the last label of the prefix. `position` is its position in the
// beam.
struct Prefix {
  std::int32_t parent, label, child, sibling, position;
};

// A beam entry: log probabilities of all its paths that end with a blank, of those that end with a label, and their
// total.
template <class T>
struct Entry {
  std::int32_t prefix;
  T blank, nonblank, total;
};

// A candidate for the next beam. Numbers count the entries first, then the extensions of each entry by all labels.
template <class T>
struct Candidate {
  T rank;
  Index number;
  bool operator<(const Candidate& other) const {  // orders by quality, so that the top of the heap is the worst
    return rank > other.rank || (rank == other.rank && number < other.number);
  }
};

template <class T>
struct Search {
  Index width, classes;
  Prefix* prefixes;
  std::int32_t prefix_count = 0;
  Entry<T>*beam, *next;
  Index size = 0, heap_size = 0;  // sizes of the beam and of the heap
  Candidate<T>* heap;
  std::int32_t* extended;  // by label: the entry, counted from 1, that extends the current entry
  bool *evicted, *stopped;

  static std::size_t bytes(Index steps, Index width, Index classes) {
    return (steps * width + 1) * sizeof(Prefix) + 2 * width * sizeof(Entry<T>) + width * sizeof(Candidate<T>) +
           classes * sizeof(std::int32_t) + 2 * width + 64;
  }
  Search(char* memory, Index steps, Index width, Index classes) : width(width), classes(classes) {
    heap = reinterpret_cast<Candidate<T>*>(memory), memory += width * sizeof(Candidate<T>);
    beam = reinterpret_cast<Entry<T>*>(memory), next = beam + width, memory += 2 * width * sizeof(Entry<T>);
    prefixes = reinterpret_cast<Prefix*>(memory), memory += (steps * width + 1) * sizeof(Prefix);
    extended = reinterpret_cast<std::int32_t*>(memory), memory += classes * sizeof(std::int32_t);
    evicted = reinterpret_cast<bool*>(memory), stopped = evicted + width;
    std::memset(extended, 0, classes * sizeof(std::int32_t));
    const T log_zero = -std::numeric_limits<T>::infinity();
    prefixes[prefix_count++] = {NONE, NONE, NONE, NONE, 0};
    beam[size++] = {0, T(0), log_zero, T(0)};
  }

  // Adds a candidate; in a full heap it replaces the worst one.
  void add(T rank, Index number) {
    if (heap_size == width) {
      std::pop_heap(heap, heap + heap_size);
      const Index worst = heap[--heap_size].number;
      if (worst < size) evicted[worst] = true;
    }
    heap[heap_size++] = {rank, number};
    std::push_heap(heap, heap + heap_size);
  }
  bool is_candidate(T rank) const {
    return rank > -std::numeric_limits<T>::infinity() && (heap_size < width || rank > heap[0].rank);
  }

  // Updates the entries for a step that does not extend their prefixes.
  void update_entries(const T* emitted) {
    for (Index i = 0; i < size; ++i) {
      const Entry<T>& entry = beam[i];
      const Prefix& prefix = prefixes[entry.prefix];
      T nonblank = -std::numeric_limits<T>::infinity();
      if (prefix.label != NONE) {
        const Prefix& parent = prefixes[prefix.parent];
        if (parent.position != NONE) {
          const Entry<T>& parent_entry = beam[parent.position];
          nonblank = parent.label == prefix.label ? parent_entry.blank : parent_entry.total;
        }
        nonblank = log_add_exp(entry.nonblank, nonblank) + emitted[prefix.label];
      }
      const T blank = entry.total + emitted[classes - 1], total = log_add_exp(blank, nonblank);
      next[i] = {entry.prefix, blank, nonblank, total};
      const T least = std::numeric_limits<T>::lowest();
      add(total > least ? total : least, i);  // remains a candidate even if no path leads to it
    }
  }

  void extend_entry(Index position, const T* emitted) {
    const Entry<T>& entry = beam[position];
    const Prefix& prefix = prefixes[entry.prefix];
    if (stopped[position] || !is_candidate(entry.total)) return;
    for (std::int32_t child = prefix.child; child != NONE; child = prefixes[child].sibling)
      if (prefixes[child].position != NONE) extended[prefixes[child].label] = prefixes[child].position + 1;
    for (Index label = 0; label < classes - 1; ++label) {
      if (const std::int32_t other = extended[label]) {
        stopped[other - 1] |= evicted[other - 1];
        extended[label] = 0;
        continue;
      }
      const T rank = (label == prefix.label ? entry.blank : entry.total) + emitted[label];
      if (is_candidate(rank)) add(rank, size + position * (classes - 1) + label);
    }
  }

  // Returns the prefix extended by a label; creates it if necessary.
  std::int32_t child_of(std::int32_t prefix, std::int32_t label) {
    for (std::int32_t child = prefixes[prefix].child; child != NONE; child = prefixes[child].sibling)
      if (prefixes[child].label == label) return child;
    prefixes[prefix_count] = {prefix, label, NONE, prefixes[prefix].child, NONE};
    return prefixes[prefix].child = prefix_count++;
  }

  void step(const T* emitted) {
    heap_size = 0;
    std::memset(evicted, 0, 2 * width);
    update_entries(emitted);
    for (Index position = 0; position < size; ++position) extend_entry(position, emitted);
    std::sort_heap(heap, heap + heap_size);
    for (Index i = 0; i < size; ++i) prefixes[beam[i].prefix].position = NONE;
    for (Index i = 0; i < heap_size; ++i) {
      const Index number = heap[i].number;
      if (number < size) {
        beam[i] = next[number];
      } else {
        const std::int32_t from = next[(number - size) / (classes - 1)].prefix;
        const std::int32_t own = child_of(from, std::int32_t((number - size) % (classes - 1)));
        const T log_zero = -std::numeric_limits<T>::infinity();
        beam[i] = {own, log_zero, heap[i].rank, heap[i].rank};
      }
      prefixes[beam[i].prefix].position = std::int32_t(i);
    }
    size = heap_size;
  }

  // Writes the labels of an entry; returns their number.
  Index write_labels(Index position, Index* labels) const {
    Index count = 0;
    for (std::int32_t at = beam[position].prefix; prefixes[at].parent != NONE; at = prefixes[at].parent)
      labels[count++] = prefixes[at].label;
    std::reverse(labels, labels + count);
    return count;
  }
};

// Finds the `paths` best label sequences of each example: labels [batch, paths, steps], label counts and log
// probabilities. `emitted` [steps, batch, classes] are log probabilities; the last class is the blank. Returns false if
// out of memory, or if an example has fewer prefixes.
template <class T>
bool search(const T* emitted, Index steps, Index batch, Index classes, const std::int32_t* lengths, Index width,
            Index paths, Index* labels, Index* counts, T* scores, Index threads) {
  std::atomic<bool> done{true};
  parallel_for_ranges(batch, 1, threads, [&](Index, Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      char* memory = static_cast<char*>(scratch.reserve(Search<T>::bytes(steps, width, classes)));
      if (memory == nullptr) return done.store(false);
      Search<T> search(memory, steps, width, classes);
      const Index length = std::min(load_index(lengths, b), steps);
      for (Index t = 0; t < length; ++t) search.step(emitted + (t * batch + b) * classes);
      if (search.size < paths) return done.store(false);
      for (Index i = b * paths; i < (b + 1) * paths; ++i) {
        counts[i] = search.write_labels(i - b * paths, labels + i * steps);
        scores[i] = search.beam[i - b * paths].total;
      }
    }
  });
  return done;
}

}  // namespace

#define BEAM_SEARCH(SUFFIX, T)                                                                                         \
  EXPORT bool beam_search_##SUFFIX(const T* emitted, Index steps, Index batch, Index classes,                          \
                                   const std::int32_t* lengths, Index width, Index paths, Index* labels,               \
                                   Index* counts, T* scores, Index threads) {                                          \
    return search(emitted, steps, batch, classes, lengths, width, paths, labels, counts, scores, threads);             \
  }
BEAM_SEARCH(f32, float)
BEAM_SEARCH(f64, double)
