"""Queue runner steps in batches: the same elements, order and errors as one at a time."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session import batched_steps

pytestmark = pytest.mark.filterwarnings("ignore")
COUNT = 300


def record(index, size=3):
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([index] * size)
    example.features.feature["y"].int64_list.value.append(index)
    example.features.feature["name"].bytes_list.value.append(b"%d" % index)
    return example.SerializeToString()


def write(path, records):
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for each in records:
            writer.write(each)
    return str(path)


FEATURES = {
    "x": tf.FixedLenFeature([3], tf.float32),
    "y": tf.FixedLenFeature([], tf.int64),
    "name": tf.FixedLenFeature([], tf.string),
}


def read_from(names, make, capacity=1000):
    """A reader, its queue of names, the queue of elements `make(key, record)`, and its enqueue op."""
    work = tf.FIFOQueue(10, tf.string, shapes=[[]])
    reader = tf.TFRecordReader()
    elements = make(*reader.read(work))
    dtypes = [tensor.dtype for tensor in elements]
    queue = tf.FIFOQueue(capacity, dtypes, [tensor.shape for tensor in elements])
    session = tf.Session()
    session.run([work.enqueue_many([names]), work.close()])
    return session, reader, queue, queue.enqueue(elements)


def parsed(_, record):
    result = tf.parse_single_example(record, FEATURES)
    return [result["x"], result["y"], result["name"]]


def computed(key, record):
    result = tf.parse_single_example(record, FEATURES)
    return [result["x"] * 2.0, tf.string_join([key, result["name"]])]


def decoded(key, record):
    return [tf.strings.length(record), key]


def until_the_end(step):
    calls = 0
    with pytest.raises(tf.errors.OpError) as caught:
        while True:
            step()
            calls += 1
    return calls, caught.value


def contents(session, queue):
    size = session.run(queue.size())
    return session.run(queue.dequeue_many(size)) if size else []


@pytest.mark.parametrize("make", [parsed, computed, decoded])
def test_batched_steps_match_single_steps(tmp_path, make):
    names = [
        write(tmp_path / "a", [record(n) for n in range(COUNT)]),
        write(tmp_path / "b", [record(n) for n in range(7)]),
    ]
    session, reader, queue, op = read_from(names, make)
    step = batched_steps.repeat_op(session, op)
    calls, error = until_the_end(step)
    assert calls < COUNT / 10
    got = contents(session, queue)
    assert session.run(reader.num_records_produced()) == COUNT + 7
    session, _, queue, op = read_from(names, make)
    calls, wanted = until_the_end(session.make_callable(op))
    assert calls == COUNT + 7
    for a, b in zip(got, contents(session, queue), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    assert type(error) is type(wanted) is tf.errors.OutOfRangeError
    assert error.message.split("(")[0].split("'")[2:] == wanted.message.split("(")[0].split("'")[2:]
    assert error.op.type == wanted.op.type == "ReaderReadV2"


@pytest.mark.parametrize("bad", [record(0, size=2), b"no example"], ids=["short", "none"])
def test_error_is_reported_for_its_record(tmp_path, bad):
    records = [record(n) for n in range(40)]
    name = write(tmp_path / "a", [*records, bad, *records])
    session, reader, queue, op = read_from([name], parsed)
    _, error = until_the_end(batched_steps.repeat_op(session, op))
    assert isinstance(error, tf.errors.InvalidArgumentError)
    assert "ParseSingleExample" in error.op.type
    assert len(contents(session, queue)[0]) == 40
    assert session.run(reader.num_records_produced()) == 41
    # The next thread continues after it.
    until_the_end(batched_steps.repeat_op(session, op))
    np.testing.assert_array_equal(contents(session, queue)[1], range(40))


def test_corrupt_file_is_reported(tmp_path):
    name = write(tmp_path / "a", [record(n) for n in range(40)])
    with open(name, "ab") as file:
        file.write(b"no record of any kind")
    session, _, queue, op = read_from([name, write(tmp_path / "b", [record(1)])], parsed)
    step = batched_steps.repeat_op(session, op)
    _, error = until_the_end(step)
    assert isinstance(error, tf.errors.DataLossError) and error.op.type == "ReaderReadV2"
    assert len(contents(session, queue)[0]) == 40
    _, again = until_the_end(step)
    assert isinstance(again, tf.errors.DataLossError)


def test_reading_stops_at_queue_capacity(tmp_path):
    name = write(tmp_path / "a", [record(n) for n in range(COUNT)])
    session, reader, queue, op = read_from([name], parsed, capacity=50)
    step = batched_steps.repeat_op(session, op)
    while session.run(queue.size()) < 50:
        step()
    assert session.run(reader.num_records_produced()) == 50
    results = []
    thread = threading.Thread(target=lambda: results.append(until_the_end(step)))
    thread.start()
    taken = [session.run(queue.dequeue_many(30))[1] for _ in range(8)]
    np.testing.assert_array_equal(np.concatenate(taken), range(240))
    session.run(queue.close(cancel_pending_enqueues=True))
    thread.join(60)
    ((_, error),) = results
    assert isinstance(error, tf.errors.CancelledError) and error.op is op


def test_slow_steps_use_small_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(batched_steps, "_MAX_SECONDS", -1.0)
    name = write(tmp_path / "a", [record(n) for n in range(41)])
    session, _, queue, op = read_from([name], parsed)
    step = batched_steps.repeat_op(session, op)
    sizes = []
    for _ in range(21):
        step()
        sizes.append(int(session.run(queue.size())))
    assert sizes == [1, *range(3, 42, 2)]


def test_failed_block_falls_back_to_single_steps(tmp_path, monkeypatch):
    def refuse(*_):
        raise ValueError("not today")

    monkeypatch.setattr(batched_steps, "parse_records", refuse)
    name = write(tmp_path / "a", [record(n) for n in range(40)])
    session, _, queue, op = read_from([name], parsed)
    _, error = until_the_end(batched_steps.repeat_op(session, op))
    assert isinstance(error, tf.errors.OutOfRangeError)
    np.testing.assert_array_equal(contents(session, queue)[1], range(40))


def test_closing_session_ends_batching(tmp_path):
    name = write(tmp_path / "a", [record(n) for n in range(COUNT)])
    session, _, queue, op = read_from([name], parsed, capacity=60)
    step = batched_steps.repeat_op(session, op)
    results = []
    thread = threading.Thread(target=lambda: results.append(until_the_end(step)))
    thread.start()
    while session.run(queue.size()) < 60:
        pass
    session.close()
    thread.join(60)
    assert isinstance(results[0][1], tf.errors.CancelledError)


def refused(session, op):
    return not isinstance(batched_steps.repeat_op(session, op), batched_steps._Blocks)


def test_observable_ops_are_not_batched():
    work = tf.FIFOQueue(10, tf.string, shapes=[[]])
    key, value = tf.TFRecordReader().read(work)
    queue = tf.FIFOQueue(10, tf.string, shapes=[[]])
    session = tf.Session()
    assert not refused(session, queue.enqueue(value))
    counter = tf.Variable(0, use_resource=True)
    with tf.control_dependencies([counter.assign_add(1)]):
        counted = tf.identity(value)
    with tf.control_dependencies([counter.initializer]):
        late = queue.enqueue(value)
    called = tf.py_func(lambda x: x, [value], tf.string)
    called.set_shape([])
    random = tf.as_string(tf.random_uniform([]))
    for element in (counted, called, random, work.dequeue(), tf.string_join([value, random])):
        assert refused(session, queue.enqueue(element))
    assert refused(session, late)
    assert refused(session, queue.enqueue(tf.TFRecordReader().read(work)[1] + value))
    assert refused(tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=9)), queue.enqueue(key))
