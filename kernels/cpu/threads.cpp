// A thread pool that executes the parts of one job at a time, together with the submitting thread.
//
// Each thread starts with its own parts, so that the next job reads array parts from the cache of the thread that wrote
// them; then it takes parts that no other thread has started.
//
// An idle thread spins for a while before it sleeps if one of the last two jobs started soon after the previous one:
// waking a thread takes as long as a product of small matrices. A job wakes only as many threads as it has parts; each
// woken thread, like the submitting thread, wakes two others. Threads that share a core hardly spin, because they would
// delay each other.
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

// Time that an idle thread spins before it sleeps: if the last job arrived soon, and otherwise.
constexpr Index SPIN_NANOSECONDS = 60'000, SHORT_SPIN_NANOSECONDS = 5'000;
// Bit fields of the state: the number of threads that joined, whether more may join, the number of requested threads,
// and the job number.
constexpr std::uint64_t OPEN = 1 << 16, HELPERS = OPEN - 1, REQUESTED = OPEN << 1, NEXT_JOB = REQUESTED << 8;

Index now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Index(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Spins until `ready` returns true, for at most `limit` nanoseconds; returns whether it did.
template <class Ready>
inline bool spin_until(Index limit, Ready ready) {
  Index begin = now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      relax();
    }
  } while (now() - begin < limit);
  return ready();
}

// The floating-point control state of a thread: rounding mode and flushing of subnormals.
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
  PartFunction function;
  const void* context;
  Index begin, parts, threads;
  Control control;
};

constexpr int NO_CORE = -1;

// Returns the core on which this thread runs; NO_CORE if the system does not report it.
inline int current_core() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return NO_CORE;
#endif
}

// Lets one thread sleep while it waits for work or for other threads.
class Parker {
 public:
  // Sleeps until `ready` returns true; the thread that makes it true then calls `wake`.
  template <class Ready>
  void sleep(Ready ready) {
    pthread_mutex_lock(&mutex_);
    asleep_ = true;
    while (!ready()) pthread_cond_wait(&condition_, &mutex_);
    asleep_ = false;
    pthread_mutex_unlock(&mutex_);
  }

  void wake() {
    if (!asleep_.load()) return;
    pthread_mutex_lock(&mutex_);  // waits until the thread is asleep, or has seen that it need not sleep
    pthread_mutex_unlock(&mutex_);
    pthread_cond_signal(&condition_);
  }

  void forget() {
    mutex_ = PTHREAD_MUTEX_INITIALIZER;
    condition_ = PTHREAD_COND_INITIALIZER;
    asleep_ = false;
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
  std::atomic<bool> asleep_{false};
};

// A pool thread, on separate cache lines; the submitting thread is number 0.
struct alignas(128) Thread {
  Parker parker;
  std::atomic<int> core{NO_CORE};  // the core on which it started its current work
};

struct {
  Thread threads[MAX_PARTS];
  std::atomic<std::uint64_t> state{0};
  std::atomic<std::uint64_t> claimed{0};  // bitmask of claimed parts
  std::atomic<bool> busy{false};
  Index started = 0;
  Job job;
} pool;

// Returns whether there is a new job that thread `number` may join.
inline bool is_new_job(std::uint64_t state, std::uint64_t last_job, Index number) {
  return (state & OPEN) && state / NEXT_JOB != last_job && Index(state % NEXT_JOB / REQUESTED) >= number;
}

inline bool shares_core(const Thread& thread) { return thread.core != NO_CORE && thread.core == pool.threads[0].core; }

// Wakes the two threads after thread `number` in the tree, if they are needed and asleep.
inline void wake_after(Index number, Index threads) {
  for (Index next = 2 * number + 1; next <= 2 * number + 2 && next < threads; ++next) pool.threads[next].parker.wake();
}

// Executes the parts bound to thread `number`, then parts that no other thread has claimed.
void run_parts(const Job& job, Index number) {
  const Index first = job.parts * number / job.threads;
  for (Index i = 0; i < job.parts; ++i) {
    const Index part = (first + i) % job.parts;
    const std::uint64_t bit = std::uint64_t(1) << part;
    if (!(pool.claimed.fetch_or(bit, std::memory_order_relaxed) & bit)) job.function(job.context, job.begin + part);
  }
}

void finish_job() {
  const std::uint64_t remaining = pool.state.fetch_sub(1) - 1;
  if ((remaining & (OPEN | HELPERS)) == 0) pool.threads[0].parker.wake();
}

void* worker_loop(void* argument) {
  const Index number = reinterpret_cast<std::intptr_t>(argument);
  Thread& self = pool.threads[number];
  std::uint64_t last_job = 0;
  Index idle_since = now(), spin_limit = SHORT_SPIN_NANOSECONDS;
  bool previous_was_soon = false;
  while (true) {
    auto job_available = [&] { return is_new_job(pool.state.load(), last_job, number); };
    if (!spin_until(spin_limit, job_available)) self.parker.sleep(job_available);
    std::uint64_t state = pool.state.load();
    if (!is_new_job(state, last_job, number) || !pool.state.compare_exchange_strong(state, state + 1)) continue;
    const bool is_soon = now() - idle_since < SPIN_NANOSECONDS;
    spin_limit = is_soon || previous_was_soon ? SPIN_NANOSECONDS : SHORT_SPIN_NANOSECONDS;
    previous_was_soon = is_soon;
    last_job = state / NEXT_JOB;
    self.core = current_core();
    if (shares_core(self)) spin_limit = 0;
    wake_after(number, pool.job.threads);
    set_control(pool.job.control);
    run_parts(pool.job, number);
    self.core = NO_CORE;
    finish_job();
    idle_since = now();
  }
  return nullptr;
}

// Resets the pool in a forked child process, which has no other threads.
void forget() {
  for (Thread& thread : pool.threads) thread.parker.forget();
  pool.state = pool.claimed = 0;
  pool.busy = false;
  pool.started = 0;
}

// Starts missing threads with all signals blocked, so that the threads of the program handle signals.
void start(Index helpers) {
  static bool registered = false;
  if (!registered) registered = pthread_atfork(nullptr, nullptr, forget) == 0;
  sigset_t all, old_mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old_mask);
  for (; pool.started < helpers; ++pool.started) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, worker_loop, reinterpret_cast<void*>(pool.started + 1)) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &old_mask, nullptr);
}

void wait_for_helpers(Index threads) {
  auto all_finished = [] { return (pool.state.load() & HELPERS) == 0; };
  if (all_finished()) return;
  Index spin_limit = SPIN_NANOSECONDS;
  for (Index number = 1; number < threads; ++number)
    if (shares_core(pool.threads[number])) spin_limit = SHORT_SPIN_NANOSECONDS;
  if (!spin_until(spin_limit, all_finished)) pool.threads[0].parker.sleep(all_finished);
}

// Executes `parts` parts, at most MAX_PARTS, starting at part `begin`.
void run_batch(PartFunction function, const void* context, Index begin, Index parts, Index threads) {
  Index helpers = (threads < parts ? threads : parts) - 1;
  if (helpers <= 0 || pool.busy.exchange(true)) {
    for (Index part = 0; part < parts; ++part) function(context, begin + part);
    return;
  }
  if (pool.started < helpers) start(helpers);
  pool.job = {function, context, begin, parts, helpers + 1, control()};
  pool.claimed = 0;
  pool.threads[0].core = current_core();
  pool.state = (pool.state / NEXT_JOB + 1) * NEXT_JOB + std::uint64_t(helpers) * REQUESTED + OPEN;
  wake_after(0, helpers + 1);
  run_parts(pool.job, 0);
  pool.state.fetch_and(~OPEN);
  wait_for_helpers(helpers + 1);
  pool.busy = false;
}

}  // namespace

void run_parallel(PartFunction function, const void* context, Index parts, Index threads) {
  for (Index begin = 0; begin < parts; begin += MAX_PARTS)
    run_batch(function, context, begin, parts - begin < MAX_PARTS ? parts - begin : MAX_PARTS, threads);
}
