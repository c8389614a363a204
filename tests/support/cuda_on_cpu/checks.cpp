// Answers every read and write that a kernel makes: it must lie in an array that the launch was
// given, in shared memory or on the thread's stack, be aligned as its size asks, and not race.
//
// Two accesses race when they touch the same element, one of them writes, they come from different
// threads, and no barrier (or, within a warp, no warp operation) stands between them. Nothing orders
// blocks. A read of shared memory that its block never wrote is an error as well.
#include "scheduler.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace simulated {

struct Access {
  unsigned block, barriers, meetings;
  unsigned short thread;
  bool several, atomic;  // more than one thread since the barrier
};
struct Cell {
  Access read, write;
};
struct Region {
  char *begin, *end;
  const char* name;
  unsigned grain;  // bytes an element has
  bool writable, shared;
  Cell* cells;  // null: races are not looked for
};

const size_t MOST_CELLS = 1 << 21;
const size_t SHARED_GAP = 256;  // unused bytes between two shared arrays
static std::vector<Region> regions;
static Region* last;
static bool overlapping;  // an address may lie in two of them: the first one counts
static std::vector<std::pair<void*, size_t>> static_arrays;  // in the order of their first use
alignas(128) static char static_shared[256 * 1024];
static size_t static_used;

static bool ordered(const Access& before, const Thread& now) {
  if (before.block != now.block) return false;
  if (before.barriers < now.barriers) return true;
  return before.thread / 32 == now.number / 32 && before.meetings < now.meetings;
}

static bool conflict(const Region& region, const Access& before, const Thread& now, bool atomic) {
  if (!before.block || (region.shared && before.block != now.block)) return false;
  if (atomic && before.atomic) return false;
  if (before.thread == now.number && before.block == now.block && !before.several) return false;
  return !ordered(before, now);
}

static void note(Access& access, const Thread& now, bool atomic) {
  bool same = access.block == now.block && !ordered(access, now);
  access.several = same && (access.several || access.thread != now.number);
  access.atomic = atomic && (!same || access.atomic);
  access.block = now.block;
  access.barriers = now.barriers;
  access.meetings = now.meetings;
  access.thread = now.number;
}

static Region* find(char* address, unsigned size) {
  if (last && address >= last->begin && address + size <= last->end) return last;
  for (Region& region : regions) {
    if (address < region.begin || address + size > region.end) continue;
    if (!overlapping) last = &region;
    return &region;
  }
  return nullptr;
}

[[noreturn]] static void outside(char* address, unsigned size, const char* verb) {
  const Thread& t = *running;
  const Region* nearest = nullptr;
  long distance = 0;
  for (const Region& region : regions) {
    long away = address < region.begin ? address - region.begin
                                       : (long)(address + size - region.end);
    if (!nearest || labs(away) < labs(distance)) nearest = &region, distance = away;
  }
  if (nearest && labs(distance) < 1 << 20)
    fail("thread (%u, %u, %u) %s %u bytes %ld bytes %s %s", t.x, t.y, t.z, verb, size,
         labs(distance), distance < 0 ? "before" : "past the end of", nearest->name);
  fail("thread (%u, %u, %u) %s %u bytes at %p, in no array of this launch", t.x, t.y, t.z, verb,
       size, (void*)address);
}

static void access(void* place, unsigned size, bool writes, bool atomic, bool whole = true) {
  Thread* now = running;
  if (!now) return;
  char* address = (char*)place;
  if (address >= now->stack && address < now->stack_end) return;
  const char* verb = atomic ? "updates" : writes ? "writes" : "reads";
  Region* region = find(address, size);
  if (!region) outside(address, size, verb);
  if (whole && (uintptr_t)address % size)
    fail("thread (%u, %u, %u) %s %u bytes of %s at an address that is not a multiple of %u", now->x,
         now->y, now->z, verb, size, region->name, size);
  if (writes && !region->writable)
    fail("thread (%u, %u, %u) writes to %s, which is constant", now->x, now->y, now->z,
         region->name);
  if (!region->cells) return;
  size_t first = (address - region->begin) / region->grain;
  size_t end = (address + size - 1 - region->begin) / region->grain;
  for (size_t i = first; i <= end; ++i) {
    Cell& cell = region->cells[i];
    const Access* other = nullptr;
    if (conflict(*region, cell.write, *now, atomic)) other = &cell.write;
    if (writes && conflict(*region, cell.read, *now, atomic)) other = &cell.read;
    if (other)
      fail("race in %s at byte %ld: thread %u of block %u %s what thread %u%s of block %u %s, with "
           "no barrier between", region->name, (long)(address - region->begin), now->number,
           now->block - 1, verb, other->thread, other->several ? " (and another)" : "",
           other->block - 1, other == &cell.read ? "reads" : "writes");
    if (region->shared && !writes && cell.write.block != now->block)
      fail("thread %u reads byte %ld of %s, which nobody in its block wrote", now->number,
           (long)(address - region->begin), region->name);
    if (!writes || atomic) note(cell.read, *now, atomic);
    if (writes) note(cell.write, *now, atomic);
  }
}

// Shared memory starts as rubbish in each block.
void forget_block() {
  for (Region& region : regions)
    if (region.shared) memset(region.begin, 0xA5, region.end - region.begin);
}

struct Wanted {
  char* address;
  uintptr_t begin, end;
};

static int find_module(dl_phdr_info* info, size_t, void* data) {
  Wanted& wanted = *(Wanted*)data;
  uintptr_t begin = ~(uintptr_t)0, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, info->dlpi_addr + part.p_vaddr);
    end = std::max<uintptr_t>(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if ((uintptr_t)wanted.address < begin || (uintptr_t)wanted.address >= end) return 0;
  wanted.begin = begin;
  wanted.end = end;
  return 1;
}

}  // namespace simulated

using namespace simulated;

extern "C" {

void cuda_atomic(void* address, unsigned size) { access(address, size, true, true); }

void simulated_forget() {
  for (Region& region : regions) free(region.cells);
  regions.clear();
  last = nullptr;
  overlapping = false;
  static_arrays.clear();
  static_used = 0;
}

// Adds an array that the next launch may touch.
void simulated_allow(char* begin, size_t size, const char* name, unsigned grain, int writable,
                     int shared) {
  Region region{begin, begin + size, name, grain ? grain : 1, writable != 0, shared != 0, nullptr};
  size_t cells = size / region.grain + 1;
  if (cells <= MOST_CELLS && (writable || shared)) region.cells = (Cell*)calloc(cells, sizeof(Cell));
  for (const Region& other : regions)
    overlapping |= region.begin < other.end && other.begin < region.end;
  regions.push_back(region);
  last = nullptr;
}

// The place of a __shared__ array, the same for all threads; `key` is an address of its own.
void* cuda_static_shared(void* key, size_t size, const char* name) {
  size_t place = 0;
  for (auto& array : static_arrays) {
    if (array.first == key) return static_shared + place;
    place += array.second;
  }
  static_arrays.push_back({key, (size + SHARED_GAP + 127) / 128 * 128});
  static_used = place + static_arrays.back().second;
  if (static_used > sizeof static_shared) fail("over %zu bytes in __shared__", sizeof static_shared);
  memset(static_shared + place, 0xA5, size);
  simulated_allow(static_shared + place, size, name, 1, 1, 1);
  return static_shared + place;
}

// Adds the constants of the module that holds this address.
void simulated_allow_module(char* address) {
  Wanted wanted{address, 0, 0};
  dl_iterate_phdr(find_module, &wanted);
  if (wanted.end)
    simulated_allow((char*)wanted.begin, wanted.end - wanted.begin, "the module's constants", 1, 0, 0);
}

// -fsanitize=alignment and bounds call these; what they are given begins with a place in the text.
struct Place {
  const char* file;
  unsigned line, column;
};
void __ubsan_handle_type_mismatch_v1(Place* place, uintptr_t address) {
  if (running)
    fail("line %u: thread (%u, %u, %u) reaches %p through a pointer whose type asks for more "
         "alignment", place->line, running->x, running->y, running->z, (void*)address);
}
void __ubsan_handle_out_of_bounds(Place* place, uintptr_t index) {
  if (running)
    fail("line %u: thread (%u, %u, %u) uses index %ld, outside the array", place->line, running->x,
         running->y, running->z, (long)index);
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
#define ACCESS(SIZE)                                                                 \
  void __tsan_read##SIZE(void* p) { access(p, SIZE, false, false); }                 \
  void __tsan_write##SIZE(void* p) { access(p, SIZE, true, false); }                 \
  void __tsan_unaligned_read##SIZE(void* p) { access(p, SIZE, false, false); }       \
  void __tsan_unaligned_write##SIZE(void* p) { access(p, SIZE, true, false); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void* p, size_t size) { access(p, size, false, false, false); }
void __tsan_write_range(void* p, size_t size) { access(p, size, true, false, false); }

}  // extern "C"
