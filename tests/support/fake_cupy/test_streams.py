"""The order of work on two streams, and when results become visible to the host."""

import threading

import numpy as np
import pytest

from tests.support import fake_cupy


@pytest.fixture
def streams(cp):
    return [cp.cuda.Stream(non_blocking=True) for _ in range(2)]


@pytest.fixture
def array(cp, streams):
    """An array whose initialization has completed."""
    result = cp.arange(6, dtype="f")
    cp.cuda.Device().synchronize()
    return result


def test_read_after_write_is_a_race(array, streams, machine):
    with streams[0]:
        array += 1
    with streams[1], machine.expected(fake_cupy.RaceError, "writes"):
        array * 2


def test_write_after_read_is_a_race(array, streams, machine):
    with streams[0]:
        array * 2
    with streams[1], machine.expected(fake_cupy.RaceError, "reads"):
        array += 1


def test_concurrent_writes_are_a_race(array, streams, machine):
    with streams[0]:
        array += 1
    with streams[1], machine.expected(fake_cupy.RaceError):
        array.fill(0)


def test_concurrent_reads_need_no_order(array, streams):
    for stream in streams:
        with stream:
            array * 2


def test_disjoint_parts_need_no_order(array, streams):
    for stream, part in zip(streams, (array[:3], array[3:])):
        with stream:
            part += 1


def test_event_orders_streams(array, streams):
    with streams[0]:
        array += 1
        event = streams[0].record()
        array[0]
    streams[1].wait_event(event)
    with streams[1]:
        assert (array * 2).get().tolist() == [2, 4, 6, 8, 10, 12]


def test_event_orders_only_preceding_work(array, streams, machine):
    event = streams[0].record()
    with streams[0]:
        array += 1
    streams[1].wait_event(event)
    with streams[1], machine.expected(fake_cupy.RaceError):
        array * 2


def test_order_is_transitive(array, streams, cp):
    third = cp.cuda.Stream(non_blocking=True)
    with streams[0]:
        array += 1
    streams[1].wait_event(streams[0].record())
    third.wait_event(streams[1].record())
    with third:
        array += 1


@pytest.mark.parametrize("way", ["event", "stream", "device", "done"])
def test_host_synchronization_orders_work(array, streams, cp, way, machine):
    machine.polls_before_done = 3
    with streams[0]:
        array += 1
    event = streams[0].record()
    if way == "event":
        event.synchronize()
    elif way == "stream":
        streams[0].synchronize()
    elif way == "device":
        cp.cuda.Device().synchronize()
    else:
        while not event.done:
            pass
    with streams[1]:
        array += 1


def test_done_requires_polling(array, streams, machine):
    with streams[0]:
        array += 1
    event = streams[0].record()
    assert not any(event.done for _ in range(1000))
    machine.polls_before_done = 1
    event = streams[0].record()
    assert [event.done, event.done, event.done] == [False, True, True]
    assert streams[0].done is True
    with streams[0]:
        array += 1
    assert [streams[0].done, streams[0].done] == [False, True]


def test_failed_work_is_never_done(array, streams, cp, machine):
    """cupy/cuda/stream.pyx compares the status of cudaEventQuery with cudaSuccess."""
    runtime = cp.cuda.runtime
    with streams[0]:
        array += 1
    event = streams[0].record()
    assert [runtime.eventQuery(event.ptr), runtime.streamQuery(streams[0].ptr)] == [600, 600]
    machine.lose(0)
    assert [event.done, streams[0].done] == [False, False]
    assert [runtime.eventQuery(event.ptr), runtime.streamQuery(streams[0].ptr)] == [719, 719]
    for wait in (event.synchronize, streams[0].synchronize):
        with pytest.raises(runtime.CUDARuntimeError, match="LaunchFailure"):
            wait()


@pytest.mark.parametrize("query", ["event", "stream"])
def test_query_during_capture_invalidates_it(array, streams, cp, query):
    streams[0].begin_capture()
    event = streams[0].record()
    assert (event if query == "event" else streams[0]).done is False
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="Invalidated"):
        streams[0].end_capture()


def test_blocking_stream_synchronizes_with_null_stream(array, cp):
    blocking = cp.cuda.Stream()
    assert not blocking.is_non_blocking
    with blocking:
        array += 1
    array += 1
    with blocking:
        array += 1


def test_non_blocking_stream_ignores_null_stream(array, streams, machine):
    array += 1
    with streams[0], machine.expected(fake_cupy.RaceError, "null stream"):
        array += 1


def test_streams_belong_to_their_device(streams, cp):
    with cp.cuda.Device(1):
        with pytest.raises(RuntimeError, match=r"created on \(0\) does not match"):
            streams[0].use()
        with pytest.raises(
            RuntimeError, match=r"created on \(0\) does not match with the current device \(1\)"
        ):
            with streams[0]:
                pass
        assert cp.cuda.get_current_stream() == cp.cuda.Stream.null


def test_current_stream_is_per_thread_and_device(streams, cp):
    seen = []
    with streams[0]:
        assert cp.cuda.get_current_stream() == streams[0]
        with cp.cuda.Device(1):
            assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
        thread = threading.Thread(target=lambda: seen.append(cp.cuda.get_current_stream()))
        thread.start()
        thread.join()
    assert seen == [cp.cuda.Stream.null]


def test_stream_block_resets_previously_used_stream(streams, cp):
    """As in CuPy 14, where `use` does not affect the context stack."""
    streams[1].use()
    with streams[0]:
        pass
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
    with streams[0]:
        streams[1].use()
        with streams[1]:
            pass
        assert cp.cuda.get_current_stream() == streams[0]


def test_block_freed_during_use_on_other_stream(streams, machine, cp):
    with streams[0]:
        block = cp.ones(100, "f")
    streams[1].wait_event(streams[0].record())
    with streams[1]:
        block * 2
    del block
    with streams[0], machine.expected(fake_cupy.UseAfterFreeError, "given back"):
        cp.zeros(100, "f")


def test_block_freed_after_synchronization(streams, cp):
    with streams[0]:
        block = cp.ones(100, "f")
    streams[1].wait_event(streams[0].record())
    with streams[1]:
        block * 2
    streams[0].wait_event(streams[1].record())
    del block
    with streams[0]:
        cp.zeros(100, "f")


def test_host_functions_run_in_stream_order(array, streams):
    calls = []
    with streams[0]:
        array += 1
        streams[0].launch_host_func(calls.append, 1)
        streams[0].launch_host_func(calls.append, 2)
    streams[0].add_callback(lambda stream, status, arg: calls.append((status, arg)), 3)
    streams[0].synchronize()
    assert calls == [1, 2, (0, 3)]


def test_elapsed_time_requires_completed_events(streams, cp):
    first, last = streams[0].record(), streams[0].record()
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NotReady"):
        cp.cuda.get_elapsed_time(first, last)
    last.synchronize()
    assert cp.cuda.get_elapsed_time(first, last) >= 0


def test_elapsed_time_rejects_captured_and_foreign_events(streams, cp):
    """cupy/cuda/stream.pyx: get_elapsed_time calls cudaEventElapsedTime, which rejects them."""
    begin = streams[0].record()
    streams[0].begin_capture()
    inside = streams[0].record()
    with cp.cuda.Device(1):
        elsewhere = cp.cuda.Stream(non_blocking=True).record()
        elsewhere.synchronize()
    graph = streams[0].end_capture()
    assert "digraph" in graph.debug_dot_str()
    begin.synchronize()
    without = streams[0].record(cp.cuda.Event(disable_timing=True))
    streams[0].synchronize()
    refused = {inside: "CapturedEvent", elsewhere: "InvalidResourceHandle"}
    refused |= {without: "InvalidResourceHandle", cp.cuda.Event(): "InvalidResourceHandle"}
    for event, message in refused.items():
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match=message):
            cp.cuda.get_elapsed_time(begin, event)
    assert inside.done is False
    assert cp.cuda.runtime.eventQuery(inside.ptr) == 907
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="CapturedEvent"):
        inside.synchronize()


class TestCopies:
    def test_copied_data_is_garbage_until_synchronized(self, array, streams, cupyx):
        target = cupyx.empty_pinned(6, "f")
        with streams[0]:
            array.get(out=target, blocking=False)
            assert np.isnan(target).all()
            streams[0].synchronize()
        np.testing.assert_array_equal(target, np.arange(6))

    def test_synchronizing_other_stream_does_not_complete_copy(self, array, streams, cupyx):
        target = cupyx.empty_pinned(6, "f")
        with streams[0]:
            array.get(out=target, blocking=False)
        streams[1].synchronize()
        assert np.isnan(target).all()

    def test_copy_to_pageable_memory_synchronizes(self, array, streams, machine):
        target = np.empty(6, "f")
        with streams[0], machine.forbid_sync():
            with machine.expected(fake_cupy.HiddenSyncError, "pageable"):
                array.get(out=target, blocking=False)

    def test_copy_source_must_not_change(self, streams, machine, cupyx, cp):
        source = cupyx.empty_pinned(6, "f")
        source[...] = 1
        target = cp.empty(6, "f")
        with streams[0]:
            target.data.copy_from_host_async(source.ctypes.data, source.nbytes)
        source[...] = 2
        with machine.expected(fake_cupy.HostRaceError):
            streams[0].synchronize()

    def test_borrowed_memory_is_pinned_while_registered(self, streams, machine, cp):
        source, target = np.ones(6, "f"), cp.empty(6, "f")
        runtime = cp.cuda.runtime
        with machine.expected(fake_cupy.HostRaceError, "pageable memory"):
            target.data.copy_from_host_async(source.ctypes.data, source.nbytes)
        machine.takes_over = True

        def copy_value(value):
            source[...] = value
            with streams[0]:
                target.data.copy_from_host_async(source.ctypes.data, source.nbytes)
            source[...] = 0

        copy_value(1)  # transferred immediately
        streams[0].synchronize()
        runtime.hostRegister(source.ctypes.data, source.nbytes, 0)
        for address, size in ((0, 4), (8, 32), (20, 4), (-8, 12)):
            with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="already mapped"):
                runtime.hostRegister(source.ctypes.data + address, size, 0)
        copy_value(2)
        with machine.expected(fake_cupy.HostRaceError):
            streams[0].synchronize()
        copy_value(0)
        runtime.hostUnregister(source.ctypes.data)
        with machine.expected(fake_cupy.UseAfterFreeError, "given back before"):
            streams[0].synchronize()
        copy_value(3)
        streams[0].synchronize()
        assert target.get().tolist() == [3] * 6
        with pytest.raises(
            cp.cuda.runtime.CUDARuntimeError, match="not correspond to a registered"
        ):
            runtime.hostUnregister(source.ctypes.data)

    def test_pageable_source_is_copied_immediately(self, streams, cp):
        source = np.ones(6, "f")
        target = cp.empty(6, "f")
        with streams[0]:
            target.set(source)
            source[...] = 2
            assert target.get().tolist() == [1] * 6

    def test_prematurely_freed_pinned_memory_is_reported(self, array, streams, machine, cp):
        pool = cp.cuda.PinnedMemoryPool()
        target = pool.malloc(24)
        with streams[0]:
            array.data.copy_to_host_async(target.ptr, 24)
        del target
        with machine.expected(fake_cupy.UseAfterFreeError, "pinned"):
            streams[0].synchronize()

    def test_pinned_memory_passes_between_ordered_streams(self, array, streams, cupyx, cp):
        staging = cupyx.empty_pinned(6, "f")
        with streams[0]:
            array.get(out=staging, blocking=False)
        event = streams[0].record()
        with cp.cuda.Device(1):
            stream = cp.cuda.Stream(non_blocking=True)
            stream.wait_event(event)
            with stream:
                target = cp.empty(6, "f")
                target.set(staging)
                np.testing.assert_array_equal(target.get(), np.arange(6))

    def test_pinned_memory_on_two_streams_is_a_race(self, array, streams, machine, cupyx, cp):
        staging = cupyx.empty_pinned(6, "f")
        with streams[0]:
            array.get(out=staging, blocking=False)
        with streams[1], machine.expected(fake_cupy.RaceError):
            cp.empty(6, "f").set(staging)

    def test_pinned_memory_buffer(self, cp):
        memory = cp.cuda.alloc_pinned_memory(10)
        assert memory.size() == 512
        view = np.frombuffer(memory, np.float32, 2)
        address = view.ctypes.data
        assert address == memory.ptr
        del memory
        assert cp.cuda.alloc_pinned_memory(10).ptr != address
        del view
        assert cp.cuda.alloc_pinned_memory(10).ptr is not None

    def test_raw_copies(self, array, streams, machine, cupyx, cp):
        runtime = cp.cuda.runtime
        host = cupyx.zeros_pinned(6, "f")
        with streams[0]:
            runtime.memcpyAsync(
                host.ctypes.data, array.data.ptr, 24, runtime.memcpyDeviceToHost, streams[0].ptr
            )
        streams[0].synchronize()
        np.testing.assert_array_equal(host, np.arange(6))
        with cp.cuda.Device(1):
            other = cp.empty(6, "f")
        runtime.memcpyPeerAsync(other.data.ptr, 1, array.data.ptr, 0, 24, streams[0].ptr)
        streams[0].synchronize()
        with cp.cuda.Device(1):
            np.testing.assert_array_equal(other.get(), np.arange(6))
        with pytest.raises(runtime.CUDARuntimeError, match="InvalidValue"):
            runtime.memcpyAsync(
                host.ctypes.data, array.data.ptr, 24, runtime.memcpyHostToDevice, streams[0].ptr
            )

    def test_copy_past_the_end_is_refused(self, array, machine, cp):
        with machine.expected(fake_cupy.UseAfterFreeError, "over the end"):
            cp.cuda.runtime.memsetAsync(array.data.ptr, 0, 1000, 0)


class TestHiddenSync:
    @pytest.mark.parametrize(
        "use",
        [
            lambda cp, a: float(a[0]),
            lambda cp, a: int(a[0]),
            lambda cp, a: bool(a[0]),
            lambda cp, a: a[0].item(),
            lambda cp, a: a.get(),
            lambda cp, a: a.tolist(),
            lambda cp, a: cp.asnumpy(a),
            lambda cp, a: a[a > 1],
            lambda cp, a: a.__setitem__(a > 1, 0),
            lambda cp, a: cp.nonzero(a),
            lambda cp, a: cp.where(a > 1),
            lambda cp, a: cp.unique(a),
            lambda cp, a: cp.bincount(a.astype("i")),
            lambda cp, a: cp.histogram(a),
            lambda cp, a: cp.repeat(a, a.astype("i")),
            lambda cp, a: cp.flatnonzero(a),
            lambda cp, a: cp.compress(a > 1, a),
        ],
    )
    def test_hidden_synchronization_is_reported(self, array, machine, cp, use):
        with machine.forbid_sync():
            with machine.expected(fake_cupy.HiddenSyncError):
                use(cp, array)
        use(cp, array)
        assert machine.counters.syncs >= 1

    def test_asynchronous_calls_do_not_synchronize(self, array, machine, cp):
        with machine.forbid_sync():
            cp.where(array > 1, array, 0)
            cp.sum(array), array[1:], cp.concatenate([array, array]), cp.argmax(array)
            array[array.astype("i")]
            cp.asarray(np.ones(3))
            cp.cuda.get_current_stream().synchronize()
        assert machine.counters.syncs == 0
        assert machine.counters.waits == 2

    def test_all_waits_can_be_forbidden(self, machine, cp):
        with machine.forbid_sync(waits=True), machine.expected(fake_cupy.HiddenSyncError):
            cp.cuda.get_current_stream().synchronize()


class Produced:
    """Another library's array with work pending on a stream."""

    def __init__(self, array, **facts):
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **facts}


def test_array_interface_v3_synchronizes_host(array, streams, machine, cp):
    with streams[0]:
        array += 1
    machine.counters.reset()
    result = cp.asarray(Produced(array, stream=streams[0].ptr))
    assert machine.counters.waits == 1
    assert (result * 2).get().tolist() == [2, 4, 6, 8, 10, 12]


def test_array_interface_v2_orders_nothing(array, streams, machine, cp):
    with streams[0]:
        array += 1
    result = cp.asarray(Produced(array, version=2, stream=None))
    with streams[1], machine.expected(fake_cupy.RaceError, "writes"):
        result * 2


def test_capture_rejects_array_interface_v3(array, streams, machine, cp):
    with streams[1]:
        streams[1].begin_capture()
        with pytest.raises(RuntimeError, match="is capturing"):
            cp.asarray(Produced(array, stream=streams[0].ptr))
        with pytest.raises(RuntimeError, match="has invalidated the capture sequence"):
            streams[1].is_capturing()
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="previous error"):
            streams[1].end_capture()
    assert not streams[1].is_capturing()
