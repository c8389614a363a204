"""Each call returns the same with CUDA on the CPU, on the strict CuPy emulator, and on a GPU."""

import numpy as np
import pytest

from tests.kernels import calls
from tests.kernels.device import xp
from tests.support import fake_cupy


@pytest.mark.parametrize("name", calls.CALLS)
def test_results_on_emulator(name):
    """On the second device, whose arrays the first may not access."""
    call = calls.CALLS[name]
    expected = calls.results(call, xp)
    with fake_cupy.install(devices=2):
        cupy = fake_cupy.MODULES["cupy"]
        with cupy.cuda.Device(1):
            actual = calls.results(call, cupy)
    calls.assert_same(call, actual, expected)


@pytest.mark.gpu
@pytest.mark.parametrize("name", calls.CALLS)
def test_results_on_gpu(name):
    cupy = pytest.importorskip("cupy")
    call = calls.CALLS[name]
    calls.assert_same(call, calls.results(call, cupy), calls.results(call, xp))


@pytest.mark.gpu
def test_replayed_launch_redraws_and_updates():
    """Scalars and random stream positions are read from the device at each replay."""
    cupy = pytest.importorskip("cupy")
    from tfmini._src.devices.cuda import optimizers, random_numbers  # noqa: PLC0415

    var, gradient, rate = (cupy.asarray(np.array(v, "f")) for v in ([1, 2], [1, 1], 0.5))
    moved = cupy.zeros(1, cupy.uint64)
    cupy.cuda.get_current_stream().synchronize()

    def step():
        optimizers.update(cupy, "gradient_descent", [(var, gradient)], [rate])
        numbers = random_numbers.uniform(cupy, calls.STREAM, 8, "float32", moved)
        random_numbers.move_on(cupy, moved, 256 * 8)
        return numbers

    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        step()
        moved.fill(0)
        stream.begin_capture()
        numbers = step()
        graph = stream.end_capture()
        drawn = []
        for _ in range(2):
            graph.launch()
            drawn.append(numbers.get())
        rate.fill(0)
        graph.launch()
    stream.synchronize()
    np.testing.assert_array_equal(var.get(), [-0.5, 0.5])
    expected = random_numbers.uniform(xp, calls.STREAM.skip(256 * 8), 8, "float32")
    np.testing.assert_array_equal(drawn[1], expected)
