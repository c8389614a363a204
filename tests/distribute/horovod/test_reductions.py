"""Sums of large arrays over processes, in pieces; memory that is used again."""

import gc
import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.distribute.horovod import reductions
from tfmini._src.distribute.horovod.buffer_pool import KeptMemory
from tfmini._src.distribute.horovod.exchange import Exchange
from tfmini._src.distribute.horovod.ranks import Place
from tfmini._src.distribute.horovod.reductions import Reductions


def in_ranks(size, work):
    """`work(reductions)` in a thread for each rank; its results by rank, or its errors."""
    addresses = tuple(free_addresses({"rank": size})["rank"])
    results = [None] * size
    all_done = threading.Barrier(size)

    def run(rank):
        found = Reductions(Exchange(Place(rank, addresses)))
        try:
            results[rank] = work(found)
        except Exception as error:
            results[rank] = error
        all_done.wait(60)
        found.close()

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    return results


@pytest.mark.parametrize("size", [2, 3])
def test_sums_in_pieces(size, monkeypatch):
    monkeypatch.setattr(reductions, "_PIECE", 32 << 10)
    random = np.random.RandomState(0)
    given = [random.rand(100_003).astype(np.float32) for _ in range(size)]
    expected = given[0] + given[1]
    for each in given[2:]:
        expected = expected + each

    def work(found):
        totals = [found.sum("a", given[found.rank]) for _ in range(4)]
        return totals, found.sum("b", np.arange(40_000) * (found.rank + 1))

    for totals, integers in in_ranks(size, work):
        for total in totals:  # each has memory of its own
            np.testing.assert_array_equal(total, expected)
        np.testing.assert_array_equal(integers, np.arange(40_000) * (size * (size + 1) // 2))


def test_sums_that_do_not_fit():
    def work(found):
        return found.sum("a", np.zeros(50_000 + found.rank, np.float32))

    for error in in_ranks(2, work):
        assert isinstance(error, tf.errors.InvalidArgumentError)
        assert "float32(50000,), float32(50001,)" in error.message


@pytest.mark.parametrize(
    "shapes",
    [((3,), (50_000,), (50_000,)), ((2, 3), (3, 2), (2, 3)), ((100, 300), (300, 100), (1,))],
    ids=["small and large", "small", "large and small"],
)
def test_sums_of_other_shapes_elsewhere(shapes):
    """Each process hears of it, whichever way it would have gone."""

    def work(found):
        try:
            found.sum("a", np.zeros(shapes[found.rank], np.float32))
        except tf.errors.InvalidArgumentError as error:
            return error.message, found.sum("a", np.float32([found.rank])).tolist()

    shown = ", ".join(f"float32{shape}" for shape in shapes)
    assert in_ranks(3, work) == [(f"Arrays to reduce differ: {shown}", [3.0])] * 3


@pytest.mark.parametrize("length", [6, 60_000])
def test_groups_of_other_shapes_elsewhere(length):
    """Also where they have as many elements: each process hears of it before anything is added up."""

    def work(found):
        flat = np.arange(length, dtype=np.float32)
        mine = [(2, length // 2)] if found.rank else [(length // 2, 2)]
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            found.sum_all("a", [flat], mine)
        with pytest.raises(tf.errors.InvalidArgumentError, match="^Arrays to reduce differ: "):
            found.sum_all("b", [flat] if found.rank else np.split(flat, 2), [(length,)])
        halves = np.split(flat.astype(np.float16 if length < 9 else np.float32), 2)
        sums = found.sum_all("a", halves[: 1 + found.size % 2], [(length,)])
        return caught.value.message, np.concatenate(sums).tolist()

    half = length // 2
    first, second = f"float32[({half}, 2), ({length},)]", f"float32[(2, {half}), ({length},)]"
    expected = [2.0 * number for number in range(half)]
    message = f"Arrays to reduce differ: {first}, {second}"
    assert in_ranks(2, work) == [(message, expected)] * 2


def test_sums_keep_their_shapes():
    def work(found):
        shapes = [(), (0, 3), (2, 2), (200, 300)]
        return [found.sum("a", np.ones(shape, np.float32)) for shape in shapes]

    for totals in in_ranks(2, work):
        assert [each.shape for each in totals] == [(), (0, 3), (2, 2), (200, 300)]
        assert all((each == 2).all() for each in totals)


def test_kept_memory():
    kept = KeptMemory()
    floats = np.dtype(np.float32)
    first = kept.empty(600_000, floats)
    first[:] = 1
    where = first.ctypes.data
    part = first.reshape(2, -1)[1]
    del first
    other = kept.empty(600_000, floats)
    other[:] = 3
    assert part.sum() == 300_000  # whose memory is in use
    del part
    gc.collect()
    again = kept.copy(np.full([2, 300_000], 2, np.float32))
    assert again.ctypes.data == where and again.tolist() == [2.0] * 600_000
    assert other.sum() == 1_800_000
    assert again.shape == (600_000,) and again.flags.writeable
    assert kept.empty(5, floats).base is None  # small arrays come from the heap
    text = kept.copy(np.array([b"a", b"b"], object))
    assert text.tolist() == [b"a", b"b"]


@pytest.mark.parametrize("changed", [lambda x: x[:2], lambda x: x.astype(np.int32)])
def test_only_arrays_that_are_alike_are_broadcast(changed):
    def work(found):
        value = np.arange(3.0) + found.rank
        return found.broadcast("a", changed(value) if found.rank else value, 0)

    first, second = in_ranks(2, work)
    assert first.tolist() == [0, 1, 2]
    assert isinstance(second, tf.errors.InvalidArgumentError)
    assert second.message.startswith("a: rank 0 has float64(3,), rank 1 ")
