// The library build supported by this processor, and the version of the functions' interface.

#include "basics.h"

// The version of all functions' signatures: ci/generate native_interface writes it, here and in
// devices/host/native/library.py.
EXPORT int interface() { return 782842917; }

// The level of x86-64 (2, 3 or 4), or 0 for another processor.
EXPORT int processor_level() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return 3;
  return 2;
#else
  return 0;
#endif
}
