"""Sweep cases: volumes, image files, sparse tensors, queues, summaries, decoders and distributions.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import os
import tempfile

import numpy as np

from ci.commands.benchmarks.sweep_cases import case, generated_input, ids, signed


@generated_input
def pictures(size):
    return ids(256, size, size, 3).astype(np.uint8)


VOLUMES = [(2, 8, 8, 8, 4)], [(2, 16, 24, 24, 16)]
for kind in ("max", "average"):
    for size, strides, padding in ((2, 2, "same"), (3, 2, "same"), (3, 1, "same"), (3, 2, "valid")):
        case(f"{kind}_pool3d {size}/{strides} {padding}", lambda tf, x, a=(size, strides, padding), k=kind:
             getattr(tf.layers, k + "_pooling3d")(x, *a), *VOLUMES, True)  # fmt: skip
for title in ("png", "jpeg"):
    case("encode_" + title, lambda tf, x, t=title: tf.strings.length(getattr(tf.image, "encode_" + t)(x)),
         [pictures(32)], [pictures(256)])  # fmt: skip


def clipped_step(tf, x):
    """A training step of three dense layers whose gradients are clipped together."""
    y = tf.layers.dense(tf.layers.dense(tf.layers.dense(x, 32, tf.nn.relu), 32, tf.nn.tanh), 4)
    optimizer = tf.train.AdamOptimizer(1e-3)
    gradients, variables = zip(*optimizer.compute_gradients(tf.reduce_mean(tf.square(y))))
    clipped, norm = tf.clip_by_global_norm(gradients, 1.0)
    with tf.control_dependencies([optimizer.apply_gradients(zip(clipped, variables))]):
        return tf.identity(norm)


case("clipped step", clipped_step, [signed(16, 8)], [signed(128, 64)])
case("summary: histogram", lambda tf, x: tf.strings.length(tf.summary.histogram("h", x)), [signed(64, 128)],
     [signed(1024, 1000)])  # fmt: skip
case("summary: images", lambda tf, x: tf.strings.length(tf.summary.image("i", x)), [(3, 28, 28, 1)],
     [(3, 256, 256, 3)])  # fmt: skip
case("summary: scalars", lambda tf, x: tf.strings.length(tf.summary.merge(
    [tf.summary.scalar(f"s{i}", x[i]) for i in range(10)])), [(64,)], [(1000,)])  # fmt: skip


def sparse(name, function, gradient=False):
    """A case on a sparse matrix with a twentieth of its elements."""

    def build(tf, values, rows):
        columns = int(values.shape[0]) * 20 // rows
        places = np.arange(int(values.shape[0]), dtype=np.int64) * 20 + 7
        found = np.stack([places // columns, places % columns], 1)
        result = function(tf, tf.SparseTensor(tf.Variable(found), values, [rows, columns]))
        return tf.reduce_sum(result)

    case("sparse: " + name, build, [(200,), 40], [(20000,), 400], gradient)


sparse("reduce_sum", lambda tf, x: tf.sparse_reduce_sum(x, 1), True)
sparse("reduce_sum, axis 0", lambda tf, x: tf.sparse_reduce_sum(x, 0))
sparse("reduce_max", lambda tf, x: tf.sparse_reduce_max(x, 1))
sparse("softmax", lambda tf, x: tf.sparse_softmax(x).values, True)
sparse("transpose", lambda tf, x: tf.sparse_transpose(x).values)
sparse("reorder", lambda tf, x: tf.sparse_reorder(tf.SparseTensor(
    tf.reverse(x.indices, [0]), x.values, x.dense_shape)).values, True)  # fmt: skip
sparse("slice", lambda tf, x: tf.sparse_slice(x, [1, 1], [20, 50]).values, True)
sparse("concat", lambda tf, x: tf.sparse_concat(1, [x, x]).values)
sparse("reshape", lambda tf, x: tf.sparse_reshape(x, [-1, 4]).indices)
sparse("add", lambda tf, x: tf.sparse_add(x, x).values, True)
sparse("maximum", lambda tf, x: tf.sparse_maximum(x, x).values)
sparse("times dense", lambda tf, x: (x * tf.ones([1, x.shape[1]])).values, True)
sparse("to dense", lambda tf, x: tf.sparse_tensor_to_dense(x), True)
sparse("retain", lambda tf, x: tf.sparse_retain(x, x.values > 0.5).values, True)
sparse("fill_empty_rows", lambda tf, x: tf.sparse_fill_empty_rows(x, 0.0)[0].values, True)


def saved(tf, count):
    """A checkpoint of this many small variables, written."""
    path = os.path.join(tempfile.mkdtemp(prefix="tfmini_sweep_"), "model")
    saver = tf.train.Saver([tf.Variable(tf.ones([10, 10])) for _ in range(count)], filename=path)
    saved = tf.get_default_graph().get_tensor_by_name(saver.saver_def.save_tensor_name)
    return tf.strings.length(saved) * 0


case("save of small variables", saved, [5], [100])


def queue(name, make, many=False):
    """A case that puts an element, or a batch, into a queue and takes one."""

    def build(tf, x):
        x = x * 2.0
        made = make(tf, x.shape[1:] if many else x.shape)
        with tf.control_dependencies([(made.enqueue_many if many else made.enqueue)([x])]):
            return made.dequeue_many(int(x.shape[0])) if many else made.dequeue()

    case("queue: " + name, build, [(8, 4)], [(128, 1000)])


queue("FIFO", lambda tf, shape: tf.FIFOQueue(10, tf.float32, [shape]))
queue("FIFO, no shapes", lambda tf, shape: tf.FIFOQueue(10, tf.float32))
queue("FIFO, many", lambda tf, shape: tf.FIFOQueue(1000, tf.float32, [shape]), True)
queue("shuffle, many", lambda tf, shape: tf.RandomShuffleQueue(1000, 0, tf.float32, [shape]), True)


def staged(tf, x):
    area = tf.contrib.staging.StagingArea([tf.float32], [x.shape])
    with tf.control_dependencies([area.put([x * 2.0])]):
        return tf.add_n(area.get())


case("queue: StagingArea", staged, [(8, 4)], [(128, 1000)])


def block_cell(tf, x):
    """Steps of a block cell without a loop."""
    units = int(x.shape[1])
    cell = tf.contrib.rnn.LSTMBlockCell(units)
    state = cell.zero_state(int(x.shape[0]), tf.float32)
    for _ in range(4):
        x, state = cell(x, state)
    return x


case("LSTMBlockCell, 4 steps", block_cell, [(4, 32)], [(64, 128)], True)
case("LSTMBlockFusedCell", lambda tf, x: tf.contrib.rnn.LSTMBlockFusedCell(int(x.shape[2]))(x, dtype=tf.float32)[0],
     [(8, 4, 32)], [(30, 64, 128)], True)  # fmt: skip


def decoded(beams):
    """Decoding of 12 steps by a cell, greedily or by a beam search."""

    def build(tf, table):
        seq2seq, words, units = tf.contrib.seq2seq, int(table.shape[0]), int(table.shape[1])
        cell, first = tf.nn.rnn_cell.GRUCell(units), tf.fill([4], 1)
        output = tf.layers.Dense(words, kernel_initializer=tf.random_normal_initializer(seed=1))
        if beams:
            state = seq2seq.tile_batch(cell.zero_state(4, tf.float32), beams)
            decoder = seq2seq.BeamSearchDecoder(cell, table, first, 2, state, beams, output)
            return seq2seq.dynamic_decode(decoder, maximum_iterations=12)[0].predicted_ids
        helper = seq2seq.GreedyEmbeddingHelper(table, first, 2)
        decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(4, tf.float32), output)
        return seq2seq.dynamic_decode(decoder, maximum_iterations=12)[0].rnn_output

    return build


case("decoder: greedy", decoded(0), [signed(50, 16)], [signed(2000, 128)])
case("decoder: beams", decoded(4), [signed(50, 16)], [signed(2000, 128)])


def trained_decoder(tf, x):
    seq2seq = tf.contrib.seq2seq
    batch, steps, units = x.shape.as_list()
    helper = seq2seq.TrainingHelper(x, tf.fill([batch], steps))
    cell = tf.nn.rnn_cell.GRUCell(units)
    cell = seq2seq.AttentionWrapper(cell, seq2seq.LuongAttention(units, x), units)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(batch, tf.float32))
    return seq2seq.dynamic_decode(decoder)[0].rnn_output


case("decoder: training, attention", trained_decoder, [(4, 8, 16)], [(32, 20, 128)])

for title, make in (
    ("Beta", lambda d, x: d.Beta(x + 0.5, x + 1.0)),
    ("Dirichlet", lambda d, x: d.Dirichlet(x + 0.5)),
    ("Multinomial", lambda d, x: d.Multinomial(20.0, logits=x)),
    ("Gamma", lambda d, x: d.Gamma(x + 0.5, x + 1.0)),
    ("StudentT", lambda d, x: d.StudentT(x + 2.0, x, x + 1.0)),
    ("Categorical", lambda d, x: d.Categorical(logits=x)),
    ("Bernoulli", lambda d, x: d.Bernoulli(logits=x)),
    ("Normal", lambda d, x: d.Normal(x, x + 1.0)),
    ("Laplace", lambda d, x: d.Laplace(x, x + 1.0)),
):
    case(f"random: {title}", lambda tf, x, m=make: m(tf.distributions, x).sample(10, seed=1), [(4, 5)],
         [(100, 50)])  # fmt: skip
