// Helpers shared by the CPU kernels: the export macro and loops that the compiler vectorizes.
//
// Every kernel is a C function on plain arrays. Multiplications and additions are not fused (-ffp-contract=off), so
// results match NumPy's.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#define EXPORT extern "C" __attribute__((visibility("default")))

// Prevents inlining: GCC vectorizes these loops only if no argument is a constant.
#if defined(__clang__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

// Marks loops whose output array either is an input array or overlaps none of them.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // loops that are not vectorized
#define ELEMENT_BY_ELEMENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ELEMENT_BY_ELEMENT _Pragma("GCC ivdep")
#endif

using Index = std::int64_t;

// Vector width in bytes. Wider vectors would be compared element by element.
#if defined(__AVX512F__)
constexpr int VECTOR = 64;
#elif defined(__AVX2__)
constexpr int VECTOR = 32;
#else
constexpr int VECTOR = 16;
#endif

// Reads an index exactly once, because another thread may change its array between the range check and the use.
template <class Id>
inline Index load_index(const Id* numbers, Index i) {
  return Index(__atomic_load_n(numbers + i, __ATOMIC_RELAXED));
}

inline bool is_in_range(Index number, Index count) { return std::uint64_t(number) < std::uint64_t(count); }

// Prefetches the first cache line of a row; harmless if the row number is invalid.
inline void prefetch_row(const void* rows, Index number, Index width) {
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(rows);
  __builtin_prefetch(reinterpret_cast<const void*>(begin + std::uint64_t(number) * std::uint64_t(width)));
}

// Returns whether all indices are in range; no other thread may modify them.
template <class Id>
inline bool are_in_range(const Id* numbers, Index size, Index count) {
  bool inside = true;
  for (Index i = 0; i < size; ++i) inside &= is_in_range(Index(numbers[i]), count);
  return inside;
}

// NumPy's NaN rules: maximum and minimum return NaN if either operand is NaN; fmax and fmin return the other operand.
template <class T>
inline T maximum(T a, T b) { return (a >= b || a != a) ? a : b; }
template <class T>
inline T minimum(T a, T b) { return (a <= b || a != a) ? a : b; }
template <class T>
inline T max_ignoring_nan(T a, T b) {
  return (a >= b || b != b) ? a : b;
}
template <class T>
inline T min_ignoring_nan(T a, T b) {
  return (a <= b || b != b) ? a : b;
}
template <class T>
inline T signum(T a) {
  return a > 0 ? T(1) : a < 0 ? T(-1) : a;
}

inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float copy_sign(float x, float y) { return __builtin_copysignf(x, y); }
inline double copy_sign(double x, double y) { return __builtin_copysign(x, y); }
