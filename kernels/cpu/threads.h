// Divides work among the library's threads, which spin before they sleep. Parts are bound to threads, so that a thread
// finds its results in its cache in the next job. Of pieces, each thread takes its own and then those left by others,
// so that a thread that wakes up late or is preempted delays at most one piece.
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

// Executes one part: work(context, part).
using Part = void (*)(const void* context, Index part);

constexpr Index MAX_PARTS = 64;  // at a time; also the maximum number of threads

// Default elements per piece: some microseconds of work.
constexpr Index PIECE = Index(1) << 15;

// Calls `work` for all parts on this thread and up to `threads` - 1 others; returns when all are done. Any thread may
// execute a part, but each begins with its own.
void on_threads(Part work, const void* context, Index parts, Index threads);

// Calls body(part) for all parts.
template <class Body>
inline void in_parts(Index parts, Index threads, const Body& body) {
  auto call = [](const void* context, Index part) { (*static_cast<const Body*>(context))(part); };
  on_threads(call, &body, parts, threads);
}

// Calls body(thread, begin, end) for pieces of 0 ... count - 1; with one thread, once for everything.
template <class Body>
inline void in_pieces(Index count, Index piece, Index threads, const Body& body) {
  if (count <= 0) return;
  if (threads <= 1 || count <= piece) return body(0, 0, count);
  const Index pieces = (count + piece - 1) / piece, most = threads < MAX_PARTS ? threads : MAX_PARTS;
  const Index shares = most < pieces ? most : pieces;
  struct alignas(64) Share {
    std::atomic<Index> next;
    Index end;
  };
  Share of[MAX_PARTS];
  for (Index i = 0; i < shares; ++i) of[i].next.store(pieces * i / shares), of[i].end = pieces * (i + 1) / shares;
  in_parts(shares, threads, [&](Index thread) {
    for (Index i = 0; i < shares; ++i) {
      Share& share = of[(thread + i) % shares];
      for (Index own; (own = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;)
        body(thread, own * piece, own + 1 < pieces ? (own + 1) * piece : count);
    }
  });
}

// Calls body(begin, end) for all rows of a matrix, in pieces of some rows.
template <class Body>
inline void in_rows(Index rows, Index columns, Index threads, const Body& body) {
  const Index piece = columns < PIECE ? PIECE / (columns > 0 ? columns : 1) : 1;
  in_pieces(rows, piece, threads, [&](Index, Index begin, Index end) { body(begin, end); });
}
