"""The dequeue order, derived by hand and from TensorFlow's draws."""

from tfmini._src.ops.queues.storage import Fifo, MinHeap, ShuffledStorage


def filled(storage, elements):
    for element in elements:
        storage.push(element)
    return storage


def emptied(storage):
    return [storage.pop() for _ in range(len(storage))]


def test_fifo_order_after_restore():
    storage = filled(Fifo(), "abcd")
    taken = [storage.pop(), storage.pop()]
    storage.restore(taken)
    storage.push("e")
    assert emptied(storage) == list("abcde")


def test_shuffle_matches_stream():
    storage = filled(ShuffledStorage(87654321, 7), range(20))
    drawn = emptied(storage)[:10]
    # First elements of tf.RandomShuffleQueue(100, 5, [tf.int32], seed=7) in TensorFlow 1.15.5.
    assert drawn == [7, 4, 19, 15, 0, 8, 10, 11, 14, 6]


def test_unseeded_shuffle_varies():
    orders = {tuple(emptied(filled(ShuffledStorage(0, 0), range(30)))) for _ in range(3)}
    assert len(orders) == 3 and {frozenset(order) for order in orders} == {frozenset(range(30))}


def test_priority_order_matches_cpp_heap():
    elements = list(zip([3, 1, 2, 1, 3, 1], "cabACx"))
    storage = filled(MinHeap(), elements)
    assert emptied(storage) == [(1, "a"), (1, "x"), (1, "A"), (2, "b"), (3, "c"), (3, "C")]
    numbers = [7, 3, 9, 1, 8, 2, 6, 5, 4, 0, 12, 11, 10]
    assert [p for (p,) in emptied(filled(MinHeap(), [(n,) for n in numbers]))] == sorted(numbers)
