"""The workloads of `ci/bench peers` as other libraries write them: numpy by hand, PyTorch, JAX.

Each function returns a Step as those of `workloads.py` do, on the same numbers: the probes agree.
"""

import importlib

import numpy as np

from ci.benchmarks.eager import ADDS
from ci.benchmarks.eager import RATE as SGD_RATE
from ci.benchmarks.families import MILLION, floats
from ci.benchmarks.workloads import Step, labelled_batch, weights

PEERS = {}
LAYERS = ((784, 256), (256, 256), (256, 10))
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


def lstm_inputs():
    """Pictures, labels, and the weights in the order in which the graph draws them."""
    random = np.random.RandomState(0)
    kernel, out = ((random.rand(*s) - 0.5).astype("f") * 0.2 for s in ((156, 512), (128, 10)))
    return random.rand(128, 28, 28).astype("f"), np.arange(128) % 10, kernel, out


def softmax_of(logits):
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return exponentials / exponentials.sum(1, keepdims=True)


# numpy


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
        back = softmax_of(values[-1])
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
        chosen = (softmax_of(forward()[-1]) * digits).sum(1)
        return -np.log(chosen).mean()

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
    return Step(lambda: softmax_of(x), lambda: softmax_of(x)[0].astype(float).sum())


@peer
def numpy_reduce_sum_1():
    x = floats(4096, 1000)
    return Step(lambda: x.sum(1), lambda: x.sum(1)[:1000].astype(float).sum())


@peer
def numpy_reduce_max_1():
    x = floats(4096, 1000)
    return Step(lambda: x.max(1), lambda: x.max(1)[:1000].astype(float).sum())


# PyTorch


def torch_of(*arrays):
    torch = importlib.import_module("torch")
    return torch, *map(torch.from_numpy, arrays)


def without_gradients(torch, step):
    def run():
        with torch.no_grad():
            return step()

    return Step(run, lambda: float(run().reshape(-1)[:1000].double().sum()))


@peer
def torch_chain_1000():
    torch, start, more = torch_of(*chain_inputs())

    def step():
        total = start + more
        for _ in range(999):
            total += more
        return total

    return Step(step, lambda: float(step()[-1]))


@peer
def torch_mlp():
    images, digits, parameters = mlp_inputs()
    torch, images, digits, *parameters = torch_of(images, digits, *parameters)
    parameters = [p.requires_grad_() for p in parameters]
    optimizer = torch.optim.Adam(parameters, RATE, fused=True)

    def loss():
        hidden = images
        for k in range(3):
            hidden = torch.addmm(parameters[2 * k + 1], hidden, parameters[2 * k])
            hidden = torch.relu(hidden) if k < 2 else hidden
        return torch.nn.functional.cross_entropy(hidden, digits)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    return Step(step, lambda: float(loss()))


@peer
def torch_eager_adds():
    torch, value = torch_of(np.ones((8, 8), np.float32))

    def step():
        for _ in range(ADDS):
            result = value + value
        return result.numpy()

    return Step(step, lambda: step().sum())


@peer
def torch_eager_mlp():
    images, digits, parameters = mlp_inputs()
    torch, images, digits, *parameters = torch_of(images, digits.argmax(1), *parameters)
    parameters = [p.requires_grad_() for p in parameters]
    optimizer = torch.optim.SGD(parameters, SGD_RATE)

    def step():
        hidden = images
        for k in range(3):
            hidden = hidden @ parameters[2 * k] + parameters[2 * k + 1]
            hidden = torch.relu(hidden) if k < 2 else hidden
        loss = torch.nn.functional.cross_entropy(hidden, digits)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Step(step, step)


@peer
def torch_elementwise_chain():
    torch, x, y = torch_of(floats(4 * MILLION), floats(4 * MILLION))

    def step():
        z = torch.exp(-(x * 2 + y))
        z = torch.sqrt(torch.abs(z + y * x) + 1)
        return torch.tanh(z) / (y + 2) - x

    return without_gradients(torch, step)


@peer
def torch_softmax_rows():
    torch, x = torch_of(floats(4096, 1000))
    return without_gradients(torch, lambda: torch.softmax(x, 1))


@peer
def torch_reduce_sum_1():
    torch, x = torch_of(floats(4096, 1000))
    return without_gradients(torch, lambda: x.sum(1))


@peer
def torch_reduce_max_1():
    torch, x = torch_of(floats(4096, 1000))
    return without_gradients(torch, lambda: x.amax(1))


@peer
def torch_static_lstm():
    """Its gates stand in another order, and its bias is two; the work is the same."""
    pictures, labels, kernel, out = lstm_inputs()
    torch, pictures, labels, kernel, out = torch_of(pictures, labels, kernel, out)
    layer = torch.nn.LSTM(28, 128, batch_first=True)
    entry, new, forget, last = kernel.T.split(128)
    rows = torch.cat([entry, forget, new, last])
    bias = torch.zeros(512)
    bias[128:256] = 1.0
    with torch.no_grad():
        layer.weight_ih_l0.copy_(rows[:, :28])
        layer.weight_hh_l0.copy_(rows[:, 28:])
        layer.bias_ih_l0.copy_(bias)
        layer.bias_hh_l0.zero_()
    out.requires_grad_()
    optimizer = torch.optim.SGD([*layer.parameters(), out], 0.01)

    def loss():
        outputs, _ = layer(pictures)
        return torch.nn.functional.cross_entropy(outputs[:, -1] @ out, labels)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    return Step(step, lambda: float(loss()))


# JAX


def jax_of():
    jax = importlib.import_module("jax")
    return jax, importlib.import_module("jax.numpy")


def waits(jax, function, *inputs):
    compiled = jax.jit(function)

    def step():
        return compiled(*inputs).block_until_ready()

    return Step(step, lambda: float(np.asarray(step()).reshape(-1)[:1000].astype(float).sum()))


@peer
def jax_chain_1000():
    jax, jnp = jax_of()
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


def trained(jax, loss, state, update):
    """A Step of training: `update(state, gradients)` is the next state; its first part are the parameters."""
    compiled = jax.jit(lambda s: update(s, jax.grad(loss)(s[0])), donate_argnums=0)
    held = [state]

    def step():
        held[0] = jax.block_until_ready(compiled(held[0]))

    return Step(step, lambda: float(jax.jit(loss)(held[0][0])))


def jax_cross_entropy(jax, logits, digits):
    return -(jax.nn.log_softmax(logits) * digits).sum(1).mean()


def jax_mlp_loss(jax, jnp):
    """The loss of the parameters, and these."""
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
    _, jnp = jax_of()
    value = jnp.ones((8, 8), jnp.float32)

    def step():
        for _ in range(ADDS):
            result = value + value
        return np.asarray(result)

    return Step(step, lambda: step().sum())


@peer
def jax_eager_mlp():
    jax, jnp = jax_of()
    loss, parameters = jax_mlp_loss(jax, jnp)
    held = [parameters]

    def step():
        value, gradients = jax.value_and_grad(loss)(held[0])
        held[0] = [p - SGD_RATE * g for p, g in zip(held[0], gradients)]
        return float(value)

    return Step(step, step)


@peer
def jax_mlp():
    jax, jnp = jax_of()
    loss, parameters = jax_mlp_loss(jax, jnp)

    def adam(state, gradients):
        parameters, means, squares, (first, second) = state
        first, second = first * BETA1, second * BETA2
        rate = RATE * jnp.sqrt(1 - second) / (1 - first)
        means = [m + (1 - BETA1) * (g - m) for m, g in zip(means, gradients)]
        squares = [s + (1 - BETA2) * (g * g - s) for s, g in zip(squares, gradients)]
        parameters = [
            p - rate * m / (jnp.sqrt(s) + EPSILON) for p, m, s in zip(parameters, means, squares)
        ]
        return parameters, means, squares, (first, second)

    def zeros():
        return [jnp.zeros_like(p) for p in parameters]

    state = parameters, zeros(), zeros(), (jnp.float32(1), jnp.float32(1))
    return trained(jax, loss, state, adam)


@peer
def jax_elementwise_chain():
    jax, jnp = jax_of()

    def chain(x, y):
        z = jnp.exp(-(x * 2 + y))
        z = jnp.sqrt(jnp.abs(z + y * x) + 1)
        return jnp.tanh(z) / (y + 2) - x

    return waits(jax, chain, jnp.asarray(floats(4 * MILLION)), jnp.asarray(floats(4 * MILLION)))


@peer
def jax_softmax_rows():
    jax, jnp = jax_of()
    return waits(jax, lambda x: jax.nn.softmax(x, axis=1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_reduce_sum_1():
    jax, jnp = jax_of()
    return waits(jax, lambda x: x.sum(1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_reduce_max_1():
    jax, jnp = jax_of()
    return waits(jax, lambda x: x.max(1), jnp.asarray(floats(4096, 1000)))


@peer
def jax_static_lstm():
    jax, jnp = jax_of()
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

    def descend(state, gradients):
        return ([p - 0.01 * g for p, g in zip(state[0], gradients)],)

    parameters = [jnp.asarray(kernel), jnp.zeros(512), jnp.asarray(out)]
    return trained(jax, loss, (parameters,), descend)
