"""Input pipeline workloads: queues and readers, tf.data, summaries, monitored sessions. Also run under Python 3.7.

A step of a pipeline is a batch of 128 records.
"""

import gc
import os
import tempfile
import threading
import time

import numpy as np

from ci.commands.benchmarks.workloads import Step, memory, once, open_session, steady

COUNT, PIXELS, BATCH = 10000, 784, 128
PATH = os.path.join(tempfile.gettempdir(), f"tfmini_bench_records_{os.getpid()}")


def records(tf):
    """A file of COUNT Examples of 784 floats and a label."""
    if not os.path.exists(PATH):
        random = np.random.RandomState(0)
        with tf.python_io.TFRecordWriter(PATH) as writer:
            for index in range(COUNT):
                example = tf.train.Example()
                feature = example.features.feature
                feature["pixels"].float_list.value.extend(random.rand(PIXELS))
                feature["label"].int64_list.value.append(index % 10)
                writer.write(example.SerializeToString())
    return PATH


def features(tf):
    return {
        "pixels": tf.FixedLenFeature([PIXELS], tf.float32),
        "label": tf.FixedLenFeature([], tf.int64),
    }


def rows():
    return np.random.RandomState(0).rand(COUNT, PIXELS).astype(np.float32)


@steady
def queue_records(tf):
    """Readers and two threads: parse_single_example, shuffle_batch."""
    names = tf.train.string_input_producer([records(tf)])
    _, record = tf.TFRecordReader().read(names)
    parsed = tf.parse_single_example(record, features(tf))
    batch = tf.train.shuffle_batch(
        [parsed["pixels"], parsed["label"]], BATCH, 2000, 1000, num_threads=2
    )
    session = open_session(tf)
    session.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(session)
    fetch = session.make_callable([part.op for part in batch])
    return Step(fetch, lambda: 0.0)


def read(tf, dataset, probe=None):
    """A step that reads the next batch."""
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
    following = tf.nest.flatten(iterator.get_next())
    session = open_session(tf)
    session.run(iterator.initializer)
    fetch = session.make_callable([part.op for part in following])
    return Step(fetch, lambda: float(session.run(following[0]).ravel()[0]))


@steady
def data_records(tf):
    """The same records by tf.data: map with four parallel calls, shuffle, batch, prefetch."""
    dataset = tf.data.TFRecordDataset(records(tf))
    dataset = dataset.map(lambda record: tf.parse_single_example(record, features(tf)), 4)
    return read(tf, dataset.shuffle(1000, seed=1).repeat().batch(BATCH).prefetch(2))


@steady
def data_generator(tf):
    """Rows of an array that a generator yields."""
    data = rows()

    def generator():
        while True:
            yield from data

    dataset = tf.data.Dataset.from_generator(generator, tf.float32, [PIXELS])
    return read(tf, dataset.batch(BATCH))


@steady
def data_slices(tf):
    """Rows of an array, shuffled."""
    placeholder = tf.placeholder(tf.float32, [COUNT, PIXELS])
    dataset = tf.data.Dataset.from_tensor_slices(placeholder).shuffle(COUNT, seed=1).repeat()
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset.batch(BATCH))
    following = iterator.get_next()
    session = open_session(tf)
    session.run(iterator.initializer, {placeholder: rows()})
    fetch = session.make_callable(following.op)
    return Step(fetch, lambda: float(session.run(following)[0, 0]))


def softmax_step(tf):
    """A softmax regression step on a batch stored in variables."""
    random = np.random.RandomState(0)
    x = tf.constant(random.rand(BATCH, PIXELS).astype(np.float32))
    y = tf.constant(random.randint(0, 10, BATCH))
    w, b = tf.Variable(tf.zeros([PIXELS, 10])), tf.Variable(tf.zeros([10]))
    logits = tf.matmul(x, w) + b
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    step = tf.train.get_or_create_global_step()
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step), loss, [w, b, logits]


@steady
def summaries(tf):
    """The same step with merge_all of 6 scalars and 4 histograms, written each time."""
    update, loss, activations = softmax_step(tf)
    for number in range(6):
        tf.summary.scalar(f"loss_{number}", loss * (number + 1))
    for number, tensor in enumerate([*activations, tf.nn.softmax(activations[-1])]):
        tf.summary.histogram(f"values_{number}", tensor)
    merged = tf.summary.merge_all()
    writer = tf.summary.FileWriter(tempfile.mkdtemp())
    session = open_session(tf)
    number = [0]

    def run():
        summary, _ = session.run([merged, update])
        number[0] += 1
        writer.add_summary(summary, number[0])

    return Step(run, lambda: float(session.run(loss)))


def seconds_a_step(run, count=200):
    for _ in range(20):
        run()
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) / count


@once
def watched(tf):
    """The overhead per step of a MonitoredTrainingSession without files."""
    tf.reset_default_graph()
    update, _, _ = softmax_step(tf)
    plain = open_session(tf)
    alone, watched = [], []
    hooks = [tf.train.StopAtStepHook(last_step=10**9)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
        for _ in range(20):
            alone.append(seconds_a_step(lambda: plain.run(update)))
            watched.append(seconds_a_step(lambda: session.run(update)))
    return {"adds": min(watched) - min(alone), "plain": min(alone)}


@once
def data_million(tf):
    """Memory retained after 1,000,000 elements, and threads left after the session is closed."""
    tf.reset_default_graph()
    before = threading.active_count()
    dataset = tf.data.Dataset.range(1000).map(lambda x: x + 1, 4).shuffle(100).repeat()
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset.batch(100).prefetch(2))
    following = iterator.get_next()
    session = open_session(tf)
    session.run(iterator.initializer)
    fetch = session.make_callable(following.op)
    for _ in range(1000):
        fetch()
    gc.collect()
    start = memory()
    for _ in range(10000):
        fetch()
    gc.collect()
    grown = memory() - start
    session.close()
    del fetch, session
    gc.collect()
    time.sleep(0.5)
    return {"growth": grown, "threads": float(threading.active_count() - before)}
