"""Layers, losses, metrics and functions of `tf.nn`, each with non-default options."""

import numpy as np

from tests.conformance import short_programs

X = np.random.RandomState(1).randn(2, 6, 6, 4).astype(np.float32)
ROWS = X[:, 0, :3, 0]
WHICH = np.array([2, 0])


def programs(tf):
    L, nn, K = tf.layers, tf.nn, tf.keras.layers

    def x():
        return tf.constant(X)

    def rows():
        return tf.constant(ROWS)

    ones = tf.ones_initializer()
    losses, metrics = tf.losses, tf.metrics
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    for name, args in (("same", "same"), ("valid", "valid")):
        add(
            "conv2d_" + name,
            lambda p=args: L.conv2d(x(), 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.conv2d(
                x(), 2, (2, 3), (1, 2), p, kernel_initializer=ones, use_bias=False
            ),
            lambda p=args: L.conv2d(x(), 2, 3, 1, p, dilation_rate=2, kernel_initializer=ones),
            lambda p=args: L.conv2d_transpose(x(), 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.conv2d_transpose(x(), 2, (2, 3), (1, 3), p, kernel_initializer=ones),
            lambda p=args: L.separable_conv2d(
                x(),
                3,
                3,
                1,
                p,
                depth_multiplier=2,
                depthwise_initializer=ones,
                pointwise_initializer=ones,
            ),
            lambda p=args: L.max_pooling2d(x(), 3, 2, p),
            lambda p=args: L.average_pooling2d(x(), (3, 2), (2, 1), p),
            lambda p=args: L.conv1d(x()[0], 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.max_pooling1d(x()[0], 3, 2, p),
            lambda p=args: L.average_pooling1d(x()[0], 3, 2, p),
            lambda p=args: L.conv3d(x()[None], 1, 2, 2, p, kernel_initializer=ones),
            lambda p=args: L.max_pooling3d(x()[None], 2, 2, p),
            lambda p=args: L.average_pooling3d(x()[None], 2, (1, 2, 2), p),
            lambda p=args: nn.depthwise_conv2d(x(), tf.ones([2, 2, 4, 2]), [1, 2, 2, 1], p.upper()),
            lambda p=args: nn.dilation2d(
                x(), tf.ones([2, 2, 4]), [1, 1, 1, 1], [1, 2, 2, 1], p.upper()
            ),
            lambda p=args: nn.pool(x(), [2, 2], "AVG", p.upper(), [2, 2]),
            lambda p=args: nn.pool(x(), [2, 2], "MAX", p.upper(), strides=[2, 1]),
            lambda p=args: nn.convolution(x(), tf.ones([2, 2, 4, 2]), p.upper(), [2, 1]),
            lambda p=args: nn.atrous_conv2d(x(), tf.ones([2, 2, 4, 2]), 2, p.upper()),
            lambda p=args: nn.max_pool_with_argmax(x(), [1, 2, 2, 1], [1, 2, 2, 1], p.upper()),
            lambda p=args: nn.erosion2d(
                x(), tf.ones([2, 2, 4]), [1, 2, 2, 1], [1, 1, 1, 1], p.upper()
            ),
        )
    add(
        "activations",
        *[
            lambda f=f: f(rows())
            for f in (nn.elu, nn.selu, nn.relu6, nn.softplus, nn.softsign, nn.swish)
        ],
    )
    add(
        "losses",
        *[
            lambda f=f, r=r: f(
                rows() > 0 if f is losses.hinge_loss else rows() * 2,
                rows(),
                [[2.0], [0.5]],
                reduction=r,
            )
            for f in (
                losses.absolute_difference,
                losses.mean_squared_error,
                losses.huber_loss,
                losses.log_loss,
            )
            for r in losses.Reduction.all()
        ],
    )
    some = {"weights": [[1.0], [3.0]]}
    add(
        "metrics",
        *[
            lambda f=f: _metric(tf, f, rows(), rows() * 0.5 + 0.1, **some)
            for f in (
                metrics.mean_absolute_error,
                metrics.mean_squared_error,
                metrics.root_mean_squared_error,
            )
        ],
    )
    written = short_programs.rows(
        short_programs.table_of(__file__),
        tf=tf, K=K, L=L, WHICH=WHICH, _metric=_metric, _updated=_updated, losses=losses, metrics=metrics, nn=nn,
        ones=ones, some=some, x=x, rows=rows,
    )  # fmt: skip
    return {**found, **written}


def _updated(tf, **options):
    tf.layers.batch_normalization(tf.constant(X), training=True, **options)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(updates)
        return session.run({v.name: v for v in tf.global_variables()})


def _metric(tf, metric, *args, **options):
    value, update = metric(*args, **options)
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        return [session.run(update), session.run(update), session.run(value)]
