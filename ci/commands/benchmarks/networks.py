"""Image networks: training and inference steps, each with NumPy's kernels and with oneDNN's.

Every network is four workloads: the name alone and `NAME_onednn` are timed, `NAME_memory` and `NAME_memory_onednn`
measure the peak memory added by steps. For TensorFlow both are the same; the environment of tfmini's process selects
its kernels (`sides.py`).

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import gc

import numpy as np

from ci.commands.benchmarks.workloads import ONCE, STEADY, Step, memory, open_session, reset_peak

NETWORKS = ("lenet", "conv_layers", "resnet_20", "vgg_1", "vgg_32")


def network(function):
    """Registers `function(tf)`, which returns (session, fetches of a step, probe for both sides, feed)."""

    def timed_step(tf):
        session, step, probe, feed = function(tf)
        return Step(lambda: session.run(step, feed), lambda: session.run(probe, feed))

    def measure_peak(tf):
        session, step, probe, feed = function(tf)
        gc.collect()
        reset_peak()
        before = memory()
        for _ in range(10):
            session.run(step, feed)
        return {"peak": memory("VmHWM") - before, "check": float(session.run(probe, feed))}

    for suffix in ("", "_onednn"):
        STEADY[function.__name__ + suffix] = timed_step
        ONCE[function.__name__ + "_memory" + suffix] = measure_peak
    return function


def normal(random, *shape):
    """Float32 normals with a deviation that preserves the signal scale in a ReLU network."""
    scale = np.sqrt(2.0 / np.prod(shape[:-1]))
    return (random.randn(*shape) * scale).astype(np.float32)


def convolve(tf, random, x, size, filters, stride=1):
    """A "SAME" convolution of x [batch, rows, columns, depth] without a bias."""
    matrix = tf.Variable(normal(random, size, size, int(x.shape[3]), filters))
    return tf.nn.conv2d(x, matrix, [1, stride, stride, 1], "SAME")


def add_bias(tf, x):
    return tf.nn.bias_add(x, tf.Variable(tf.constant(0.1, shape=[int(x.shape[-1])])))


def dense(tf, random, x, units):
    return add_bias(tf, tf.matmul(x, tf.Variable(normal(random, int(x.shape[1]), units))))


def normalize(tf, x):
    """Training-mode batch normalization, composed as in layers."""
    channels = int(x.shape[3])
    scale, offset = tf.Variable(tf.ones([channels])), tf.Variable(tf.zeros([channels]))
    return tf.nn.fused_batch_norm(x, scale, offset)[0]


def max_pool(tf, x):
    return tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")


def flatten(tf, x):
    return tf.reshape(x, [-1, int(np.prod(x.shape.as_list()[1:]))])


def training_step(tf, logits, labels, optimizer):
    """(training step, loss)."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses)
    return optimizer.minimize(loss), loss


def images(tf, random, batch, size, depth):
    """Placeholders of images and labels, with their values."""
    x = tf.placeholder(tf.float32, [batch, size, size, depth])
    y = tf.placeholder(tf.int64, [batch])
    feed = {x: random.rand(batch, size, size, depth).astype(np.float32)}
    return x, y, {**feed, y: random.randint(0, 10, batch)}


@network
def lenet(tf):
    """5x5x32, pool, 5x5x64, pool, 1024, dropout, 10 on 28 x 28 digits; batch 50, an Adam step."""
    random = np.random.RandomState(0)
    tf.set_random_seed(1)
    x, y, feed = images(tf, random, 50, 28, 1)
    maps = max_pool(tf, tf.nn.relu(add_bias(tf, convolve(tf, random, x, 5, 32))))
    maps = max_pool(tf, tf.nn.relu(add_bias(tf, convolve(tf, random, maps, 5, 64))))
    hidden = tf.nn.relu(dense(tf, random, flatten(tf, maps), 1024))
    logits = dense(tf, random, tf.nn.dropout(hidden, rate=0.5), 10)
    train, loss = training_step(tf, logits, y, tf.train.AdamOptimizer(1e-6))
    measured = tf.reduce_mean(tf.square(maps))  # the loss depends on random dropout
    return open_session(tf), train, measured, feed


@network
def conv_layers(tf):
    """Three layers of a 3x3x32 convolution, batch normalization and ReLU at 32 x 32; batch 64, a Momentum step."""
    random = np.random.RandomState(0)
    x, y, feed = images(tf, random, 64, 32, 3)
    maps = x
    for _ in range(3):
        maps = tf.nn.relu(normalize(tf, convolve(tf, random, maps, 3, 32)))
    logits = dense(tf, random, tf.reduce_mean(maps, [1, 2]), 10)
    train, loss = training_step(tf, logits, y, tf.train.MomentumOptimizer(1e-3, 0.9))
    return open_session(tf), train, loss, feed


@network
def resnet_20(tf):
    """The residual network of 20 layers for 32 x 32 images; batch 64, a Momentum step."""
    random = np.random.RandomState(0)
    x, y, feed = images(tf, random, 64, 32, 3)
    maps = tf.nn.relu(normalize(tf, convolve(tf, random, x, 3, 16)))
    for filters in (16, 32, 64):
        for block in range(3):
            stride = 2 if filters > 16 and block == 0 else 1
            inner = normalize(tf, convolve(tf, random, maps, 3, filters, stride))
            inner = normalize(tf, convolve(tf, random, tf.nn.relu(inner), 3, filters))
            if stride == 2:
                more = filters - int(maps.shape[3])
                maps = tf.pad(maps[:, ::2, ::2], [[0, 0]] * 3 + [[more // 2, more // 2]])
            maps = tf.nn.relu(maps + inner)
    logits = dense(tf, random, tf.reduce_mean(maps, [1, 2]), 10)
    train, loss = training_step(tf, logits, y, tf.train.MomentumOptimizer(1e-4, 0.9))
    return open_session(tf), train, loss, feed


def vgg(tf, batch):
    """Inference of a frozen network: pairs of 3x3 convolutions with 64, 128 and 256 filters, two dense layers."""
    random = np.random.RandomState(0)
    with tf.Graph().as_default() as graph:
        x = maps = tf.placeholder(tf.float32, [None, 64, 64, 3], name="x")
        for filters in (64, 128, 256):
            for _ in range(2):
                maps = tf.nn.relu(add_bias(tf, convolve(tf, random, maps, 3, filters)))
            maps = max_pool(tf, maps)
        hidden = tf.nn.relu(dense(tf, random, flatten(tf, maps), 512))
        tf.nn.softmax(dense(tf, random, hidden, 10), name="y")
        session = open_session(tf)
        convert = tf.graph_util.convert_variables_to_constants
        frozen = convert(session, graph.as_graph_def(), ["y"])
        session.close()
    x, y = tf.import_graph_def(frozen, return_elements=["x:0", "y:0"], name="")
    feed = {x: random.rand(batch, 64, 64, 3).astype(np.float32)}
    return open_session(tf), y, tf.reduce_sum(tf.square(y)), feed


@network
def vgg_1(tf):
    return vgg(tf, 1)


@network
def vgg_32(tf):
    return vgg(tf, 32)
