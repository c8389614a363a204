"""Collectives over the devices of one process."""

import numpy as np
import pytest

from tests import fake_cupy


@pytest.fixture
def nccl(cp):
    return cp.cuda.nccl


@pytest.fixture
def sides(machine, cp):
    """For each device: an array of its own, and a stream."""
    made = []
    for device in range(2):
        with cp.cuda.Device(device):
            array = cp.full(4, device + 1, "f")
            stream = cp.cuda.Stream(non_blocking=True)
            made.append((array, stream))
            cp.cuda.Device().synchronize()
    return made


def all_reduce(nccl, comms, sides, op=None):
    op = nccl.NCCL_SUM if op is None else op
    nccl.groupStart()
    for comm, (array, stream) in zip(comms, sides):
        pointer = array.data.ptr
        comm.allReduce(pointer, pointer, array.size, nccl.NCCL_FLOAT32, op, stream.ptr)
    nccl.groupEnd()


def values(cp, sides):
    found = []
    for device, (array, stream) in enumerate(sides):
        with cp.cuda.Device(device), stream:
            found.append(array.get().tolist())
    return found


def test_all_reduce(nccl, sides, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    assert [comm.rank_id() for comm in comms] == [0, 1]
    all_reduce(nccl, comms, sides)
    assert values(cp, sides) == [[3] * 4] * 2
    all_reduce(nccl, comms, sides, nccl.NCCL_AVG)
    assert values(cp, sides) == [[3] * 4] * 2


def test_the_ranks_wait_for_each_other(nccl, sides, machine, cp):
    comms = nccl.NcclCommunicator.initAll([0, 1])
    for device, (array, stream) in enumerate(sides):
        with cp.cuda.Device(device), stream:
            array += 1
    all_reduce(nccl, comms, sides)
    # Device 0's stream is after device 1's part: it may take the other's result.
    with cp.cuda.Device(0), sides[0][1]:
        assert sides[1][0].copy().get().tolist() == [5] * 4


def test_work_on_another_stream_is_not_ordered(nccl, sides, machine, cp):
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


def test_wrong_uses(nccl, sides, cp):
    comms = nccl.NcclCommunicator.initAll(2)
    pointer, stream = sides[0][0].data.ptr, sides[0][1].ptr
    with pytest.raises(nccl.NcclError, match="INVALID_USAGE"):
        comms[0].allReduce(pointer, pointer, 4, nccl.NCCL_FLOAT, nccl.NCCL_SUM, stream)
    nccl.groupStart()
    comms[0].allReduce(pointer, pointer, 4, nccl.NCCL_FLOAT, nccl.NCCL_SUM, stream)
    with pytest.raises(nccl.NcclError):
        nccl.groupEnd()
    with pytest.raises(nccl.NcclError):
        nccl.NcclCommunicator.initAll([0, 0])
    with pytest.raises(nccl.NcclError):
        nccl.groupEnd()


def test_a_buffer_of_another_device_is_refused(nccl, sides):
    comms = nccl.NcclCommunicator.initAll(2)
    with pytest.raises(nccl.NcclError, match="INVALID_ARGUMENT"):
        all_reduce(nccl, comms[::-1], sides)


def test_the_values_are_numpys(nccl, cp):
    assert np.dtype("f4") == fake_cupy.nccl.DTYPES[nccl.NCCL_FLOAT32]
