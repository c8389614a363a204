"""Python objects exchanged between ranks, small and large."""

import threading

import pytest

from tests.distribute.horovod import test_mpi_reductions, test_reductions
from tfmini._src.distribute.horovod import objects


@pytest.fixture(
    params=[test_reductions.in_ranks, test_mpi_reductions.in_ranks], ids=["grpc", "mpi"]
)
def in_ranks(request, monkeypatch):
    """Runs a function in one thread per rank."""
    own = threading.local()

    def run(size, work):
        def of_rank(comm):
            own.found = comm
            return work(comm.rank)

        return request.param(size, of_rank)

    monkeypatch.setattr(objects, "reductions", lambda: own.found)
    return run


@pytest.mark.parametrize("length", [1, 300_000])
def test_objects_are_gathered_and_broadcast(in_ranks, length):
    def work(rank):
        told = objects.allgather_object({"rank": rank, "text": "x" * length * rank})
        return told, objects.broadcast_object([rank] * length if rank == 1 else object(), 1)

    for told, one in in_ranks(3, work):
        assert told == [{"rank": rank, "text": "x" * length * rank} for rank in range(3)]
        assert one == [1] * length
