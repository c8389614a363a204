"""Measures the assumptions of tfmini's GPU design: this machine's GPU and CuPy.

    python -m ci.commands.benchmarks.probe              all sections: two or three minutes
    python -m ci.commands.benchmarks.probe calls graph  only these

A failing section prints its error, and the next one runs. `ci/bench gpu` stores the output.
"""

import argparse
import ctypes
import sys
import time
import traceback
from pathlib import Path

import numpy as np

from ci.commands.benchmarks.timing import host_and_wall

SECTIONS = {}


def section(function):
    SECTIONS[function.__name__] = function
    return function


def say(name, value):
    print(f"  {name:34} {value}", flush=True)


def microseconds(step, synchronize, seconds=0.5):
    measured = host_and_wall(step, synchronize, seconds)
    return f"host {measured['host'] * 1e6:8.2f} us, wall {measured['wall'] * 1e6:8.2f} us"


def outcome(function):
    """The outcome of a call: "works", or the error that it raises."""
    try:
        function()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:90]}"
    return "works"


def new_stream():
    import cupy

    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    return stream


def cublas(stream):
    """tfmini's own handle on a stream, and its workspace."""
    import cupy

    from tfmini._src.devices.cuda.cublas import Cublas, open_cublas
    from tfmini._src.devices.cuda.libraries import cuda_major

    workspace = cupy.empty(Cublas.WORKSPACE_BYTES, "u1")
    return Cublas(open_cublas(cuda_major(cupy)), stream.ptr, workspace.data.ptr), workspace


@section
def loading():
    """Libraries loaded by `import cupy` and the first calls, and memory according to NVML."""
    begin = time.perf_counter()
    import cupy

    say("import cupy", f"{time.perf_counter() - begin:.3f} s")
    loaded = "libcuda.so" in Path("/proc/self/maps").read_text()
    say("libcuda loaded by the import", loaded)
    runtime = cupy.cuda.runtime
    say("driver, runtime", f"{runtime.driverGetVersion()}, {runtime.runtimeGetVersion()}")
    facts = runtime.getDeviceProperties(0)
    say("card", f"{facts['name'].decode()}, {facts['multiProcessorCount']} multiprocessors")
    import pynvml

    pynvml.nvmlInit()
    card = pynvml.nvmlDeviceGetHandleByPciBusId(cupy.cuda.Device(0).pci_bus_id)

    def used_memory():
        return f"{pynvml.nvmlDeviceGetMemoryInfo(card).used >> 20} MiB"

    say("used before the first array", used_memory())
    cupy.zeros(1)
    say("used after the first array", used_memory())
    square = cupy.ones((8, 8))
    square @ square
    say("used after CuPy's first product", used_memory())
    from cuda import pathfinder

    for name in ("cublas", "nvrtc", "nccl", "cudnn"):
        try:
            say(f"lib{name}", pathfinder.load_nvidia_dynamic_lib(name).abs_path)
        except RuntimeError as error:
            say(f"lib{name}", type(error).__name__)


@section
def calls():
    """Host time per call: arrays of 128 x 128 floats, for which GPU time is negligible."""
    import cupy
    import cupyx

    stream = new_stream()
    a, b, out = (cupy.ones((128, 128), "f") for _ in range(3))
    on_host, pinned = np.ones((128, 128), "f"), cupyx.empty_pinned((128, 128), "f")
    positions = cupy.zeros(4, "i")
    code = """extern "C" __global__ void axpy(const float* x, const float* y, float* z, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) z[i] = x[i] * y[i] + x[i];
    }"""
    raw = cupy.RawModule(code=code).get_function("axpy")
    arguments = (a, b, out, np.int32(a.size))
    elementwise = cupy.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x * y + x")
    blas, workspace = cublas(stream)
    event = cupy.cuda.Event(disable_timing=True)
    pool = cupy.cuda.MemoryPool()

    def from_own_pool():
        with cupy.cuda.using_allocator(pool.malloc):
            cupy.empty(8, "f")

    def event_and_wait():
        event.record(stream)
        stream.wait_event(event)

    measured = {
        "empty": lambda: cupy.empty((128, 128), "f"),
        "empty from a pool of one's own": from_own_pool,
        "a + b": lambda: a + b,
        "add(a, b, out)": lambda: cupy.add(a, b, out),
        "a * 2.0": lambda: a * 2.0,
        "ElementwiseKernel into out": lambda: elementwise(a, b, out),
        "RawKernel": lambda: raw((64,), (256,), arguments),
        "the driver's function of it": lambda: raw.kernel((64,), (256,), arguments),
        "matmul(out=)": lambda: cupy.matmul(a, b, out=out),
        "cuBLAS by ctypes": lambda: blas.product(a, b, False, False, out),
        "a.sum()": lambda: a.sum(),
        "a.sum(axis=0)": lambda: a.sum(axis=0),
        "a.argmax(axis=1)": lambda: a.argmax(axis=1),
        "a.reshape": lambda: a.reshape(-1),
        "a[1:]": lambda: a[1:],
        "a.take": lambda: a.take(positions, 0),
        "asarray of numpy's": lambda: cupy.asarray(on_host),
        "set from pinned memory": lambda: out.set(pinned),
        "record an event and wait for it": event_and_wait,
        "Device context": lambda: cupy.cuda.Device(0).__enter__().__exit__(None, None, None),
        "get, a round trip": lambda: a.get(),
    }
    for name, call in measured.items():
        try:
            say(name, microseconds(call, stream.synchronize, 0.25))
        except Exception as error:
            say(name, f"{type(error).__name__}: {error}")
    del workspace


@section
def bandwidth():
    """Copies on the GPU, and between it and the host."""
    import cupy
    import cupyx

    stream = new_stream()
    size = 256 << 20
    here, there, other = (
        cupyx.empty_pinned(size, "u1"),
        cupy.empty(size, "u1"),
        cupy.ones(size, "u1"),
    )
    pageable = np.ones(size, "u1")
    measured = {
        "on the GPU, read and written": (
            2,
            lambda: there.data.copy_from_device_async(other.data, size, stream),
        ),
        "pinned memory to the GPU": (
            1,
            lambda: there.data.copy_from_host_async(here.ctypes.data, size, stream),
        ),
        "the GPU to pinned memory": (
            1,
            lambda: there.data.copy_to_host_async(here.ctypes.data, size, stream),
        ),
        "pageable memory to the GPU": (
            1,
            lambda: there.data.copy_from_host(pageable.ctypes.data, size),
        ),
        "pageable memory to pinned": (1, lambda: np.copyto(here, pageable)),
    }
    for name, (times, step) in measured.items():
        seconds = host_and_wall(step, stream.synchronize)["wall"]
        say(name, f"{times * size / seconds / 1e9:8.1f} GB/s")


@section
def graph():
    """Twenty small launches: one by one, and as a CUDA graph."""
    import cupy

    stream = new_stream()
    a, b, out = (cupy.ones((128, 128), "f") for _ in range(3))
    blas, workspace = cublas(stream)

    def step():
        for _ in range(10):
            cupy.add(a, b, out)
            blas.product(a, b, False, False, out)

    step()
    say("one by one", microseconds(step, stream.synchronize))
    stream.begin_capture()
    step()
    captured = stream.end_capture()
    say("captured", microseconds(lambda: captured.launch(stream), stream.synchronize))
    del workspace


@section
def capture():
    """Calls that a graph can capture, and calls that fail in a capture."""
    import cupy
    import cupyx

    a, positions = cupy.ones((64, 64), "f"), cupy.zeros(4, "i")
    on_host = np.ones(4, "f")
    tried = {
        "a @ a": lambda: a @ a,
        "sum": lambda: a.sum(),
        "argmax": lambda: a.argmax(1),
        "take": lambda: a.take(positions, 0),
        "a[places]": lambda: a[positions],
        "a[a > 0]": lambda: a[a > 0],
        "where of three": lambda: cupy.where(a > 0, a, 0),
        "random": lambda: cupy.random.random(4),
        "asarray of numpy's": lambda: cupy.asarray(on_host),
        "concatenate": lambda: cupy.concatenate([a, a]),
        "sort": lambda: cupy.sort(a, 1),
        "cumsum": lambda: cupy.cumsum(a),
        "scatter_add": lambda: cupyx.scatter_add(a, positions, 1.0),
        "bincount": lambda: cupy.bincount(positions, minlength=4),
        "zeros": lambda: cupy.zeros(3),
        "transposed copy": lambda: a.T.copy(),
    }
    for name, call in tried.items():
        outcome(call)  # first calls compile and allocate
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            said = outcome(call)
            ended = outcome(stream.end_capture)
        say(name, said if ended == "works" else f"{said}; at the end {ended}")


@section
def memory():
    """A pool with a limit: its error when full, and the gain of reserving up front."""
    import cupy

    pool = cupy.cuda.MemoryPool()
    pool.set_limit(size=64 << 20)
    stream = new_stream()
    with cupy.cuda.using_allocator(pool.malloc):
        say("100 MiB of 64", outcome(lambda: cupy.empty(100 << 20, "u1")))
        pool.malloc(64 << 20)
        say("after 64 MiB were freed", f"{pool.total_bytes() >> 20} MiB kept")
        arrays = [cupy.empty(1 << 20, "u1") for _ in range(60)]
        say("60 parts of it", f"{pool.total_bytes() >> 20} MiB in all, {len(arrays)} arrays")
        with cupy.cuda.Stream(non_blocking=True):
            say("8 MiB on another stream", outcome(lambda: cupy.empty(8 << 20, "u1")))
    stream.synchronize()


@section
def convolution():
    """Whether cuDNN is installed and usable for convolutions."""
    from cuda import pathfinder

    library = ctypes.CDLL(pathfinder.load_nvidia_dynamic_lib("cudnn").abs_path)
    library.cudnnGetVersion.restype = ctypes.c_size_t
    handle = ctypes.c_void_p()
    say("cuDNN", library.cudnnGetVersion())
    say("status of cudnnCreate", library.cudnnCreate(ctypes.byref(handle)))


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sections", nargs="*", help=f"of: {', '.join(SECTIONS)}")
    sections = parser.parse_args().sections or list(SECTIONS)
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    failed = 0
    for name in sections:
        print(f"{name}: {SECTIONS[name].__doc__}", flush=True)
        try:
            SECTIONS[name]()
        except Exception:
            traceback.print_exc(limit=3, file=sys.stdout)  # other sections may still work
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
