// Distributes work among the library's threads, which spin before they sleep. Parts are bound to threads, so that a
// thread finds its results in its cache in the next job. Ranges are queued per thread: each thread processes its own
// queue first and then steals from the others, so that a thread that wakes up late or is preempted delays at most one
// range.
#pragma once

#include <atomic>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "basics.h"

// One iteration of a spin loop.
inline void relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// A function that executes one part: work(context, part).
using PartFunction = void (*)(const void* context, Index part);

constexpr Index MAX_PARTS = 64;  // per job; also the maximum number of threads

// Default number of elements per range: a few microseconds of work.
constexpr Index GRAIN = Index(1) << 15;

// Calls `work` for all parts on this thread and up to `threads` - 1 others; returns when all parts are done. Any thread
// may execute any part, but each starts with the parts bound to it.
void run_parallel(PartFunction work, const void* context, Index parts, Index threads);

// Calls body(part) for all parts in parallel.
template <class Body>
inline void parallel_for(Index parts, Index threads, const Body& body) {
  auto call = [](const void* context, Index part) { (*static_cast<const Body*>(context))(part); };
  run_parallel(call, &body, parts, threads);
}

// Calls body(thread, begin, end) in parallel for ranges of up to `grain` indices that cover 0 ... count - 1; with one
// thread, calls it once for the entire range.
template <class Body>
inline void parallel_for_ranges(Index count, Index grain, Index threads, const Body& body) {
  if (count <= 0) return;
  if (threads <= 1 || count <= grain) return body(0, 0, count);
  const Index ranges = (count + grain - 1) / grain, max_threads = threads < MAX_PARTS ? threads : MAX_PARTS;
  const Index queue_count = max_threads < ranges ? max_threads : ranges;
  struct alignas(64) Queue {
    std::atomic<Index> next;
    Index end;
  };
  Queue queues[MAX_PARTS];
  for (Index i = 0; i < queue_count; ++i)
    queues[i].next.store(ranges * i / queue_count), queues[i].end = ranges * (i + 1) / queue_count;
  parallel_for(queue_count, threads, [&](Index thread) {
    for (Index i = 0; i < queue_count; ++i) {
      Queue& queue = queues[(thread + i) % queue_count];
      for (Index range; (range = queue.next.fetch_add(1, std::memory_order_relaxed)) < queue.end;)
        body(thread, range * grain, range + 1 < ranges ? (range + 1) * grain : count);
    }
  });
}

// Calls body(begin, end) in parallel for ranges of rows that cover a matrix.
template <class Body>
inline void parallel_for_rows(Index rows, Index columns, Index threads, const Body& body) {
  const Index grain = columns < GRAIN ? GRAIN / (columns > 0 ? columns : 1) : 1;
  parallel_for_ranges(rows, grain, threads, [&](Index, Index begin, Index end) { body(begin, end); });
}
