// Runs: consecutive stages (concatenation of columns, products with packed matrices, groups of elementwise operations)
// on the rows of matrices, in one call.
//
// With many rows, each thread processes a range of rows through all stages, so that intermediate results stay in its
// cache. With few rows, a product is divided by columns, so that each thread reads only its columns of the packed
// matrix; threads synchronize between stages without sleeping. A thread waits only for parts that another thread has
// started.

#include <sched.h>

#include "packed_matmul.h"
#include "elementwise_program.h"
#include "scratch.h"
#include "threads.h"

// An operation on all rows. `arrays` are indices into the arrays of the run, `layouts` are the layouts of the operands.
// COPY concatenates all arrays but the last one along columns, into the last one. PRODUCT takes the left matrix, the
// packed matrix, the result, and an optional bias. GROUP takes the inputs and results of the program.
struct Stage {
  Index kind;
  const Program* program;
  const ArrayLayout* layouts;
  const std::int32_t* arrays;
  Index count, inner, columns;
};

// The first `object_count` arrays are objects, as in a program. The others are in scratch memory of the calling thread,
// at `offsets`.
struct Run {
  const Stage* stages;
  Index count, object_count, buffer_count;
  const Index* offsets;
  Index size, rows, field;
};

namespace {

enum { COPY, PRODUCT, GROUP };

constexpr Index MAX_ARRAYS = 64;      // arrays of a stage; also the maximum number of threads
constexpr Index BLOCK = 1024;   // elements per program block
constexpr int MAX_SPINS = 1 << 8;  // spins before the thread yields its core

thread_local Scratch scratch;

struct StageProgress {
  std::atomic<std::uint64_t> claimed, done;
};

// A call: the run and the addresses of its arrays.
struct Call {
  const Run& run;
  char* const* arrays;
};

inline float* floats(const Call& call, const Stage& stage, Index i) {
  return reinterpret_cast<float*>(call.arrays[stage.arrays[i]]) + stage.layouts[i].offset;
}

void copy(const Call& call, const Stage& stage, Index begin, Index end) {
  float* target = floats(call, stage, stage.count - 1);
  const Index row_size = stage.columns;
  for (Index i = 0, first = 0; i + 1 < stage.count; first += stage.layouts[i++].column) {
    const float* source = floats(call, stage, i);
    const ArrayLayout& layout = stage.layouts[i];
    for (Index row = begin; row < end; ++row)
      std::memcpy(target + row * row_size + first, source + row * layout.row,
                  std::size_t(layout.column) * sizeof(float));
  }
}

bool multiply(const Call& call, const Stage& stage, Index begin, Index end, Index first, Index last) {
  if (begin >= end || first >= last) return true;
  const Index width = stage.layouts[0].row;
  return multiply_rows(floats(call, stage, 0) + begin * width, width, end - begin, stage.inner,
                       align_pointer(floats(call, stage, 1)), first, last - first, stage.columns,
                       stage.count > 3 ? floats(call, stage, 3) : nullptr,
                       floats(call, stage, 2) + begin * stage.columns);
}

bool compute(const Call& call, const Stage& stage, Index begin, Index end) {
  const char* objects[MAX_ARRAYS];
  for (Index i = 0; i < stage.count; ++i) objects[i] = call.arrays[stage.arrays[i]];
  return evaluate(*stage.program, objects, stage.layouts, begin, end, stage.columns, BLOCK);
}

// Executes a stage for a range of rows.
bool run_rows(const Call& call, const Stage& stage, Index begin, Index end) {
  if (stage.kind == PRODUCT) return multiply(call, stage, begin, end, 0, stage.columns);
  if (stage.kind == GROUP) return compute(call, stage, begin * stage.columns, end * stage.columns);
  copy(call, stage, begin, end);
  return true;
}

inline Index bound(Index size, Index part, Index parts, Index unit) {
  const Index end = ((size * part + parts - 1) / parts + unit - 1) / unit * unit;
  return end < size ? end : size;
}

// Executes a part of a stage, which is divided by the columns of a product, the elements of a program, or rows.
bool run_part(const Call& call, const Stage& stage, Index part, Index parts) {
  const Index rows = call.run.rows;
  auto from = [&](Index size, Index unit) { return bound(size, part, parts, unit); };
  auto to = [&](Index size, Index unit) { return bound(size, part + 1, parts, unit); };
  if (stage.kind == PRODUCT)
    return multiply(call, stage, 0, rows, from(stage.columns, PANEL), to(stage.columns, PANEL));
  if (stage.kind == GROUP) {
    const Index size = rows * stage.columns;
    return compute(call, stage, from(size, 64), to(size, 64));
  }
  copy(call, stage, from(rows, 1), to(rows, 1));
  return true;
}

// Executes the unclaimed parts of each stage, starting with `first_part`, and waits for parts claimed by other threads.
bool run_shared_stages(const Call& call, StageProgress* progress, Index first_part, Index parts) {
  bool succeeded = true;
  for (Index s = 0; s < call.run.count; ++s) {
    for (Index i = 0; i < parts; ++i) {
      const Index part = (first_part + i) % parts;
      const std::uint64_t bit = std::uint64_t(1) << part;
      if (progress[s].claimed.load(std::memory_order_relaxed) & bit) continue;
      if (progress[s].claimed.fetch_or(bit, std::memory_order_relaxed) & bit) continue;
      succeeded &= run_part(call, call.run.stages[s], part, parts);
      progress[s].done.fetch_add(1, std::memory_order_acq_rel);
    }
    for (int pauses = 0; progress[s].done.load(std::memory_order_acquire) != std::uint64_t(parts);)
      if (++pauses < MAX_SPINS)
        relax();
      else
        sched_yield();
  }
  return succeeded;
}

}  // namespace

// Executes all stages; returns false if out of memory.
EXPORT int run_stages(const Run* run, const char* const* objects, Index threads) {
  const Index arrays = run->object_count + run->buffer_count;
  const std::size_t header_lines =
      (std::size_t(arrays) * sizeof(char*) + std::size_t(run->count) * sizeof(StageProgress) + 63) / 64;
  char* memory = static_cast<char*>(scratch.reserve(header_lines * 64 + std::size_t(run->size)));
  if (!memory) return false;
  StageProgress* progress = reinterpret_cast<StageProgress*>(memory);
  char** addresses = reinterpret_cast<char**>(progress + run->count);
  for (Index i = 0; i < run->object_count; ++i) {
    addresses[i] = const_cast<char*>(objects[i]);
    if (run->field >= 0) std::memcpy(addresses + i, objects[i] + run->field, sizeof(char*));
  }
  for (Index i = 0; i < run->buffer_count; ++i)
    addresses[run->object_count + i] = memory + header_lines * 64 + run->offsets[i];
  const Call call{*run, addresses};
  std::atomic<bool> done{true};
  if (threads > MAX_ARRAYS) threads = MAX_ARRAYS;
  if (threads <= 1 || run->rows >= MAX_REPACKED_ROWS * threads) {
    const Index parts = (run->rows + ROWS - 1) / ROWS / threads >= 4 ? 2 * threads : threads;
    parallel_for(parts, threads, [&](Index part) {
      const Index begin = bound(run->rows, part, parts, ROWS), end = bound(run->rows, part + 1, parts, ROWS);
      bool succeeded = true;
      for (Index s = 0; s < run->count && begin < end; ++s) succeeded &= run_rows(call, run->stages[s], begin, end);
      if (!succeeded) done.store(false);
    });
  } else {
    for (Index s = 0; s < run->count; ++s) progress[s].claimed = progress[s].done = 0;
    parallel_for(threads, threads, [&](Index part) {
      if (!run_shared_stages(call, progress, part, threads)) done.store(false);
    });
  }
  return done;
}
