// Flushes subnormal numbers to zero on the calling thread by setting bits in the floating-point control register.

#include "basics.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

#if defined(__x86_64__)
constexpr std::uint64_t BITS = 1 << 15 | 1 << 6;  // MXCSR bits for results and for operands
std::uint64_t control() { return _mm_getcsr(); }
void set_control(std::uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
constexpr std::uint64_t BITS = 1 << 24;  // FPCR bit for both
std::uint64_t control() {
  std::uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
void set_control(std::uint64_t value) { __asm__ volatile("msr fpcr, %0" : : "r"(value)); }
#else
constexpr std::uint64_t BITS = 0;
std::uint64_t control() { return 0; }
void set_control(std::uint64_t) {}
#endif

}  // namespace

// Returns the previous register value.
EXPORT std::uint64_t flush_subnormals(int flushed) {
  const std::uint64_t previous = control();
  set_control(flushed ? previous | BITS : previous & ~BITS);
  return previous;
}

EXPORT void restore_subnormals(std::uint64_t before) { set_control(before); }
