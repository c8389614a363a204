"""Checks of `python -m tfmini devices --test` for each GPU: compilation, copies, products, captured steps.

A failed check is shown in the table, and the remaining checks still run. Measurements are rough: the test takes about a
minute, and its output belongs in bug reports.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import tfmini as tf
from tfmini._src.devices.cuda import kernel_sources
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.process_gpus import session_gpus

_COPIED_BYTES = 64 << 20  # array size in bytes for timed copies, if memory allows
_COPIES_PER_CALL = 16  # copies on the GPU per timed call: one takes less time than its launch
_SIZES = {"float32": 4096, "float16": 8192}
_MATRIX_SIZE = 96
_STEPS = 8


@dataclass(frozen=True)
class Check:
    """One check, a row of the table."""

    device: str
    name: str
    passed: bool
    result: str


def checks() -> Iterator[Check]:
    """Runs and yields all checks of each of this machine's GPUs; none without GPUs."""
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    for gpu in session_gpus(config, "").values():
        for check in (_kernels, _copies, _products, _replays):
            try:
                passed, result = True, check(gpu)
            except Exception as error:
                passed, result = False, f"{type(error).__name__}: {error}".splitlines()[0]
            yield Check(gpu.name, check.__name__.strip("_"), passed, result)


def as_table(checks: list[Check]) -> str:
    """Returns the checks as a table."""
    lines = [
        f"{c.device:8} {c.name:10} {'ok' if c.passed else 'FAILED':7} {c.result}" for c in checks
    ]
    return "\n".join(lines or ["Nothing tested: no GPU found."])


def as_records(checks: list[Check]) -> list[dict[str, Any]]:
    """Returns the checks as records, for JSON."""
    return [asdict(check) for check in checks]


def _kernels(gpu: LogicalGpu) -> str:
    """Compiles all kernels, filling CuPy's cache for later processes."""
    begin = time.perf_counter()
    with ActiveGpus([gpu]):
        kernels = kernel_sources.compile_all(gpu.xp, gpu.ordinal)
    return f"{len(kernels)} kernels compiled, or found, in {time.perf_counter() - begin:.1f} s"


def _copies(gpu: LogicalGpu) -> str:
    """Times copies to, on and from the GPU, and verifies the results."""
    size = min(_COPIED_BYTES, gpu.limit_bytes // 8)
    value = np.random.RandomState(0).randint(0, 255, size, dtype=np.uint8)
    with ActiveGpus([gpu]):
        array = gpu.upload(value)

        target = gpu.xp.empty_like(array)

        def on_it() -> None:
            for _ in range(_COPIES_PER_CALL):
                target.data.copy_from_device_async(array.data, size, gpu.compute)

        rates = {
            "to it": _seconds(gpu, lambda: gpu.upload(value)),
            "on it": _seconds(gpu, on_it) / (2 * _COPIES_PER_CALL),  # read plus written
            "back": _seconds(gpu, lambda: gpu.receive(gpu.send(array))),
        }
        if not np.array_equal(gpu.receive(gpu.send(array.copy())), value):
            raise ValueError("copied data differ from the original")
    return ", ".join(f"{way} {size / 1e9 / seconds:.1f} GB/s" for way, seconds in rates.items())


def _products(gpu: LogicalGpu) -> str:
    """Times matrix products, and verifies one against numpy."""
    reports = []
    for dtype, side in _SIZES.items():
        a, b = (
            np.random.RandomState(n).rand(_MATRIX_SIZE, _MATRIX_SIZE).astype(dtype) for n in (0, 1)
        )
        with ActiveGpus([gpu]):
            received = gpu.receive(
                gpu.send(gpu.products.multiply(gpu.upload(a), gpu.upload(b), False, True))
            )
            want = (a.astype("f") @ b.astype("f").T).astype(dtype)
            np.testing.assert_allclose(received, want, rtol=1e-2 if dtype == "float16" else 1e-4)
            large = gpu.xp.ones((side, side), dtype)
            seconds = _seconds(
                gpu, functools.partial(gpu.products.multiply, large, large, False, False)
            )
        reports.append(f"{dtype} {side} {2 * side**3 / seconds / 1e12:.2f} Tflop/s")
    return ", ".join(reports)


def _replays(gpu: LogicalGpu) -> str:
    """Trains with and without captured steps, and compares the losses bit for bit."""
    cached = os.environ.get("TFMINI_CUDA_GRAPHS")
    losses, seconds = {}, {}
    try:
        for graphs in ("0", "1"):
            os.environ["TFMINI_CUDA_GRAPHS"] = graphs
            losses[graphs], seconds[graphs] = _train(gpu.name)
    finally:
        os.environ.pop("TFMINI_CUDA_GRAPHS")
        if cached is not None:
            os.environ["TFMINI_CUDA_GRAPHS"] = cached
    if losses["0"] != losses["1"]:
        raise ValueError(f"losses differ: {losses['1']} in captured steps, {losses['0']} in others")
    return f"a captured step {1e6 * seconds['1']:.0f} us, another {1e6 * seconds['0']:.0f} us, the same losses"


def _train(device: str) -> tuple[list[str], float]:
    """Returns the exact losses of a few training steps on a GPU, and the duration of the last step."""
    with tf.Graph().as_default(), tf.device(f"/device:{device}"):
        tf.set_random_seed(3)
        x = tf.constant(np.random.RandomState(0).rand(32, 20), tf.float32)
        hidden = x
        for index, units in enumerate((24, 16)):
            weights = tf.get_variable(f"weights_{index}", [hidden.shape[1], units])
            hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(hidden, weights)), rate=0.1)
        loss = tf.reduce_mean(tf.nn.softmax(hidden)[:, 0])
        step = tf.train.AdamOptimizer(0.01).minimize(loss)
        losses = []
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            session.run(tf.global_variables_initializer())
            for _ in range(_STEPS):
                begin = time.perf_counter()
                losses.append(float(session.run([loss, step])[0]).hex())
            return losses, time.perf_counter() - begin


def _seconds(gpu: LogicalGpu, work: Callable[[], Any]) -> float:
    """Returns the shortest time of several synchronized calls."""
    times = []
    for _ in range(5):
        gpu.compute.synchronize()
        begin = time.perf_counter()
        result = work()
        gpu.compute.synchronize()
        times.append(time.perf_counter() - begin)
        del result
    return max(min(times), 1e-9)
