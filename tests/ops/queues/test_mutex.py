"""Mutexes and barriers over steps and threads; records without end."""

import gc
import threading
import time
from collections import OrderedDict

import pytest

import tfmini as tf
from tests.support.waiting import once, waiting_in
from tfmini._src.graph.opdef import raw
from tfmini._src.ops.queues.barrier import Barrier
from tfmini._src.ops.queues.mutex import Mutex


def raised(counter):
    def function():
        before = counter.read_value()
        with tf.control_dependencies([before]), tf.control_dependencies([counter.assign_add(1.0)]):
            return tf.identity(before)

    return function


def test_each_thread_gets_another_number():
    counter = tf.get_variable("counter", initializer=0.0, use_resource=True)
    number = tf.CriticalSection().execute(raised(counter))
    found = []
    with tf.Session() as session:
        session.run(counter.initializer)

        def draw():
            found.extend(float(session.run(number)) for _ in range(25))

        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(found) == list(range(100))


def test_a_step_that_ends_at_its_deadline_leaves_the_mutex_to_others():
    mutex = raw.MutexV2(shared_name="mutex")
    held = raw.MutexLock(mutex)
    slow = tf.py_func(lambda: time.sleep(0.3), [], [])
    with tf.control_dependencies([held]):
        waits = tf.group(slow, raw.MutexLock(mutex, name="second").op)
    with tf.control_dependencies([waits]):
        fails = raw.ConsumeMutexLock(held)
    free = raw.ConsumeMutexLock(raw.MutexLock(mutex))
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
        ):
            session.run(fails, options=tf.RunOptions(timeout_in_ms=50))
        session.run(free)


class Line(OrderedDict):
    """Garbage is collected just before something is added."""

    def __setitem__(self, attempt, held):
        gc.collect()
        super().__setitem__(attempt, held)


def dropped(mutex):
    """Locks a mutex, and leaves the lock to the collector."""
    held = mutex.acquire().outcome()
    held.circle = held


def test_a_lock_is_collected_where_another_joins_the_line():
    mutex = Mutex()
    mutex._line = Line()
    dropped(mutex)
    assert mutex.acquire().is_ended


def test_what_waits_for_a_mutex_ends_with_its_session():
    mutex = raw.MutexV2(shared_name="mutex")
    held = raw.MutexLock(mutex)
    with tf.control_dependencies([held]):
        second = raw.MutexLock(mutex)
    both = tf.group(raw.ConsumeMutexLock(second))
    with tf.control_dependencies([both]):
        last = raw.ConsumeMutexLock(held)
    session = tf.Session()
    with once(lambda: waiting_in(session), session.close):
        with pytest.raises(tf.errors.CancelledError, match="Lock acquisition cancelled."):
            session.run(last)


def test_a_take_waits_for_what_another_step_completes():
    barrier = Barrier((tf.float32, tf.int32), shapes=((), ()))
    first, second = (
        barrier.insert_many(0, ["k"], [1.0]),
        barrier.insert_many(1, ["k"], [2]),
    )
    taken = barrier.take_many(1)
    with tf.Session() as session:
        session.run(first)
        with once(lambda: waiting_in(session), lambda: session.run(second)):
            assert session.run(taken.keys) == [b"k"]
        session.run(first)
        closing = barrier.close(True)
        with once(lambda: waiting_in(session), lambda: session.run(closing)):
            with pytest.raises(tf.errors.OutOfRangeError, match=r"\(requested 1, current size 0\)"):
                session.run(taken)


def write(path, records):
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for record in records:
            writer.write(record)


@pytest.mark.parametrize("parallelism", [1, 3])
def test_each_epoch_of_record_input_has_all_records_once(tmp_path, parallelism):
    every = [b"%d %d" % (file, number) for file in range(4) for number in range(20)]
    for file in range(4):
        write(tmp_path / f"{file}.tfrecord", every[file * 20 : file * 20 + 20])
    make = tf.contrib.framework.RecordInput
    batch = make(str(tmp_path / "*.tfrecord"), 80, 50, parallelism, 0.5, seed=3).get_yield_op()
    with tf.Session() as session:
        epochs = [session.run(batch).tolist() for _ in range(3)]
    assert [sorted(epoch) for epoch in epochs] == [sorted(every)] * 3
    assert epochs[0] != epochs[1] != every
    with tf.Session() as session:
        assert session.run(batch).tolist() == epochs[0]


def test_a_damaged_record_is_an_error_from_then_on(tmp_path):
    path = tmp_path / "records"
    write(path, [b"one", b"two"])
    path.write_bytes(path.read_bytes()[:-6] + b"xxxxxx")
    batch = tf.contrib.framework.RecordInput(str(path), 1, 2).get_yield_op()
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.DataLossError, match=r"^corrupted record at 31\n"):
                session.run(batch)


def test_an_error_of_a_file_stays_when_the_file_is_mended(tmp_path):
    path = tmp_path / "records"
    path.write_bytes(b"no record, but more bytes than a header has")
    batch = tf.contrib.framework.RecordInput(str(path), 1, 2).get_yield_op()
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.DataLossError, match="record at 0"):
                session.run(batch)
            write(path, [b"a", b"b"])


@pytest.mark.parametrize("shift, first", [(0.0, 0), (0.5, 2), (0.75, 3)])
def test_files_are_rotated_by_their_shift(tmp_path, shift, first):
    for file in range(4):
        write(tmp_path / str(file), [b"%d" % file])
    pattern = str(tmp_path / "?")

    def epoch(shift):
        make = tf.contrib.framework.RecordInput
        batch = make(pattern, 4, 1, parallelism=1, shift_ratio=shift, seed=3).get_yield_op()
        with tf.Session() as session:
            return list(session.run(batch))

    plain = epoch(1.0)  # which shifts nothing
    assert epoch(shift) == plain[first:] + plain[:first]


def test_files_without_records_are_an_error(tmp_path):
    write(tmp_path / "none", [])
    batch = tf.contrib.framework.RecordInput(str(tmp_path / "none")).get_yield_op()
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError, match="no records"):
        session.run(batch)


def test_batches_of_record_input_are_scalars(tmp_path):
    write(tmp_path / "records", [b"a", b"a"])
    first, second = tf.contrib.framework.RecordInput(
        str(tmp_path / "records"), 2, batches=2, name="records"
    ).get_yield_op()
    assert len(first) == len(second) == 2 and first[0].shape == ()
    with tf.Session() as session:
        assert session.run(first) == [b"a", b"a"]


def test_functions_of_data_may_use_one_of_outside(eager):
    counter, section = tf.Variable(1), tf.CriticalSection()
    rows = tf.data.Dataset.range(2).map(lambda n: section.execute(lambda: counter.assign_add(1)))
    assert [row.numpy() for row in rows] == [2, 3]
    with tf.Graph().as_default() as graph, pytest.raises(ValueError, match="an Eager-defined Te"):
        with graph.colocate_with(section._handle):
            pass
