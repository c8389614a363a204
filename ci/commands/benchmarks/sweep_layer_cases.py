"""Sweep cases: layers, losses and cells as combined in public repositories, and optimizers.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

from ci.commands.benchmarks.sweep_cases import (
    IMAGES,
    MATRIX,
    VECTOR,
    case,
    flags,
    ids,
    indices,
    layer,
    signed,
    weights,
)

DEPTH = [IMAGES[0]], [(8, 28, 28, 64)]
for title, options in (
    ("conv2d 5x5", {"kernel_size": 5, "padding": "same"}),
    ("conv2d, dilated", {"kernel_size": 3, "dilation_rate": 2, "padding": "same"}),
    ("conv2d, valid, relu", {"kernel_size": 3, "activation": "relu"}),
):
    case("layers." + title, lambda tf, x, o=options: tf.layers.conv2d(
        x, 32, **{**o, "activation": tf.nn.relu if "activation" in o else None}), *DEPTH, True)  # fmt: skip
for strides, filters in ((2, 32), (2, 3), (1, 16)):
    case(f"conv2d_transpose, stride {strides} to {filters}", lambda tf, x, s=strides, n=filters:
         tf.layers.conv2d_transpose(x, n, 4, s, "same"), *DEPTH, True)  # fmt: skip
case(
    "separable_conv2d",
    lambda tf, x: tf.layers.separable_conv2d(x, 32, 3, padding="same"),
    *DEPTH,
    True,
)
case(
    "conv1d",
    lambda tf, x: tf.layers.conv1d(x, 64, 5, padding="same"),
    [(8, 32, 16)],
    [(32, 200, 128)],
    True,
)
case("conv1d, causal, dilated", lambda tf, x: tf.keras.layers.Conv1D(
    64, 2, padding="causal", dilation_rate=4)(x), [(8, 32, 16)], [(32, 200, 64)], True)  # fmt: skip
case("conv3d", lambda tf, x: tf.layers.conv3d(x, 16, 3, padding="same"), [(2, 8, 8, 8, 4)],
     [(2, 16, 24, 24, 16)], True)  # fmt: skip
case("max_pool 3x3", lambda tf, x: tf.layers.max_pooling2d(x, 3, 2, "same"), *DEPTH, True)
case("avg_pool, global", lambda tf, x: tf.reduce_mean(x, [1, 2]), *DEPTH, True)
case(
    "max_pool3d",
    lambda tf, x: tf.layers.max_pooling3d(x, 2, 2),
    [(2, 8, 8, 8, 4)],
    [(2, 16, 24, 24, 16)],
    True,
)
case(
    "batch_normalization, training",
    lambda tf, x: tf.layers.batch_normalization(x, training=True),
    *DEPTH,
    True,
)
case("batch_normalization, inference", lambda tf, x: tf.layers.batch_normalization(x), *DEPTH)
case("batch_normalization of rows", lambda tf, x: tf.layers.batch_normalization(x, training=True), VECTOR,
     MATRIX, True)  # fmt: skip
case("layer_norm", lambda tf, x: tf.contrib.layers.layer_norm(x), VECTOR, MATRIX, True)
case("instance_norm", lambda tf, x: tf.contrib.layers.instance_norm(x), *DEPTH, True)
case("group_norm", lambda tf, x: tf.contrib.layers.group_norm(x, 4), *DEPTH, True)
case("conv, bn, relu, pool", lambda tf, x: tf.layers.max_pooling2d(tf.nn.relu(tf.layers.batch_normalization(
    tf.layers.conv2d(x, 32, 3, padding="same"), training=True)), 2, 2), *DEPTH, True)  # fmt: skip
case("residual block", lambda tf, x: tf.nn.relu(x + tf.layers.conv2d(tf.nn.relu(tf.layers.conv2d(
    x, int(x.shape[3]), 3, padding="same")), int(x.shape[3]), 3, padding="same")), *DEPTH, True)  # fmt: skip
case("dense, relu, dropout", lambda tf, x: tf.layers.dropout(tf.layers.dense(x, 256, tf.nn.relu), 0.5,
     training=True), VECTOR, [(256, 784)], True)  # fmt: skip
case("three dense layers", lambda tf, x: tf.layers.dense(tf.layers.dense(tf.layers.dense(
    x, 128, tf.nn.relu), 64, tf.nn.relu), 10), [(4, 64)], [(256, 784)], True)  # fmt: skip
case("prelu", lambda tf, x: tf.keras.layers.PReLU()(x), VECTOR, MATRIX, True)
case("maxout", lambda tf, x: tf.contrib.layers.maxout(x, 8), VECTOR, MATRIX, True)
case(
    "l2 regularizers",
    lambda tf, x: tf.add_n([tf.nn.l2_loss(x * float(i)) for i in range(8)]),
    VECTOR,
    MATRIX,
    True,
)

for title, loss in (
    ("mean_squared_error", lambda tf, x, y: tf.losses.mean_squared_error(y, x)),
    ("absolute_difference", lambda tf, x, y: tf.losses.absolute_difference(y, x)),
    ("huber_loss", lambda tf, x, y: tf.losses.huber_loss(y, x)),
    ("log_loss", lambda tf, x, y: tf.losses.log_loss(y, x)),
    ("hinge_loss", lambda tf, x, y: tf.losses.hinge_loss(tf.round(y), x)),
    ("cosine_distance", lambda tf, x, y: tf.losses.cosine_distance(y, x, axis=1)),
    ("kl", lambda tf, x, y: tf.reduce_sum(y * (tf.log(y + 1e-6) - tf.log(x + 1e-6)))),
    ("weighted cross entropy", lambda tf, x, y: tf.nn.weighted_cross_entropy_with_logits(y, x, 3.0)),
    ("focal", lambda tf, x, y: tf.pow(1.0 - tf.sigmoid(x), 2.0)
     * tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)),
    ("triplet", lambda tf, x, y: tf.maximum(tf.reduce_sum(tf.square(x - y), 1) - tf.reduce_sum(
        tf.square(x - tf.roll(y, 1, 0)), 1) + 0.2, 0.0)),
    ("pairwise distances", lambda tf, x, y: tf.reduce_sum(x * x, 1, keepdims=True) - 2.0 * tf.matmul(
        x, y, transpose_b=True) + tf.reduce_sum(y * y, 1)),
):  # fmt: skip
    case("loss: " + title, loss, VECTOR * 2, [(512, 1000)] * 2, True)


def attention(tf, x, heads=4):
    """Multi-head self-attention over [batch, steps, units], as in a Transformer."""
    batch, steps, units = x.shape.as_list()

    def split(y):
        return tf.transpose(tf.reshape(y, [batch, steps, heads, units // heads]), [0, 2, 1, 3])

    query, key, value = (split(tf.layers.dense(x, units, use_bias=False)) for _ in range(3))
    scores = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) / (units // heads) ** 0.5)
    joined = tf.reshape(tf.transpose(tf.matmul(scores, value), [0, 2, 1, 3]), [batch, steps, units])
    return tf.contrib.layers.layer_norm(x + tf.layers.dense(joined, units), begin_norm_axis=2)


STEPS = [(4, 8, 32)], [(16, 64, 256)]
case("attention", attention, *STEPS, True)
case("feed forward", lambda tf, x: x + tf.layers.dense(tf.layers.dense(x, 4 * int(x.shape[2]), tf.nn.relu),
     int(x.shape[2])), *STEPS, True)  # fmt: skip
case("text convolutions", lambda tf, x: tf.concat([tf.reduce_max(tf.nn.relu(tf.layers.conv1d(x, 32, n)), 1)
     for n in (3, 4, 5)], 1), *STEPS, True)  # fmt: skip
for title in ("BasicRNNCell", "BasicLSTMCell"):
    case(title, layer(title), [(4, 8, 32)], [(64, 30, 128)], True)
for title in ("LSTMBlockCell", "GRUBlockCellV2", "IndRNNCell"):
    case(title, lambda tf, x, t=title: tf.nn.dynamic_rnn(
        getattr(tf.contrib.rnn, t)(int(x.shape[2])), x, dtype=tf.float32)[0],
         [(4, 8, 32)], [(64, 30, 128)], True)  # fmt: skip
case("two layers of cells", lambda tf, x: tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(
    [tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(int(x.shape[2]))) for _ in range(2)]), x,
    dtype=tf.float32)[0], [(4, 8, 32)], [(32, 30, 128)], True)  # fmt: skip
case("static_rnn", lambda tf, x: tf.stack(tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(int(x.shape[2])),
     tf.unstack(x, axis=1), dtype=tf.float32)[0], 1), [(4, 8, 32)], [(64, 20, 128)], True)  # fmt: skip
for title in ("LSTM", "GRU", "SimpleRNN"):
    case("keras " + title, lambda tf, x, t=title: getattr(tf.keras.layers, t)(int(x.shape[2]))(x),
         [(4, 8, 32)], [(32, 30, 128)], True)  # fmt: skip
case("ctc_greedy_decoder", lambda tf, x: tf.nn.ctc_greedy_decoder(x, [int(x.shape[0])] * int(x.shape[1]))[0][0].values,
     [signed(30, 4, 24)], [signed(100, 32, 28)])  # fmt: skip
case("crf_log_likelihood", lambda tf, x: tf.contrib.crf.crf_log_likelihood(x, tf.constant(ids(
    int(x.shape[2]), *map(int, x.shape[:2]))), tf.fill([int(x.shape[0])], int(x.shape[1])))[0], [signed(4, 8, 5)],
    [signed(64, 40, 20)], True)  # fmt: skip

TABLE = [(1000, 32), indices(1000, 64, 10)], [(50000, 64), indices(50000, 256, 20)]
case(
    "embedding bag", lambda tf, x, i: tf.reduce_mean(tf.nn.embedding_lookup(x, i), 1), *TABLE, True
)
case("embedding_lookup_sparse", lambda tf, x, i: tf.nn.embedding_lookup_sparse(x, tf.SparseTensor(
    tf.where(tf.ones_like(i)), tf.reshape(tf.cast(i, tf.int64), [-1]), tf.shape(i, out_type=tf.int64)), None),
    *TABLE)  # fmt: skip
case("sampled_softmax random", lambda tf, x, y, i: tf.nn.sampled_softmax_loss(x, tf.zeros([int(x.shape[0])]),
     tf.expand_dims(i, 1), y, 64, int(x.shape[0])), [(1000, 32), (64, 32), indices(1000, 64)],
     [(50000, 64), (256, 64), indices(50000, 256)], True)  # fmt: skip
case("factorization machine", lambda tf, x, i: 0.5 * tf.reduce_sum(tf.square(tf.reduce_sum(tf.gather(x, i), 1))
     - tf.reduce_sum(tf.square(tf.gather(x, i)), 1), 1), *TABLE, True)  # fmt: skip
case("sparse_tensor_dense_matmul", lambda tf, i, x: tf.sparse_tensor_dense_matmul(tf.SparseTensor(
    tf.cast(tf.stack([tf.range(tf.size(i)) // 10, i], 1), tf.int64), tf.ones([tf.size(i)]),
    [int(i.shape[0]) // 10, int(x.shape[0])]), x), [indices(100, 640), (100, 16)],
    [indices(2000, 40000), (2000, 64)], True)  # fmt: skip
case("sparse_to_dense", lambda tf, i: tf.scatter_nd(tf.expand_dims(i, 1), tf.ones_like(i, tf.float32), [100000]),
     [indices(1000, 200)], [indices(100000, 20000)])  # fmt: skip

OPTIMIZERS = {
    "GradientDescent": (0.1,),
    "Momentum": (0.1, 0.9),
    "Adagrad": (0.1,),
    "Adadelta": (0.1,),
    "RMSProp": (0.001,),
    "Adam": (0.001,),
    "Ftrl": (0.1,),
}
for title, rates in OPTIMIZERS.items():
    for kind, small, large in (("dense", *(VECTOR, MATRIX)), ("sparse", *TABLE)):

        def step(tf, x, *i, t=title, r=rates):
            optimizer = getattr(tf.train, t + "Optimizer")(*r)
            used = tf.gather(x, i[0]) if i else x
            with tf.control_dependencies(
                [optimizer.minimize(tf.reduce_sum(used * 1e-3), var_list=[x])]
            ):
                return tf.constant(1.0)

        case(f"optimizer: {title}, {kind}", step, small, large)
case(
    "clip_by_global_norm",
    lambda tf, x, y: tf.add_n(tf.clip_by_global_norm([x, y], 1.0)[0]),
    VECTOR * 2,
    MATRIX * 2,
)
case("moving averages", lambda tf, x: tf.train.ExponentialMovingAverage(0.9).apply([x]).outputs or tf.constant(1.0),
     VECTOR, MATRIX)  # fmt: skip

case("while_loop", lambda tf, x: tf.while_loop(lambda i, y: i < 20, lambda i, y: (i + 1, tf.tanh(y) * 0.9),
     (0, x))[1], [(8, 16)], [(128, 256)], True)  # fmt: skip
case("cond", lambda tf, x, f: tf.cond(f[0], lambda: x * 2.0, lambda: x + 1.0), [*VECTOR, flags(4)],
     [*MATRIX, flags(4)], True)  # fmt: skip
case("scan", lambda tf, x: tf.scan(lambda a, y: a * 0.5 + y, x), [(16, 32)], [(64, 512)], True)
case(
    "map_fn",
    lambda tf, x: tf.map_fn(lambda y: tf.reduce_sum(y * y), x),
    [(16, 32)],
    [(64, 512)],
    True,
)
case("py_func", lambda tf, x: tf.py_func(lambda y: y * 2, [x], tf.float32), VECTOR, MATRIX)
case("gradient penalty", lambda tf, x: tf.gradients(tf.layers.dense(tf.nn.tanh(tf.layers.dense(x, 32)), 1), x)[0],
     [(16, 32)], [(256, 256)], True)  # fmt: skip
case("low rank", lambda tf, x, k: tf.matmul(tf.matmul(x, k), k, transpose_b=True), [signed(32, 64), weights(64, 8)],
     [signed(256, 1024), weights(1024, 16)], True)  # fmt: skip
