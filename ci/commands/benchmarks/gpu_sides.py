"""The measuring process of one side on a GPU: `python -m ci.commands.benchmarks.gpu_sides SIDE`.

Reads "WORK ARGUMENTS" from standard input, one per line, and answers with a line of JSON: {"host": seconds, "wall":
seconds} per step, or {"missing": reason} if a library is not installed or the workload fails. Inputs are on the GPU
before timing starts, except for `round_trip` and `feed`.
"""

import importlib
import json
import os
import sys
import time

import numpy as np

from ci.commands.benchmarks import gpu_lstms, gpu_networks, gpu_sizes, gpu_torch
from ci.commands.benchmarks.timing import host_and_wall

WORKS = {}
RATE = 0.01


def work(function):
    """Registers SIDE_WORK as this side's implementation of a workload."""
    WORKS[function.__name__] = function
    return function


def images():
    batch, pixels, _, classes = gpu_sizes.MLP
    random = np.random.RandomState(0)
    return random.rand(batch, pixels).astype("f"), random.randint(0, classes, batch)


def weights():
    _, pixels, hidden, classes = gpu_sizes.MLP
    random = np.random.RandomState(1)
    return [
        (random.randn(pixels, hidden) * 0.05).astype("f"),
        np.zeros(hidden, "f"),
        (random.randn(hidden, classes) * 0.05).astype("f"),
        np.zeros(classes, "f"),
    ]


def table_ids():
    """Row ids of the table, half of which are the padding row."""
    rows, _, count = gpu_sizes.TABLE
    ids = np.random.RandomState(0).randint(1, rows, count)
    ids[::2] = 0
    return ids


# tfmini


def time_fetches(tf, build, call=None, **options):
    """Times of the fetches that `build(tf)` returns, in a separate graph; `call(session, built)` replaces the step."""
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    cupy = importlib.import_module("cupy")
    with tf.Graph().as_default():
        built = build(tf)
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            step = call(session, built) if call else session.make_callable(built)
            return host_and_wall(step, cupy.cuda.Device().synchronize, **options)


@work
def tfmini_mlp():
    """TFMINI_CUDA_GRAPHS controls capture."""
    import tfmini as tf

    def build(tf):
        pixels, digits = images()
        x = tf.Variable(pixels, trainable=False)
        y = tf.Variable(digits.astype("i8"), trainable=False)
        w1, b1, w2, b2 = (tf.Variable(value) for value in weights())
        hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
        logits = tf.matmul(hidden, w2) + b2
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        return tf.train.GradientDescentOptimizer(RATE).minimize(tf.reduce_mean(losses))

    return time_fetches(tf, build)


@work
def tfmini_network(name, layout):
    import tfmini as tf

    return time_fetches(tf, lambda tf: gpu_networks.tfmini_step(tf, name, layout))


@work
def tfmini_static_lstm():
    import tfmini as tf

    return time_fetches(tf, gpu_lstms.static_step)


@work
def tfmini_dynamic_lstm():
    import tfmini as tf

    return time_fetches(tf, gpu_lstms.dynamic_step)


@work
def tfmini_cudnn_lstm():
    import tfmini as tf

    return time_fetches(tf, gpu_lstms.cudnn_step)


@work
def tfmini_chain():
    import tfmini as tf

    def build(tf):
        x = tf.Variable(tf.random_uniform([gpu_sizes.CHAIN]))
        y = tf.sqrt(tf.abs(x * 1.5 - 0.5)) * 0.25 + tf.square(x)
        return (y - 1.0).op

    return time_fetches(tf, build)


@work
def tfmini_matmul(dtype):
    import tfmini as tf

    def build(tf):
        shape = [gpu_sizes.SIDE] * 2
        a, b = (tf.Variable(tf.random_uniform(shape, dtype=dtype)) for _ in range(2))
        return tf.matmul(a, b).op

    return time_fetches(tf, build, seconds=2.0)


@work
def tfmini_embedding():
    import tfmini as tf

    def build(tf):
        rows, units, _ = gpu_sizes.TABLE
        table = tf.Variable(tf.random_uniform([rows, units]))
        ids = tf.Variable(table_ids(), trainable=False)
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids)))
        return tf.train.GradientDescentOptimizer(1e-3).minimize(loss)

    return time_fetches(tf, build)


def feed_gpu(tf, fetched):
    """Copies a NumPy array to the GPU; with `fetched`, also copies its double back, which costs little more."""
    size = gpu_sizes.COPIED // 4

    def build(tf):
        x = tf.placeholder(tf.float32, [size])
        with tf.device("/gpu:0"):
            return x, x + x

    def call(session, built):
        x, y = built
        array = np.random.RandomState(0).rand(size).astype("f")
        return lambda: session.run(y if fetched else y.op, {x: array})

    return time_fetches(tf, build, call, seconds=2.0)


@work
def tfmini_round_trip():
    import tfmini as tf

    return feed_gpu(tf, True)


@work
def tfmini_feed():
    import tfmini as tf

    return feed_gpu(tf, False)


@work
def tfmini_compile():
    """The first step's plan for a graph of 5,000 nodes on four emulated GPUs."""
    from tests.support.gpu.gpus import fake_gpus

    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    with fake_gpus(devices=4):
        import tfmini as tf
        from tfmini._src.session.compile_step import compile_step

        graph = tf.get_default_graph()
        parts = [tf.placeholder(tf.float32, [8, 8])] * 4
        while len(graph.get_operations()) < gpu_sizes.NODES:
            for index in range(4):
                with tf.device(f"/gpu:{index}"):
                    parts[index] = tf.nn.relu(tf.matmul(parts[index], parts[index - 1]) + 1.0)
        with tf.Session() as session:
            begin = time.process_time()  # excludes other processes
            compile_step(session, parts, [graph.get_tensor_by_name("Placeholder:0")])
            seconds = time.process_time() - begin
    return {"host": seconds, "wall": seconds}


# The GPU itself, through CuPy


def new_stream(cupy):
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    return stream


@work
def card_copy():
    """Copies as many bytes as the chain reads and writes."""
    import cupy

    stream = new_stream(cupy)
    source, target = cupy.ones(gpu_sizes.CHAIN, "f"), cupy.empty(gpu_sizes.CHAIN, "f")
    return host_and_wall(
        lambda: target.data.copy_from_device_async(source.data, source.nbytes, stream),
        stream.synchronize,
    )


def copy_pinned(back):
    """Copies pinned memory to the GPU, and with `back` also back."""
    import cupy
    import cupyx

    size = gpu_sizes.COPIED
    stream = new_stream(cupy)
    here, there = cupyx.empty_pinned(size, "u1"), cupy.empty(size, "u1")

    def step():
        there.data.copy_from_host_async(here.ctypes.data, size, stream)
        if back:
            there.data.copy_to_host_async(here.ctypes.data, size, stream)

    return host_and_wall(step, stream.synchronize, seconds=2.0)


@work
def card_round_trip():
    return copy_pinned(True)


@work
def card_feed():
    return copy_pinned(False)


# PyTorch


@work
def torch_mlp_eager():
    torch = gpu_torch.load("off")
    return gpu_torch.eager(torch, mlp_step(torch))


@work
def torch_mlp_graph():
    torch = gpu_torch.load("off")
    return gpu_torch.time_replays(torch, mlp_step(torch))


def mlp_step(torch):
    """An eager training step of the network, and its inputs on the device."""
    pixels, digits = (torch.from_numpy(value).to(gpu_torch.DEVICE) for value in images())
    parameters = [torch.from_numpy(v).to(gpu_torch.DEVICE).requires_grad_() for v in weights()]
    w1, b1, w2, b2 = parameters
    optimizer = torch.optim.SGD(parameters, RATE)

    def loss():
        logits = torch.relu(pixels @ w1 + b1) @ w2 + b2
        return torch.nn.functional.cross_entropy(logits, digits)

    return gpu_torch.training_step(loss, optimizer)


@work
def torch_network(name, layout, tf32, mode):
    return gpu_torch.measured_network(name, layout, tf32, mode)


@work
def torch_static_lstm(way):
    return gpu_lstms.torch_static(gpu_torch.load("off"), way)


@work
def torch_dynamic_lstm(way):
    return gpu_lstms.torch_dynamic(gpu_torch.load("off"), way)


@work
def torch_matmul(dtype):
    torch = gpu_torch.load("off")
    options = {"device": gpu_torch.DEVICE, "dtype": getattr(torch, dtype)}
    a, b = (torch.rand(gpu_sizes.SIDE, gpu_sizes.SIDE, **options) for _ in range(2))
    out = torch.empty(gpu_sizes.SIDE, gpu_sizes.SIDE, **options)
    return gpu_torch.eager(torch, lambda: torch.mm(a, b, out=out), seconds=2.0)


@work
def torch_embedding():
    """With a sparse gradient, as in tfmini."""
    torch = gpu_torch.load("off")
    rows, units, _ = gpu_sizes.TABLE
    table = torch.nn.Embedding(rows, units, sparse=True, device=gpu_torch.DEVICE)
    ids = torch.from_numpy(table_ids()).to(gpu_torch.DEVICE)
    optimizer = torch.optim.SGD(table.parameters(), 1e-3)
    return gpu_torch.eager(
        torch, gpu_torch.training_step(lambda: torch.square(table(ids)).sum(), optimizer)
    )


# JAX


@work
def jax_mlp():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_matmul_precision", "highest")
    pixels, digits = (jnp.asarray(value) for value in images())

    def loss(parameters):
        w1, b1, w2, b2 = parameters
        logits = jax.nn.relu(pixels @ w1 + b1) @ w2 + b2
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(digits)), digits])

    def update(parameters):
        gradients = jax.grad(loss)(parameters)
        return [p - RATE * g for p, g in zip(parameters, gradients)]

    compiled = jax.jit(update, donate_argnums=0)
    state = [[jnp.asarray(value) for value in weights()]]

    def step():
        state[0] = compiled(state[0])

    return host_and_wall(step, lambda: jax.block_until_ready(state[0]))


def answer(side, request):
    """The answer to a request."""
    name, *arguments = request.split()
    try:
        return WORKS[f"{side}_{name}"](*arguments)
    except ImportError as error:
        return {"missing": f"{type(error).__name__}: {error}"[:200]}
    except Exception as error:
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        return {"missing": why[:200], "failed": True}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # library output must not look like an answer
    for request in sys.stdin:
        answers.write(json.dumps(answer(sys.argv[1], request)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
