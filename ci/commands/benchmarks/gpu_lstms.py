"""The two LSTMs of `recurrent.py` on a GPU: tfmini's training steps, and PyTorch's, with cells and with cuDNN."""

import numpy as np

from ci.commands.benchmarks import gpu_sizes, gpu_torch

CLASSES = 10
CLIPPED, RATE = 5.0, 1.0


def inputs(batch, steps, size, units):
    """Images read row by row, and their classes."""
    random = np.random.RandomState(0)
    return random.rand(batch, steps, size).astype("f"), np.arange(batch) % CLASSES


def static_step(tf):
    """Fetches of a training step whose inputs are variables on the GPU."""
    units = gpu_sizes.STATIC_LSTM[-1]
    values, classes = inputs(*gpu_sizes.STATIC_LSTM)
    x = tf.Variable(values, trainable=False)
    labels = tf.Variable(classes.astype("i8"), trainable=False)
    cell = tf.nn.rnn_cell.BasicLSTMCell(units)
    outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    logits = tf.matmul(outputs[-1], tf.get_variable("out", [units, CLASSES]))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(losses))


def clipped_step(tf, outputs, x):
    loss = tf.reduce_mean(tf.square(outputs - x))
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), CLIPPED)
    return tf.train.GradientDescentOptimizer(RATE).apply_gradients(zip(grads, variables))


def dynamic_step(tf):
    x = tf.Variable(inputs(*gpu_sizes.DYNAMIC_LSTM)[0], trainable=False)
    cells = [tf.nn.rnn_cell.BasicLSTMCell(gpu_sizes.DYNAMIC_LSTM[-1]) for _ in range(2)]
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, dtype=tf.float32)
    return clipped_step(tf, outputs, x)


def cudnn_step(tf):
    """The same by cuDNN, time-major."""
    values = inputs(*gpu_sizes.DYNAMIC_LSTM)[0].swapaxes(0, 1).copy()
    x = tf.Variable(values, trainable=False)
    outputs, _ = tf.contrib.cudnn_rnn.CudnnLSTM(2, gpu_sizes.DYNAMIC_LSTM[-1])(x)
    return clipped_step(tf, outputs, x)


def unroll(torch, cells, x):
    """The outputs of the last layer, step by step."""
    batch, units = x.shape[0], cells[0].hidden_size
    states = [[torch.zeros(batch, units, device=x.device) for _ in range(2)] for _ in cells]
    outputs = []
    for value in x.unbind(1):
        for index, cell in enumerate(cells):
            states[index] = cell(value, states[index])
            value = states[index][0]
        outputs.append(value)
    return torch.stack(outputs, 1)


def torch_net(torch, way, layers, size, units):
    """(a function from inputs to the last layer's outputs, its parameters); way: "cells" or "cudnn"."""
    if way == "cudnn":
        net = torch.nn.LSTM(size, units, layers, batch_first=True, device=gpu_torch.DEVICE)
        return lambda x: net(x)[0], list(net.parameters())
    sizes = [size, *[units] * (layers - 1)]
    cells = [torch.nn.LSTMCell(each, units, device=gpu_torch.DEVICE) for each in sizes]
    return lambda x: unroll(torch, cells, x), [p for cell in cells for p in cell.parameters()]


def torch_static(torch, way):
    _, _, size, units = gpu_sizes.STATIC_LSTM
    values, classes = inputs(*gpu_sizes.STATIC_LSTM)
    x, labels = (torch.from_numpy(value).to(gpu_torch.DEVICE) for value in (values, classes))
    net, parameters = torch_net(torch, way, 1, size, units)
    last = torch.nn.Linear(units, CLASSES, bias=False, device=gpu_torch.DEVICE)
    optimizer = torch.optim.SGD([*parameters, *last.parameters()], 0.01)

    def loss():
        return torch.nn.functional.cross_entropy(last(net(x)[:, -1]), labels)

    return gpu_torch.eager(torch, gpu_torch.training_step(loss, optimizer))


def torch_dynamic(torch, way):
    _, _, size, units = gpu_sizes.DYNAMIC_LSTM
    x = torch.from_numpy(inputs(*gpu_sizes.DYNAMIC_LSTM)[0]).to(gpu_torch.DEVICE)
    net, parameters = torch_net(torch, way, 2, size, units)
    optimizer = torch.optim.SGD(parameters, RATE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        torch.mean(torch.square(net(x) - x)).backward()
        torch.nn.utils.clip_grad_norm_(parameters, CLIPPED)
        optimizer.step()

    return gpu_torch.eager(torch, step)
