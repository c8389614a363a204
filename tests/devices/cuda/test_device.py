"""A logical GPU's copies: memory that they keep alive, and their cost, on the emulator."""

import gc
import sys
import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.fake_cupy import memory
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda import device, pinned
from tfmini._src.devices.cuda.active_gpus import ActiveGpus, gpu_in_use, leave
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.discovery import discover
from tfmini._src.devices.host import parallel_copy, threads


def test_retained_fetches_pin_no_memory(gpus):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.Session() as session:
        kept = [session.run(doubled, {x: np.full(100, n)}) for n in range(50)]
        assert all(got.flags.owndata for got in kept)
        assert len(gpus.pinned) < 10
        size = (5 << 20) + 12  # bytes: CuPy's pool would round them up to 8 MB
        kept = [session.run(doubled, {x: np.full(size // 4, n, "f")}) for n in range(3)]
        assert [got[-1] for got in kept] == [0, 2, 4]
        held = sum(tenure.high - tenure.low for tenure in gpus.pinned.values())
        # Per copy in each direction, not per array; and a ring for small ones.
        assert held <= 2 * (size + (1 << 20)) + (1 << 20)


def test_events_disable_timing(gpus, monkeypatch):
    cupy = sys.modules["cupy"]
    timed = []
    event = cupy.cuda.Event

    class Noted(event):
        def __init__(self, block=False, disable_timing=False, interprocess=False):
            timed.append(not disable_timing)
            super().__init__(block, disable_timing, interprocess)

    monkeypatch.setattr(cupy.cuda, "Event", Noted)
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.device("/gpu:1"):
        more = doubled + 1.0
    with tf.Session() as session:
        for _ in range(2):
            session.run([doubled, more], {x: np.ones(1 << 15)})
    assert timed and not any(timed)


@pytest.mark.parametrize("can_reach", [True, False])
def test_peer_access_is_enabled_once_per_pair(gpus, monkeypatch, can_reach):
    """cudaMemcpyPeerAsync is staged through the host until peer access is enabled, once per pair."""
    gpus.peer_access = can_reach
    enabled = []
    runtime = sys.modules["cupy"].cuda.runtime
    enable = runtime.deviceEnablePeerAccess
    monkeypatch.setattr(
        runtime, "deviceEnablePeerAccess", lambda peer: (enabled.append(peer), enable(peer))
    )
    x = tf.placeholder(tf.float32, [3])
    with tf.device("/gpu:0"):
        first = x + 1.0
    with tf.device("/gpu:1"):
        second = first * 2.0
    with tf.Session() as session:
        for i in range(3):
            assert session.run(second, {x: [i] * 3}).tolist() == [2 * i + 2] * 3
    assert gpus.counters.copies["p2p"] == 3
    assert enabled == ([0] if can_reach else [])


def test_peer_access_already_enabled(gpus):
    runtime = sys.modules["cupy"].cuda.runtime
    with sys.modules["cupy"].cuda.Device(1):
        runtime.deviceEnablePeerAccess(0)
    with tf.device("/gpu:0"):
        first = tf.random_uniform([3])
    with tf.device("/gpu:1"):
        second = first * 2.0
    with tf.Session() as session:
        assert session.run(second).shape == (3,)


def logical(limit_bytes, grows=True):
    found = discover()
    return LogicalGpu(found.cupy, found.physical_gpus[0], "GPU:0", limit_bytes, grows)


@pytest.mark.parametrize(
    "size", [5, 20_000]
)  # floats: copied directly, and through a staging buffer
@pytest.mark.parametrize("borrowed", ["page-locked here", "registered by another library"])
def test_borrowed_buffer_may_change_after_upload(gpus, borrowed, size):
    """Such memory is read when the copy executes; the emulator raises if it was changed or freed before."""
    cupy = sys.modules["cupy"]
    gpu = logical(8 << 20)
    if borrowed == "page-locked here":
        owner = cupy.cuda.alloc_pinned_memory(4 * size)
    else:
        owner = np.zeros(size, np.float32)
        cupy.cuda.runtime.hostRegister(owner.ctypes.data, owner.nbytes, 0)
    value = np.frombuffer(owner, np.float32, size)
    value[:] = np.arange(size)
    with ActiveGpus([gpu]):
        made = gpu.upload(value), gpu.upload(value[::2])
        value[:] = -1.0
        if borrowed != "page-locked here":
            cupy.cuda.runtime.hostUnregister(owner.ctypes.data)
        del value, owner
        gpu.compute.synchronize()
        result = [gpu.receive(gpu.send(array)) for array in made]
    np.testing.assert_array_equal(result[0], np.arange(size))
    np.testing.assert_array_equal(result[1], np.arange(0, size, 2))


@pytest.mark.parametrize("rows", [2, 9000])
def test_fortran_array_is_uploaded_row_major(gpus, rows):
    value = np.array(np.arange(3.0 * rows).reshape(rows, 3), order="F")
    assert value.flags.owndata and not value.flags.c_contiguous
    gpu = logical(8 << 20)
    with ActiveGpus([gpu]):
        result = gpu.receive(gpu.send(gpu.upload(value)))
    np.testing.assert_array_equal(result, value)


@pytest.mark.parametrize(
    "left, expected",
    [
        (1 << 16, 8192),
        (8192, 8192),
        (8191, 7680),  # a tenth less is 7372 bytes, in units of 512
        (6000, 5632),  # 6634, 5970 and 5373
        (512, 512),
        (511, 0),
        (0, 0),
    ],
)
def test_allocation_shrinks_until_it_fits(monkeypatch, left, expected):
    """Requests 8 KiB from 64 KiB, part of which is in use."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    begin, tries = memory.Memory.__init__, []

    def limited(self, size):
        tries.append(size)
        assert len(tries) < 300  # three times for each of some 80 sizes
        begin(self, size)

    with fake_gpus(devices=1, memory=1 << 16) as machine:
        monkeypatch.setattr(gc, "collect", lambda: 0)  # called for each size that is too large
        found = discover()
        others = found.cupy.cuda.Memory((1 << 16) - left)
        monkeypatch.setattr(memory.Memory, "__init__", limited)
        gpu = LogicalGpu(found.cupy, found.physical_gpus[0], "GPU:0", 8192, False)
        assert machine.devices[0].allocated - others.size == expected == gpu.pool.total_bytes()


def test_current_stream_is_restored_after_session_and_step(gpus):
    """CuPy's `with` would leave the null stream current, which would not order the caller's later launches after the
    step.
    """
    cupy = sys.modules["cupy"]
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    with tf.device("/gpu:0"):
        x = tf.placeholder(tf.float32, [1000])
        doubled = x + x
    for grows in (True, False):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = grows
        with tf.Session(config=config) as session:
            assert cupy.cuda.get_current_stream() == stream
            for _ in range(6):  # captured, and replayed
                session.run(doubled, {x: np.ones(1000)})
                assert cupy.cuda.get_current_stream() == stream
                (
                    cupy.ones(10, "f") + 1
                )  # on the caller's stream: a race would be an error of the fake


class Refusing:
    """A caller's stream that cannot be waited for, or cannot wait."""

    def __init__(self, stream, refused):
        self._stream = stream
        self._refused = refused

    def record(self, event):
        if self._refused == "record":
            raise RuntimeError("record is refused")
        self._stream.record(event)

    def wait_event(self, event):
        raise RuntimeError("wait_event is refused")


@pytest.mark.parametrize("refused", ["record", "wait_event"])
def test_failed_enter_or_exit_restores_state(gpus, refused):
    cupy = sys.modules["cupy"]
    gpu, other = logical(8 << 20), logical(8 << 20)
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    inside = []
    with ActiveGpus([other]):
        theirs = {gpu.name: Refusing(cupy.cuda.Stream(non_blocking=True), refused)}
        with pytest.raises(RuntimeError, match=f"{refused} is refused"):
            with ActiveGpus([gpu], theirs):
                inside.append(gpu_in_use())
        assert gpu_in_use() is other
        assert cupy.cuda.get_current_stream() == other.compute
    assert inside == [gpu] * (refused == "wait_event")
    assert gpu_in_use() is None
    assert cupy.cuda.get_current_stream() == stream
    free = []
    for lock in (gpu.lock, other.lock):
        thread = threading.Thread(target=lambda lock=lock: free.append(lock.acquire(timeout=10)))
        thread.start()
        thread.join()
    assert free == [True, True]


@pytest.mark.parametrize("left_before", [False, True])
def test_failure_drops_only_own_held_iterations(gpus, left_before):
    gpu, of_another = logical(8 << 20), object()
    with pytest.raises(RuntimeError, match="^after the step$"), ActiveGpus([gpu]):
        if left_before:
            leave()
        gpu.held_iterations = of_another
        raise RuntimeError("after the step")
    assert gpu.held_iterations is (of_another if left_before else None)


def test_gpu_is_shared_while_step_waits_for_fetches(gpus, monkeypatch):
    """The first step waits until another thread has run steps: forever, if it held the GPU's lock."""
    x = tf.placeholder(tf.float32, [100])
    with tf.device("/gpu:0"):
        doubled, total = x + x, tf.reduce_sum(x)
    ran = threading.Event()
    event = sys.modules["cupy"].cuda.Event
    synchronize, waits = event.synchronize, []

    def wait_for_the_other(self):
        if threading.current_thread() is threading.main_thread():
            if not waits:
                thread.start()
            waits.append(ran.wait(20))
        synchronize(self)

    def run():
        for _ in range(6):  # captured, and replayed
            assert session.run(total, {x: np.ones(100)}) == 100.0
        ran.set()

    with tf.Session() as session:
        for i in range(6):
            thread = threading.Thread(target=run)
            ran.clear()
            waits.clear()
            monkeypatch.setattr(event, "synchronize", wait_for_the_other)
            assert session.run(doubled, {x: np.full(100, i)}).tolist() == [2 * i] * 100
            monkeypatch.setattr(event, "synchronize", synchronize)
            thread.join()
            assert waits == [True]


def test_small_copies_share_pinned_ring(gpus):
    """Hardware with direct access reads pageable memory when the copy executes; the emulator rejects such copies, and
    earlier changes of pinned memory.
    """
    gpus.polls_before_done = 1000000
    gpu = logical(64 << 20)
    random = np.random.RandomState(0)
    with ActiveGpus([gpu]):
        before = len(gpus.pinned)
        retained = []
        for _ in range(200):  # about 10 MB: ten times around
            value = random.randint(0, 100, random.randint(1, 16 << 10)).astype("i")
            retained.append((value.copy(), gpu.upload(value), gpu.upload(value[::2])))
            value[:] = -1
        assert len(gpus.pinned) == before
        assert gpus.counters.waits <= 60  # per part, not per copy
        for want, got, half in retained:
            np.testing.assert_array_equal(gpu.receive(gpu.send(got)), want)
            np.testing.assert_array_equal(gpu.receive(gpu.send(half)), want[::2])


@pytest.mark.parametrize("count", [1, 3])
def test_large_arrays_are_copied_in_chunks(gpus, monkeypatch, count):
    """Threads fill and read only chunks that are not in flight; for others the emulator raises or returns garbage."""
    pool = threads._Threads()
    pool.count = count
    monkeypatch.setattr(threads, "_threads", pool)
    monkeypatch.setattr(parallel_copy, "_PART", 1 << 18)
    monkeypatch.setattr(pinned, "_LARGEST_PIECE", 1 << 20)
    monkeypatch.setattr(device, "_MAX_STAGED", 3 << 20)
    gpus.polls_before_done = 1000000
    gpu = logical(64 << 20)
    value = np.random.RandomState(0).randint(0, 100, (10 << 20) + 12, "i1")
    want = value.copy()
    waits = []

    def copy_bytes(target, source):
        waits.append(gpus.counters.waits)
        parallel_copy.copy_bytes(target, source)

    with ActiveGpus([gpu]):
        got, part = gpu.upload(value), gpu.upload(value[::2])
        value[:] = -1
        held = sum(tenure.high - tenure.low for tenure in gpus.pinned.values())
        assert held <= (3 << 20) + (1 << 20) + 512  # and the ring of small copies
        monkeypatch.setattr(device, "copy_bytes", copy_bytes)
        np.testing.assert_array_equal(gpu.receive(gpu.send(got)), want)
        assert np.diff(waits).tolist() == [1] * 10  # each piece is read once it has arrived
        np.testing.assert_array_equal(gpu.receive(gpu.send(part)), want[::2])
    assert pool.started == count - 1


def test_fetch_without_pinned_memory_starts_no_copy(gpus):
    class Pool:
        def malloc(self, size):
            if size < 1 << 20:
                raise MemoryError("no room for the last piece")
            return bytearray(size)

    gpu = logical(8 << 20)
    with ActiveGpus([gpu]):
        array = gpu.upload(np.ones((1 << 20) + 5, np.int8))
        gpu._pinned = Pool()
        with pytest.raises(MemoryError, match="last piece"):
            gpu.send(array)
    assert gpus.counters.copies["d2h"] == 0


def test_captured_work_waits_for_pending_copy(gpus):
    """The emulator raises unless an event orders the two streams."""
    gpu = logical(8 << 20)
    with ActiveGpus([gpu]):
        array = gpu.upload(np.arange(20_000, dtype=np.float32))
        ticket = gpu.send(array)
        gpu.wait_for_readers()
        array.fill(-1.0)
        result = gpu.receive(ticket)
    np.testing.assert_array_equal(result, np.arange(20_000))
