"""Fake MPI between threads of this process, with only those mpi4py calls that tfmini uses."""

import copy
import threading

import numpy as np


class FakeMpi:
    """Fake `mpi4py.MPI` for one of `size` threads."""

    SUM, BYTE = object(), object()
    THREAD_MULTIPLE = 3

    def __init__(self, world, rank):
        self.COMM_WORLD = Comm(world, rank)

    def Query_thread(self):
        return 3

    def Get_processor_name(self):
        return "here"


class World:
    def __init__(self, size):
        self.barrier, self.given = threading.Barrier(size, timeout=60), [None] * size

    def all(self, rank, value):
        """Every rank's arguments to the same call."""
        self.given[rank] = value
        self.barrier.wait()
        result = list(self.given)
        self.barrier.wait()
        return result


class Comm:
    def __init__(self, world, rank):
        self._world, self._rank = world, rank
        self._busy = threading.Lock()

    def _all(self, name, value):
        assert self._busy.acquire(blocking=False), "MPI from two threads at a time"
        try:
            found = self._world.all(self._rank, (name, copy.deepcopy(value)))
        finally:
            self._busy.release()
        assert {kind for kind, _ in found} == {name}, f"not the same collective everywhere: {found}"
        return [value for _, value in found]

    def Dup(self):
        return Comm(self._world, self._rank)

    def Free(self):
        self._world = None

    def Get_rank(self):
        return self._rank

    def Get_size(self):
        return len(self._world.given)

    def allgather(self, value):
        return self._all("allgather", value)

    def bcast(self, value, root):
        return self._all("bcast", value)[root]

    def Allreduce(self, given, result, op):
        assert op is FakeMpi.SUM and given.dtype == result.dtype != np.float16
        result[...] = sum(self._all("Allreduce", given))

    def Allgatherv(self, given, target):
        (values, kind), (result, counts, other) = given, target
        assert kind is other is FakeMpi.BYTE and len(values) == counts[self._rank]
        result[...] = np.concatenate(self._all("Allgatherv", values))

    def alltoall(self, parts):
        return [each[self._rank] for each in self._all("alltoall", parts)]

    def Alltoallv(self, given, target):
        (values, counts, kind), (result, expected, other) = given, target
        assert kind is other is FakeMpi.BYTE and len(values) == sum(counts)
        parts = np.split(values, np.cumsum(counts)[:-1])
        actual = [each[self._rank] for each in self._all("Alltoallv", parts)]
        assert [len(part) for part in actual] == expected
        result[...] = np.concatenate(actual)

    def Sendrecv(self, given, dest, recvbuf, source):
        assert dest == source and given[1] is recvbuf[1] is FakeMpi.BYTE
        recvbuf[0][...] = self._all("Sendrecv", given[0])[source]

    def Bcast(self, given, root):
        values, kind = given
        assert kind is FakeMpi.BYTE
        values[...] = self._all("Bcast", values)[root]
