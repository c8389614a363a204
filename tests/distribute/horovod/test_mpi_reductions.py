"""All-reduce training over MPI: operations in any order, mismatches, and backend selection."""

import os
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod.fake_mpi import FakeMpi, World
from tfmini._src.distribute.horovod import tensorflow as hvd
from tfmini._src.distribute.horovod.mpi_reductions import MpiReductions


def on_mpi(size, work):
    """Runs `work(reductions)` in the first ranks that mpiexec has started; returns the results by rank."""
    from mpi4py import MPI  # noqa: PLC0415  of a machine that has one

    rank = MPI.COMM_WORLD.Get_rank()
    names = ("BYTE", "SUM", "Get_processor_name", "Query_thread", "THREAD_MULTIPLE")
    part = MPI.COMM_WORLD.Split(int(rank >= size), rank)
    library = SimpleNamespace(COMM_WORLD=part, **{name: getattr(MPI, name) for name in names})
    result = None
    if rank < size:
        communicator = MpiReductions(library)
        result = work(communicator)
        communicator.close()
    return MPI.COMM_WORLD.allgather(result)[:size]


def in_ranks(size, work):
    """Runs `work(reductions)` in one thread per rank; returns the results by rank."""
    if os.environ.get("TFMINI_TESTS_ON_MPI"):  # of `test_real_mpi.py`
        return on_mpi(size, work)
    world, communicator = World(size), [None] * size

    def run(rank):
        try:
            results = MpiReductions(FakeMpi(world, rank))
            communicator[rank] = work(results)
            results.close()
        except BaseException as error:
            communicator[rank] = error

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for result in communicator:
        if isinstance(result, BaseException):
            raise result
    return communicator


def test_operations():
    def work(comm):
        rank = comm.rank
        texts = np.array([b"r%d" % rank], object)
        return (
            comm.sum("a", np.array([1, rank], np.int64)).tolist(),
            comm.sum("half", np.array([1.5, rank], np.float16)),
            comm.gather("b", np.full([rank, 2], rank, np.int32)).tolist(),
            comm.gather("texts", texts).tolist(),
            comm.broadcast("c", np.array([float(rank)]), 1).tolist(),
            comm.broadcast("text", texts, 2).tolist(),
            (comm.size, comm.rank_info.on_this_host, comm.has_threads),
        )

    for total, half, joined, texts, root, text, position in in_ranks(3, work):
        assert total == [3, 3] and half.tolist() == [4.5, 3.0] and half.dtype == np.float16
        assert joined == [[1, 1], [2, 2], [2, 2]] and texts == [b"r0", b"r1", b"r2"]
        assert root == [1.0] and text == [b"r2"] and position == (3, [0, 1, 2], True)


def test_operations_begin_in_any_order():
    def work(comm):
        names = ["a", "b", "c", "d"]
        order = names if comm.rank else names[::-1]
        sums = {}

        def one(name):
            sums[name] = comm.sum(name, np.full(3, float(ord(name)))).tolist()

        threads = []
        for name in order:
            threads.append(threading.Thread(target=one, args=(name,)))
            threads[-1].start()
        for thread in threads:
            thread.join(60)
        return sums

    for sums in in_ranks(2, work):
        assert sums == {name: [2.0 * ord(name)] * 3 for name in "abcd"}


def test_mismatched_arrays_are_rejected():
    def work(comm):
        texts = []
        for call, value in (
            (comm.sum, np.ones(2 + comm.rank)),
            (comm.gather, np.ones([2, 1 + comm.rank])),
            (comm.sum, np.ones(2, (np.int32, np.int64)[comm.rank])),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                call("x", value)
            texts.append(caught.value.message)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            comm.sum_all("y", [np.ones(6)], [((2, 3), (3, 2))[comm.rank]])
        assert caught.value.message.startswith("y: arrays differ: float64(2, 3), float64(3, 2)")
        return texts, comm.sum_all("y", [np.ones(1)], [(1,)])[0].tolist()

    for texts, after in in_ranks(2, work):
        assert texts[0] == "x: arrays differ: float64(2,), float64(3,)"
        assert texts[1] == "x: arrays differ beyond their first axis: float64(2, 1), float64(2, 2)"
        assert texts[2] == "x differs between ranks: int32(2,), int64(2,)"
        assert after == [2.0]


def test_mpi_failure_is_reported():
    """As when a process has exited: pending and later operations raise errors."""

    def work(comm):
        comm._comm.Allreduce = None
        for _ in range(2):
            with pytest.raises(tf.errors.UnknownError, match="MPI: "):
                comm.sum("x", np.ones(1))
        return True

    assert in_ranks(2, work) == [True, True]


def test_missing_mpi4py_is_explained(monkeypatch):
    for name in ("OMPI_COMM_WORLD_SIZE", "TFMINI_RANKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PMI_SIZE", "4")
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(tf.errors.UnimplementedError, match="started 4 processes: pip install"):
        hvd.init()
    assert not hvd.is_initialized()
