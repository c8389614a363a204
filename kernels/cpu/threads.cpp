// Threads that take parts of one piece of work at a time, beside the thread that has it.
//
// Each thread begins with the parts that are its own, so that a thread that has written a part of an array reads it in the
// next piece of work; then it takes those that nobody has begun.
//
// A thread without work looks for the next piece for a while before it sleeps, if the last ones came soon after each
// other: to wake it takes as long as a product of small matrices. Who has work never waits for a thread that has not
// begun, and does it alone where another piece is under way.

#include "threads.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <atomic>

namespace {

constexpr Index MOST = 64;                         // parts at a time, and threads
constexpr Index SOON = 60'000, PATIENCE = 5'000;  // nanoseconds: what is looked for, and what is waited else
constexpr std::uint64_t OPEN = 1 << 16, HELPERS = OPEN - 1, NEXT = OPEN << 1;

Index now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Index(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Whether `ready` is so within that many nanoseconds.
template <class Ready>
inline bool comes_within(Index limit, Ready ready) {
  Index begin = now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      relax();
    }
  } while (now() - begin < limit);
  return ready();
}

// How a thread rounds, and whether it flushes what is below the normal range.
#if defined(__x86_64__)
using Control = unsigned;
Control control() { return _mm_getcsr() & ~0x3fu; }
void set_control(Control value) { _mm_setcsr(value); }
#else
using Control = fenv_t;
Control control() {
  Control now;
  fegetenv(&now);
  return now;
}
void set_control(const Control& value) { fesetenv(&value); }
#endif

struct Job {
  Part function;
  const void* context;
  Index begin, parts, threads;
  Control control;
};

// `state`: the number of the piece of work, whether threads may join it, how many have.
struct {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
  std::atomic<std::uint64_t> state{0};
  std::atomic<std::uint64_t> taken{0};  // parts, a bit each
  std::atomic<int> asleep{0};
  std::atomic<bool> busy{false}, waiting{false};
  Index started = 0;
  Job job;
} pool;

inline bool is_new(std::uint64_t state, std::uint64_t last) { return (state & OPEN) && state / NEXT != last; }

// Does the parts of thread `number`, then what others have left.
void take(const Job& job, Index number) {
  const Index first = job.parts * number / job.threads;
  for (Index i = 0; i < job.parts; ++i) {
    const Index part = (first + i) % job.parts;
    const std::uint64_t bit = std::uint64_t(1) << part;
    if (!(pool.taken.fetch_or(bit, std::memory_order_relaxed) & bit)) job.function(job.context, job.begin + part);
  }
}

void leave() {
  std::uint64_t left = pool.state.fetch_sub(1) - 1;
  if ((left & (OPEN | HELPERS)) == 0 && pool.waiting.load()) {
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_signal(&pool.done);
    pthread_mutex_unlock(&pool.mutex);
  }
}

void* help(void* number) {
  std::uint64_t last = 0;
  Index ended = now(), patience = PATIENCE;
  while (true) {
    auto has_come = [&] { return is_new(pool.state.load(), last); };
    if (!comes_within(patience, has_come)) {
      pthread_mutex_lock(&pool.mutex);
      ++pool.asleep;
      while (!has_come()) pthread_cond_wait(&pool.more, &pool.mutex);
      --pool.asleep;
      pthread_mutex_unlock(&pool.mutex);
    }
    patience = now() - ended < SOON ? SOON : PATIENCE;
    std::uint64_t state = pool.state.load();
    if (!is_new(state, last) || !pool.state.compare_exchange_strong(state, state + 1)) continue;
    last = state / NEXT;
    set_control(pool.job.control);
    take(pool.job, reinterpret_cast<std::intptr_t>(number) % pool.job.threads);
    leave();
    ended = now();
  }
  return nullptr;
}

// In a forked process there are no other threads.
void forget() {
  pool.mutex = PTHREAD_MUTEX_INITIALIZER;
  pool.more = pool.done = PTHREAD_COND_INITIALIZER;
  pool.state = pool.taken = 0;
  pool.asleep = 0;
  pool.busy = pool.waiting = false;
  pool.started = 0;
}

// Starts the threads that are missing; signals are for those of the program.
void start(Index helpers) {
  static bool registered = false;
  if (!registered) registered = pthread_atfork(nullptr, nullptr, forget) == 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; pool.started < helpers; ++pool.started) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, help, reinterpret_cast<void*>(pool.started + 1)) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void wait_for_helpers() {
  auto have_left = [] { return (pool.state.load() & HELPERS) == 0; };
  if (comes_within(SOON, have_left)) return;
  pthread_mutex_lock(&pool.mutex);
  pool.waiting = true;
  while (!have_left()) pthread_cond_wait(&pool.done, &pool.mutex);
  pool.waiting = false;
  pthread_mutex_unlock(&pool.mutex);
}

// Does `parts` parts from `begin` on, no more than there are bits.
void run_some(Part function, const void* context, Index begin, Index parts, Index threads) {
  Index helpers = (threads < parts ? threads : parts) - 1;
  if (helpers <= 0 || pool.busy.exchange(true)) {
    for (Index part = 0; part < parts; ++part) function(context, begin + part);
    return;
  }
  if (pool.started < helpers) start(helpers);
  pool.job = {function, context, begin, parts, helpers + 1, control()};
  pool.taken = 0;
  pool.state = (pool.state / NEXT + 1) * NEXT + OPEN;
  if (pool.asleep.load() > 0) {
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.mutex);
  }
  take(pool.job, 0);
  pool.state.fetch_and(~OPEN);
  wait_for_helpers();
  pool.busy = false;
}

}  // namespace

void on_threads(Part function, const void* context, Index parts, Index threads) {
  for (Index begin = 0; begin < parts; begin += MOST)
    run_some(function, context, begin, parts - begin < MOST ? parts - begin : MOST, threads);
}
