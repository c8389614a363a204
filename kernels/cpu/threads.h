// Work divided over threads that wait in the library: pieces are taken in turn until none is left, so that a thread
// that wakes up late, or that the machine has other work for, costs no more than the piece it is at.
#pragma once

#include "basics.h"

// work(context, thread, begin, end): a piece, and which of the threads does it, from 0 on.
using Work = void (*)(const void* context, Index thread, Index begin, Index end);

// Elements of a piece: some microseconds of work.
constexpr Index PIECE = Index(1) << 15;

// Calls `work` for pieces of 0 ... count - 1 in this thread and up to `threads` - 1 others; returns when all are done.
void on_threads(Work work, const void* context, Index count, Index piece, Index threads);

// body(thread, begin, end) for pieces of 0 ... count - 1; one call for all of them where there is one thread.
template <class Body>
inline void in_pieces(Index count, Index piece, Index threads, const Body& body) {
  if (count <= 0) return;
  if (threads <= 1 || count <= piece) return body(0, 0, count);
  auto call = [](const void* context, Index thread, Index begin, Index end) {
    (*static_cast<const Body*>(context))(thread, begin, end);
  };
  on_threads(call, &body, count, piece, threads);
}

// body(begin, end) for all rows of a matrix, in pieces of some rows.
template <class Body>
inline void in_rows(Index rows, Index columns, Index threads, const Body& body) {
  const Index piece = columns < PIECE ? PIECE / (columns > 0 ? columns : 1) : 1;
  in_pieces(rows, piece, threads, [&](Index, Index begin, Index end) { body(begin, end); });
}
