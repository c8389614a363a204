"""The workloads of `ci/bench peers` in plain NumPy, and the initial values shared by all peers.

Each function returns a Step, as in `workloads.py`, for the same numbers: the probes agree.
`torch_works.py` and `jax_works.py` implement them in the other libraries.
"""

import numpy as np

from ci.commands.benchmarks.families import MILLION, floats
from ci.commands.benchmarks.networks import normal
from ci.commands.benchmarks.workloads import Step, labelled_batch, weights

PEERS = {}
LAYERS = ((784, 256), (256, 256), (256, 10))
WORDS = 50000
RATE, BETA1, BETA2, EPSILON = 1e-4, 0.9, 0.999, 1e-8


def peer(function):
    """Registers SIDE_WORKLOAD."""
    PEERS[function.__name__] = function
    return function


def chain_inputs():
    return np.arange(10, dtype=np.float32), np.ones(10, np.float32)


def mlp_inputs():
    random = np.random.RandomState(0)
    images, digits = labelled_batch(random, 128)
    parameters = []
    for rows, columns in LAYERS:
        parameters += [weights(random, rows, columns), np.zeros(columns, np.float32)]
    return images, digits, parameters


def softmax_inputs():
    return (
        *labelled_batch(np.random.RandomState(0), 100),
        np.zeros((784, 10), "f"),
        np.zeros(10, "f"),
    )


def embedding_inputs():
    """Ids, target rows, and the table."""
    random = np.random.RandomState(0)
    ids = random.randint(0, 50000, 128)
    return ids, random.rand(128, 128).astype("f"), np.full((50000, 128), 0.5, "f")


def word_inputs():
    """Words, their context words, the table, and the weights of the sampled logits."""
    random = np.random.RandomState(0)
    table = random.uniform(-1, 1, (WORDS, 128)).astype("f")
    out = (random.randn(WORDS, 128) / np.sqrt(128)).astype("f")
    return *np.exp(random.rand(2, 128) * np.log(WORDS)).astype(np.int64), table, out


def log_uniform(random, count):
    """Distinct ids drawn as by TensorFlow's log-uniform sampler, and the number of draws."""
    drawn = np.exp(random.rand(4 * count) * np.log(WORDS + 1)).astype(np.int64) - 1
    _, first = np.unique(np.minimum(drawn, WORDS - 1), return_index=True)
    first.sort()
    return drawn[first[:count]], first[count - 1] + 1


def log_counts(ids, count):
    """Logarithms of the expected counts of ids in `count` draws."""
    return np.log(-np.expm1(count * np.log1p(-np.log1p(1 / (ids + 1)) / np.log(WORDS + 1)))).astype(
        "f"
    )


def image_inputs(batch, size, depth, *shapes):
    """Images, their labels, and weights."""
    random = np.random.RandomState(0)
    pictures = random.rand(batch, size, size, depth).astype("f")
    labels = random.randint(0, 10, batch)
    return pictures, labels, [normal(random, *shape) for shape in shapes]


def lenet_inputs():
    return image_inputs(50, 28, 1, (5, 5, 1, 32), (5, 5, 32, 64), (3136, 1024), (1024, 10))


def conv_layer_inputs():
    return image_inputs(64, 32, 3, (3, 3, 3, 32), (3, 3, 32, 32), (3, 3, 32, 32), (32, 10))


def dynamic_lstm_inputs():
    """Rows of [20, 50, 200], and the kernels of both layers."""
    random = np.random.RandomState(0)
    kernels = [(random.rand(400, 800) - 0.5).astype("f") * 0.2 for _ in range(2)]
    return random.rand(20, 50, 200).astype("f"), kernels


def lstm_inputs():
    """Images, labels, and the weights in the order in which the graph initializes them."""
    random = np.random.RandomState(0)
    kernel, out = ((random.rand(*s) - 0.5).astype("f") * 0.2 for s in ((156, 512), (128, 10)))
    return random.rand(128, 28, 28).astype("f"), np.arange(128) % 10, kernel, out


def stable_softmax(logits):
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return exponentials / exponentials.sum(1, keepdims=True)


@peer
def numpy_chain_1000():
    start, more = chain_inputs()

    def step():
        total = start + more
        for _ in range(999):
            np.add(total, more, out=total)
        return total

    return Step(step, lambda: step()[-1])


@peer
def numpy_mlp():
    images, digits, parameters = mlp_inputs()
    means = [np.zeros_like(p) for p in parameters]
    squares = [np.zeros_like(p) for p in parameters]
    powers = [1.0, 1.0]

    def forward():
        values = [images]
        for k in range(3):
            total = values[-1] @ parameters[2 * k]
            total += parameters[2 * k + 1]
            values.append(np.maximum(total, 0, out=total) if k < 2 else total)
        return values

    def step():
        values = forward()
        back = stable_softmax(values[-1])
        back -= digits
        back /= len(images)
        powers[0] *= BETA1
        powers[1] *= BETA2
        rate = np.float32(RATE * np.sqrt(1 - powers[1]) / (1 - powers[0]))
        for k in (2, 1, 0):
            gradients = values[k].T @ back, back.sum(0)
            if k:
                back = back @ parameters[2 * k].T
                back *= values[k] > 0
            for i, gradient in zip((2 * k, 2 * k + 1), gradients):
                means[i] += np.float32(1 - BETA1) * (gradient - means[i])
                squares[i] += np.float32(1 - BETA2) * (gradient * gradient - squares[i])
                parameters[i] -= rate * means[i] / (np.sqrt(squares[i]) + np.float32(EPSILON))

    def loss():
        probabilities = (stable_softmax(forward()[-1]) * digits).sum(1)
        return -np.log(probabilities).mean()

    return Step(step, loss)


@peer
def numpy_elementwise_chain():
    x, y = floats(4 * MILLION), floats(4 * MILLION)

    def step():
        z = np.exp(-(x * 2 + y))
        z = np.sqrt(np.abs(z + y * x) + 1)
        return np.tanh(z) / (y + 2) - x

    return Step(step, lambda: step()[:1000].astype(float).sum())


@peer
def numpy_softmax_rows():
    x = floats(4096, 1000)
    return Step(lambda: stable_softmax(x), lambda: stable_softmax(x)[0].astype(float).sum())


@peer
def numpy_reduce_sum_1():
    x = floats(4096, 1000)
    return Step(lambda: x.sum(1), lambda: x.sum(1)[:1000].astype(float).sum())


@peer
def numpy_reduce_max_1():
    x = floats(4096, 1000)
    return Step(lambda: x.max(1), lambda: x.max(1)[:1000].astype(float).sum())


@peer
def numpy_softmax():
    images, digits, matrix, bias = softmax_inputs()

    def step():
        back = stable_softmax(images @ matrix + bias)
        back -= digits
        back *= np.float32(0.01 / len(images))
        matrix[:] -= images.T @ back
        bias[:] -= back.sum(0)

    def loss():
        return -np.log((stable_softmax(images @ matrix + bias) * digits).sum(1)).mean()

    return Step(step, loss)


@peer
def numpy_embedding():
    ids, targets, table = embedding_inputs()

    def step():
        np.subtract.at(table, ids, (table[ids] - targets) * np.float32(0.2 / targets.size))

    return Step(step, lambda: np.square(table[ids] - targets).mean())


@peer
def numpy_matmul_1024():
    x = floats(1024, 1024)
    return Step(lambda: x @ x, lambda: (x @ x).reshape(-1)[:1000].astype(float).sum())
