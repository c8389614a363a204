"""CUDA kernels on the CPU: correct kernels pass in every order, and each kind of error is detected."""

import os

import numpy as np
import pytest

from tests.support import isolation
from tests.support.cuda_on_cpu import (
    CompileError,
    LaunchError,
    available,
    compile_module,
    module,
    running_in,
)

pytestmark = pytest.mark.skipif(not available(), reason="needs g++ on Linux")

SUMS = """
// One block a row; blockDim is a power of two.
extern "C" __global__ void row_sums(const float* __restrict__ x, float* sums, int columns) {
  extern __shared__ float parts[];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += x[blockIdx.x * columns + i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}
"""
ORDERS = ["forward", "reverse", "random", 7]


def run(text, *args, block=4, grid=1, **options):
    compile_module(text).launch("k", (grid,), (block,), args, **options)


def kernel(parameters, body):
    return f'extern "C" __global__ void k({parameters}) {{ {body} }}'


def run_sums(text, order):
    x = np.random.RandomState(0).randn(5, 300).astype("f")
    sums = np.empty(5, "f")
    args = [x, sums, 300]
    compile_module(text).launch("row_sums", (5,), (64,), args, shared_mem=256, order=order)
    np.testing.assert_allclose(sums, x.sum(1, dtype="d"), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("order", ORDERS)
def test_correct_kernel_passes(order):
    run_sums(SUMS, order)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("nth", [0, 1])
def test_missing_barrier_is_reported_as_race(order, nth):
    first, second, rest = SUMS.split("__syncthreads();")
    text = f"{first}{second}__syncthreads();{rest}"
    if nth:
        text = f"{first}__syncthreads();{second}{rest}"
    assert text.count("__syncthreads") == 1
    message = "race in dynamic shared memory .* no barrier between|which nobody in its block wrote"
    with pytest.raises(LaunchError, match=message):
        run_sums(text, order)


@pytest.mark.parametrize("order", ORDERS)
def test_divergent_barrier_is_reported(order):
    text = SUMS.replace("  float sum = 0;", "  if (threadIdx.x > 49) return;\n  float sum = 0;")
    with pytest.raises(LaunchError, match=r"divergent barrier .*: 50 threads wait .*, 14 have end"):
        run_sums(text, order)


def test_barriers_on_different_lines_are_reported():
    body = "if (threadIdx.x < 2) {\n__syncthreads();\n} else {\n__syncthreads();\n}"
    with pytest.raises(LaunchError, match="threads wait at lines [24] and [24]"):
        run(kernel("", body))


def test_thread_orders_differ():
    seen = {}
    text = kernel("int* next, int* place", "place[threadIdx.x] = atomicAdd(next, 1);")
    for order in (*ORDERS, 8):
        next_one, positions = np.zeros(1, "i"), np.zeros(64, "i")
        run(text, next_one, positions, block=64, order=order)
        seen[tuple(positions)] = order
        assert sorted(positions) == list(range(64))
    assert len(seen) == 5
    assert seen[tuple(range(64))] == "forward"
    assert seen[tuple(range(63, -1, -1))] == "reverse"


def test_default_order():
    positions = np.zeros(4, "i")
    text = kernel("int* next, int* place", "place[threadIdx.x] = atomicAdd(next, 1);")
    with running_in("reverse"):
        run(text, np.zeros(1, "i"), positions)
    assert positions.tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize(
    "parameters, body, message",
    [
        ("float* a", "a[threadIdx.x + 61] = 0;", "writes 4 bytes 4 bytes past the end of `a`"),
        ("const float* a, float* b", "b[threadIdx.x] = a[(int)threadIdx.x - 1];", "before `a`"),
        ("float* a", "a[0] = threadIdx.x;", "race in `a` at byte 0"),
        ("float* a", "a[blockIdx.x / 2] = 1;", "race in `a` at byte 0: thread 0 of block"),
        ("const float* a", "((float*)a)[threadIdx.x] = 0;", "which is constant"),
        ("float* a", "((float4*)(a + 1))[threadIdx.x].x = 0;", "asks for more alignment"),
        ("float* a", "__shared__ float s[4]; a[threadIdx.x] = s[threadIdx.x];", "nobody in its"),
        ("float* a", "__shared__ float s[3]; s[threadIdx.x] = 0;", "uses index 3, outside"),
        ("float* a", "__shared__ float s[3]; float* p = s; p[threadIdx.x] = 0;", "past the end of"),
        ("float* a", "a[threadIdx.x] = __shfl_sync(1u, a[threadIdx.x], 0);", "not in its own mask"),
        ("float* a", "a[threadIdx.x] = __shfl_down_sync(15u, 1.f, 4);", "lane 4, which takes"),
        (
            "float* a",
            "if (threadIdx.x < 2)\n__syncwarp();\nelse\n__syncwarp();",
            "operations differ",
        ),
        ("float* a", "if (threadIdx.x > 1) return; __shfl_sync(~0u, 1, 3);", "lane 3, which takes"),
        ("float* a", "memset((char*)64, 0, (size_t)a[0] + 1);", r"faults \(signal .*\) at 0x40"),
        (
            "float* a",
            "float big[65536]; memset(big, (int)a[1], sizeof big); a[threadIdx.x] = big[(int)a[threadIdx.x]];",
            "faults .*, -[0-9]+ bytes from the start of its stack",
        ),
    ],
)
@pytest.mark.parametrize("order", ["forward", "reverse", "random"])
def test_invalid_accesses_are_reported(parameters, body, message, order):
    buffer = np.zeros(160, "f")
    start = -buffer.ctypes.data // 4 % 4  # a multiple of 16 bytes
    arrays = [buffer[start : start + 64], buffer[start + 80 : start + 144]]
    grid, block = (2, 1) if "blockIdx" in body else (1, 4)
    text = kernel(parameters, body)
    with pytest.raises(LaunchError, match=message):
        run(text, *arrays[: parameters.count("*")], grid=grid, block=block, order=order)


def test_warp_operations():
    text = kernel(
        "const int* x, int* sum, int* before, unsigned* odd",
        """
        int i = threadIdx.x, total = x[i], left = x[i];
        for (int o = 16; o; o >>= 1) total += __shfl_xor_sync(~0u, total, o);
        for (int o = 1; o < 32; o *= 2) {
          int other = __shfl_up_sync(~0u, left, o);
          if ((i & 31) >= o) left += other;
        }
        sum[i] = total; before[i] = left; odd[i] = __ballot_sync(~0u, x[i] & 1);
        """,
    )
    x = np.random.RandomState(0).randint(0, 100, 64).astype("i")
    rows = x.reshape(2, 32)
    for order in ORDERS:
        total, before, odd = np.empty(64, "i"), np.empty(64, "i"), np.empty(64, "u4")
        run(text, x, total, before, odd, block=64, order=order)
        np.testing.assert_array_equal(total, np.repeat(rows.sum(1), 32))
        np.testing.assert_array_equal(before, np.cumsum(rows, 1).reshape(-1))
        np.testing.assert_array_equal(odd[::32], ((rows & 1) << np.arange(32)).sum(1))


def test_shared_arrays_in_templates():
    text = """
    template <class T> __device__ void turn(T* x) {
      __shared__ T kept[8];
      kept[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = kept[7 - threadIdx.x];
    }
    extern "C" __global__ void k(float* x, double* y) { turn(x); turn(y); }
    """
    x, y = np.arange(8, dtype="f"), np.arange(8, dtype="d")
    run(text, x, y, block=8)
    assert x.tolist() == y.tolist() == list(range(7, -1, -1))


def test_address_tables_refer_to_declared_memory():
    text = kernel("float* const* table, long long n", "table[threadIdx.x][0] += n;")
    arrays = [np.zeros(1, "f") for _ in range(4)]
    table = np.array([a.ctypes.data for a in arrays], np.uint64)
    run(text, table, 3, memory=arrays)
    assert [float(a[0]) for a in arrays] == [3] * 4
    with pytest.raises(LaunchError, match="in no array of this launch|bytes (before|past)"):
        run(text, table, 3, memory=arrays[:3])


@pytest.mark.parametrize(
    "parameters, given, message",
    [
        ("float x", 1.0, "`x` is float32, given float"),
        ("float x", np.float64(1), "`x` is float32, given float64"),
        ("double x", np.float32(1), "`x` is float64, given float32"),
        ("int x", 2**31, "2147483648 does not fit"),
        ("unsigned x", -1, "-1 does not fit"),
        ("int x", np.int64(1), "`x` is int32, given int64"),
        ("int x", 1.0, "`x` is int32, given float"),
        ("float* x", np.zeros(2), "`x` is a pointer to float32, given an array of float64"),
        ("float* x", np.zeros((4, 4), "f")[:, 1], "not in one piece"),
        ("float* x", 1.0, "`x` is a pointer to float32, given float"),
    ],
)
def test_mistyped_arguments_are_rejected(parameters, given, message):
    with pytest.raises(LaunchError, match=message):
        run(kernel(parameters, ""), given)


def test_typed_arguments():
    text = kernel(
        "double* out, bool a, int b, long long c, float d, double e, const void* f, size_t g",
        "if (threadIdx.x) return; out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e;"
        " out[5] = f == 0; out[6] = g;",
    )
    text = "typedef unsigned long long size_t_;" + text.replace("size_t g", "size_t_ g")
    out = np.zeros(7)
    run(text, out, True, 2, 2**40, np.float32(0.5), 0.25, None, np.uint64(7))
    assert out.tolist() == [1, 2, 2.0**40, 0.5, 0.25, 1, 7]


def test_structures_are_passed_by_value():
    text = "struct Pair { long long first[2]; double second; };" + kernel(
        "const __grid_constant__ Pair pair, double* out", "out[0] = pair.first[1] + pair.second;"
    )
    out, kind = np.zeros(1), np.dtype([("first", "i8", 2), ("second", "f8")])
    run(text, np.array([((1, 2), 0.5)], kind), out, block=1)
    assert out[0] == 2.5
    with pytest.raises(LaunchError, match="`pair` is void192, given an array of int64"):
        run(text, np.zeros(1, "i8"), out, block=1)


def test_invalid_launch_sizes_are_rejected():
    text = kernel("", "")
    for grid, block, wrong in (
        ((0,), (1,), r"grid \(0,\); wanted one to three positive sizes"),
        ((1,), (1025,), r"a block of \(1025, 1, 1\) has over 1024 threads"),
        ((1, 65536), (1,), r"a grid of \(1, 65536, 1\) is larger than"),
        ((1,), (1, 1, 65), r"a block of \(1, 1, 65\) has over 1024 threads"),
    ):
        with pytest.raises(LaunchError, match=f"^k: {wrong}"):
            compile_module(text).launch("k", grid, block, [])
    with pytest.raises(LaunchError, match="takes 0 arguments, got 1"):
        run(text, 1)
    with pytest.raises(KeyError, match="^'l'$"):
        compile_module(text).launch("l", (1,), (1,), [])


def test_compile_errors():
    with pytest.raises(CompileError, match="kernels:1:.*expected"):
        compile_module(kernel("", "int x = ;"))
    with pytest.raises(ValueError, match='must be extern "C"'):
        compile_module("__global__ void k() {}")
    with pytest.raises(ValueError, match="one array a line"):
        compile_module(kernel("", "__shared__ float x[3], y[4];"))
    with pytest.raises(ValueError, match="--magic"):
        compile_module(kernel("", ""), ["--magic"])


def test_defines_and_three_dimensional_launch():
    text = kernel(
        "int* x", "x[threadIdx.x + 2 * (threadIdx.y + 3 * (blockIdx.x + 2 * blockIdx.y))] = VALUE;"
    )
    x = np.zeros(24, "i")
    compile_module(text, ("-DVALUE=5", "--std=c++17")).launch("k", (2, 2), (2, 3), [x])
    assert x.tolist() == [5] * 24


def test_large_blocks_require_launch_bounds():
    """Threads may use 255 of a block's 65,536 registers each; larger blocks raise CUDA error 701."""
    body = "x[threadIdx.x] = 1;"
    wide = f'extern "C" __global__ void __launch_bounds__(512) wide(int* x) {{ {body} }}'
    module = compile_module(f"{kernel('int* x', body)} {wide}")
    x = np.zeros(512, "i4")
    module.launch("wide", (1,), (512,), [x])
    assert x.all()
    with pytest.raises(LaunchError, match="over 256 threads.*__launch_bounds__"):
        module.launch("k", (1,), (288,), [x])


@pytest.mark.parametrize("kind, ctype", [("f4", "float"), ("f8", "double")])
def test_denormal_floats_are_flushed(kind, ctype):
    """CuPy compiles with -ftz=true, which flushes float operands and results but not doubles."""
    small = float(np.finfo(kind).smallest_normal)
    x, y = np.array([small, small / 4], kind), np.full(2, -1, kind)
    half = kernel(
        f"const {ctype}* x, {ctype}* y", f"y[threadIdx.x] = x[threadIdx.x] * {ctype}(0.5);"
    )
    run(half, x, y, block=2)
    flushed = kind == "f4"
    assert y.tolist() == ([0, 0] if flushed else [small / 2, small / 8])
    run(kernel(f"const {ctype}* x, {ctype}* y", f"y[0] = x[1] * {ctype}(16);"), x, y, block=1)
    assert y[0] == (0 if flushed else 4 * small)
    assert x[1] * 2 == small / 2  # unchanged here


def test_emptied_caches_keep_scheduler():
    text = kernel("float* a", "__syncthreads(); a[threadIdx.x] += 1;")
    a = np.zeros(4, "f")
    run(text, a, block=4)
    before = module._scheduler()
    isolation._empty_caches()
    run(text, a, block=4)
    assert module._scheduler() is before
    assert a.tolist() == [2] * 4


def test_concurrently_deleted_cache_files(tmp_path):
    (tmp_path / "vanished").symlink_to(tmp_path / "nowhere")
    old = tmp_path / "old"
    old.touch()
    os.utime(old, (0, 0))
    assert module._emptied_of_old_files(tmp_path) == tmp_path
    assert not old.exists()
