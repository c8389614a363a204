"""Launch counts on the emulated GPU, as Markdown tables.

`python -m tests.support.gpu.launches`: training steps of some models. A graph replay counts as one launch. Several
steps run; the last one, after capture, is counted.

`python -m tests.support.gpu.launches --ops`: sample rows that launch, by check, and reasons why others do not.
"""

import collections
import copy
import logging
import os
import sys

import numpy as np

import tfmini as tf
from tests.support.gpu import gpu_checks
from tests.support.gpu.gpus import fake_gpus

_STEPS = 8  # until everything capturable is captured


def _classifier_step(x, logits, classes):
    labels = tf.placeholder(tf.int64, [None])
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    random = np.random.RandomState(0)
    batch = int(x.shape[0])
    feed = {x: random.randn(*x.shape.as_list()), labels: random.randint(0, classes, batch)}
    return [tf.train.GradientDescentOptimizer(0.1).minimize(loss), loss], feed


def mlp():
    x = tf.placeholder(tf.float32, [16, 20])
    h = tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 32, tf.nn.relu)
    return _classifier_step(x, tf.layers.dense(h, 5), 5)


def lenet():
    x = tf.placeholder(tf.float32, [4, 12, 12, 1])
    h = tf.layers.max_pooling2d(tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu), 2, 2)
    h = tf.layers.max_pooling2d(tf.layers.conv2d(h, 8, 3, activation=tf.nn.relu), 2, 2)
    return _classifier_step(x, tf.layers.dense(tf.layers.flatten(h), 5), 5)


def static_lstm():
    x = tf.placeholder(tf.float32, [4, 10, 3])
    cell = tf.nn.rnn_cell.LSTMCell(6)
    outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    return _classifier_step(x, tf.layers.dense(tf.concat(outputs, 1), 5), 5)


def dynamic_lstm():
    x = tf.placeholder(tf.float32, [4, 10, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, dtype=tf.float32)
    return _classifier_step(x, tf.layers.dense(outputs[:, -1], 5), 5)


def dynamic_lstm_forward():
    x = tf.placeholder(tf.float32, [4, 10, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, dtype=tf.float32)
    return [outputs], {x: np.random.RandomState(0).randn(4, 10, 3)}


def resnet_20():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3])

    def layer(h, filters, strides):
        h = tf.layers.conv2d(h, filters, 3, strides, "same", use_bias=False)
        return tf.layers.batch_normalization(h, training=True)

    h = tf.nn.relu(layer(x, 4, 1))
    for i in range(9):
        filters, strides = 4 << i // 3, 2 if i in (3, 6) else 1
        short = h if strides == 1 else tf.layers.conv2d(h, filters, 1, strides)
        h = layer(tf.nn.relu(layer(h, filters, strides)), filters, 1)
        h = tf.nn.relu(h + short)
    return _classifier_step(x, tf.layers.dense(tf.reduce_mean(h, [1, 2]), 5), 5)


def word2vec():
    ids, labels = tf.placeholder(tf.int32, [16]), tf.placeholder(tf.int64, [16, 1])
    table = tf.get_variable("table", [50, 8])
    weights, biases = tf.get_variable("weights", [50, 8]), tf.get_variable("biases", [50])
    rows = tf.nn.embedding_lookup(table, ids)
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, labels, rows, 6, 50))
    random = np.random.RandomState(0)
    feed = {ids: random.randint(0, 50, 16), labels: random.randint(0, 50, [16, 1])}
    return [tf.train.GradientDescentOptimizer(0.1).minimize(loss), loss], feed


def encoder():
    """A transformer layer: masked attention, layer normalization, and a two-layer network."""
    x, mask = tf.placeholder(tf.float32, [4, 6, 16]), tf.placeholder(tf.float32, [4, 1, 1, 6])

    def norm(x, name):
        with tf.variable_scope(name):
            mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
            scale, offset = (tf.get_variable(each, [16]) for each in ("scale", "offset"))
            return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-6)

    def heads(name):
        y = tf.layers.dense(tf.reshape(x, [24, 16]), 16, name=name)
        return tf.transpose(tf.reshape(y, [4, 6, 2, 8]), [0, 2, 1, 3])

    q, k, v = (heads(name) for name in "qkv")
    scores = tf.matmul(q, k, transpose_b=True) * 8**-0.5 + (1.0 - mask) * -1e4
    context = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
    h = norm(x + tf.reshape(tf.layers.dense(tf.reshape(context, [24, 16]), 16), [4, 6, 16]), "a")
    inner = tf.layers.dense(tf.reshape(h, [24, 16]), 32, tf.nn.relu)
    h = norm(h + tf.reshape(tf.layers.dense(inner, 16), [4, 6, 16]), "b")
    step, feed = _classifier_step(x, tf.layers.dense(h[:, 0], 5), 5)
    return step, {**feed, mask: np.random.RandomState(1).randint(0, 2, [4, 1, 1, 6])}


def decoder():
    """A decoder step: an RNN cell, scores over the vocabulary, and the top words."""
    words, h = tf.placeholder(tf.int32, [4]), tf.placeholder(tf.float32, [4, 6])
    table = tf.get_variable("table", [30, 6])
    y, state = tf.nn.rnn_cell.GRUCell(6)(tf.nn.embedding_lookup(table, words), h)
    scores = tf.nn.log_softmax(tf.layers.dense(y, 30))
    return [tf.nn.top_k(scores, 3), state], {words: np.arange(4), h: np.ones([4, 6])}


def long_lstm():
    x = tf.placeholder(tf.float32, [4, 50, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, dtype=tf.float32)
    return _classifier_step(x, tf.layers.dense(outputs[:, -1], 5), 5)


MODELS = (
    *(mlp, lenet, static_lstm, dynamic_lstm_forward, dynamic_lstm, long_lstm),
    *(resnet_20, word2vec, encoder, decoder),
)


def step_counters(model, half=False):
    """A model step's counters: launches by name, copies, and waits; `half`: with float16 products."""
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.auto_mixed_precision = int(half)
    with (
        fake_gpus(devices=1) as machine,
        tf.Graph().as_default(),
        tf.Session(config=config) as session,
    ):
        tf.set_random_seed(1)
        fetches, feed = model()
        session.run(tf.global_variables_initializer())
        for _ in range(_STEPS):
            machine.counters.reset()
            session.run(fetches, feed)
        return copy.deepcopy(machine.counters)  # closing the session synchronizes too


def of_models():
    print(
        "| model | launches | graphs among them | copies to GPU | on GPU | syncs | without graphs | in float16 |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for model in MODELS:
        os.environ["TFMINI_CUDA_GRAPHS"] = "0"
        apart = step_counters(model).launches
        halves = step_counters(model, half=True).launches
        os.environ["TFMINI_CUDA_GRAPHS"] = "1"
        counters = step_counters(model)
        waits = counters.waits + counters.syncs
        graphs = counters.launch_names["graph"]
        name = model.__name__.replace("_", " ")
        copies = counters.copies["h2d"], counters.copies["d2d"]
        row = (name, counters.launches, graphs, *copies, waits, apart, halves)
        print(f"| {' | '.join(map(str, row))} |", flush=True)


CHECKS = {
    "values": (gpu_checks.check_value, gpu_checks.SAMPLES),
    "gradients": (gpu_checks.check_gradient, gpu_checks.DIFFERENTIABLE),
    "built": (gpu_checks.check_built, gpu_checks.BUILT),
}


def outcomes(check, samples):
    """Counts of sample rows by launch verdict."""
    counters = collections.Counter()
    for sample in samples:
        with fake_gpus():
            counters[check(sample)] += 1
    return counters


def of_ops():
    columns = [outcomes(*each) for each in CHECKS.values()]
    print(f"| rows | {' | '.join(CHECKS)} |")
    print("| --- " * (len(CHECKS) + 1) + "|")
    print(f"| all | {' | '.join(str(c.total()) for c in columns)} |")
    for outcome, _ in sum(columns, collections.Counter()).most_common():
        print(f"| {outcome} | {' | '.join(str(c[outcome]) for c in columns)} |")


def main():
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    if sys.argv[1:] == ["--ops"]:
        of_ops()
    else:
        of_models()


if __name__ == "__main__":
    main()
