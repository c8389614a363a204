"""Dataset threads: they preserve order, end with their session, and leave a cancelled step."""

import gc
import threading
import time

import numpy as np
import pytest

import tfmini as tf
from tests.support.held_locks import CollectingLock, ends
from tests.support.waiting import until, waiting_in
from tfmini._src.ops.datasets import threaded_datasets
from tfmini._src.ops.datasets.dataset_function import Function
from tfmini._src.ops.datasets.dataset_value import Run
from tfmini._src.ops.datasets.iterator import IteratorResource
from tfmini._src.ops.datasets.source_datasets import Range
from tfmini._src.ops.datasets.threaded_datasets import ParallelMap
from tfmini._src.ops.pending_ops import PendingOp


def threads():
    """tfmini's threads, except for the process-wide op threads."""
    names = {t: t.name for t in threading.enumerate()}
    return {t for t in names if names[t].startswith("tfmini") and names[t][:9] != "tfmini-op"}


def gone(before, stay=0, seconds=60.0):
    """Whether all but `stay` of the threads started since `before` end in time."""
    end = time.monotonic() + seconds
    while len(threads() - before) > stay and time.monotonic() < end:
        time.sleep(0.01)
    return len(threads() - before) <= stay


def pipelines():
    numbers = tf.data.Dataset.range(10**6)
    return {
        "prefetch": numbers.prefetch(3),
        "map": numbers.map(lambda x: x + 0, num_parallel_calls=3),
        "both": numbers.map(lambda x: x + 0, 2).batch(1).map(lambda x: x[0], 2).prefetch(2),
        "interleave": numbers.interleave(
            lambda x: tf.data.Dataset.from_tensors(x).prefetch(1), 2, 1, num_parallel_calls=2
        ),
        "repeat": tf.data.Dataset.range(3).prefetch(2).repeat(),
    }


@pytest.mark.parametrize("name", pipelines())
def test_order_is_preserved_and_threads_end(name):
    before = threads()
    with tf.Graph().as_default():
        iterator = tf.data.make_initializable_iterator(pipelines()[name])
        following = iterator.get_next()
        with tf.Session() as session:
            session.run(iterator.initializer)
            actual = [session.run(following) for _ in range(7)]
            session.run(iterator.initializer)
            assert session.run(following) == 0
    assert actual == [n % 3 if name == "repeat" else n for n in range(7)]
    assert gone(before)


def test_collected_session_ends_its_threads():
    before = threads()
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(
            tf.data.Dataset.range(100).prefetch(2)
        ).get_next()
        session = tf.Session()
        session.run(following)
        del session
    gc.collect()
    assert gone(before)


def test_iterator_finalizer_joins_idle_thread():
    before, run = threads(), Run()
    iterator = threaded_datasets.PrefetchIterator(Range(range(9)).iterate(run, ""), 1, run)
    iterator.next()
    shared = iterator._shared
    until(lambda: shared.ready and shared.has_room._waiting)
    del iterator
    assert threads() == before


def test_iterator_is_collected_while_thread_notifies_reader():
    """The reader has left; the thread holds the lock that the iterator's finalizer needs to notify it."""
    run = Run()
    iterator = threaded_datasets.PrefetchIterator(Range(range(9)).iterate(run, ""), 1, run)
    has_more = iterator._shared.has_more
    has_more._waiting.append(PendingOp(None))
    has_more._lock = CollectingLock(has_more._lock)
    iterator.circle = iterator
    del iterator
    assert ends(has_more.notify)


def test_iterator_is_collected_while_thread_starts_others():
    run = Run()
    run._lock = CollectingLock(run._lock)
    iterator = IteratorResource("", "", (), ())
    iterator._run, iterator.circle = run, iterator
    del iterator
    caught = []

    def begin():
        try:
            run.on_close(list)
        except tf.errors.CancelledError as error:
            caught.append(error)

    assert ends(begin)
    assert run.is_closed and caught


@pytest.fixture
def blocked():
    """A dataset whose second element waits for the event, and the event."""
    event = threading.Event()

    def wait(x):
        if x:
            event.wait(30)
        return x

    with tf.Graph().as_default():
        dataset = tf.data.Dataset.range(5).map(lambda x: tf.numpy_function(wait, [x], tf.int64))
        yield dataset.prefetch(1)
    event.set()


@pytest.mark.quick
def test_close_cancels_blocked_step(blocked):
    following = tf.data.make_one_shot_iterator(blocked).get_next()
    session = tf.Session()
    assert session.run(following) == 0
    errors = []

    def run():
        try:
            session.run(following)
        except tf.errors.OpError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: waiting_in(session))
    session.close()
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(errors[0], tf.errors.CancelledError)


def test_deadline_expires_while_blocked(blocked):
    following = tf.data.make_one_shot_iterator(blocked).get_next()
    with tf.Session() as session:
        assert session.run(following) == 0
        with pytest.raises(
            tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
        ):
            session.run(following, options=tf.RunOptions(timeout_in_ms=50))


def test_thread_exception_is_raised_once():
    def fail(x):
        if x == 2:
            raise ValueError("two")
        return x

    with tf.Graph().as_default():
        dataset = tf.data.Dataset.range(4).map(
            lambda x: tf.numpy_function(fail, [x], tf.int64), num_parallel_calls=2
        )
        following = tf.data.make_one_shot_iterator(dataset.prefetch(4)).get_next()
        with tf.Session() as session:
            assert [session.run(following) for _ in range(2)] == [0, 1]
            with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: two") as caught:
                session.run(following)
            assert "in fail" in str(caught.value) and "IteratorGetNext" in str(caught.value)
            assert session.run(following) == 3
            with pytest.raises(tf.errors.OutOfRangeError, match=r"^End of sequence\n"):
                session.run(following)


def test_threads_share_an_iterator():
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(400).shuffle(7)).get_next()
        actual = []
        with tf.Session() as session:

            def run():
                for _ in range(200):
                    actual.append(int(session.run(following)))

            workers = [threading.Thread(target=run) for _ in range(2)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        np.testing.assert_array_equal(sorted(actual), np.arange(400))


def test_finished_epochs_leave_no_threads():
    before = threads()
    with tf.Graph().as_default():
        epochs = tf.data.Dataset.range(3).map(lambda x: x + 1, num_parallel_calls=2).repeat()
        iterator = tf.data.make_initializable_iterator(epochs)
        following = iterator.get_next()
        with tf.Session() as session:
            session.run(iterator.initializer)
            actual = [session.run(following) for _ in range(60)]
            assert gone(before, stay=4)  # this epoch's, and the previous one's
    assert actual == [1, 2, 3] * 20
    assert gone(before)


class Numbered(Function):
    """A function that returns its argument and its thread, and advances a fake clock by `seconds(argument)`."""

    stateful_ops = ()

    def __init__(self, seconds):
        self._seconds = seconds
        self._now = 0.0

    def perf_counter(self):
        return self._now

    def bind(self, run, path=""):
        def call(element):
            self._now += self._seconds(element[0])
            return element[0], threading.get_ident()

        return call


@pytest.fixture
def mapped(monkeypatch):
    """mapped(dataset): its numbers, and whether each was computed in the requesting thread."""

    def all_of(dataset):
        monkeypatch.setattr(threaded_datasets, "time", dataset.functions[0])
        following, mine = dataset.iterate(Run(), "").next, threading.get_ident()
        return [(int(number), thread == mine) for number, thread in iter(following, None)]

    return all_of


def test_short_calls_run_in_the_consumer(mapped):
    dataset = ParallelMap(Range(range(40)), Numbered(lambda number: 0.0), 4)
    first = mapped(dataset)
    assert [number for number, _ in first] == [*range(40)]
    assert not first[0][1] and all(here for _, here in first[20:])
    assert mapped(dataset) == [(number, True) for number in range(40)]


def test_slowing_calls_return_to_threads(mapped):
    dataset = ParallelMap(Range(range(60)), Numbered(lambda number: 0.01 * (number > 30)), 4)
    actual = mapped(dataset)
    assert [number for number, _ in actual] == [*range(60)]
    assert all(here for _, here in actual[20:37]) and not any(here for _, here in actual[37:])
    assert not any(here for _, here in mapped(dataset))


def test_long_and_stateful_calls_stay_in_threads(mapped):
    stateful = Numbered(lambda number: 0.0)
    stateful.stateful_ops = ("PyFunc",)
    for function in (Numbered(lambda number: 0.001), stateful):
        actual = mapped(ParallelMap(Range(range(40)), function, 4))
        assert actual == [(number, False) for number in range(40)]
