"""Collectives over one process's devices."""

import threading

import numpy as np
import pytest

from tests.support import fake_cupy


@pytest.fixture
def nccl(cp):
    return cp.cuda.nccl


@pytest.fixture
def sides(machine, cp):
    """An array and a stream for each device."""
    created = []
    for device in range(2):
        with cp.cuda.Device(device):
            array = cp.full(4, device + 1, "f")
            stream = cp.cuda.Stream(non_blocking=True)
            created.append((array, stream))
            cp.cuda.Device().synchronize()
    return created


def all_reduce(nccl, comms, sides, op=None):
    op = nccl.NCCL_SUM if op is None else op
    nccl.groupStart()
    for comm, (array, stream) in zip(comms, sides):
        pointer = array.data.ptr
        comm.allReduce(pointer, pointer, array.size, nccl.NCCL_FLOAT32, op, stream.ptr)
    nccl.groupEnd()


def values(cp, sides):
    results = []
    for device, (array, stream) in enumerate(sides):
        with cp.cuda.Device(device), stream:
            results.append(array.get().tolist())
    return results


def test_all_reduce(nccl, sides, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    assert [comm.rank_id() for comm in comms] == [0, 1]
    all_reduce(nccl, comms, sides)
    assert values(cp, sides) == [[3] * 4] * 2
    all_reduce(nccl, comms, sides, nccl.NCCL_AVG)
    assert values(cp, sides) == [[3] * 4] * 2


def test_collective_synchronizes_streams(nccl, sides, machine, cp):
    comms = nccl.NcclCommunicator.initAll([0, 1])
    for device, (array, stream) in enumerate(sides):
        with cp.cuda.Device(device), stream:
            array += 1
    all_reduce(nccl, comms, sides)
    # Device 0's stream runs after device 1's part: it may read the other's result.
    with cp.cuda.Device(0), sides[0][1]:
        assert sides[1][0].copy().get().tolist() == [5] * 4


def test_other_streams_are_not_synchronized(nccl, sides, machine, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    with cp.cuda.Device(1):
        sides[1][0].fill(7)  # on the null stream
    with machine.expected(fake_cupy.RaceError, "allReduce"):
        all_reduce(nccl, comms, sides)


def test_broadcast_and_all_gather(nccl, sides, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    nccl.groupStart()
    for comm, (array, stream) in zip(comms, sides):
        comm.broadcast(array.data.ptr, array.data.ptr, 4, nccl.NCCL_FLOAT, 1, stream.ptr)
    nccl.groupEnd()
    assert values(cp, sides) == [[2] * 4] * 2
    gathered = []
    for device, (_, stream) in enumerate(sides):
        with cp.cuda.Device(device), stream:
            gathered.append((cp.zeros(8, "f"), stream))
    nccl.groupStart()
    for comm, (array, stream), (target, _) in zip(comms, sides, gathered):
        comm.allGather(array.data.ptr, target.data.ptr, 4, nccl.NCCL_FLOAT, stream.ptr)
    nccl.groupEnd()
    assert values(cp, gathered) == [[2] * 8] * 2


def test_invalid_use(nccl, sides, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    pointer, stream = sides[0][0].data.ptr, sides[0][1].ptr
    with pytest.raises(nccl.NcclError, match="INVALID_USAGE"):
        comms[0].allReduce(pointer, pointer, 4, nccl.NCCL_FLOAT, nccl.NCCL_SUM, stream)
    nccl.groupStart()
    comms[0].allReduce(pointer, pointer, 4, nccl.NCCL_FLOAT, nccl.NCCL_SUM, stream)
    with pytest.raises(nccl.NcclError, match="NCCL_ERROR_INVALID_USAGE"):
        nccl.groupEnd()
    with pytest.raises(nccl.NcclError, match="NCCL_ERROR_INVALID_USAGE"):
        nccl.NcclCommunicator.initAll([0, 0])
    with pytest.raises(nccl.NcclError, match="NCCL_ERROR_INVALID_USAGE"):
        nccl.groupEnd()


def test_buffer_of_other_device_is_rejected(nccl, sides):
    comms = nccl.NcclCommunicator.initAll(2)
    with pytest.raises(nccl.NcclError, match="INVALID_ARGUMENT"):
        all_reduce(nccl, comms[::-1], sides)


def test_dtype_constants(nccl, cp):
    assert np.dtype("f4") == fake_cupy.nccl.DTYPES[nccl.NCCL_FLOAT32]


@pytest.fixture
def ranks(nccl, sides, cp):
    """Two communicators connected by an id, each created in a thread."""
    unique_id, result = nccl.get_unique_id(), [None, None]

    def make(rank):
        with cp.cuda.Device(rank):
            result[rank] = nccl.NcclCommunicator(2, unique_id, rank)

    in_threads(make)
    yield result
    for comm in result:
        comm.destroy()


def in_threads(work):
    threads = [threading.Thread(target=work, args=(rank,), daemon=True) for rank in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_ranks_initialized_by_id(nccl, ranks, sides, cp):
    assert [(comm.rank_id(), comm.size(), comm.device_id()) for comm in ranks] == [
        (0, 2, 0),
        (1, 2, 1),
    ]

    def work(rank):
        (array, stream), comm = sides[rank], ranks[rank]
        with cp.cuda.Device(rank), stream:
            address = array.data.ptr
            comm.allReduce(address, address, 4, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, stream.ptr)
            nccl.groupStart()  # each half from another rank
            comm.broadcast(address, address, 8, nccl.NCCL_UINT8, 0, stream.ptr)
            array *= 1 + rank
            comm.broadcast(address + 8, address + 8, 8, nccl.NCCL_UINT8, 1, stream.ptr)
            nccl.groupEnd()

    in_threads(work)
    assert values(cp, sides) == [[3, 3, 6, 6]] * 2


def test_mismatched_collectives_fail(nccl, ranks, sides, cp):
    results = []

    def work(rank):
        (array, stream), comm = sides[rank], ranks[rank]
        with cp.cuda.Device(rank), pytest.raises(nccl.NcclError) as caught:
            address = array.data.ptr
            comm.allReduce(address, address, 4 - rank, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, stream.ptr)
        results.append(caught.value.status)

    in_threads(work)
    assert results == [5, 5]


def test_aborted_rank_never_completes(nccl, ranks, sides, cp, machine):
    ranks[1].abort()
    (array, stream), comm = sides[0], ranks[0]
    address = array.data.ptr
    with cp.cuda.Device(0):
        comm.allReduce(address, address, 4, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, stream.ptr)
        event = cp.cuda.Event()
        event.record(stream)
        assert not any(event.done for _ in range(5))
        with pytest.raises(nccl.NcclError, match="REMOTE_ERROR"):
            comm.check_async_error()
        with pytest.raises(RuntimeError, match="without end"):
            event.synchronize()
        comm.abort()
        machine.polls_before_done = 1
        assert any(event.done for _ in range(5))
        with pytest.raises(nccl.NcclError, match="INVALID_ARGUMENT"):
            comm.allReduce(address, address, 4, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, stream.ptr)


def test_argument_types_match_cython(nccl, sides):
    with pytest.raises(TypeError, match="expected bytes, got tuple"):
        nccl.NcclCommunicator(2, (1, 2), 0)
    with pytest.raises(ValueError, match="commId length 3 != 128"):
        nccl.NcclCommunicator(2, b"abc", 0)
    with pytest.raises(nccl.NcclError, match="INVALID_ARGUMENT"):
        nccl.NcclCommunicator(2, bytes(128), 2)
    (comm,) = nccl.NcclCommunicator.initAll(1)
    place, stream = sides[0][0].data.ptr, sides[0][1].ptr
    kinds = nccl.NCCL_FLOAT, nccl.NCCL_SUM
    for arguments, error, text in (
        ((place, place, 4.0, *kinds, stream), TypeError, "'float' object cannot be interpreted"),
        ((place, place, -1, *kinds, stream), OverflowError, "negative value to size_t"),
        ((None, place, 4, *kinds, stream), TypeError, "'NoneType' object cannot be interpreted"),
        ((place, place, 4, 99, kinds[1], stream), nccl.NcclError, "NCCL_ERROR_INVALID_ARGUMENT"),
    ):
        with pytest.raises(error, match=text):
            comm.allReduce(*arguments)
