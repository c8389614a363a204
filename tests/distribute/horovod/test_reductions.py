"""Sums of large arrays across processes, in chunks; buffer reuse."""

import gc
import threading
import time

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.distribute.horovod import reductions
from tfmini._src.distribute.horovod.buffer_pool import ArrayPool
from tfmini._src.distribute.horovod.exchange import Exchange, Execution
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.horovod.reductions import Reductions


def in_ranks(size, work, hosts=("127.0.0.1",)):
    """Runs `work(reductions)` in one thread per rank; returns the results or errors by rank."""
    ports = [each.rpartition(":")[2] for each in free_addresses({"rank": size})["rank"]]
    addresses = tuple(f"{host}:{port}" for host, port in zip(hosts * size, ports))
    results = [None] * size
    all_done = threading.Barrier(size)

    def run(rank):
        communicator = Reductions(RankInfo(rank, addresses))
        try:
            results[rank] = work(communicator)
        except Exception as error:
            results[rank] = error
        all_done.wait(60)
        communicator.close()

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    return results


@pytest.mark.parametrize("size", [2, 3])
def test_large_sums_are_chunked(size, monkeypatch):
    monkeypatch.setattr(reductions, "_PIECE_BYTES", 32 << 10)
    random = np.random.RandomState(0)
    inputs = [random.rand(100_003).astype(np.float32) for _ in range(size)]
    expected = inputs[0] + inputs[1]
    for each in inputs[2:]:
        expected = expected + each

    def work(comm):
        totals = [comm.sum("a", inputs[comm.rank]) for _ in range(4)]
        return totals, comm.sum("b", np.arange(40_000) * (comm.rank + 1))

    for totals, integers in in_ranks(size, work):
        for total in totals:  # each has its own memory
            np.testing.assert_array_equal(total, expected)
        np.testing.assert_array_equal(integers, np.arange(40_000) * (size * (size + 1) // 2))


def test_mismatched_sums_are_rejected():
    def work(comm):
        return comm.sum("a", np.zeros(50_000 + comm.rank, np.float32))

    for error in in_ranks(2, work):
        assert isinstance(error, tf.errors.InvalidArgumentError)
        assert "float32(50000,), float32(50001,)" in error.message


@pytest.mark.parametrize(
    "shapes",
    [((3,), (50_000,), (50_000,)), ((2, 3), (3, 2), (2, 3)), ((100, 300), (300, 100), (1,))],
    ids=["small and large", "small", "large and small"],
)
def test_mismatched_shapes_are_reported_on_all_ranks(shapes):
    """Each process is notified, whichever algorithm its own shape selects."""

    def work(comm):
        try:
            comm.sum("a", np.zeros(shapes[comm.rank], np.float32))
        except tf.errors.InvalidArgumentError as error:
            return error.message, comm.sum("a", np.float32([comm.rank])).tolist()

    shown = ", ".join(f"float32{shape}" for shape in shapes)
    assert in_ranks(3, work) == [(f"a: arrays differ: {shown}", [3.0])] * 3


@pytest.mark.parametrize("length", [6, 60_000])
def test_mismatched_groups_are_reported_on_all_ranks(length):
    """Even with equal element counts: each process is notified before any addition."""

    def work(comm):
        flat = np.arange(length, dtype=np.float32)
        mine = [(2, length // 2)] if comm.rank else [(length // 2, 2)]
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            comm.sum_all("a", [flat], mine)
        with pytest.raises(tf.errors.InvalidArgumentError, match="^b: arrays differ: "):
            comm.sum_all("b", [flat] if comm.rank else np.split(flat, 2), [(length,)])
        halves = np.split(flat.astype(np.float16 if length < 9 else np.float32), 2)
        sums = comm.sum_all("a", halves[: 1 + comm.size % 2], [(length,)])
        return caught.value.message, np.concatenate(sums).tolist()

    half = length // 2
    first, second = (f"float32{shape}" for shape in ((half, 2), (2, half)))
    expected = [2.0 * i for i in range(half)]
    message = f"a: arrays differ: {first}, {second}"
    assert in_ranks(2, work) == [(message, expected)] * 2


def test_sums_preserve_shapes():
    def work(comm):
        shapes = [(), (0, 3), (2, 2), (200, 300)]
        return [comm.sum("a", np.ones(shape, np.float32)) for shape in shapes]

    for totals in in_ranks(2, work):
        assert [each.shape for each in totals] == [(), (0, 3), (2, 2), (200, 300)]
        assert all((each == 2).all() for each in totals)


def test_pool_retains_memory_of_live_views():
    pool = ArrayPool()
    floats = np.dtype(np.float32)
    first = pool.empty(600_000, floats)
    first[:] = 1
    where = first.ctypes.data
    part = first.reshape(2, -1)[1]
    del first
    other = pool.empty(600_000, floats)
    other[:] = 3
    assert part.sum() == 300_000  # its memory is in use
    del part
    gc.collect()
    again = pool.copy(np.full([2, 300_000], 2, np.float32))
    assert again.ctypes.data == where and again.tolist() == [2.0] * 600_000
    assert other.sum() == 1_800_000
    assert again.shape == (600_000,) and again.flags.writeable
    assert pool.empty(5, floats).base is None  # small arrays are heap-allocated
    text = pool.copy(np.array([b"a", b"b"], object))
    assert text.tolist() == [b"a", b"b"]


@pytest.mark.parametrize("changed", [lambda x: x[:2], lambda x: x.astype(np.int32)])
def test_mismatched_broadcast_is_rejected(changed):
    def work(comm):
        value = np.arange(3.0) + comm.rank
        return comm.broadcast("a", changed(value) if comm.rank else value, 0)

    for error in in_ranks(2, work):
        assert isinstance(error, tf.errors.InvalidArgumentError)
        assert error.message.startswith(("a: arrays differ: float64(3,), float64(2,)", "a differs"))


TWO_HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2", "127.0.0.2")


@pytest.mark.parametrize("length", [4, 150_000])
def test_operations_over_two_hosts(length, monkeypatch):
    monkeypatch.setattr(reductions, "_PIECE_BYTES", 32 << 10)
    random, few = np.random.RandomState(1), max(1, length // 10)
    inputs = random.randint(0, 9, [5, length]).astype(np.float32)

    def work(comm):
        own = inputs[comm.rank]
        rows = np.split(own.reshape(-1, 2), np.array([1, 1, 2, 2]) * few)
        return (
            comm.sum("sum", own),
            comm.gather("gather", own.reshape(-1, 2)[: 1 + comm.rank * length // 10]),
            comm.broadcast("broadcast", own, 3),
            comm.all_to_all("all_to_all", rows),
        )

    gathered = [each.reshape(-1, 2)[: 1 + n * length // 10] for n, each in enumerate(inputs)]
    sent = [
        [each.reshape(-1, 2)[first * few : last * few if last else None] for each in inputs]
        for first, last in SENT
    ]
    for rank, (total, parts, root, rows) in enumerate(in_ranks(5, work, TWO_HOSTS)):
        np.testing.assert_array_equal(total, inputs.sum(0))
        np.testing.assert_array_equal(parts, np.concatenate(gathered))
        np.testing.assert_array_equal(root, inputs[3])
        np.testing.assert_array_equal(rows, np.concatenate(sent[rank]))
        assert all(each.flags.writeable for each in (total, parts, root, rows))


SENT = [(0, 1), (1, 1), (1, 2), (2, 2), (2, None)]  # the rows per rank


def test_lost_rank_is_named_by_all_ranks(monkeypatch):
    """Including ranks that are not connected to it."""

    def work(comm):
        assert comm.sum("a", np.ones(3)).tolist() == [4.0] * 3
        if comm.rank == 0:
            comm.close()
            return None
        with pytest.raises(tf.errors.UnknownError) as caught:
            comm.sum("a", np.ones(3))
        return caught.value.message

    message = "Lost rank 0: "
    assert [each and each[: len(message)] for each in in_ranks(4, work)] == [None] + [message] * 3


def test_failure_is_reported_to_all_ranks():
    heard = [threading.Event() for _ in range(4)]
    errors = {}

    def work(comm):
        def lost(error):
            errors.setdefault(comm.rank, error.message)
            heard[comm.rank].set()

        comm.watch(lost)
        comm.sum("a", np.ones(1))  # all are watching
        if comm.rank == 1:
            comm.fail()
        else:
            assert heard[comm.rank].wait(60)

    in_ranks(4, work)
    assert {rank: errors[rank] for rank in (0, 2, 3)} == dict.fromkeys(
        (0, 2, 3), "Rank 1 has failed"
    )


def test_early_request_is_not_lost(monkeypatch):
    """It is not lost while another one is being served."""
    begin = Exchange.part_in

    def part_in(exchange, turn):
        with exchange._lock:
            exchange._drop_if_done(turn)
        return begin(exchange, turn)

    def work(comm):
        exchange = comm._exchange
        while comm.rank == 1 and Execution(0, 1, "a") not in exchange._turns:
            time.sleep(0.001)
        return comm.sum("a", np.ones(2)).tolist()

    monkeypatch.setattr(Exchange, "part_in", part_in)
    assert in_ranks(2, work) == [[2.0, 2.0]] * 2


def test_connections_per_rank_are_bounded():
    def work(comm):
        comm.sum("a", np.ones(1))
        return len(comm._exchange._channels)

    assert in_ranks(6, work) == [1, 2, 2, 2, 2, 1]


def test_unreachable_rank_does_not_block_notifications(monkeypatch):
    messages = []

    def publish(exchange, rank, turn, phase, value):
        if rank == exchange.tree.neighbors[0]:
            raise tf.errors.CancelledError(None, None, "it has gone")
        messages.append(rank)

    def work(comm):
        comm.sum("a", np.ones(1))
        if comm.rank == 1:
            with monkeypatch.context() as patched:
                patched.setattr(type(comm._exchange), "publish", publish)
                comm.fail()

    in_ranks(3, work)
    assert len(messages) == 1
