"""Processes with different step counts: joined ones contribute zeros until all have joined."""

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod import test_mpi_reductions, test_reductions

pytestmark = pytest.mark.parametrize(
    "in_ranks", [test_reductions.in_ranks, test_mpi_reductions.in_ranks], ids=["grpc", "mpi"]
)


def ones(length, comm):
    return np.full(length, 1.0 + comm.rank, np.float32)


@pytest.mark.parametrize("length", [3, 200_000])
def test_remaining_ranks_sum_after_join(in_ranks, length):
    """Of three ranks, rank 0 runs one step, rank 1 two, rank 2 three; all twice."""

    def work(comm):
        seen = []
        for _ in range(2):
            for _ in range(comm.rank + 1):
                one = comm.sum("a", ones(length, comm))
                (two,) = comm.sum_all("b", [ones(length, comm)], [(length,)])
                assert (one == one[0]).all() and (two == one[0]).all()
                seen.append(float(one[0]))
            comm.join()
        return seen, comm.gather("c", np.array([comm.rank])).tolist()

    once = [[6.0], [6.0, 5.0], [6.0, 5.0, 3.0]]
    for rank, result in enumerate(in_ranks(3, work)):
        assert result == (once[rank] * 2, [0, 1, 2])


def test_operations_that_require_all_ranks_fail(in_ranks):
    """They fail on the continuing ranks; after the join they work again."""

    def work(comm):
        given = np.ones(2, np.float32)
        calls = {
            "Allgather": lambda: comm.gather("a", given),
            "Adasum": lambda: comm.adasum("c", given),
            "Alltoall": lambda: comm.all_to_all("d", [given[:1], given[1:]]),
            "Broadcast": lambda: comm.broadcast("b", given, 1),
        }
        messages = {}
        if comm.rank == 0:
            for name, call in calls.items():
                with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                    call()
                messages[caught.value.message] = name
        comm.join()
        return messages, comm.all_to_all("d", [given * 0, given]).shape, calls["Broadcast"]().sum()

    first, second = in_ranks(2, work)
    expected = {
        f"{name} is not supported with Join at this time.": name for name in first[0].values()
    }
    assert len(expected) == 4 and first == (expected, (4,), 2.0) and second == ({}, (4,), 2.0)


def test_joined_ranks_forward_sums(in_ranks):
    """Joined ranks between them forward their sums, as do others that are late for the join."""

    def work(comm):
        seen = []
        for _ in range(2):
            if comm.rank in (0, 3):
                for length in (2, 50_000):
                    seen.append(comm.sum(f"b{length}", np.full(length, 1.0 + comm.rank))[-1])
            comm.join()
        return seen, comm.sum("c", np.ones(1)).tolist()

    for rank, result in enumerate(in_ranks(4, work)):
        assert result == ([5.0] * 4 if rank in (0, 3) else [], [4.0]), rank
