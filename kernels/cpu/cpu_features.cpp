// The build of the library that this processor supports, and the interface version.

#include "basics.h"

// Hash of all function signatures; `ci/generate native_interface` writes it here and to
// devices/host/native/declarations.txt.
EXPORT int interface() { return 2088737144; }

// Returns the x86-64 level (2, 3 or 4); 0 for other processors.
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
