"""Kernels from source: arguments, memory accesses, streams, and graphs."""

import numpy as np
import pytest

from tests.support import cuda_on_cpu, fake_cupy

pytestmark = pytest.mark.skipif(not cuda_on_cpu.available(), reason="no g++ here")

SOURCE = """
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
extern "C" __global__ void fill_rows(const long long* table, int n) {
  float* row = (float*)table[blockIdx.x];
  if (threadIdx.x < n) row[threadIdx.x] = blockIdx.x;
}
struct Rows { long long address[2]; };
extern "C" __global__ void fill_both(const __grid_constant__ Rows rows) {
  ((float*)rows.address[blockIdx.x])[threadIdx.x] = 7;
}
extern "C" __global__ void copy_first(const __grid_constant__ Rows rows) {
  ((float*)rows.address[1])[threadIdx.x] = ((const float*)rows.address[0])[threadIdx.x] + 2;
}
extern "C" __global__ void shared(float* y) {
  extern __shared__ float held[];
  held[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = held[blockDim.x - 1 - threadIdx.x];
}
"""


@pytest.fixture
def module(cp):
    return cp.RawModule(code=SOURCE, options=("-std=c++17",), backend="nvrtc")


def test_kernel_accesses_array_memory(module, machine, cp):
    x, y = cp.arange(5, dtype="f"), cp.zeros(5, "f")
    module.get_function("scale")((1,), (32,), (x, y, np.float32(3), np.int32(5)))
    np.testing.assert_array_equal(y.get(), np.arange(5) * 3)
    assert machine.counters.launch_names["scale"] == 1


def test_raw_kernel(cp):
    y = cp.zeros(8, "f")
    cp.RawKernel(SOURCE, "shared")((1,), (8,), (y,), shared_mem=32)
    np.testing.assert_array_equal(y.get(), np.arange(8)[::-1])


def test_address_table(module, cp):
    rows = [cp.zeros(4, "f") for _ in range(3)]
    table = cp.asarray(np.array([row.data.ptr for row in rows], np.int64))
    module.get_function("fill_rows")((3,), (4,), (table, np.int32(4)))
    assert [row.get().tolist() for row in rows] == [[0] * 4, [1] * 4, [2] * 4]


def test_address_table_targets_are_written(module, machine, cp):
    row = cp.ones(4, "f")
    table = cp.asarray(np.array([row.data.ptr], np.int64))
    cp.cuda.Device().synchronize()
    module.get_function("fill_rows")((1,), (4,), (table, np.int32(4)))
    with cp.cuda.Stream(non_blocking=True):
        with machine.expected(fake_cupy.RaceError, "fill_rows"):
            row + 1


def test_concurrent_reads_through_address_table(module, machine, cp):
    rows = [cp.ones(4, "f") for _ in range(2)]
    table = np.zeros(1, [("address", "i8", 2)])
    table["address"][0] = [row.data.ptr for row in rows]
    cp.cuda.Device().synchronize()
    with cp.cuda.Stream(non_blocking=True):
        read = rows[0] + 1
    module.get_function("copy_first")((1,), (4,), (table,))
    assert [row.get().tolist() for row in rows] == [[1] * 4, [3] * 4]
    with cp.cuda.Stream(non_blocking=True), machine.expected(fake_cupy.RaceError):
        read += rows[1]


def test_address_structure_by_value(module, machine, cp):
    rows = [cp.zeros(4, "f") for _ in range(2)]
    cp.cuda.Device().synchronize()
    table = np.zeros(1, [("address", "i8", 2)])
    table["address"][0] = [row.data.ptr for row in rows]
    module.get_function("fill_both")((2,), (4,), (table,))
    table["address"] = 0  # ownership has been transferred
    assert [row.get().tolist() for row in rows] == [[7] * 4] * 2
    rows[0].fill(1)
    with cp.cuda.Stream(non_blocking=True), machine.expected(fake_cupy.RaceError):
        rows[0] + 1


def test_const_pointers_are_reads(module, machine, cp):
    x, y, z = cp.ones(4, "f"), cp.empty(4, "f"), cp.empty(4, "f")
    scale = module.get_function("scale")
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
    cp.cuda.Device().synchronize()
    for stream, target in zip(streams, (y, z)):
        with stream:
            scale((1,), (4,), (x, target, np.float32(2), np.int32(4)))
    with streams[1], machine.expected(fake_cupy.RaceError, "scale"):
        scale((1,), (4,), (x, y, np.float32(2), np.int32(4)))


def test_explicit_stream(module, machine, cp):
    x, y = cp.ones(4, "f"), cp.zeros(4, "f")
    stream = cp.cuda.Stream(non_blocking=True)
    with machine.expected(fake_cupy.RaceError):
        module.get_function("scale")((1,), (4,), (x, y, np.float32(2), np.int32(4)), stream=stream)


def test_arrays_of_other_device_or_host_are_rejected(module, machine, cp):
    x, y = cp.ones(4, "f"), cp.zeros(4, "f")
    scale = module.get_function("scale")
    with cp.cuda.Device(1), machine.expected(fake_cupy.CrossDeviceError):
        scale((1,), (4,), (x, y, np.float32(2), np.int32(4)))
    with pytest.raises(TypeError, match=r"numpy.ndarray of shape \(4,\)"):
        scale((1,), (4,), (np.ones(4, "f"), y, np.float32(2), np.int32(4)))


def test_mistyped_arguments_are_rejected(module, cp):
    x, y = cp.ones(4, "f"), cp.zeros(4, "f")
    scale = module.get_function("scale")
    with pytest.raises(cuda_on_cpu.LaunchError, match="factor"):
        scale((1,), (4,), (x, y, 2.0, np.int32(4)))
    with pytest.raises(
        cuda_on_cpu.LaunchError, match="`x` is a pointer to float32, given an array of float64"
    ):
        scale((1,), (4,), (x.astype("d"), y, np.float32(2), np.int32(4)))


def test_compile_error(cp):
    module = cp.RawModule(code='extern "C" __global__ void broken(float* x) { x[0] = nothing; }')
    with pytest.raises(cp.cuda.compiler.CompileException, match="nothing"):
        module.get_function("broken")


def test_missing_kernel(module, cp):
    with pytest.raises(cp.cuda.driver.CUDADriverError, match="named symbol not found"):
        module.get_function("nothing")


def test_large_shared_memory_requires_opt_in(module, cp):
    kernel = module.get_function("shared")
    y = cp.zeros(8, "f")
    with pytest.raises(cp.cuda.driver.CUDADriverError, match="CUDA_ERROR_INVALID_VALUE"):
        kernel((1,), (8,), (y,), shared_mem=50000)
    kernel.max_dynamic_shared_size_bytes = 50000
    kernel((1,), (8,), (y,), shared_mem=50000)


def test_captured_kernel(module, cp):
    x, y = cp.ones(4, "f"), cp.zeros(4, "f")
    stream = cp.cuda.Stream(non_blocking=True)
    cp.cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        module.get_function("scale")((1,), (4,), (x, y, np.float32(2), np.int32(4)))
        graph = stream.end_capture()
        assert y.get().tolist() == [0] * 4
        x[...] = 5
        graph.launch()
        assert y.get().tolist() == [10] * 4
