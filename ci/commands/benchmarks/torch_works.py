"""The workloads of `ci/bench peers` in PyTorch; with `compile_function` if TORCH_COMPILE=1 is set.

Each function returns a Step, as in `workloads.py`, for the same numbers: the probes agree.
"""

import importlib
import os

import numpy as np

from ci.commands.benchmarks.eager import ADDS, RATE as SGD_RATE
from ci.commands.benchmarks.families import MILLION, floats
from ci.commands.benchmarks.peer_works import (
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


def to_torch(*arrays):
    torch = importlib.import_module("torch")
    return torch, *map(torch.from_numpy, arrays)


def compile_function(torch, function):
    return torch.compile(function) if os.environ.get("TORCH_COMPILE") == "1" else function


def without_gradients(torch, step):
    step = compile_function(torch, step)

    def run():
        with torch.no_grad():
            return step()

    return Step(run, lambda: float(run().reshape(-1)[:1000].double().sum()))


def training_step(torch, loss, optimizer, probe=None):
    """A Step of training by an optimizer."""
    loss = compile_function(torch, loss)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    return Step(step, lambda: float((probe or loss)()))


@peer
def torch_chain_1000():
    torch, start, more = to_torch(*chain_inputs())

    def step():
        total = start + more
        for _ in range(999):
            total = total + more
        return total

    step = compile_function(torch, step)
    return Step(step, lambda: float(step()[-1]))


@peer
def torch_mlp():
    images, digits, parameters = mlp_inputs()
    torch, images, digits, *parameters = to_torch(images, digits, *parameters)
    parameters = [p.requires_grad_() for p in parameters]
    optimizer = torch.optim.Adam(parameters, RATE, fused=True)

    def loss():
        hidden = images
        for k in range(3):
            hidden = torch.addmm(parameters[2 * k + 1], hidden, parameters[2 * k])
            hidden = torch.relu(hidden) if k < 2 else hidden
        return torch.nn.functional.cross_entropy(hidden, digits)

    return training_step(torch, loss, optimizer)


@peer
def torch_eager_adds():
    torch, value = to_torch(np.ones((8, 8), np.float32))

    def step():
        for _ in range(ADDS):
            result = value + value
        return result.numpy()

    return Step(step, lambda: step().sum())


@peer
def torch_eager_mlp():
    images, digits, parameters = mlp_inputs()
    torch, images, digits, *parameters = to_torch(images, digits.argmax(1), *parameters)
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
    torch, x, y = to_torch(floats(4 * MILLION), floats(4 * MILLION))

    def step():
        z = torch.exp(-(x * 2 + y))
        z = torch.sqrt(torch.abs(z + y * x) + 1)
        return torch.tanh(z) / (y + 2) - x

    return without_gradients(torch, step)


@peer
def torch_softmax_rows():
    torch, x = to_torch(floats(4096, 1000))
    return without_gradients(torch, lambda: torch.softmax(x, 1))


@peer
def torch_reduce_sum_1():
    torch, x = to_torch(floats(4096, 1000))
    return without_gradients(torch, lambda: x.sum(1))


@peer
def torch_reduce_max_1():
    torch, x = to_torch(floats(4096, 1000))
    return without_gradients(torch, lambda: x.amax(1))


def load_cell(torch, layer, index, kernel):
    """Loads the weights of TensorFlow's cell; PyTorch orders gates differently and has two biases."""
    entry, new, forget, last = kernel.T.chunk(4)
    rows = torch.cat([entry, forget, new, last])
    bias = torch.zeros(len(rows))
    bias[len(entry) : 2 * len(entry)] = 1.0
    parameters = dict(layer.named_parameters())
    inputs = rows.shape[1] - layer.hidden_size
    with torch.no_grad():
        for name, values in (
            ("weight_ih", rows[:, :inputs]),
            ("weight_hh", rows[:, inputs:]),
            ("bias_ih", bias),
            ("bias_hh", torch.zeros(len(rows))),
        ):
            parameters[f"{name}_l{index}"].copy_(values)


@peer
def torch_static_lstm():
    pictures, labels, kernel, out = lstm_inputs()
    torch, pictures, labels, kernel, out = to_torch(pictures, labels, kernel, out)
    layer = torch.nn.LSTM(28, 128, batch_first=True)
    load_cell(torch, layer, 0, kernel)
    out.requires_grad_()
    optimizer = torch.optim.SGD([*layer.parameters(), out], 0.01)

    def loss():
        outputs, _ = layer(pictures)
        return torch.nn.functional.cross_entropy(outputs[:, -1] @ out, labels)

    return training_step(torch, loss, optimizer)


@peer
def torch_dynamic_lstm():
    rows, kernels = dynamic_lstm_inputs()
    torch, rows, *kernels = to_torch(rows, *kernels)
    layer = torch.nn.LSTM(200, 200, num_layers=2, batch_first=True)
    for index, kernel in enumerate(kernels):
        load_cell(torch, layer, index, kernel)
    parameters = list(layer.parameters())
    optimizer = torch.optim.SGD(parameters, 1.0)

    def loss():
        return (layer(rows)[0] - rows).square().mean()

    function = compile_function(torch, loss)

    def step():
        optimizer.zero_grad(set_to_none=True)
        function().backward()
        torch.nn.utils.clip_grad_norm_(parameters, 5.0)
        optimizer.step()

    return Step(step, lambda: float(loss()))


@peer
def torch_matmul_1024():
    torch, x = to_torch(floats(1024, 1024))
    return without_gradients(torch, lambda: x @ x)


@peer
def torch_softmax():
    torch, images, digits, matrix, bias = to_torch(*softmax_inputs())
    parameters = [matrix.requires_grad_(), bias.requires_grad_()]

    def loss():
        return torch.nn.functional.cross_entropy(torch.addmm(bias, images, matrix), digits)

    return training_step(torch, loss, torch.optim.SGD(parameters, 0.01))


@peer
def torch_embedding():
    torch, ids, targets, table = to_torch(*embedding_inputs())
    table.requires_grad_()

    def loss():
        rows = torch.nn.functional.embedding(ids, table, sparse=True)
        return torch.nn.functional.mse_loss(rows, targets)

    return training_step(torch, loss, torch.optim.SGD([table], 0.1))


@peer
def torch_word_vectors():
    words, beside, table, out = word_inputs()
    torch, words, labels, table, out = to_torch(words, beside, table, out)
    parameters = [table, out, torch.zeros(len(table), 1)]
    for parameter in parameters:
        parameter.requires_grad_()
    random = np.random.RandomState(1)
    embedding, entropy = (
        torch.nn.functional.embedding,
        torch.nn.functional.binary_cross_entropy_with_logits,
    )

    def sampled_loss(sampled, expected, of_labels):
        rows = embedding(words, parameters[0], sparse=True)
        ids = torch.cat([labels, sampled])
        weights, biases = (embedding(ids, p, sparse=True) for p in parameters[1:])
        near = (rows * weights[:128]).sum(1) + biases[:128, 0] - of_labels
        far = rows @ weights[128:].T + biases[128:, 0] - expected
        losses = entropy(near, torch.ones_like(near), reduction="sum")
        return (losses + entropy(far, torch.zeros_like(far), reduction="sum")) / 128

    compiled_loss = compile_function(torch, sampled_loss)
    optimizer = torch.optim.SGD(parameters, 1.0)

    def step():
        sampled, draws = log_uniform(random, 64)
        arguments = sampled, log_counts(sampled, draws), log_counts(beside, draws)
        optimizer.zero_grad(set_to_none=True)
        compiled_loss(*map(torch.from_numpy, arguments)).backward()
        optimizer.step()

    return Step(step, lambda: float(table[words].square().mean()))


def convolution_weights(torch, matrices):
    """The weights, transposed to filters-first for convolutions."""
    return [
        torch.from_numpy(
            np.ascontiguousarray(m.transpose(3, 2, 0, 1) if m.ndim == 4 else m)
        ).requires_grad_()
        for m in matrices
    ]


@peer
def torch_lenet():
    pictures, labels, matrices = lenet_inputs()
    torch, pictures, labels = to_torch(pictures.transpose(0, 3, 1, 2), labels)
    functional = torch.nn.functional
    matrices = convolution_weights(torch, matrices)
    biases = [torch.full([m.shape[m.ndim == 2]], 0.1, requires_grad=True) for m in matrices]

    def maps():
        values = pictures
        for matrix, bias in zip(matrices[:2], biases):
            values = functional.conv2d(values, matrix, bias, padding=2)
            values = functional.max_pool2d(torch.relu(values), 2)
        return values

    def loss():
        hidden = torch.relu(torch.addmm(biases[2], maps().flatten(1), matrices[2]))
        logits = torch.addmm(biases[3], functional.dropout(hidden, 0.5), matrices[3])
        return functional.cross_entropy(logits, labels)

    optimizer = torch.optim.Adam([*matrices, *biases], 1e-6, fused=True)
    return training_step(torch, loss, optimizer, lambda: maps().square().mean())


@peer
def torch_conv_layers():
    pictures, labels, matrices = conv_layer_inputs()
    torch, pictures, labels = to_torch(pictures.transpose(0, 3, 1, 2), labels)
    functional = torch.nn.functional
    *filters, out = convolution_weights(torch, matrices)
    scales, offsets = (
        [make(32, requires_grad=True) for _ in filters] for make in (torch.ones, torch.zeros)
    )
    bias = torch.full([10], 0.1, requires_grad=True)

    def loss():
        maps = pictures
        for matrix, scale, offset in zip(filters, scales, offsets):
            maps = functional.conv2d(maps, matrix, padding=1)
            maps = functional.batch_norm(maps, None, None, scale, offset, training=True, eps=1e-3)
            maps = torch.relu(maps)
        return functional.cross_entropy(torch.addmm(bias, maps.mean((2, 3)), out), labels)

    parameters = [*filters, out, *scales, *offsets, bias]
    return training_step(torch, loss, torch.optim.SGD(parameters, 1e-3, momentum=0.9))
