"""A step's leftovers on a GPU, and its ordering with the program's own GPU work.

Each program runs in a separate process; `python -m tests.on_gpus.rehearsal -c PROGRAM` runs it on the emulator.
"""

import json

import numpy as np
import pytest

from tests.support.oracles.recurrent_equations import Direction, Net

pytestmark = pytest.mark.gpu

# The last line of each program's output is its result; `gpu` is the first GPU.
BEGIN = """
import threading
import cupy, numpy as np
import tfmini as tf
from tfmini._src.devices.cuda.process_gpus import session_gpus
gpu = list(session_gpus(None, "/job:localhost/replica:0/task:0").values())[0]
x = tf.placeholder(tf.float32, [None])
with tf.device("/gpu:0"):
    y = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
    doubled = x + x
session = tf.Session()
"""

OWN_STREAM = """
stream = cupy.cuda.Stream(non_blocking=True)
stream.use()
for _ in range(6):
    session.run(y, {x: np.ones(1000)})
print(cupy.cuda.get_current_stream() == stream)
"""

NO_FETCHES = """
most = 0
for n in range(30):
    session.run(doubled.op, {x: np.full(5 << 20, n)})
    most = max(most, gpu._staged_bytes)
print(most <= 64 << 20)
"""

OPTIONS = """
from cupy.cuda import compiler
before = len(compiler._empty_file_preprocess_cache)
for _ in range(4):
    session.run([y, tf.nn.softmax(tf.reshape(y, [2, -1])), tf.nn.top_k(y, 3)], {x: np.ones(1000)})
print(len(compiler._empty_file_preprocess_cache) <= before + 2)
"""

SHAPES = """
z = y
for _ in range(8):
    z = tf.cumsum(tf.tanh(z) * 1e-3)
for _ in range(6):
    for size in (1000, 20000, 50000, 7000, 30000):
        session.run(z, {x: np.ones(size)})
several = gpu.own_memory()["recorded graphs"]
gpu.drop_recorded()
for _ in range(40):
    session.run(z, {x: np.ones(50000)})
print(several == gpu.own_memory()["recorded graphs"])
"""

THREADS = """
big = np.ones(50 << 20)
ended = []
def run():
    for _ in range(20):
        session.run(doubled, {x: np.ones(10)})
    ended.append("small")
thread = threading.Thread(target=run)
wait = gpu.receive
def receive(ticket):
    if threading.current_thread() is threading.main_thread():
        thread.start()
        thread.join(20)
    return wait(ticket)
gpu.receive = receive
found = session.run(doubled, {x: np.ones(1000)})
print(ended == ["small"] and float(found.sum()) == 2000.0)
"""

HALVES = """
random = np.random.RandomState(0)
a, b = (random.rand(16, 65536).astype("e") for _ in range(2))
with tf.device("/gpu:0"):
    product = tf.matmul(a, b, transpose_b=True)
found, want = session.run(product), a.astype("d") @ b.astype("d").T
print(float(np.abs(found - want).max() / want.max()) < 1e-3)
"""

LARGE_FEED = """
value = np.random.RandomState(0).rand(30 << 20).astype("f")
found = session.run(doubled, {x: value})
print(bool((found == value * 2).all()) and gpu._staged_bytes <= 64 << 20)
"""

SMALL_FEEDS = """
with tf.device("/gpu:0"):
    kept = tf.Variable(tf.zeros([100, 1000]))
    row = tf.placeholder(tf.int32, [])
    put = tf.scatter_update(kept, row, x)
session.run(kept.initializer)
value = np.zeros(1000, "f")
for n in range(100):
    value[:] = n
    session.run(put.op, {row: n, x: value})
    value[:] = -1
print(bool((session.run(kept) == np.arange(100)[:, None]).all()))
"""

# Matrices for the inputs and the states of four gates, then their biases; likewise the gradients.
LSTM = """
import json
from tfmini import raw_ops as raw
from tests.on_gpus.test_runtime import lstm_values
values, state, matrices, biases = lstm_values()
sizes = dict(num_layers=1, num_units=4, input_size=3)
with tf.device("/gpu:0"):
    buffer = raw.CudnnRNNCanonicalToParams(**sizes, weights=matrices, biases=biases, rnn_mode="lstm")
    fed, params = tf.placeholder(tf.float32, values.shape), tf.placeholder(tf.float32, [None])
    outputs, h, c, _ = raw.CudnnRNN(input=fed, input_h=state[:1], input_c=state[1:], params=params, rnn_mode="lstm")
    loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(h) + tf.reduce_sum(2.0 * c)
    to_fed, to_params = tf.gradients(loss, [fed, params])
    parts = raw.CudnnRNNParamsToCanonical(**sizes, params=to_params, num_params=8, rnn_mode="lstm")
if gpu.cudnn is None:
    print("null")
else:
    feed = {fed: values, params: session.run(buffer)}
    fetched = session.run([outputs, h, c, to_fed, *parts[0], *parts[1]], feed)
    print(json.dumps([value.tolist() for value in fetched]))
"""


def lstm_values():
    """Inputs, initial state and memory, matrices and biases of an LSTM with 4 units on 3 inputs."""
    random = np.random.RandomState(0)

    def drawn(*shape):
        return random.uniform(-1, 1, shape).astype("f")

    matrices = [drawn(4, columns) for columns in (3, 4) for _ in range(4)]
    return drawn(5, 2, 3), drawn(2, 2, 4), matrices, [drawn(4) for _ in range(8)]


def lstm_by_hand():
    """The fetches of LSTM, by the equations of cuDNN's documentation."""
    x, state, matrices, biases = lstm_values()
    weights = Direction(matrices[:4], matrices[4:], biases[:4], biases[4:])
    net = Net("lstm", [weights])
    y, h, c = net.forward(x, state[:1], state[1:], np.array([5, 5]))
    to_x, _, _, (to,) = net.backward(2 * y, np.ones_like(h), 2 * np.ones_like(c))
    return [y, h, c, to_x, *to.w, *to.r, *to.b_w, *to.b_r]


def check(in_a_process, program):
    printed = in_a_process(BEGIN + program, TF_FORCE_GPU_ALLOW_GROWTH="true")
    assert printed.splitlines()[-1] == "True"


def test_current_stream_is_restored(in_a_process):
    check(in_a_process, OWN_STREAM)


def test_steps_without_fetches_bound_pending_copies(in_a_process):
    check(in_a_process, NO_FETCHES)


def test_kernels_share_one_option_set(in_a_process):
    """CuPy compiles an empty program for each set."""
    check(in_a_process, OPTIONS)


def test_segment_graphs_share_memory(in_a_process):
    check(in_a_process, SHAPES)


def test_threads_run_while_step_waits_for_fetches(in_a_process):
    check(in_a_process, THREADS)


def test_float16_sums_accumulate_in_float32(in_a_process):
    check(in_a_process, HALVES)


def test_large_feed_is_copied_in_slices(in_a_process):
    check(in_a_process, LARGE_FEED)


def test_small_feeds_may_change_after_step(in_a_process):
    check(in_a_process, SMALL_FEEDS)


def test_cudnn_lstm_and_gradients(in_a_process):
    printed = in_a_process(BEGIN + LSTM, TF_FORCE_GPU_ALLOW_GROWTH="true")
    actual = json.loads(printed.splitlines()[-1])
    if actual is None:
        pytest.skip("no cuDNN here")
    expected = lstm_by_hand()
    assert len(actual) == len(expected) == 20
    for got, want in zip(actual, expected):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_foreign_array_is_exchanged_by_dlpack(in_a_process):
    """Created on a side stream of PyTorch, whose older interface has no stream argument."""
    pytest.importorskip("torch")
    check(
        in_a_process,
        """
import torch
from tfmini._src.base import proto
options = proto.CallableOptions(feed=[x.name], fetch=[doubled.name])
options.feed_devices[x.name] = "/gpu:0"
run = session._make_callable_from_options(options)
side = torch.cuda.Stream()
with torch.cuda.stream(side):
    fed = torch.ones(1 << 24, device="cuda")
    for _ in range(50):
        fed = fed + 1
    found = run(fed)[0]
print(bool((found == 102.0).all()))
""",
    )
