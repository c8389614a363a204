// Runs a grid on one CPU thread. Blocks run one after another; the threads of a block are fibers
// that give way at barriers and warp operations only, in the order asked for.
//
// A fiber starts once by ucontext and lives on: after that, switches are _setjmp and _longjmp, which
// cost some nanoseconds. What synchronises wrongly or faults ends the launch with a message.
#include "scheduler.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <vector>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

struct uint3 {
  unsigned x, y, z;
};

namespace simulated {

// While it lives, denormal numbers are zeros to whatever computes with them, or are what they are.
struct Denormals {
#ifdef __SSE__
  static const unsigned FLUSH = 0x8040;  // results and operands
  unsigned before = _mm_getcsr();
  explicit Denormals(bool flushes) { _mm_setcsr(flushes ? before | FLUSH : before & ~FLUSH); }
  ~Denormals() { _mm_setcsr(before); }
#else
  explicit Denormals(bool) {}
#endif
};

Thread* running = nullptr;
void forget_block();

enum State { READY, AT_BARRIER, AT_MEETING, DONE };
enum Meeting { MEET, EXCHANGE, BALLOT };

struct Fiber {
  Thread thread;
  State state;
  bool started;
  ucontext_t start;
  jmp_buf place;
  int line, predicate, lane;  // what it waits with
  unsigned mask;
  Meeting meeting;
  uint64_t value;
};

// A fiber has a mapping of its own: a page that cannot be touched, which an overflow of the stack meets, the stack,
// and the fiber itself, out of reach of whatever writes past its memory in the heap.
const size_t STACK = 256 * 1024, GUARD = 4096;
static std::vector<Fiber*> fibers;
static Fiber* current;
static int count;
static jmp_buf scheduler;
static uint3 block_index, block_size, grid_size;
static void (*kernel)(void**);
static void** arguments;
static void* dynamic_shared;
static int barrier_total;
static char message[512];
static bool failed;

static void give_way(State state) {
  Fiber* self = current;
  self->state = state;
  if (!_setjmp(self->place)) _longjmp(scheduler, 1);
}

void fail(const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  vsnprintf(message, sizeof message, format, rest);
  va_end(rest);
  failed = true;
  _longjmp(scheduler, 1);
}

static void body() {
  for (;;) {
    kernel(arguments);
    give_way(DONE);
  }
}

static __attribute__((noinline)) void resume(Fiber* fiber) {
  current = fiber;
  running = &fiber->thread;
  if (!_setjmp(scheduler)) {
    if (current->started) _longjmp(current->place, 1);
    current->started = true;
    setcontext(&current->start);
  }
  running = nullptr;
}

// False if there is no memory for so many.
static bool has_fibers(int wanted) {
  while ((int)fibers.size() < wanted) {
    void* mapped = mmap(nullptr, GUARD + STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return false;
    mprotect(mapped, GUARD, PROT_NONE);
    char* stack = (char*)mapped + GUARD;
    char* end = stack + STACK - (sizeof(Fiber) + 63) / 64 * 64;
    Fiber* made = new (end) Fiber();
    made->thread.stack = stack;
    made->thread.stack_end = end;
    fibers.push_back(made);
  }
  return true;
}

static void prepare(Fiber* fiber, int number, unsigned block) {
  Thread& thread = fiber->thread;
  thread.x = number % block_size.x;
  thread.y = number / block_size.x % block_size.y;
  thread.z = number / (block_size.x * block_size.y);
  thread.number = number;
  thread.block = block;
  thread.barriers = thread.meetings = 0;
  fiber->state = READY;
  if (!fiber->started) {
    getcontext(&fiber->start);
    fiber->start.uc_stack.ss_sp = thread.stack;
    fiber->start.uc_stack.ss_size = thread.stack_end - thread.stack;
    fiber->start.uc_link = nullptr;
    makecontext(&fiber->start, body, 0);
  }
}

// While it lives, a fault in a kernel ends the launch with a message, not the process.
class Faults {
 public:
  Faults() {
    static char stack[64 * 1024];
    stack_t here{};
    here.ss_sp = stack;
    here.ss_size = sizeof stack;
    sigaltstack(&here, &stack_before);
    struct sigaction action {};
    action.sa_sigaction = faulted;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &action, &before[i]);
  }
  ~Faults() {
    for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &before[i], nullptr);
    sigaltstack(&stack_before, nullptr);
  }

 private:
  static constexpr int SIGNALS[2] = {SIGSEGV, SIGBUS};
  static struct sigaction before[2];
  stack_t stack_before;

  static void faulted(int signal, siginfo_t* info, void* context) {
    void* instruction = nullptr;
#ifdef __x86_64__
    instruction = (void*)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
#endif
    Dl_info found{};
    if (!dladdr(instruction, &found)) found = {};
    const char* part = found.dli_fname ? found.dli_fname : "no library";
    long offset = found.dli_fbase ? (char*)instruction - (char*)found.dli_fbase : 0;
    if (Thread* t = running)
      fail("thread (%u, %u, %u) faults (signal %d, code %d) at %p, %ld bytes from the start of its stack, in %s + %#lx",
           t->x, t->y, t->z, signal, info->si_code, info->si_addr, (long)((char*)info->si_addr - t->stack), part, offset);
    fprintf(stderr, "The emulator of CUDA faults (signal %d, code %d) at %p in %s + %#lx\n", signal, info->si_code,
            info->si_addr, part, offset);
    for (int i = 0; i < 2; ++i) sigaction(SIGNALS[i], &before[i], nullptr);  // whose turn it is as this returns
  }
};
struct sigaction Faults::before[2];

static const char* where() {
  static char text[80];
  snprintf(text, sizeof text, "block (%u, %u, %u)", block_index.x, block_index.y, block_index.z);
  return text;
}

static void complain(const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  vsnprintf(message, sizeof message, format, rest);
  va_end(rest);
  failed = true;
}

// Lets go the lanes from `first` on that wait for the same meeting as one of them and are complete.
static bool release_warp(int first) {
  int lanes = std::min(32, count - first);
  for (int lane = 0; lane < lanes; ++lane) {
    Fiber* fiber = fibers[first + lane];
    if (fiber->state != AT_MEETING) continue;
    bool complete = true;
    for (int other = 0; other < lanes; ++other) {
      if (!(fiber->mask >> other & 1)) continue;
      Fiber* peer = fibers[first + other];
      if (peer->state == DONE) continue;
      if (peer->state != AT_MEETING) {
        complete = false;
      } else if (peer->mask != fiber->mask || peer->line != fiber->line ||
                 peer->meeting != fiber->meeting) {
        complain("warp operations differ in %s: lane %d waits at line %d, lane %d at line %d",
                 where(), lane, fiber->line, other, peer->line);
        return false;
      }
    }
    if (!complete) continue;
    unsigned bits = 0, mask = fiber->mask;
    uint64_t values[32] = {};
    for (int other = 0; other < lanes; ++other) {
      Fiber* peer = fibers[first + other];
      if (!(mask >> other & 1) || peer->state != AT_MEETING) continue;
      values[other] = peer->value;
      if (peer->predicate) bits |= 1u << other;
    }
    for (int other = 0; other < lanes; ++other) {
      Fiber* peer = fibers[first + other];
      if (!(mask >> other & 1) || peer->state != AT_MEETING) continue;
      if (peer->meeting == EXCHANGE) {
        int source = peer->lane;
        bool present = source >= 0 && source < lanes && (mask >> source & 1) &&
                       fibers[first + source]->state != DONE;
        if (!present) {
          complain("shuffle at line %d in %s: lane %d reads lane %d, which takes no part",
                   peer->line, where(), other, source);
          return false;
        }
        peer->value = values[source];
      } else {
        peer->value = bits;
      }
    }
    for (int other = 0; other < lanes; ++other) {
      Fiber* peer = fibers[first + other];
      if (!(mask >> other & 1) || peer->state == DONE) continue;
      peer->state = READY;
      ++peer->thread.meetings;
    }
    return true;
  }
  return false;
}

// Lets the block go on after its barrier; false where not all threads wait at the same one.
static bool release_block() {
  int waiting = 0, done = 0, line = 0;
  barrier_total = 0;
  for (int i = 0; i < count; ++i) {
    done += fibers[i]->state == DONE;
    if (fibers[i]->state != AT_BARRIER) continue;
    if (waiting && fibers[i]->line != line) {
      complain("divergent barrier in %s: threads wait at lines %d and %d", where(), line,
               fibers[i]->line);
      return false;
    }
    line = fibers[i]->line;
    ++waiting;
    barrier_total += fibers[i]->predicate != 0;
  }
  if (waiting != count) {
    complain("divergent barrier in %s: %d threads wait at line %d, %d have ended, %d wait for lanes "
             "of their warp", where(), waiting, line, done, count - waiting - done);
    return false;
  }
  for (int i = 0; i < count; ++i) {
    fibers[i]->state = READY;
    ++fibers[i]->thread.barriers;
  }
  return true;
}

static void arrange(std::vector<int>& order, int kind, std::mt19937& random) {
  if (kind == 1) std::reverse(order.begin(), order.end());
  if (kind > 1) std::shuffle(order.begin(), order.end(), random);
}

static void run_block(unsigned block, int kind, std::mt19937& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (kind == 1) arrange(order, kind, random);
  for (int i = 0; i < count; ++i) prepare(fibers[i], i, block);
  for (;;) {
    if (kind > 1) arrange(order, kind, random);
    int ended = 0;
    bool ran = false;
    for (int i : order) {
      if (fibers[i]->state == READY) {
        ran = true;
        resume(fibers[i]);
        if (failed) return;
      }
      ended += fibers[i]->state == DONE;
    }
    if (ended == count) return;
    if (ran) {
      bool released = false;
      for (int first = 0; first < count; first += 32)
        while (release_warp(first)) released = true;
      if (failed) return;
      if (released) continue;
    }
    if (!release_block()) return;
  }
}

}  // namespace simulated

using namespace simulated;

extern "C" {

uint3 cuda_thread_index() { return {running->x, running->y, running->z}; }
uint3 cuda_block_index() { return block_index; }
uint3 cuda_block_size() { return block_size; }
uint3 cuda_grid_size() { return grid_size; }
void* cuda_dynamic_shared() { return dynamic_shared; }

int cuda_barrier_count(int predicate, int line) {
  current->line = line;
  current->predicate = predicate;
  give_way(AT_BARRIER);
  return barrier_total;
}
void cuda_barrier(int line) { cuda_barrier_count(0, line); }

static uint64_t meet(Meeting kind, unsigned mask, uint64_t value, int lane, int predicate, int line) {
  Fiber* self = current;
  if (!(mask >> (self->thread.number & 31) & 1))
    fail("warp operation at line %d in %s: thread %u is not in its own mask %08x", line, where(),
         self->thread.number, mask);
  self->meeting = kind;
  self->mask = mask;
  self->value = value;
  self->lane = lane;
  self->predicate = predicate;
  self->line = line;
  give_way(AT_MEETING);
  return self->value;
}
uint64_t cuda_exchange(unsigned mask, uint64_t value, int lane, int line) {
  return meet(EXCHANGE, mask, value, lane, 0, line);
}
unsigned cuda_ballot(unsigned mask, int predicate, int line) {
  return (unsigned)meet(BALLOT, mask, 0, 0, predicate, line);
}
void cuda_meet(unsigned mask, int line) { meet(MEET, mask, 0, 0, 0, line); }

const char* simulated_message() { return message; }

// Runs `entry(args)` once a thread. Order: 0 forward, 1 reverse, else the seed of a random one.
// Returns 0, or 1 with `simulated_message()`.
int simulated_launch(void (*entry)(void**), void** args, const unsigned* grid, const unsigned* block,
                     void* shared, int kind, int flushes) {
  Denormals denormals(flushes);
  Faults faults;
  kernel = entry;
  arguments = args;
  grid_size = {grid[0], grid[1], grid[2]};
  block_size = {block[0], block[1], block[2]};
  dynamic_shared = shared;
  count = block[0] * block[1] * block[2];
  failed = false;
  if (!has_fibers(count)) {
    complain("no memory for the stacks of %d threads", count);
    return 1;
  }
  std::mt19937 random(kind);
  std::vector<int> blocks((size_t)grid[0] * grid[1] * grid[2]);
  std::iota(blocks.begin(), blocks.end(), 0);
  arrange(blocks, kind, random);
  unsigned number = 0;
  for (int b : blocks) {
    block_index = {b % grid[0], b / grid[0] % grid[1], b / (grid[0] * grid[1])};
    forget_block();
    run_block(++number, kind, random);
    if (failed) {
      for (Fiber* fiber : fibers) fiber->started = false;
      return 1;
    }
  }
  return 0;
}

}  // extern "C"
