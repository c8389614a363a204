"""The workloads of `ci/bench peers` in JAX, each compiled.

Each function returns a Step, as in `workloads.py`, for the same numbers: the probes agree.
"""

import importlib

import numpy as np

from ci.commands.benchmarks.eager import ADDS, RATE as SGD_RATE
from ci.commands.benchmarks.families import MILLION, floats
from ci.commands.benchmarks.peer_works import (
    BETA1,
    BETA2,
    EPSILON,
    RATE,
    chain_inputs,
    conv_layer_inputs,
    dynamic_lstm_inputs,
    embedding_inputs,
    lenet_inputs,
    log_counts,
    log_uniform,
    lstm_inputs,
    mlp_inputs,
    peer,
    softmax_inputs,
    word_inputs,
)
from ci.commands.benchmarks.workloads import Step


def import_jax():
    jax = importlib.import_module("jax")
    return jax, importlib.import_module("jax.numpy")


def waits(jax, function, *inputs):
    compiled = jax.jit(function)

    def step():
        return compiled(*inputs).block_until_ready()

    return Step(step, lambda: float(np.asarray(step()).reshape(-1)[:1000].astype(float).sum()))


@peer
def jax_chain_1000():
    jax, jnp = import_jax()
    start, more = map(jnp.asarray, chain_inputs())

    def chain(total, more):
        for _ in range(1000):
            total = total + more
        return total

    compiled = jax.jit(chain)
    return Step(
        lambda: compiled(start, more).block_until_ready(),
        lambda: float(compiled(start, more)[-1]),
    )


def training_step(jax, loss, state, update):
    """A training Step: `update(state, gradients)` is the next state, whose first element is the parameters."""
    compiled = jax.jit(lambda s: update(s, jax.grad(loss)(s[0])), donate_argnums=0)
    current = [state]

    def step():
        current[0] = jax.block_until_ready(compiled(current[0]))

    return Step(step, lambda: float(jax.jit(loss)(current[0][0])))


def jax_cross_entropy(jax, logits, digits):
    return -(jax.nn.log_softmax(logits) * digits).sum(1).mean()


def jax_mlp_loss(jax, jnp):
    """The loss as a function of the parameters, and the parameters."""
    images, digits, parameters = mlp_inputs()
    images, digits = jnp.asarray(images), jnp.asarray(digits)

    def loss(parameters):
        hidden = images
        for k in range(3):
            hidden = hidden @ parameters[2 * k] + parameters[2 * k + 1]
            hidden = jax.nn.relu(hidden) if k < 2 else hidden
        return jax_cross_entropy(jax, hidden, digits)

    return loss, list(map(jnp.asarray, parameters))


@peer
def jax_eager_adds():
    _, jnp = import_jax()
    value = jnp.ones((8, 8), jnp.float32)

    def step():
        for _ in range(ADDS):
            result = value + value
        return np.asarray(result)

    return Step(step, lambda: step().sum())


@peer
def jax_eager_mlp():
    jax, jnp = import_jax()
    loss, parameters = jax_mlp_loss(jax, jnp)
    current = [parameters]

    def step():
        value, gradients = jax.value_and_grad(loss)(current[0])
        current[0] = [p - SGD_RATE * g for p, g in zip(current[0], gradients)]
        return float(value)

    return Step(step, step)


def adam(jnp, rate):
    """A function (state, gradients) -> state, and one that creates the initial state."""

    def update(state, gradients):
        parameters, means, squares, (first, second) = state
        first, second = first * BETA1, second * BETA2
        step = rate * jnp.sqrt(1 - second) / (1 - first)
        means = [m + (1 - BETA1) * (g - m) for m, g in zip(means, gradients)]
        squares = [s + (1 - BETA2) * (g * g - s) for s, g in zip(squares, gradients)]
        parameters = [
            p - step * m / (jnp.sqrt(s) + EPSILON) for p, m, s in zip(parameters, means, squares)
        ]
        return parameters, means, squares, (first, second)

    def first(parameters):
        zeros = [[jnp.zeros_like(p) for p in parameters] for _ in range(2)]
        return parameters, *zeros, (jnp.float32(1), jnp.float32(1))

    return update, first


def descend(rate):
    def update(state, gradients):
        return ([p - rate * g for p, g in zip(state[0], gradients)],)

    return update


@peer
def jax_mlp():
    jax, jnp = import_jax()
    loss, parameters = jax_mlp_loss(jax, jnp)
    update, first = adam(jnp, RATE)
    return training_step(jax, loss, first(parameters), update)


@peer
def jax_elementwise_chain():
    jax, jnp = import_jax()

    def chain(x, y):
        z = jnp.exp(-(x * 2 + y))
        z = jnp.sqrt(jnp.abs(z + y * x) + 1)
        return jnp.tanh(z) / (y + 2) - x

    return waits(jax, chain, jnp.asarray(floats(4 * MILLION)), jnp.asarray(floats(4 * MILLION)))


@peer
def jax_softmax_rows():
    jax, jnp = import_jax()
    return waits(jax, lambda x: jax.nn.softmax(x, axis=1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_reduce_sum_1():
    jax, jnp = import_jax()
    return waits(jax, lambda x: x.sum(1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_reduce_max_1():
    jax, jnp = import_jax()
    return waits(jax, lambda x: x.max(1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_static_lstm():
    jax, jnp = import_jax()
    pictures, labels, kernel, out = lstm_inputs()
    pictures, digits = jnp.asarray(pictures), jnp.asarray(np.eye(10, dtype="f")[labels])

    def loss(parameters):
        kernel, bias, out = parameters
        state = output = jnp.zeros((128, 128))
        for row in range(28):
            gates = jnp.concatenate([pictures[:, row], output], 1) @ kernel + bias
            entry, new, forget, last = jnp.split(gates, 4, 1)
            state = state * jax.nn.sigmoid(forget + 1) + jax.nn.sigmoid(entry) * jnp.tanh(new)
            output = jnp.tanh(state) * jax.nn.sigmoid(last)
        return jax_cross_entropy(jax, output @ out, digits)

    parameters = [jnp.asarray(kernel), jnp.zeros(512), jnp.asarray(out)]
    return training_step(jax, loss, (parameters,), descend(0.01))


@peer
def jax_dynamic_lstm():
    jax, jnp = import_jax()
    rows, kernels = dynamic_lstm_inputs()
    rows = jnp.asarray(rows.transpose(1, 0, 2))

    def cell(kernel, bias):
        def advance(carry, row):
            state, output = carry
            gates = jnp.concatenate([row, output], 1) @ kernel + bias
            entry, new, forget, last = jnp.split(gates, 4, 1)
            state = state * jax.nn.sigmoid(forget + 1) + jax.nn.sigmoid(entry) * jnp.tanh(new)
            output = jnp.tanh(state) * jax.nn.sigmoid(last)
            return (state, output), output

        return advance

    def loss(parameters):
        values = rows
        for kernel, bias in zip(parameters[:2], parameters[2:]):
            _, values = jax.lax.scan(cell(kernel, bias), (jnp.zeros((20, 200)),) * 2, values)
        return jnp.square(values - rows).mean()

    def clip_and_step(state, gradients):
        norm = jnp.sqrt(sum(jnp.square(g).sum() for g in gradients))
        scale = 5.0 / jnp.maximum(norm, 5.0)
        return ([p - scale * g for p, g in zip(state[0], gradients)],)

    parameters = [*map(jnp.asarray, kernels), jnp.zeros(800), jnp.zeros(800)]
    return training_step(jax, loss, (parameters,), clip_and_step)


@peer
def jax_matmul_1024():
    jax, jnp = import_jax()
    return waits(jax, lambda x: x @ x, jnp.asarray(floats(1024, 1024)))


@peer
def jax_softmax():
    jax, jnp = import_jax()
    images, digits, *parameters = map(jnp.asarray, softmax_inputs())

    def loss(parameters):
        return jax_cross_entropy(jax, images @ parameters[0] + parameters[1], digits)

    return training_step(jax, loss, (parameters,), descend(0.01))


@peer
def jax_embedding():
    """The gradient covers only the gathered rows and is added to the table in place."""
    jax, jnp = import_jax()
    ids, targets, table = map(jnp.asarray, embedding_inputs())

    def loss(rows):
        return jnp.square(rows - targets).mean()

    def update(table):
        return table.at[ids].add(-0.1 * jax.grad(loss)(table[ids]))

    updated, current = jax.jit(update, donate_argnums=0), [table]

    def step():
        current[0] = updated(current[0]).block_until_ready()

    return Step(step, lambda: float(loss(current[0][ids])))


@peer
def jax_word_vectors():
    """Like `jax_embedding`; NumPy samples the words."""
    jax, jnp = import_jax()
    words, beside, table, out = word_inputs()
    current = [[*map(jnp.asarray, (table, out, np.zeros(len(table), "f")))]]
    random = np.random.RandomState(1)

    def loss(rows, weights, biases, expected, of_labels):
        near = (rows * weights[:128]).sum(1) + biases[:128] - of_labels
        far = rows @ weights[128:].T + biases[128:] - expected
        return (jax.nn.softplus(-near).sum() + jax.nn.softplus(far).sum()) / 128

    def update(parameters, sampled, *counts):
        table, out, biases = parameters
        ids = jnp.concatenate([beside, sampled])
        gradients = jax.grad(loss, (0, 1, 2))(table[words], out[ids], biases[ids], *counts)
        positions = words, ids, ids
        return [p.at[i].add(-g) for p, i, g in zip(parameters, positions, gradients)]

    updated = jax.jit(update, donate_argnums=0)

    def step():
        sampled, draws = log_uniform(random, 64)
        counts = log_counts(sampled, draws), log_counts(beside, draws)
        current[0] = jax.block_until_ready(updated(current[0], sampled, *counts))

    return Step(step, lambda: float(jnp.square(current[0][0][words]).mean()))


def convolve(jax, values, matrix):
    """ "SAME" convolution with channels last."""
    return jax.lax.conv_general_dilated(
        values, matrix, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


@peer
def jax_lenet():
    jax, jnp = import_jax()
    pictures, labels, matrices = lenet_inputs()
    digits = jnp.asarray(np.eye(10, dtype="f")[labels])
    pictures, matrices = jnp.asarray(pictures), list(map(jnp.asarray, matrices))
    biases = [jnp.full(m.shape[-1], 0.1, jnp.float32) for m in matrices]

    def maps(parameters):
        values = pictures
        for matrix, bias in zip(parameters[:2], parameters[4:]):
            values = jax.nn.relu(convolve(jax, values, matrix) + bias)
            values = jax.lax.reduce_window(
                values, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"
            )
        return values

    def loss(parameters, key):
        values = maps(parameters).reshape(50, -1)
        hidden = jax.nn.relu(values @ parameters[2] + parameters[6])
        mask = jax.random.bernoulli(key, 0.5, hidden.shape)
        logits = jnp.where(mask, hidden * 2, 0) @ parameters[3] + parameters[7]
        return jax_cross_entropy(jax, logits, digits)

    update, first = adam(jnp, 1e-6)

    def advance(state, key):
        key, of_step = jax.random.split(key)
        return update(state, jax.grad(loss)(state[0], of_step)), key

    advanced = jax.jit(advance, donate_argnums=0)
    current = [(first([*matrices, *biases]), jax.random.key(0))]

    def step():
        current[0] = jax.block_until_ready(advanced(*current[0]))

    return Step(step, lambda: float(jnp.square(maps(current[0][0][0])).mean()))


@peer
def jax_conv_layers():
    jax, jnp = import_jax()
    pictures, labels, matrices = conv_layer_inputs()
    pictures, digits = jnp.asarray(pictures), jnp.asarray(np.eye(10, dtype="f")[labels])

    def loss(parameters):
        matrices, (out, bias), scales, offsets = parameters
        maps = pictures
        for matrix, scale, offset in zip(matrices, scales, offsets):
            maps = convolve(jax, maps, matrix)
            mean, variance = maps.mean((0, 1, 2)), maps.var((0, 1, 2))
            maps = jax.nn.relu((maps - mean) * (scale * jax.lax.rsqrt(variance + 1e-3)) + offset)
        return jax_cross_entropy(jax, maps.mean((1, 2)) @ out + bias, digits)

    def momentum(state, gradients):
        moved = jax.tree.map(lambda v, g: 0.9 * v + g, state[1], gradients)
        return jax.tree.map(lambda p, v: p - 1e-3 * v, state[0], moved), moved

    *filters, out = map(jnp.asarray, matrices)
    last = [out, jnp.full(10, 0.1, jnp.float32)]
    parameters = filters, last, [jnp.ones(32)] * 3, [jnp.zeros(32)] * 3
    # Each its own array: all are donated.
    parameters = jax.tree.map(jnp.array, parameters)
    return training_step(
        jax, loss, (parameters, jax.tree.map(jnp.zeros_like, parameters)), momentum
    )
