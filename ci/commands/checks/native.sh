#!/usr/bin/env bash
# Compiles the CPU kernels with the address and undefined-behaviour sanitizers and runs their tests and hostile input on
# that build; the thread tests also with the thread sanitizer; then the tests above the kernels without any build, on
# NumPy alone.
#
# usage: ci/check native
#        ci/check native --hostile COUNT SEED     only this many cases of hostile input
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

library=tfmini/_src/devices/host/native/libtfmini_sanitized.so
objects=$(mktemp -d)
trap 'rm -rf "$library" "$objects"' EXIT
sources=("$PWD"/kernels/cpu/*.cpp)
preload=
built() { # SANITIZERS LIBRARIES: the library with these sanitizers, whose libraries come before all others
    local options=(
        -std=c++17 -O1 -g -fPIC -pthread -fvisibility=hidden -fno-exceptions -fno-rtti
        -ffp-contract=off -fsanitize="$1" -fno-sanitize-recover=all
    )
    (cd "$objects" && printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" ${CXX:-g++} "${options[@]}" -c)
    ${CXX:-g++} "${options[@]}" -shared -o "$library" "$objects"/*.o
    preload=
    for name in $2; do preload+=${preload:+:}$(${CXX:-g++} -print-file-name="$name"); done
}
# Without address space randomization, which the thread sanitizer does not always support; a sandbox may forbid that.
layout=(setarch -R)
"${layout[@]}" true 2>/dev/null || layout=()
on_build() { # ARGUMENTS: Python with that library
    # Allocations of a gigabyte or more fail, as when out of memory.
    LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024 \
        TFMINI_NATIVE=sanitized TFMINI_TIER=full "${layout[@]}" python "$@"
}
built address,undefined "libasan.so libubsan.so"
if [ "${1:-}" = --hostile ]; then
    on_build -m tests.support.hostile "$2" "$3"
    exit
fi
on_build -m pytest --quiet tests/devices/host/native
on_build -m tests.support.hostile 500 1
# The thread sanitizer supports neither forked processes with threads nor the threads of NumPy's BLAS. It prints its
# findings while a test runs.
built thread libtsan.so
OPENBLAS_NUM_THREADS=1 on_build -m pytest --quiet --capture=no -k 'not fork' \
    tests/devices/host/native/test_threads.py tests/devices/host/native/test_runs.py
rm -f "$library"
TFMINI_NATIVE=0 python -m pytest --quiet -n auto \
    tests/devices/numpy/test_row_scatter.py tests/devices/numpy/test_min_max.py tests/devices/numpy/test_philox.py tests/devices/numpy/test_random_distributions.py \
    tests/devices/numpy/test_rejection_sampling.py tests/ops/nn tests/ops/state \
    tests/ops/random tests/compiler/passes
