"""Functions of `tf.keras.backend`, each a line."""

import numpy as np

X = np.random.RandomState(3).randn(2, 3).astype(np.float32)


class Sparse:
    """What has `tocoo()`, as scipy's matrices do."""

    def __init__(self):
        self.row, self.col = np.array([0, 1]), np.array([2, 0])
        self.data, self.shape = np.array([1.0, 2.0], np.float32), (2, 3)

    def tocoo(self):
        return self


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    k = tf.keras.backend

    def x(*shape):
        return tf.constant(np.resize(X, shape or X.shape))

    def unknown(value):
        return tf.placeholder_with_default(value, [None] * value.shape.ndims)

    def sparse():
        return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])

    def variable(value=3.0):
        return k.variable(value)

    def after(update, value):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(update(value))
            return session.run(value)

    def scoped(value):
        with k.learning_phase_scope(value):
            return k.learning_phase()

    def called(given, outputs, values, **options):
        session = tf.Session()
        k.set_session(session)
        try:
            return k.function(given, outputs, **options)(values)
        finally:
            k.set_session(None)

    def images(order, name="channels_last"):
        return getattr(k, order)(x(1, 2, 3, 4), 2, 2, name)

    add("attributes", k.backend, k.epsilon, k.floatx, k.image_data_format)
    unary = (
        "softplus softsign sigmoid max min prod sum mean std var any all argmax argmin square abs sqrt exp log "
        "round sign sin cos stop_gradient shape transpose flatten batch_flatten zeros_like ones_like "
        "cumsum cumprod relu elu softmax tanh hard_sigmoid int_shape ndim dtype eval get_value"
    )
    add("of_one", *[lambda f=f: getattr(k, f)(x()) for f in unary.split()])
    axes = "max min prod sum mean std var any all"
    add("of_axes", *[lambda f=f: getattr(k, f)(x(), axis=1, keepdims=True) for f in axes.split()])
    of_two = "equal not_equal greater greater_equal less less_equal maximum minimum"
    add("of_two", *[lambda f=f: getattr(k, f)(x(), -x()) for f in of_two.split()])
    add(
        "arrays",
        lambda: k.pow(x(), 3),
        lambda: k.clip(x(), 1, -1),
        lambda: k.clip(x(), None, None),
        lambda: k.cumsum(x(), axis=1),
        lambda: k.cumprod(x(), axis=1),
        lambda: k.argmax(x(), axis=0),
        lambda: k.gather(x(), [1, 1, 0]),
        lambda: k.reshape(x(), (3, 2)),
        lambda: k.permute_dimensions(x(), (1, 0)),
        lambda: k.repeat(x(), 2),
        lambda: k.repeat(x(1, 2, 3), 2),
        lambda: k.repeat_elements(x(), 2, 1),
        lambda: k.repeat_elements(unknown(x()), 2, 1),
        lambda: k.arange(-3),
        lambda: k.arange(3),
        lambda: k.arange(1, 7, 2, "float32"),
        lambda: k.tile(x(), 2),
        lambda: k.tile(x(), [2, 1]),
        lambda: k.tile(k.constant([1.0]), 2),
        lambda: k.stack([x(), x()], 1),
        lambda: k.concatenate([sparse(), sparse()], 0),
        lambda: k.concatenate([x(), x()]),
        lambda: k.batch_dot(x(2, 3), x(2, 3), axes=1),
        lambda: k.batch_dot(x(2, 3), x(2, 3)),
        lambda: k.batch_dot(x(2, 3), x(2, 3), axes=(1, 1)),
        lambda: k.batch_dot(x(2, 3, 4), x(2, 3), axes=1),
        lambda: k.batch_dot(x(2, 3), x(2, 3, 4), axes=1),
        lambda: k.batch_dot(x(2, 3, 4), x(2, 4, 3), axes=(2, 1)),
        lambda: k.batch_dot(x(2, 3, 4), x(2, 5, 4), axes=2),
        lambda: k.batch_dot(x(2, 3, 4, 2), x(2, 2, 3), axes=(3, 1)),
        lambda: k.batch_dot(x(2, 2, 3), x(2, 4, 3, 2), axes=(2, 2)),
        lambda: k.dot(sparse(), x(3, 2)),
        lambda: k.dot(x(2, 2, 3), x(3, 2)),
        lambda: k.eye(2),
        lambda: k.eye(2, "int32"),
        lambda: k.ones((2, 3)),
        lambda: k.ones((2,), "int32"),
        lambda: k.zeros((2, 3)),
        lambda: k.constant(3),
        lambda: k.constant([1, 2], "int32", (2, 1)),
        lambda: k.count_params(variable([[1.0, 2.0]])),
        lambda: k.one_hot([1, 0], 3),
        lambda: k.reverse(x(), 1),
        lambda: k.sparse_categorical_crossentropy([1, 0], k.softmax(x())),
        lambda: k.sparse_categorical_crossentropy([1, 0], x(), True),
        lambda: k.sparse_categorical_crossentropy(
            [0, 1, 1], k.softmax(tf.placeholder_with_default(x(), None)), axis=0
        ),
        lambda: k.resize_images(x(1, 2, 2, 1), 2, 2, "some"),
        lambda: k.resize_images(x(1, 2, 2, 1), 2, 2, "channels_last", "some"),
        lambda: k.resize_images(x(1, 2, 2, 1), 2, 2, "channels_first", "bilinear"),
        lambda: k.resize_volumes(x(1, 2, 2, 2, 1), 2, 1, 1, "some"),
        lambda: k.spatial_2d_padding(x(1, 2, 2, 1), data_format="some"),
        lambda: k.spatial_3d_padding(x(1, 2, 2, 2, 1), data_format="some"),
        lambda: k.temporal_padding(x(1, 2, 2), (1, 0)),
        lambda: k.bias_add(x(), x(3)),
        lambda: k.bias_add(x(), x(1, 3)),
        lambda: k.bias_add(x(), x(3), "some"),
        lambda: k.bias_add(x(1, 2, 3), x(2), "channels_first"),
        lambda: k.bias_add(x(1, 2, 3, 2), x(2), "channels_first"),
        lambda: k.bias_add(x(1, 2, 3, 2), x(2, 1, 3), "channels_first"),
        lambda: k.bias_add(x(1, 2, 3, 2, 2), x(2), "channels_first"),
        lambda: k.conv1d(x(1, 4, 2), x(2, 2, 3), data_format="some"),
        lambda: k.conv1d(x(1, 4, 2), x(2, 2, 3), padding="causal"),
        lambda: k.conv1d(x(1, 2, 4), x(2, 2, 3), data_format="channels_first"),
        lambda: k.conv2d(x(1, 2, 4, 4), x(2, 2, 2, 3), data_format="channels_first"),
        lambda: k.conv3d(x(1, 2, 3, 3, 3), x(2, 2, 2, 2, 1), data_format="channels_first"),
        lambda: k.pool2d(x(1, 4, 4, 1), (2, 2, 2)),
        lambda: k.pool2d(x(1, 4, 4, 1), (2, 2), (1, 1, 1)),
        lambda: k.pool2d(x(1, 1, 4, 4), (2, 2), data_format="channels_first", pool_mode="avg"),
        lambda: k.pool2d(x(1, 4, 4, 1), (2, 2), pool_mode="some"),
        lambda: k.pool3d(x(1, 1, 4, 4, 4), (2, 2, 2), data_format="channels_first"),
        lambda: k.separable_conv2d(x(1, 4, 4, 1), x(2, 2, 1, 1), x(1, 1, 1, 2), (1, 1, 1)),
        lambda: k.separable_conv2d(
            x(1, 1, 4, 4), x(2, 2, 1, 1), x(1, 1, 1, 2), data_format="channels_first"
        ),
        lambda: k.local_conv1d(x(1, 4, 2), x(3, 4, 2), (2,), (1,)),
        lambda: k.local_conv2d(x(1, 3, 3, 1), x(4, 4, 2), (2, 2), (1, 1), (2, 2)),
        lambda: k.local_conv2d(x(1, 1, 3, 3), x(4, 4, 2), (2, 2), (1, 1), (2, 2), "channels_first"),
        lambda: k.local_conv1d(x(1, 4, 2), x(3, 4, 2), (2,), (1,), "some"),
    )
    add(
        "choices",
        lambda: k.switch(tf.constant(True), lambda: x(), lambda: -x()),
        lambda: k.switch(tf.constant(0), x(), -x()),
        lambda: k.switch(x() > 0, x(), -x()),
        lambda: k.switch(x() > 0, lambda: x(), lambda: -x()),
        lambda: k.switch(x()[:, 0] > 0, x(), -x()),
        lambda: k.switch(x()[:, :1] > 0, x(2, 3, 2), -x(2, 3, 2)),
        lambda: k.switch(x() > 0, x()[0], x()[1]),
        lambda: k.in_train_phase(x(), -x(), training=1),
        lambda: k.in_train_phase(lambda: x(), lambda: -x(), training=tf.constant(False)),
        lambda: k.in_test_phase(x(), -x(), training=1),
        lambda: k.in_test_phase(x(), -x(), training=tf.constant(False)),
        lambda: scoped(1),
        lambda: scoped(2),
        lambda: k.random_binomial([4], 0.5, seed=1),
        lambda: k.random_binomial([4], 0.5, "int32", 1),
        lambda: k.truncated_normal([2], 1.0, 2.0, seed=1),
        lambda: k.random_normal([2], seed=1),
        lambda: k.random_uniform([2], seed=1),
        lambda: k.random_uniform_variable([2], 1.0, 2.0, seed=1),
        lambda: k.random_normal_variable([2], 1.0, 2.0, seed=1),
        lambda: [v.name for v in (k.variable(1, name="a"), k.ones([1], name="b"))],
        lambda: k.dropout(x(), 0.5, seed=1),
        lambda: k.dropout(x(), 0.5, (2, 1), seed=1),
    )
    add(
        "state",
        lambda: after(lambda v: k.update(v, 5.0), variable()),
        lambda: after(lambda v: k.update_add(v, 5.0), variable()),
        lambda: after(lambda v: k.update_sub(v, 5.0), variable()),
        lambda: [t.op.type for t in k.stop_gradient([x(), x()])],
        lambda: k.get_value(3),
        lambda: k.placeholder(sparse=True, ragged=True, ndim=2),
        lambda: k.placeholder(ndim=2).shape.as_list(),
        lambda: k.placeholder(dtype="int32").dtype.name,
        lambda: k.is_sparse(sparse()),
        lambda: k.to_dense(sparse()),
        lambda: k.variable(Sparse()),
        lambda: k.int_shape(tf.placeholder(tf.float32)),
        lambda: k.ndim(tf.placeholder(tf.float32)),
        lambda: k.print_tensor(3),
        lambda: k.map_fn(lambda v: v * 2, x()),
        lambda: k.foldl(lambda a, v: a + v, x()),
        lambda: k.foldr(lambda a, v: a - v, x()),
        lambda: k.cast_to_floatx([1, 2]),
        lambda: k.cast(x(), "int32"),
        lambda: k.l2_normalize(x(), 1),
        lambda: k.set_floatx("some"),
        lambda: k.set_image_data_format("some"),
        lambda: k.in_top_k(x(), [1, 0], 1),
        lambda: k.ctc_label_dense_to_sparse([[1, 2], [3, 0]], [2, 1]),
    )
    add(
        "functions",
        lambda: called([k.placeholder([2])], [3.0], [1.0]),
        lambda: (lambda p: called([p], [p * 2], [np.array([1.0, 2.0])]))(k.placeholder([2])),
        lambda: (lambda p: called(p, p * 2, np.array([1.0, 2.0])))(k.placeholder([2])),
        lambda: (lambda p: called([p], [p * 2], [np.array([1.0, 2.0])], updates=3))(
            k.placeholder([2])
        ),
        lambda: (lambda p: called([p], [p * 2], [np.array([1.0, 2.0])], some=3))(
            k.placeholder([2])
        ),
        lambda: (lambda p: called([p], [p * 2], 3))(k.placeholder([2])),
        lambda: (lambda p, q: called([p], [p * q], [np.array([1.0, 2.0])], feed_dict={q: 3.0}))(
            k.placeholder([2]), k.placeholder([])
        ),
        lambda: (
            lambda p: called(
                [p],
                [tf.sparse.to_dense(p) * 2],
                [tf.SparseTensorValue(*map(np.array, ([[0, 1]], [1.0], [2, 3])))],
            )
        )(k.placeholder((2, 3), sparse=True)),
        lambda: k.rnn(lambda a, s: (a, s), x(2, 3, 4), []),
        lambda: k.rnn(
            lambda a, s: (a, s), tf.placeholder(tf.float32, [2, None, 4]), [], unroll=True
        ),
        lambda: k.rnn(
            lambda a, s: (a + s[0], [a + s[0]]),
            x(2, 3, 4),
            [x(2, 4)],
            unroll=True,
            mask=tf.constant([[True, False, True], [True, True, False]]),
            zero_output_for_mask=True,
        )[:2],
        lambda: k.rnn(
            lambda a, s: (a + s[0], [a + s[0]]),
            x(2, 3, 4),
            [x(2, 4)],
            go_backwards=True,
            mask=tf.constant([[True, False, True], [True, True, False]]),
        )[:2],
        lambda: k.gradients(variable(), [variable()]),
        lambda: k.ctc_decode(k.softmax(x(1, 3, 4)), [3])[0],
    )
    return found
