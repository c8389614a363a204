"""Stream capture: recorded work, rejected calls, and launches."""

import contextlib
import gc
import threading

import numpy as np
import pytest

from tests.support import fake_cupy


@pytest.fixture
def stream(cp):
    return cp.cuda.Stream(non_blocking=True)


@pytest.fixture
def x(cp, stream):
    result = cp.arange(4, dtype="f")
    cp.cuda.Device().synchronize()
    return result


class Block:
    """A graph's memory, which frees return to the graph during capture."""

    def __init__(self, cp, size=1 << 14):
        self.memory = cp.cuda.alloc(size)
        self.taken = 0

    def allocate(self, size):
        pointer = self.memory + self.taken
        self.taken += -(-size // 512) * 512
        return pointer


def capture(stream, function, cp=None):
    """Captures a function; returns the graph and the function's result. With `cp`, it allocates from a block of its
    own.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(stream)
        if cp is not None:
            block = Block(cp)
            stack.enter_context(cp.cuda.using_allocator(block.allocate))
        stream.begin_capture()
        result = function()
        return stream.end_capture(), result


def test_graph_runs_only_when_launched(x, stream, cp):
    graph, y = capture(stream, lambda: cp.exp(x) + 1, cp)
    with stream:
        x[...] = 0
        for _ in range(2):
            graph.launch()
            assert y.get().tolist() == [2] * 4
        x[...] = 1
        graph.launch(stream)
        np.testing.assert_allclose(y.get(), np.e + 1, rtol=1e-6)


def test_in_place_work_runs_at_each_launch(x, stream, cp):
    def step():
        nonlocal x
        x += 1
        cp.multiply(x, 2, out=x)
        x[0] = 9
        x[1:2] = x[0]

    graph, _ = capture(stream, step)
    with stream:
        assert x.get().tolist() == [0, 1, 2, 3]
        graph.launch()
        assert x.get().tolist() == [9, 9, 6, 8]
        graph.launch()
        assert x.get().tolist() == [9, 9, 14, 18]


def test_captured_views_and_multiple_results(x, stream, cp):
    def step():
        top = x.reshape(2, 2)[1]
        whole, part = cp.modf(top + 0.5)
        return top, whole, part

    graph, (top, whole, part) = capture(stream, step, cp)
    with stream:
        graph.launch()
        assert top.get().tolist() == [2, 3]
        assert whole.get().tolist() == [0.5, 0.5]
        assert part.get().tolist() == [2, 3]


def test_results_require_launch(x, stream, machine, cp):
    graph, y = capture(stream, lambda: x + 1)
    with stream:
        with machine.expected(fake_cupy.NotLaunchedError):
            y + 1
        with machine.expected(fake_cupy.NotLaunchedError):
            y.get()
        graph.launch()
        y + 1


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, x: x.get(),
        lambda cp, x: float(x[0]),
        lambda cp, x: cp.nonzero(x),
        lambda cp, x: x[x > 1],
        lambda cp, x: cp.asarray(np.ones(3)),
        lambda cp, x: cp.cuda.get_current_stream().synchronize(),
        lambda cp, x: cp.cuda.Device().synchronize(),
        lambda cp, x: cp.cuda.alloc_pinned_memory(8),
    ],
)
def test_synchronization_during_capture_is_rejected(x, stream, cp, use):
    with stream:
        stream.begin_capture()
        with pytest.raises(RuntimeError, match="capturing"):
            use(cp, x)
        try:
            stream.end_capture()
        except cp.cuda.runtime.CUDARuntimeError as error:
            assert error.status == 901


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, a: cp.matmul(a, a),
        lambda cp, a: a @ a,
        lambda cp, a: cp.einsum("ij,jk->ik", a, a),
        lambda cp, a: cp.dot(a, a),
        lambda cp, a: cp.linalg.inv(a),
        lambda cp, a: cp.fft.fft(a),
        lambda cp, a: cp.random.rand(3),
    ],
)
def test_library_calls_during_capture_are_rejected(stream, cp, use):
    a = cp.eye(2)
    cp.cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        with pytest.raises(
            NotImplementedError, match="library while a stream is capturing is not supported"
        ):
            use(cp, a)
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="Invalidated"):
            stream.end_capture()
        use(cp, a)


def test_null_stream_cannot_capture(cp):
    with pytest.raises(RuntimeError, match="legacy"):
        cp.cuda.Stream.null.begin_capture()


def test_streams_fork_and_join(x, stream, machine, cp):
    side = cp.cuda.Stream(non_blocking=True)

    def step():
        side.wait_event(stream.record())
        with side:
            a = x + 1
        b = x * 2
        stream.wait_event(side.record())
        return a + b

    graph, y = capture(stream, step, cp)
    assert not side.is_capturing()
    with stream:
        graph.launch()
        assert y.get().tolist() == [1, 4, 7, 10]


def test_unjoined_fork_is_rejected(x, stream, cp):
    side = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        side.wait_event(stream.record())
        with side:
            x + 1
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="Unjoined"):
            stream.end_capture()


def test_race_inside_graph_is_reported(x, stream, machine, cp):
    side = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        side.wait_event(stream.record())
        with side:
            x.fill(1)
        with machine.expected(fake_cupy.RaceError):
            x.fill(2)


def test_race_with_graph_is_reported(x, stream, machine, cp):
    graph, _ = capture(stream, lambda: x.fill(1))
    other = cp.cuda.Stream(non_blocking=True)
    graph.launch(stream)
    with other, machine.expected(fake_cupy.RaceError, "in a graph"):
        x + 1
    other.wait_event(stream.record())
    with other:
        x + 1
    with machine.expected(fake_cupy.RaceError):
        graph.launch(stream)


def test_uncaptured_event_is_rejected(x, stream, cp):
    event = cp.cuda.Stream.null.record()
    with stream:
        stream.begin_capture()
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="Isolation"):
            stream.wait_event(event)


def test_memory_freed_before_launch_is_reported(x, stream, machine, cp):
    graph, y = capture(stream, lambda: (x + 1) * 2)  # the sum is returned immediately
    with stream, machine.expected(fake_cupy.UseAfterFreeError, "launched after memory"):
        graph.launch()
    del y


def test_retained_memory_survives_launch(x, stream, cp):
    graph, y = capture(stream, lambda: (x + 1) * 2, cp)
    with stream:
        graph.launch()
        assert y.get().tolist() == [2, 4, 6, 8]


def test_pinned_copies_run_at_each_launch(stream, cupyx, cp):
    runtime = cp.cuda.runtime
    source, target = cupyx.empty_pinned(4, "f"), cupyx.empty_pinned(4, "f")
    array = cp.empty(4, "f")
    kinds = runtime.memcpyHostToDevice, runtime.memcpyDeviceToHost

    def step():
        runtime.memcpyAsync(array.data.ptr, source.ctypes.data, 16, kinds[0], stream.ptr)
        cp.multiply(array, 2, out=array)
        runtime.memcpyAsync(target.ctypes.data, array.data.ptr, 16, kinds[1], stream.ptr)

    graph, _ = capture(stream, step)
    for value in (1, 2):
        source[...] = value
        graph.launch(stream)
        assert np.isnan(target).all()
        stream.synchronize()
        assert target.tolist() == [2 * value] * 4


def test_pageable_memory_cannot_be_captured(stream, cp):
    host, array = np.ones(4, "f"), cp.empty(4, "f")
    with stream:
        stream.begin_capture()
        with pytest.raises(RuntimeError, match="capturing"):
            cp.cuda.runtime.memcpyAsync(array.data.ptr, host.ctypes.data, 16, 1, stream.ptr)


def test_launch_of_other_thread_enters_capture(x, stream, machine):
    def launch():
        with stream:
            with machine.expected(fake_cupy.RaceError, "slips"):
                x.fill(1)

    with stream:
        stream.begin_capture()
        thread = threading.Thread(target=launch)
        thread.start()
        thread.join()
        stream.end_capture()


def test_host_functions_run_at_each_launch(x, stream):
    calls = []

    def step():
        x.fill(1)
        stream.launch_host_func(calls.append, "now")

    graph, _ = capture(stream, step)
    assert calls == []
    graph.launch(stream)
    graph.launch(stream)
    stream.synchronize()
    assert calls == ["now", "now"]


def test_graph_belongs_to_its_device(x, stream, cp):
    graph, _ = capture(stream, lambda: x.fill(1))
    with cp.cuda.Device(1):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="InvalidResourceHandle"):
            graph.launch()


def test_concurrent_captures(x, stream, cp):
    other = cp.cuda.Stream(non_blocking=True)
    y = cp.zeros(4, "f")
    cp.cuda.Device().synchronize()
    stream.begin_capture()
    other.begin_capture()
    with stream:
        x += 1
    with other:
        y += 2
    first, second = stream.end_capture(), other.end_capture()
    first.launch(stream)
    second.launch(other)
    with stream:
        assert x.get().tolist() == [1, 2, 3, 4]
    with other:
        assert y.get().tolist() == [2] * 4


def test_other_streams_run_during_capture(x, stream, cp):
    other = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        with other:
            assert (cp.ones(3) + 1).get().tolist() == [2] * 3
        with pytest.raises(RuntimeError, match="Device.synchronize"), other:
            cp.cuda.Device().synchronize()


def test_null_stream_invalidates_blocking_capture(x, cp):
    blocking = cp.cuda.Stream()
    with blocking:
        blocking.begin_capture()
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="Implicit"):
        x + 1


def test_graph_constructor_is_private(cp):
    with pytest.raises(NotImplementedError, match="cannot be initiated"):
        cp.cuda.Graph()


def test_concatenating_nine_arrays_is_not_capturable(stream, cp):
    """cupy/_core/_routines_manipulation.pyx, _concatenate_single_kernel: copies an address table to the device."""
    arrays = [cp.ones((2, n % 2 + 1), "f") for n in range(9)]
    with stream:
        stream.begin_capture()
        cp.concatenate(arrays[:8], 1)
        for join in (lambda: cp.concatenate(arrays, 1), lambda: cp.stack([arrays[0]] * 9)):
            with pytest.raises(RuntimeError, match="capturing, so H2D transfers"):
                join()
        stream.end_capture()


def test_concatenate_launches_and_copies(cp, machine):
    arrays = [cp.ones(4, "f") for _ in range(9)]
    machine.counters.reset()
    cp.concatenate(arrays[:8])
    assert (machine.counters.launches, machine.counters.copies["h2d"]) == (8, 0)
    cp.stack(arrays)
    assert (machine.counters.launches, machine.counters.copies["h2d"]) == (9, 1)


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, x: cp.repeat(x, [1, 2, 0, 1]),  # cupy/_core/_routines_manipulation.pyx, _repeat
        lambda cp, x: cp.take(x, [0, 1]),  # cupy/_core/_routines_indexing.pyx, _take
    ],
)
def test_list_arguments_are_not_capturable(stream, cp, use):
    x = cp.arange(4, dtype="f")
    cp.cuda.Device().synchronize()
    with stream:
        use(cp, x)
        stream.begin_capture()
        with pytest.raises(RuntimeError, match="capturing"):
            use(cp, x)
        with contextlib.suppress(cp.cuda.runtime.CUDARuntimeError):
            stream.end_capture()


def test_scalars_are_captured(x, stream, cp):
    """cupy/_core/core.pyx, _array_default: scalars are filled in, which a capture records."""

    def step():
        x[cp.arange(2)] = 7
        three = cp.asarray(np.float32(3))
        return cp.nan_to_num(x), cp.diff(x, append=9), cp.searchsorted(x[2:], 2.5), three

    graph, result = capture(stream, step, cp)
    with stream:
        graph.launch()
        got = [one.get().tolist() for one in result]
    assert got == [[7, 7, 2, 3], [0, -5, 1, 6], 1, 3]


def test_cublas_transpose_is_rejected(x, stream, cp):
    """cupy/_core/core.pyx, _internal_asfortranarray."""
    with stream:
        stream.begin_capture()
        cp.asfortranarray(x.reshape(2, 2).astype("i"))
        with pytest.raises(
            NotImplementedError,
            match="asfortranarray's library while a stream is capturing is not supported",
        ):
            cp.asfortranarray(x.reshape(2, 2))
        with contextlib.suppress(cp.cuda.runtime.CUDARuntimeError):
            stream.end_capture()
        assert cp.asfortranarray(x.reshape(2, 2)).flags.f_contiguous


def test_sorts_and_searches_are_capturable(x, stream, cp):
    """Thrust runs without synchronization: cupy/cuda/cupy_thrust.cu, par_nosync."""
    ends = cp.asarray(np.array([0.5, 1.5], "f"))
    cp.cuda.Device().synchronize()
    step = lambda: (cp.argsort(-x), cp.searchsorted(ends, x), cp.isin(x, ends))  # noqa: E731
    graph, result = capture(stream, step, cp)
    with stream:
        graph.launch()
        got = [one.get().tolist() for one in result]
    assert got == [[3, 2, 1, 0], [0, 1, 2, 2], [False] * 4]


def test_graph_allocates_device_memory(cp, machine):
    there = machine.devices[0]
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        a = cp.arange(4)

        def capture():
            stream.begin_capture()
            cp.add(a, a, out=a)
            return stream.end_capture()

        capture()
        before = there.allocated
        graph = capture()
        assert there.allocated > before
        del graph
        gc.collect()
        assert there.allocated == before
        there.total = before
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="out of memory"):
            capture()
        assert not stream.is_capturing()
