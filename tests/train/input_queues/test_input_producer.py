"""Producers of epochs of inputs; orders are those of TensorFlow 1.15.5 under the same seeds."""

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


def test_shuffled_epochs():
    queue = numbers(4, shuffle=True, seed=3, num_epochs=3)
    order = [3, 2, 1, 0, 3, 0, 2, 1, 1, 3, 2, 0]
    assert fed(queue.dequeue()) == [*order, "FIFOQueue"]


def test_match_filenames_once(tmp_path):
    for name in "ba":
        (tmp_path / name).write_text(name)
    files = tf.train.match_filenames_once(str(tmp_path / "*"))
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        (tmp_path / "c").write_text("c")
        found = session.run(files).tolist()
    assert found == [str(tmp_path / name).encode() for name in "ab"]
