// A thread pool that executes the parts of one job at a time, together with the submitting thread.
//
// Each thread starts with its own parts, so that the next job reads array parts from the cache of the thread that wrote
// them; then it takes parts that no other thread has started.
//
// An idle thread spins for a while before it sleeps, if one of the last two jobs soon followed the previous one: waking
// a thread takes as long as a product of small matrices. A job wakes only as many threads as it has parts; each of
// them, like the submitting thread, wakes two others. Threads that share a core hardly spin, which would delay each
// other: they sleep.
//
// The submitting thread never waits for a thread that has not started, and works alone while another job is running.

#include "threads.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <atomic>

namespace {

// How long an idle thread spins before it sleeps: if work arrived soon last time, and otherwise.
constexpr Index SPIN_NANOSECONDS = 60'000, SHORT_SPIN_NANOSECONDS = 5'000;
// Bits of the state: how many threads have joined, whether more may, how many are wanted, and the job number.
constexpr std::uint64_t OPEN = 1 << 16, HELPERS = OPEN - 1, ASKED = OPEN << 1, NEXT = ASKED << 8;

Index now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Index(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Spins until `ready` or for `limit` nanoseconds; returns whether it became ready.
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

// A thread's floating-point control state: rounding mode and flushing of subnormals.
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

constexpr int NONE = -1;

// The core of this thread; NONE if the system does not report it.
inline int own_core() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return NONE;
#endif
}

// Where a thread sleeps while it waits for work or for other threads.
class Bed {
 public:
  // Sleeps until `ready`; whoever makes it true then calls `wake`.
  template <class Ready>
  void sleep(Ready ready) {
    pthread_mutex_lock(&mutex_);
    asleep_ = true;
    while (!ready()) pthread_cond_wait(&called_, &mutex_);
    asleep_ = false;
    pthread_mutex_unlock(&mutex_);
  }

  void wake() {
    if (!asleep_.load()) return;
    pthread_mutex_lock(&mutex_);  // until the thread is asleep, or has seen that it need not sleep
    pthread_mutex_unlock(&mutex_);
    pthread_cond_signal(&called_);
  }

  void forget() {
    mutex_ = PTHREAD_MUTEX_INITIALIZER;
    called_ = PTHREAD_COND_INITIALIZER;
    asleep_ = false;
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t called_ = PTHREAD_COND_INITIALIZER;
  std::atomic<bool> asleep_{false};
};

// A pool thread, on its own cache lines; the submitting thread is number 0.
struct alignas(128) Thread {
  Bed bed;
  std::atomic<int> core{NONE};  // where it started its current work
};

struct {
  Thread threads[MAX_PARTS];
  std::atomic<std::uint64_t> state{0};
  std::atomic<std::uint64_t> taken{0};  // bitmask of parts
  std::atomic<bool> busy{false};
  Index started = 0;
  Job job;
} pool;

// Whether there is a new job that thread `number` may join.
inline bool is_new(std::uint64_t state, std::uint64_t last, Index number) {
  return (state & OPEN) && state / NEXT != last && Index(state % NEXT / ASKED) >= number;
}

inline bool shares_core(const Thread& one) { return one.core != NONE && one.core == pool.threads[0].core; }

// Wakes the two threads after thread `number` in the tree, if they are needed and asleep.
inline void wake_after(Index number, Index threads) {
  for (Index next = 2 * number + 1; next <= 2 * number + 2 && next < threads; ++next) pool.threads[next].bed.wake();
}

// Executes the parts of thread `number`, then those left by others.
void take(const Job& job, Index number) {
  const Index first = job.parts * number / job.threads;
  for (Index i = 0; i < job.parts; ++i) {
    const Index part = (first + i) % job.parts;
    const std::uint64_t bit = std::uint64_t(1) << part;
    if (!(pool.taken.fetch_or(bit, std::memory_order_relaxed) & bit)) job.function(job.context, job.begin + part);
  }
}

void leave() {
  const std::uint64_t left = pool.state.fetch_sub(1) - 1;
  if ((left & (OPEN | HELPERS)) == 0) pool.threads[0].bed.wake();
}

void* help(void* given) {
  const Index number = reinterpret_cast<std::intptr_t>(given);
  Thread& self = pool.threads[number];
  std::uint64_t last = 0;
  Index ended = now(), patience = SHORT_SPIN_NANOSECONDS;
  bool came_soon = false;
  while (true) {
    auto has_come = [&] { return is_new(pool.state.load(), last, number); };
    if (!comes_within(patience, has_come)) self.bed.sleep(has_come);
    std::uint64_t state = pool.state.load();
    if (!is_new(state, last, number) || !pool.state.compare_exchange_strong(state, state + 1)) continue;
    const bool comes_soon = now() - ended < SPIN_NANOSECONDS;
    patience = comes_soon || came_soon ? SPIN_NANOSECONDS : SHORT_SPIN_NANOSECONDS;
    came_soon = comes_soon;
    last = state / NEXT;
    self.core = own_core();
    if (shares_core(self)) patience = 0;
    wake_after(number, pool.job.threads);
    set_control(pool.job.control);
    take(pool.job, number);
    self.core = NONE;
    leave();
    ended = now();
  }
  return nullptr;
}

// A forked process has no other threads.
void forget() {
  for (Thread& each : pool.threads) each.bed.forget();
  pool.state = pool.taken = 0;
  pool.busy = false;
  pool.started = 0;
}

// Starts missing threads, with signals blocked, so that the program's threads handle them.
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

void wait_for_helpers(Index threads) {
  auto have_left = [] { return (pool.state.load() & HELPERS) == 0; };
  if (have_left()) return;
  Index patience = SPIN_NANOSECONDS;
  for (Index number = 1; number < threads; ++number)
    if (shares_core(pool.threads[number])) patience = SHORT_SPIN_NANOSECONDS;
  if (!comes_within(patience, have_left)) pool.threads[0].bed.sleep(have_left);
}

// Executes `parts` parts, at most 64, from `begin` on.
void run_some(Part function, const void* context, Index begin, Index parts, Index threads) {
  Index helpers = (threads < parts ? threads : parts) - 1;
  if (helpers <= 0 || pool.busy.exchange(true)) {
    for (Index part = 0; part < parts; ++part) function(context, begin + part);
    return;
  }
  if (pool.started < helpers) start(helpers);
  pool.job = {function, context, begin, parts, helpers + 1, control()};
  pool.taken = 0;
  pool.threads[0].core = own_core();
  pool.state = (pool.state / NEXT + 1) * NEXT + std::uint64_t(helpers) * ASKED + OPEN;
  wake_after(0, helpers + 1);
  take(pool.job, 0);
  pool.state.fetch_and(~OPEN);
  wait_for_helpers(helpers + 1);
  pool.busy = false;
}

}  // namespace

void on_threads(Part function, const void* context, Index parts, Index threads) {
  for (Index begin = 0; begin < parts; begin += MAX_PARTS)
    run_some(function, context, begin, parts - begin < MAX_PARTS ? parts - begin : MAX_PARTS, threads);
}
