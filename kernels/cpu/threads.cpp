// The library's own threads: started when they are first wanted, asleep where there is nothing to do.
//
// The caller's job lies on its stack and in a list; a helper takes a place in it, as many as the job has, works on
// pieces like the caller, and leaves. The caller waits for helpers inside only, not for one that has yet to wake up.

#include "threads.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>

namespace {

struct Job {
  Work work;
  const void* context;
  Index count, piece;
  fenv_t settings;  // the caller's: whether numbers below the normal range are zero, say
  std::atomic<Index> next{0};
  std::atomic<Index> inside{0};  // helpers; changed under `lock`
  Index taken = 1, places;
  Job* older = nullptr;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
constexpr int SPINS = 1000;  // some microseconds
Job* jobs = nullptr;
Index helpers = 0;
std::atomic<unsigned> changes{0};  // of the list

// A moment of waiting without sleep, for what is most likely to happen within it.
template <class Happened>
inline bool soon(Happened happened) {
  for (int turn = 0; turn < SPINS; ++turn) {
    if (happened()) return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return happened();
}

void do_pieces(Job& job, Index thread) {
  for (;;) {
    Index begin = job.next.fetch_add(job.piece, std::memory_order_relaxed);
    if (begin >= job.count) return;
    job.work(job.context, thread, begin, begin + job.piece < job.count ? begin + job.piece : job.count);
  }
}

Job* job_with_a_place() {
  Job* job = jobs;
  while (job != nullptr && job->taken == job->places) job = job->older;
  return job;
}

void* help(void*) {
  pthread_mutex_lock(&lock);
  for (;;) {
    Job* job = job_with_a_place();
    if (job == nullptr) {
      unsigned seen = changes.load();
      pthread_mutex_unlock(&lock);
      soon([=] { return changes.load(std::memory_order_relaxed) != seen; });
      pthread_mutex_lock(&lock);
      if (changes.load() == seen) pthread_cond_wait(&wanted, &lock);
      continue;
    }
    Index thread = job->taken++;
    job->inside.fetch_add(1);
    pthread_mutex_unlock(&lock);
    fesetenv(&job->settings);
    do_pieces(*job, thread);
    pthread_mutex_lock(&lock);
    if (job->inside.fetch_sub(1) == 1) pthread_cond_broadcast(&left);
  }
  return nullptr;
}

// A forked process has the caller's thread only.
void before_fork() { pthread_mutex_lock(&lock); }
void after_fork() { pthread_mutex_unlock(&lock); }
void after_fork_in_child() {
  pthread_mutex_init(&lock, nullptr);
  pthread_cond_init(&wanted, nullptr);
  pthread_cond_init(&left, nullptr);
  jobs = nullptr;
  helpers = 0;
}

// Starts the helpers that are missing, which leave signals to others; `lock` is held.
void start(Index count) {
  static bool first = true;
  if (first) pthread_atfork(before_fork, after_fork, after_fork_in_child);
  first = false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; helpers < count; ++helpers) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, help, nullptr) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void on_threads(Work work, const void* context, Index count, Index piece, Index threads) {
  Index pieces = (count + piece - 1) / piece;
  Job job;
  job.work = work, job.context = context, job.count = count, job.piece = piece;
  job.places = threads < pieces ? threads : pieces;
  fegetenv(&job.settings);
  pthread_mutex_lock(&lock);
  if (helpers < threads - 1) start(threads - 1);
  job.older = jobs;
  jobs = &job;
  changes.fetch_add(1);
  pthread_mutex_unlock(&lock);
  for (Index k = 1; k < job.places; ++k) pthread_cond_signal(&wanted);
  do_pieces(job, 0);
  pthread_mutex_lock(&lock);
  Job** link = &jobs;
  while (*link != &job) link = &(*link)->older;
  *link = job.older;
  pthread_mutex_unlock(&lock);
  soon([&] { return job.inside.load() == 0; });
  pthread_mutex_lock(&lock);
  while (job.inside.load() > 0) pthread_cond_wait(&left, &lock);
  pthread_mutex_unlock(&lock);
}
