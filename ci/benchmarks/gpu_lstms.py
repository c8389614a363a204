"""The two LSTMs of `recurrent.py` on a card: tfmini's training steps, and PyTorch's, which loops over its cell."""

import numpy as np

from ci.benchmarks.timing import host_and_wall

STATIC = (128, 28, 28, 128)  # batch, steps, inputs, units
DYNAMIC = (20, 50, 200, 200)
CLASSES = 10


def inputs(batch, steps, size, units):
    """Pictures read row by row, and their classes."""
    random = np.random.RandomState(0)
    return random.rand(batch, steps, size).astype("f"), np.arange(batch) % CLASSES


def tfmini_static_step(tf):
    """Fetches of a training step; its inputs are variables, which lie on the card."""
    values, classes = inputs(*STATIC)
    x = tf.Variable(values, trainable=False)
    labels = tf.Variable(classes.astype("i8"), trainable=False)
    cell = tf.nn.rnn_cell.BasicLSTMCell(STATIC[-1])
    outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    logits = tf.matmul(outputs[-1], tf.get_variable("out", [STATIC[-1], CLASSES]))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(losses))


def tfmini_dynamic_step(tf):
    x = tf.Variable(inputs(*DYNAMIC)[0], trainable=False)
    cells = [tf.nn.rnn_cell.BasicLSTMCell(DYNAMIC[-1]) for _ in range(2)]
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs - x))
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    return tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(grads, variables))


def unrolled(torch, cells, x):
    """The outputs of the last layer, step by step."""
    batch, units = x.shape[0], cells[0].hidden_size
    states = [[torch.zeros(batch, units, device="cuda") for _ in range(2)] for _ in cells]
    outputs = []
    for value in x.unbind(1):
        for number, cell in enumerate(cells):
            states[number] = cell(value, states[number])
            value = states[number][0]
        outputs.append(value)
    return outputs


def torch_static(torch):
    values, classes = inputs(*STATIC)
    x, labels = torch.from_numpy(values).cuda(), torch.from_numpy(classes).cuda()
    cell = torch.nn.LSTMCell(STATIC[2], STATIC[3], device="cuda")
    last = torch.nn.Linear(STATIC[3], CLASSES, bias=False, device="cuda")
    optimizer = torch.optim.SGD([*cell.parameters(), *last.parameters()], 0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = last(unrolled(torch, [cell], x)[-1])
        torch.nn.functional.cross_entropy(logits, labels).backward()
        optimizer.step()

    return host_and_wall(step, torch.cuda.synchronize)


def torch_dynamic(torch):
    x = torch.from_numpy(inputs(*DYNAMIC)[0]).cuda()
    cells = [torch.nn.LSTMCell(DYNAMIC[2], DYNAMIC[3], device="cuda") for _ in range(2)]
    parameters = [p for cell in cells for p in cell.parameters()]
    optimizer = torch.optim.SGD(parameters, 1.0)

    def step():
        optimizer.zero_grad(set_to_none=True)
        outputs = torch.stack(unrolled(torch, cells, x), 1)
        torch.mean(torch.square(outputs - x)).backward()
        torch.nn.utils.clip_grad_norm_(parameters, 5.0)
        optimizer.step()

    return host_and_wall(step, torch.cuda.synchronize)
