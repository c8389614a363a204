"""The workloads, each written once against `tf`, for both sides.

A function in STEADY builds a graph and returns a Step: a callable to be timed, and a probe whose
value both sides must agree on after the same number of steps. A function in ONCE measures
something that cannot be repeated in a loop and returns the figures by name.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import collections
import gc
import os
import threading
import time

import numpy as np

Step = collections.namedtuple("Step", "run probe")

STEADY = {}
ONCE = {}


def steady(function):
    """Registers a workload that is timed in a loop."""
    STEADY[function.__name__] = function
    return function


def once(function):
    """Registers a workload that measures itself."""
    ONCE[function.__name__] = function
    return function


def open_session(tf):
    """A session with two threads, or BENCH_THREADS, its variables initialised."""
    threads = int(os.environ.get("BENCH_THREADS", "2"))
    config = tf.ConfigProto(
        intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads
    )
    session = tf.Session(config=config)
    session.run(tf.global_variables_initializer())
    return session


def memory(name="VmRSS"):
    """This process's resident memory in MB; VmHWM is its peak since `reset_peak`."""
    with open("/proc/self/status") as status:
        lines = [line for line in status if line.startswith(name + ":")]
    return int(lines[0].split()[1]) / 1024.0


def reset_peak():
    """Resets VmHWM to the current resident memory."""
    with open("/proc/self/clear_refs", "w") as control:
        control.write("5")


def weights(random, rows, columns):
    """A float32 matrix with glorot's standard deviation, the same on both sides."""
    scale = np.sqrt(2.0 / (rows + columns))
    return (random.randn(rows, columns) * scale).astype(np.float32)


@steady
def one_add(tf):
    """`run` of one add on a fed scalar."""
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    session = open_session(tf)
    return Step(lambda: session.run(y, {x: 2.0}), lambda: session.run(y, {x: 2.0}))


@steady
def chain_100(tf):
    """100 chained scalar adds on a fed value."""
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(100):
        y = y + x
    session = open_session(tf)
    return Step(lambda: session.run(y, {x: 2.0}), lambda: session.run(y, {x: 2.0}))


@steady
def chain_1000(tf):
    """1000 chained adds of size 10 starting from a variable.

    The addend is fed: TensorFlow's optimizer would fold constants into one add.
    """
    x = tf.placeholder(tf.float32, [10])
    y = tf.Variable(np.arange(10, dtype=np.float32))
    for _ in range(1000):
        y = y + x
    session = open_session(tf)
    feed = {x: np.ones(10, np.float32)}
    return Step(lambda: session.run(y, feed), lambda: session.run(y, feed)[-1])


def labelled_batch(random, size):
    """Images [size, 784] and one-hot digits [size, 10], float32."""
    images = random.rand(size, 784).astype(np.float32)
    digits = np.eye(10, dtype=np.float32)[random.randint(0, 10, size)]
    return images, digits


@steady
def softmax(tf):
    """Softmax regression 784 to 10, batch 100, a gradient descent step."""
    random = np.random.RandomState(0)
    images, digits = labelled_batch(random, 100)
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.float32, [None, 10])
    logits = tf.matmul(x, tf.Variable(tf.zeros([784, 10]))) + tf.Variable(tf.zeros([10]))
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
    loss = tf.reduce_mean(losses)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    session = open_session(tf)
    feed = {x: images, y: digits}
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


@steady
def mlp(tf):
    """MLP 784-256-256-10 with relu, batch 128, an Adam step."""
    random = np.random.RandomState(0)
    images, digits = labelled_batch(random, 128)
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.float32, [None, 10])
    hidden = x
    for rows, columns in ((784, 256), (256, 256), (256, 10)):
        matrix = tf.Variable(weights(random, rows, columns))
        logits = tf.matmul(hidden, matrix) + tf.Variable(tf.zeros([columns]))
        hidden = tf.nn.relu(logits)
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
    loss = tf.reduce_mean(losses)
    train = tf.train.AdamOptimizer(1e-4).minimize(loss)
    session = open_session(tf)
    feed = {x: images, y: digits}
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


def embedding_step(tf, rows):
    """A sparse gradient descent step on 128 rows of a table [rows, 128]."""
    random = np.random.RandomState(0)
    ids = tf.placeholder(tf.int32, [None])
    targets = tf.placeholder(tf.float32, [None, 128])
    table = tf.Variable(tf.fill([rows, 128], 0.5))
    loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(table, ids) - targets))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    session = open_session(tf)
    feed = {ids: random.randint(0, rows, 128), targets: random.rand(128, 128).astype(np.float32)}
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


@steady
def embedding(tf):
    """Embedding 50,000 x 128, 128 ids, a sparse gradient descent step."""
    return embedding_step(tf, 50000)


@steady
def word_vectors(tf):
    """Skip-gram: nce_loss over 50,000 words, 128 wide, batch 128, 64 sampled; a gradient descent step."""
    random = np.random.RandomState(0)
    words, width = 50000, 128
    tf.set_random_seed(1)
    centre = tf.placeholder(tf.int32, [128])
    beside = tf.placeholder(tf.int32, [128, 1])
    table = tf.Variable(random.uniform(-1, 1, (words, width)).astype(np.float32))
    out = tf.Variable((random.randn(words, width) / np.sqrt(width)).astype(np.float32))
    rows = tf.nn.embedding_lookup(table, centre)
    losses = tf.nn.nce_loss(out, tf.Variable(tf.zeros([words])), beside, rows, 64, words)
    loss = tf.reduce_mean(losses)
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    session = open_session(tf)
    ids = np.exp(random.rand(2, 128) * np.log(words)).astype(np.int32)  # as frequent as words are
    feed = {centre: ids[0], beside: ids[1][:, None]}
    measured = tf.reduce_mean(tf.square(rows))  # peers sample other words
    return Step(lambda: session.run(train, feed), lambda: session.run(measured, feed))


@once
def embedding_growth(tf):
    """A table ten times as large: the ratio of step times, and the memory added by steps."""
    small, large = embedding_step(tf, 50000), embedding_step(tf, 500000)
    for step in (small, large):
        for _ in range(50):
            step.run()
    reset_peak()
    resident = memory()
    ratios = []
    for _ in range(15):
        times = []
        for step in (small, large):
            begin = time.perf_counter()
            for _ in range(100):
                step.run()
            times.append(time.perf_counter() - begin)
        ratios.append(times[1] / times[0])
    return {"time": float(np.median(ratios)), "memory": memory("VmHWM") - resident}


@steady
def transfer(tf):
    """Feed and fetch of 10 MB."""
    x = tf.placeholder(tf.float32, [None])
    y = tf.identity(x)
    session = open_session(tf)
    fed = np.arange(2500000, dtype=np.float32)
    return Step(lambda: session.run(y, {x: fed}), lambda: session.run(y, {x: fed})[-1])


def lstm_layer(tf, inputs, units, random):
    """One LSTM layer over a list of [batch, units] inputs, unrolled by hand."""
    matrix = tf.Variable(weights(random, 2 * units, 4 * units))
    bias = tf.Variable(tf.zeros([4 * units]))
    state = output = tf.zeros_like(inputs[0])
    outputs = []
    for value in inputs:
        gates = tf.matmul(tf.concat([value, output], 1), matrix) + bias
        entry, new, forget, out = tf.split(gates, 4, axis=1)
        keep = state * tf.sigmoid(forget + 1.0)
        state = keep + tf.sigmoid(entry) * tf.tanh(new)
        output = tf.tanh(state) * tf.sigmoid(out)
        outputs.append(output)
    return outputs


@once
def lstm(tf):
    """Two LSTM layers of 200 units over 50 steps, batch 20, gradients, Adam: times in seconds."""
    random = np.random.RandomState(0)
    values = random.rand(20, 50, 200).astype(np.float32)
    gc.collect()
    begin = time.perf_counter()
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [20, 50, 200])
        hidden = tf.unstack(x, axis=1)
        for _ in range(2):
            hidden = lstm_layer(tf, hidden, 200, random)
        loss = tf.reduce_mean(tf.square(tf.stack(hidden, axis=1) - x))
        train = tf.train.AdamOptimizer(1e-3).minimize(loss)
        built = time.perf_counter()
        session = open_session(tf)
        times = [time.perf_counter()]
        for _ in range(7):
            session.run(train, {x: values})
            times.append(time.perf_counter())
        check = float(session.run(loss, {x: values}))
        session.close()
    runs = np.diff(times)
    return {
        "build": built - begin,
        "first": float(runs[0]),
        "second": float(runs[1]),
        "later": float(np.median(runs[2:])),
        "nodes": len(graph.get_operations()),
        "check": check,
    }


@once
def leak(tf):
    """MB of resident memory that 10,000 runs and 500 sessions add after a warm-up of 1,000 runs."""
    x = tf.placeholder(tf.float32, [None, 20])
    matrix = tf.Variable(tf.ones([20, 20]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, matrix) - 1.0))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    init = tf.global_variables_initializer()
    feed = {x: np.ones([10, 20], np.float32)}
    session = tf.Session()
    session.run(init)
    for _ in range(1000):
        session.run([train, loss], feed)
    gc.collect()
    before = memory()
    for _ in range(10000):
        session.run([train, loss], feed)
    gc.collect()
    between = memory()
    for _ in range(500):
        with tf.Session() as short:
            short.run(init)
            short.run([train, loss], feed)
    gc.collect()
    after = memory()
    return {"growth": after - before, "runs": between - before, "sessions": after - between}


@once
def threads(tf):
    """16 threads with 250 locked updates each, while another reads: lost updates, torn reads."""
    size = 100000
    variable = tf.Variable(tf.zeros([size]))
    update = tf.assign_add(variable, tf.ones([size]), use_locking=True)
    session = open_session(tf)
    done = threading.Event()
    torn = []
    reads = []

    def add():
        for _ in range(250):
            session.run(update.op)

    def look():
        while not done.is_set():
            value = session.run(variable)
            reads.append(value[0])
            if value.min() != value.max():
                torn.append(value)

    reader = threading.Thread(target=look)
    writers = [threading.Thread(target=add) for _ in range(16)]
    begin = time.perf_counter()
    for thread in [reader] + writers:
        thread.start()
    for thread in writers:
        thread.join()
    seconds = time.perf_counter() - begin
    done.set()
    reader.join()
    final = session.run(variable)
    lost = 4000 - float(final.min())
    return {"lost": lost, "torn": len(torn), "reads": len(reads), "seconds": seconds}
