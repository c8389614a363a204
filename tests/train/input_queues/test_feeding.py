"""Threads that feed queues, and what comes out of them; orders are those of TensorFlow 1.15.5 under the same seeds."""

import threading

import pytest

import tfmini as tf

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@pytest.fixture(autouse=True)
def _quiet():
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.FATAL)
    yield
    tf.logging.set_verbosity(level)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value if isinstance(value, str | bytes) else value.tolist()


def fed(fetches):
    """The results of steps until their input ends; then the kind of the queue that has ended."""
    given = []
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while not coordinator.should_stop():
                given.append(plain(session.run(fetches)))
        except tf.errors.OutOfRangeError as error:
            given.append(error.message.partition(" ")[0])
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20)
        assert not any(thread.is_alive() for thread in threads) and coordinator.joined
    return given


def numbers(count, **settings):
    return tf.train.range_input_producer(count, **{"shuffle": False, "num_epochs": 1, **settings})


def test_each_epoch_has_an_order_of_its_own():
    queue = numbers(4, shuffle=True, seed=3, num_epochs=3)
    order = [3, 2, 1, 0, 3, 0, 2, 1, 1, 3, 2, 0]
    assert fed(queue.dequeue()) == [*order, "FIFOQueue"]


def test_rows_of_several_tensors_in_a_dictionary():
    row, label = tf.train.slice_input_producer(
        [tf.reshape(tf.range(12.0), [6, 2]), tf.range(6)], num_epochs=1, seed=5, capacity=4
    )
    batch = tf.train.batch(
        {"row": row, "label": label}, 4, allow_smaller_final_batch=True, capacity=5
    )
    assert fed(batch) == [
        {"label": [1, 5, 2, 0], "row": [[2.0, 3.0], [10.0, 11.0], [4.0, 5.0], [0.0, 1.0]]},
        {"label": [4, 3], "row": [[8.0, 9.0], [6.0, 7.0]]},
        "FIFOQueue",
    ]


def test_strings_twice():
    names = tf.train.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
    name = names.dequeue()
    assert fed(tf.train.batch([name, tf.string_join([name, name])], 2)) == [
        [[b"a", b"b"], [b"aa", b"bb"]],
        [[b"c", b"a"], [b"cc", b"aa"]],
        [[b"b", b"c"], [b"bb", b"cc"]],
        "FIFOQueue",
    ]


def test_only_what_is_to_be_kept():
    n = numbers(7, num_epochs=2).dequeue()
    kept = tf.train.maybe_batch([n], tf.equal(n % 2, 0), 3, allow_smaller_final_batch=True)
    assert fed(kept) == [[0, 2, 4], [6, 0, 2], [4, 6], "FIFOQueue"]


def test_rows_to_be_kept():
    rows = numbers(6).dequeue_many(3)
    kept = tf.train.maybe_batch([rows], rows > 1, 2, enqueue_many=True)
    assert fed(kept) == [[2, 3], [4, 5], "FIFOQueue"]


def test_mixed():
    n = numbers(20).dequeue()
    assert fed(tf.train.shuffle_batch([n], 5, 100, 20, seed=9)) == [
        [13, 4, 17, 9, 11],
        [3, 14, 8, 10, 6],
        [1, 2, 15, 16, 0],
        [7, 18, 19, 12, 5],
        "RandomShuffleQueue",
    ]


def test_padded():
    n = numbers(5).dequeue()
    padded = tf.train.batch([tf.range(n)], 3, dynamic_pad=True, allow_smaller_final_batch=True)
    assert fed(padded) == [
        [[0, 0], [0, 0], [0, 1]],
        [[0, 1, 2, 0], [0, 1, 2, 3]],
        "PaddingFIFOQueue",
    ]


@pytest.mark.parametrize("threads", [1, 4])
def test_nothing_is_lost_or_doubled(threads):
    n = numbers(100).dequeue()
    given = fed(tf.train.batch([n], 10, num_threads=threads))
    assert sorted(number for batch in given[:-1] for number in batch) == list(range(100))


def test_examples_of_several_places():
    sources = [[numbers(30).dequeue() + 100 * part] for part in range(3)]
    given = fed(tf.train.batch_join(sources, 10))
    want = [n + 100 * part for part in range(3) for n in range(30)]
    assert sorted(number for batch in given[:-1] for number in batch) == want


def test_a_failure_of_a_thread_is_raised_where_it_is_joined():
    n = numbers(5).dequeue()
    wrong = tf.check_numerics(1.0 / tf.cast(n - 3, tf.float32), "a quotient", name="check")
    batch = tf.train.batch([wrong], 2)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(
            tf.errors.OutOfRangeError,
            match="FIFOQueue '.*_batch/fifo_queue' is closed and has insufficient elements",
        ):
            for _ in range(5):
                session.run(batch)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="a quotient : Tensor had Inf"
        ) as e:
            coordinator.join(threads)
        assert e.value.op.name == "check"


def test_without_a_coordinator_the_runner_keeps_it(monkeypatch):
    monkeypatch.setattr("threading.excepthook", lambda args: None)
    queue = tf.FIFOQueue(10, tf.float32)
    wrong = queue.enqueue([tf.check_numerics(tf.constant(float("nan")), "it")])
    runner = tf.train.QueueRunner(queue, [wrong])
    with tf.Session() as session:
        threads = runner.create_threads(session, start=True)
        for thread in threads:
            thread.join(20)
    (error,) = runner.exceptions_raised
    assert isinstance(error, tf.errors.InvalidArgumentError)


def test_a_stop_cancels_what_waits_for_room():
    queue = tf.FIFOQueue(3, [tf.int32])
    runner = tf.train.QueueRunner(queue, [queue.enqueue([1])] * 3)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = runner.create_threads(session, coordinator, start=True)
        assert runner.create_threads(session, coordinator, start=True) == []  # they run
        session.run(queue.dequeue())
        coordinator.request_stop()
        with pytest.raises(
            tf.errors.CancelledError, match="^(all saw the stop|Enqueue operation was cancelled)"
        ):
            # What waited has failed, and says so, as in TensorFlow, unless it saw the stop first.
            coordinator.join(threads, stop_grace_period_secs=20)
            raise tf.errors.CancelledError(None, None, "all saw the stop")
        assert session.run(queue.is_closed())


def test_a_runner_goes_through_a_meta_graph():
    tf.train.add_queue_runner(
        tf.train.QueueRunner(
            tf.FIFOQueue(3, [tf.int32], name="numbers"),
            [tf.no_op(name="fill")],
            queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError),
        )
    )
    written = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(written, import_scope="in")
        (runner,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert runner.name == "in/numbers" and [op.name for op in runner.enqueue_ops] == ["in/fill"]
    assert runner.close_op.name == "in/numbers_Close"
    assert runner.cancel_op.name == "in/numbers_Close_1"
    assert runner.queue_closed_exception_types == (
        tf.errors.OutOfRangeError,
        tf.errors.CancelledError,
    )


def test_files_are_matched_once(tmp_path):
    for name in "ba":
        (tmp_path / name).write_text(name)
    files = tf.train.match_filenames_once(str(tmp_path / "*"))
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        (tmp_path / "c").write_text("c")
        found = session.run(files).tolist()
    assert found == [str(tmp_path / name).encode() for name in "ab"]


def test_what_functions_give_fills_a_queue():
    queue = tf.FIFOQueue(5, tf.int32, shapes=[[]])
    x = tf.placeholder(tf.int32, [])
    rows = iter(range(7))

    def feed():
        row = next(rows, None)
        if row is None:
            raise tf.errors.OutOfRangeError(None, None, "no more")
        return {x: row}

    make = tf.contrib.training.FeedingQueueRunner
    enqueue = queue.enqueue(x)
    runner = make(queue, [enqueue, queue.enqueue(-1), enqueue], feed_fns=[feed, None, feed])
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        threads = runner.create_threads(session, coordinator, start=True)
        found = []
        while len([row for row in found if row >= 0]) < 7:
            found.append(session.run(queue.dequeue()))
        coordinator.request_stop()
        coordinator.join(threads)
    assert sorted(row for row in found if row >= 0) == list(range(7))
    with pytest.raises(ValueError, match="the same length as enqueue_ops"):
        make(queue, [enqueue], feed_fns=[])
    with pytest.raises(NotImplementedError, match="FeedingQueueRunner does not support"):
        runner.to_proto()


def test_a_session_closed_after_the_threads_were_joined_ends_them_quietly(monkeypatch):
    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(1, tf.int32)
        waits = queue.dequeue()
        other = tf.FIFOQueue(1, tf.int32)
        runner = tf.train.QueueRunner(other, [waits.op])
    session = tf.Session(graph=graph)
    coordinator = tf.train.Coordinator()
    threads = runner.create_threads(session, coordinator, daemon=True, start=True)
    coordinator.request_stop()
    coordinator.join(threads, stop_grace_period_secs=0.1, ignore_live_threads=True)
    session.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not raised


def test_queue_runners_are_those_of_the_sessions_graph():
    graph = tf.Graph()
    with graph.as_default():
        queue = tf.FIFOQueue(2, tf.float32)
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    session = tf.Session(graph=graph)
    with tf.Graph().as_default():
        assert len(tf.train.start_queue_runners(session, start=False)) == 1
    session.close()
