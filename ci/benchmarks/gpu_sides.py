"""One measurement on a card, in a process of its own: `python -m ci.benchmarks.gpu_sides SIDE WORK`.

Prints one JSON object: {"host": seconds, "wall": seconds} a step, or {"missing": why} where a library is not there.
TF32 is off on every side, so that all multiply in float32. Inputs lie on the card before the clock starts, but for
the work `round_trip`.
"""

import contextlib
import importlib
import json
import os
import sys
import time

import numpy as np

from ci.benchmarks.gpu_lstms import (
    tfmini_dynamic_step,
    tfmini_static_step,
    torch_dynamic,
    torch_static,
)
from ci.benchmarks.timing import host_and_wall

BATCH, PIXELS, HIDDEN, CLASSES = 128, 784, 512, 10
MILLION = 1 << 20
CHAIN = 64 * MILLION  # floats
SIDE = 8192  # of the square matrices
COPIED = 256 * MILLION  # bytes

WORKS = {}


def work(function):
    """Registers SIDE_WORK as what this side does for this work."""
    WORKS[function.__name__] = function
    return function


def images():
    random = np.random.RandomState(0)
    return random.rand(BATCH, PIXELS).astype("f"), random.randint(0, CLASSES, BATCH)


def weights():
    random = np.random.RandomState(1)
    return [
        (random.randn(PIXELS, HIDDEN) * 0.05).astype("f"),
        np.zeros(HIDDEN, "f"),
        (random.randn(HIDDEN, CLASSES) * 0.05).astype("f"),
        np.zeros(CLASSES, "f"),
    ]


# tfmini


def tfmini_session(tf):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    session = tf.Session(config=config)
    session.run(tf.global_variables_initializer())
    return session


def card_is_done():
    cupy = importlib.import_module("cupy")
    return cupy.cuda.Device().synchronize


@work
def tfmini_mlp():
    """TFMINI_CUDA_GRAPHS says whether it is captured."""
    import tfmini as tf

    pixels, digits = images()
    x = tf.Variable(pixels, trainable=False)
    y = tf.Variable(digits.astype("i8"), trainable=False)
    w1, b1, w2, b2 = (tf.Variable(value) for value in weights())
    hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
    logits = tf.matmul(hidden, w2) + b2
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(losses))
    step = tfmini_session(tf).make_callable(train)
    return host_and_wall(step, card_is_done())


@work
def tfmini_static_lstm():
    import tfmini as tf

    step = tfmini_static_step(tf)
    return host_and_wall(tfmini_session(tf).make_callable(step), card_is_done())


@work
def tfmini_dynamic_lstm():
    import tfmini as tf

    step = tfmini_dynamic_step(tf)
    return host_and_wall(tfmini_session(tf).make_callable(step), card_is_done())


@work
def tfmini_chain():
    import tfmini as tf

    x = tf.Variable(tf.random_uniform([CHAIN]))
    y = tf.sqrt(tf.abs(x * 1.5 - 0.5)) * 0.25 + tf.square(x)
    step = tfmini_session(tf).make_callable((y - 1.0).op)
    return host_and_wall(step, card_is_done())


@work
def tfmini_matmul():
    import tfmini as tf

    a, b = (tf.Variable(tf.random_uniform([SIDE, SIDE])) for _ in range(2))
    step = tfmini_session(tf).make_callable(tf.matmul(a, b).op)
    return host_and_wall(step, card_is_done(), seconds=3.0)


@work
def tfmini_round_trip():
    """An array of numpy's to the card and its double back; the double is taken there, which is small beside it."""
    import tfmini as tf

    x = tf.placeholder(tf.float32, [COPIED // 4])
    with tf.device("/gpu:0"):
        y = x + x
    session = tfmini_session(tf)
    array = np.random.RandomState(0).rand(COPIED // 4).astype("f")
    return host_and_wall(lambda: session.run(y, {x: array}), card_is_done(), seconds=3.0)


@work
def tfmini_compile():
    """A graph of 5,000 nodes on four GPUs of the tests' fake: the first step's plan, of all of them."""
    from tests.gpus import fake_gpus

    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    with fake_gpus(devices=4):
        import tfmini as tf
        from tfmini._src.session.compile_step import compile_step

        graph = tf.get_default_graph()
        parts = [tf.placeholder(tf.float32, [8, 8])] * 4
        while len(graph.get_operations()) < 5000:
            for number in range(4):
                with tf.device(f"/gpu:{number}"):
                    parts[number] = tf.nn.relu(tf.matmul(parts[number], parts[number - 1]) + 1.0)
        with tf.Session() as session:
            begin = time.process_time()  # what others do meanwhile does not count
            compile_step(session, parts, [graph.get_tensor_by_name("Placeholder:0")])
            seconds = time.process_time() - begin
    return {"host": seconds, "wall": seconds}


# The card itself, by CuPy


def stream_of(cupy):
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    return stream


@work
def card_copy():
    """As many bytes as the chain reads and writes."""
    import cupy

    stream = stream_of(cupy)
    source, target = cupy.ones(CHAIN, "f"), cupy.empty(CHAIN, "f")
    return host_and_wall(
        lambda: target.data.copy_from_device_async(source.data, source.nbytes, stream),
        stream.synchronize,
    )


@work
def card_round_trip():
    """Pinned memory to the card and back, one after the other."""
    import cupy
    import cupyx

    stream = stream_of(cupy)
    here, there = cupyx.empty_pinned(COPIED, "u1"), cupy.empty(COPIED, "u1")

    def step():
        there.data.copy_from_host_async(here.ctypes.data, COPIED, stream)
        there.data.copy_to_host_async(here.ctypes.data, COPIED, stream)

    return host_and_wall(step, stream.synchronize, seconds=3.0)


# PyTorch


def torch_without_tf32():
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    return torch


def torch_step(torch):
    """An eager step of the network, and its device's inputs."""
    pixels, digits = (torch.from_numpy(value).cuda() for value in images())
    w1, b1, w2, b2 = (torch.from_numpy(value).cuda().requires_grad_() for value in weights())
    optimizer = torch.optim.SGD([w1, b1, w2, b2], 0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = torch.relu(pixels @ w1 + b1) @ w2 + b2
        torch.nn.functional.cross_entropy(logits, digits).backward()
        optimizer.step()

    return step


@work
def torch_mlp_eager():
    torch = torch_without_tf32()
    return host_and_wall(torch_step(torch), torch.cuda.synchronize)


@work
def torch_mlp_graph():
    torch = torch_without_tf32()
    step = torch_step(torch)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(11):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return host_and_wall(graph.replay, torch.cuda.synchronize)


@work
def torch_static_lstm():
    return torch_static(torch_without_tf32())


@work
def torch_dynamic_lstm():
    return torch_dynamic(torch_without_tf32())


@work
def torch_matmul():
    torch = torch_without_tf32()
    a, b = (torch.rand(SIDE, SIDE, device="cuda") for _ in range(2))
    out = torch.empty(SIDE, SIDE, device="cuda")
    return host_and_wall(lambda: torch.mm(a, b, out=out), torch.cuda.synchronize, seconds=3.0)


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
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(BATCH), digits])

    def update(parameters):
        gradients = jax.grad(loss)(parameters)
        return [p - 0.01 * g for p, g in zip(parameters, gradients)]

    compiled = jax.jit(update, donate_argnums=0)
    state = [[jnp.asarray(value) for value in weights()]]

    def step():
        state[0] = compiled(state[0])

    return host_and_wall(step, lambda: jax.block_until_ready(state[0]))


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not look like an answer
    side, name = sys.argv[1:]
    try:
        answer = WORKS[f"{side}_{name}"]()
    except ImportError as error:
        answer = {"missing": f"{type(error).__name__}: {error}"}
    with contextlib.closing(answers):
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
