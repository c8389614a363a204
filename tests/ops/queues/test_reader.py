"""Pipelines of files, readers, batches and threads: their output and shutdown."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

# TensorFlow's orders with these seeds are in test_feeding.py; only files and readers are new here.
ROWS = 12


@pytest.fixture(autouse=True)
def _quiet(quiet_logs):
    with no_thread_stays():
        yield


def fed(fetches):
    """The results of steps until the end of input."""
    collected = []
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while not coordinator.should_stop():
                collected.append(session.run(fetches))
        except tf.errors.OutOfRangeError:
            pass
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=20)
    return [np.concatenate(parts) for parts in zip(*collected)]


def producer(paths):
    return tf.train.string_input_producer([str(p) for p in paths], num_epochs=1, seed=1)


def test_fixed_length_records(tmp_path):
    images = np.random.RandomState(0).randint(0, 256, [ROWS, 3, 4, 5]).astype(np.uint8)
    paths = []
    for part in range(3):
        rows = range(part, ROWS, 3)
        paths.append(tmp_path / f"batch_{part}.bin")
        paths[-1].write_bytes(b"".join(bytes([n]) + images[n].tobytes() for n in rows))
    _, value = tf.FixedLengthRecordReader(1 + 3 * 4 * 5).read(producer(paths))
    record = tf.decode_raw(value, tf.uint8)
    label = tf.cast(tf.strided_slice(record, [0], [1]), tf.int32)
    image = tf.transpose(tf.reshape(tf.strided_slice(record, [1], [61]), [3, 4, 5]), [1, 2, 0])
    label.set_shape([1])
    batch = tf.train.shuffle_batch([image, label], 4, 20, 8, num_threads=3)
    actual, labels = fed(batch)
    assert sorted(labels[:, 0]) == list(range(ROWS)) and list(labels[:, 0]) != sorted(labels[:, 0])
    np.testing.assert_array_equal(actual, images[labels[:, 0]].transpose(0, 2, 3, 1))


def test_text_lines(tmp_path):
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for first, path in zip((0, 6), paths):
        lines = (f"{n},{n / 2}" for n in range(first, first + 6))
        path.write_text("\n".join(["n,half", *lines]))
    key, line = tf.TextLineReader(skip_header_lines=1).read(producer(paths))
    number, half = tf.decode_csv(line, [[0], [0.0]])
    numbers, halves, keys = fed(tf.train.batch([number, half, key], 3))
    assert sorted(numbers) == list(range(ROWS)) and list(halves) == list(numbers / 2)
    names = [str(paths[n // 6]) + f":{n % 6 + 2}" for n in numbers]
    assert [key.decode() for key in keys] == names


@pytest.mark.parametrize("multiple", [None, 5])
def test_tf_records(tmp_path, multiple):
    kind = tf.python_io.TFRecordCompressionType.GZIP
    options = tf.python_io.TFRecordOptions(kind)
    path = tmp_path / "records"
    with tf.python_io.TFRecordWriter(str(path), options) as writer:
        for n in range(ROWS):
            x = tf.train.Feature(float_list=tf.train.FloatList(value=[n, n * n]))
            features = tf.train.Features(feature={"x": x})
            writer.write(tf.train.Example(features=features).SerializeToString())
    reader, names = tf.TFRecordReader(options=options), producer([path])
    expected = {"x": tf.FixedLenFeature([2], tf.float32)}
    if multiple:
        _, records = reader.read_up_to(names, multiple)
        x = tf.parse_example(records, expected)["x"]
    else:
        x = tf.parse_single_example(reader.read(names)[1], expected)["x"]
    batch = tf.train.batch([x], 5, enqueue_many=bool(multiple), allow_smaller_final_batch=True)
    (rows,) = fed([batch])
    np.testing.assert_array_equal(rows, [[n, n * n] for n in range(ROWS)])


def test_damaged_file(tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    with tf.python_io.TFRecordWriter(str(good)) as writer:
        writer.write(b"a" * 30)
    bad.write_bytes(good.read_bytes().replace(b"a", b"b", 1))
    names = tf.train.string_input_producer([str(bad)])
    _, record = tf.TFRecordReader().read(names, name="reading")
    batch = tf.train.batch([record], 2, num_threads=2)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient"):
            session.run(batch)
        with pytest.raises(tf.errors.DataLossError, match="corrupted record at 12") as failure:
            coordinator.join(threads, stop_grace_period_secs=20)
    assert failure.value.op.name == "reading"
    assert not any(thread.is_alive() for thread in threads)


def test_steps_take_turns():
    queue = tf.FIFOQueue(2, [tf.string])
    reader = tf.IdentityReader()
    read, put = reader.read(queue), queue.enqueue(["a"])
    collected = []
    session = tf.Session()

    def take():
        try:
            collected.append(session.run(read).value)
        except tf.errors.CancelledError as error:
            collected.append(error.message.partition("\n")[0])

    late = tf.RunOptions(timeout_in_ms=30)
    with pytest.raises(
        tf.errors.DeadlineExceededError, match="^Timed out waiting for notification$"
    ):
        session.run(read, options=late)
    assert session.run([read, put])[0].value == b"a"  # in one step, in any order
    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    session.run([put, put])
    while not collected:
        pass
    session.close()
    for thread in threads:
        thread.join()
    assert collected[0] == b"a"
    assert all("cancelled" in text or "closed" in text for text in collected[1:])


def test_lmdb_is_unsupported():
    with pytest.raises(NotImplementedError, match="TFRecordWriter"):
        tf.LMDBReader()
