// What the CPU's kernels share: how they are exported, and loops that the compiler makes vector instructions of.
//
// Every kernel is a C function over plain arrays, for one part of the work: threads, blocks and checks are the
// caller's. Products and sums are not fused (-ffp-contract=off), so formulas give numpy's results.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#define EXPORT extern "C" __attribute__((visibility("default")))

// A function whose loops GCC makes vector instructions of only where no argument is known.
#if defined(__clang__)
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

// Before a loop whose result is apart from an operand, or the same.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // a loop that it cannot, it leaves
#define ELEMENT_BY_ELEMENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ELEMENT_BY_ELEMENT _Pragma("GCC ivdep")
#endif

using Index = std::int64_t;

// Bytes of the processor's vectors: of wider ones the compiler makes comparisons element by element.
#if defined(__AVX512F__)
constexpr int VECTOR = 64;
#elif defined(__AVX2__)
constexpr int VECTOR = 32;
#else
constexpr int VECTOR = 16;
#endif

// One of the numbers that say where to read or write, read once: its array may be another thread's, which changes it
// between a check and the use.
template <class Id>
inline Index number_at(const Id* numbers, Index i) { return Index(__atomic_load_n(numbers + i, __ATOMIC_RELAXED)); }

inline bool is_inside(Index number, Index count) { return std::uint64_t(number) < std::uint64_t(count); }

// Asks for a row's cache line; a row that is none costs nothing.
inline void fetch_ahead(const void* rows, Index number, Index width) {
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(rows);
  __builtin_prefetch(reinterpret_cast<const void*>(begin + std::uint64_t(number) * std::uint64_t(width)));
}

// Whether all numbers of a table that nobody else changes are inside.
template <class Id>
inline bool are_inside(const Id* numbers, Index size, Index count) {
  bool inside = true;
  for (Index i = 0; i < size; ++i) inside &= is_inside(Index(numbers[i]), count);
  return inside;
}

// numpy's rules for NaN: maximum and minimum give it, fmax and fmin the other operand.
template <class T>
inline T maximum(T a, T b) { return (a >= b || a != a) ? a : b; }
template <class T>
inline T minimum(T a, T b) { return (a <= b || a != a) ? a : b; }
template <class T>
inline T fmax_of(T a, T b) { return (a >= b || b != b) ? a : b; }
template <class T>
inline T fmin_of(T a, T b) { return (a <= b || b != b) ? a : b; }
template <class T>
inline T sign_of(T a) { return a > 0 ? T(1) : a < 0 ? T(-1) : a; }

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float with_sign_of(float x, float y) { return __builtin_copysignf(x, y); }
inline double with_sign_of(double x, double y) { return __builtin_copysign(x, y); }
