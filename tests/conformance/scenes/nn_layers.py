"""Layers, losses, metrics, cells: built twice, shared, with other shapes, in two graphs, reset."""

import numpy as np


def _losses(tf, stage):
    for key in ("losses", "regularization_losses", "update_ops"):
        stage.say(key, [x.name for x in tf.get_collection(key)])


def _called_again(make, first=(2, 4), other=(2, 5)):
    """A scene: a layer called twice, with another shape, and from another graph."""

    def scene(tf, stage):
        half = lambda w: 0.5 * tf.reduce_sum(w)  # noqa: E731
        layer = make(tf, half)
        stage.say(layer.name, layer.built, layer.dtype)
        stage.attempt(lambda: layer.weights)
        x = tf.ones(first)
        for _ in range(2):
            stage.attempt(lambda: layer(x).name)
        stage.say([w.name for w in layer.weights], len(layer.losses), len(layer.updates))
        stage.attempt(lambda: layer(tf.ones(other)).shape)
        stage.attempt(lambda: layer(tf.ones(first[:1])).shape)
        stage.attempt(lambda: layer(tf.ones(first, tf.float64)).dtype)
        stage.attempt(lambda: layer.get_losses_for(x))
        stage.attempt(lambda: [u.name for u in layer.get_updates_for(x)])
        stage.attempt(lambda: layer.count_params())
        with tf.Graph().as_default():
            stage.attempt(lambda: layer(tf.ones(first)).shape)
        again = make(tf, half)
        with tf.variable_scope("s"):
            stage.attempt(lambda: again(x).name)
        stage.say(again.name, [w.name for w in again.weights])
        _losses(tf, stage)

    return scene


_LAYERS = {
    "dense": lambda tf, r: tf.layers.Dense(3, kernel_regularizer=r, activity_regularizer=r),
    "dense_of_keras": lambda tf, r: tf.keras.layers.Dense(3, kernel_regularizer=r),
    "normalization": lambda tf, r: tf.layers.BatchNormalization(gamma_regularizer=r),
    "normalization_of_keras": lambda tf, r: tf.keras.layers.BatchNormalization(fused=False),
    "dropout": lambda tf, r: tf.layers.Dropout(0.5),
    "flatten": lambda tf, r: tf.layers.Flatten(),
    "embedding": lambda tf, r: tf.keras.layers.Embedding(5, 2, embeddings_regularizer=r),
    "sums": lambda tf, r: tf.keras.layers.ActivityRegularization(0.5),
    "lambda_of_keras": lambda tf, r: tf.keras.layers.Lambda(lambda x: x * 2.0),
}
for _name, _make in _LAYERS.items():
    _made = _called_again(_make)
    _made.__module__ = __name__
    globals()["again_" + _name] = _made
_IMAGES = {
    "conv": lambda tf, r: tf.layers.Conv2D(2, 2, kernel_regularizer=r),
    "conv_first": lambda tf, r: tf.layers.Conv2D(2, 2, data_format="channels_first"),
    "separable": lambda tf, r: tf.layers.SeparableConv2D(2, 2, depthwise_regularizer=r),
    "pooling": lambda tf, r: tf.layers.MaxPooling2D(2, 1),
    "means": lambda tf, r: tf.keras.layers.GlobalAveragePooling2D(),
}
for _name, _make in _IMAGES.items():
    _made = _called_again(_make, (1, 3, 3, 2), (1, 3, 3, 4))
    _made.__module__ = __name__
    globals()["again_" + _name] = _made


def updates_run_after_an_error(tf, stage):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.layers.batch_normalization(x, training=True, momentum=0.5, name="n")
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        out = tf.check_numerics(tf.log(tf.reduce_sum(x)), "negative")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in ([[1.0, 2.0], [3.0, 4.0]], [[-1.0, -2.0]], [[5.0, 6.0]]):
            stage.attempt(session.run, [y, out], {x: value})
            stage.say(
                session.run(tf.get_collection("moving_average_variables") or tf.global_variables())
            )


def _of_metrics(name, *rows, **options):
    """A scene: a metric updated, read, reset, in a second session, in collections."""

    def scene(tf, stage):
        labels = tf.placeholder(tf.float32, [None], name="labels")
        shape = [2 if name == "mean_tensor" else None]
        values = tf.placeholder(tf.float32, shape, name="values")
        given = [values] if name in ("mean", "mean_tensor") else [labels, values]
        make = getattr(tf.metrics, name)
        value, update = make(*given, metrics_collections="m", updates_collections=["u"], **options)
        stage.say([v.name for v in tf.local_variables()], value.name, update.name)
        reset = tf.variables_initializer(tf.local_variables())
        for _ in range(2):
            with tf.Session() as session:
                session.run(reset)
                stage.attempt(session.run, value)
                for row in rows:
                    stage.attempt(session.run, update, {labels: row[0], values: row[1]})
                    session.run(reset)
                stage.attempt(session.run, value)
                stage.attempt(session.run, update, {labels: rows[0][0], values: rows[0][1]})

    scene.__module__ = __name__
    globals()["metric_" + name + "_".join(["", *options])] = scene


_ROWS = (([1.0, 0.0, 1.0], [1.0, 1.0, 1.0]), ([0.0], [0.0]), ([], []), ([1.0, 0.0], [1.0]))
for _name in (
    "mean",
    "accuracy",
    "precision",
    "recall",
    "mean_squared_error",
    "auc",
    "mean_absolute_error",
    "root_mean_squared_error",
    "true_positives",
    "false_negatives",
):
    _of_metrics(_name, *_ROWS)
_of_metrics("mean_tensor", ([0.0], [1.0, -3.0]), ([0.0], [np.nan, 2.0]), ([], []))
_of_metrics("auc", *_ROWS, num_thresholds=3, curve="PR")
_of_metrics("precision_at_thresholds", *_ROWS, thresholds=[0.5, 0.9])
_of_metrics("sensitivity_at_specificity", *_ROWS, specificity=0.5)


def _of_cells(make):
    def scene(tf, stage):
        cell = make(tf.nn.rnn_cell)
        x = tf.ones([2, 3, 4])
        one, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        stage.say([v.name for v in tf.global_variables()], one.shape)
        stage.attempt(lambda: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0].name)
        stage.attempt(lambda: tf.nn.dynamic_rnn(make(tf.nn.rnn_cell), x, dtype=tf.float32)[0].name)
        with tf.variable_scope("b"):
            stage.attempt(lambda: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0].name)
            stage.attempt(
                lambda: tf.nn.static_rnn(cell, tf.unstack(x, 3, 1), dtype=tf.float32)[0][0].name
            )
        stage.attempt(lambda: tf.nn.dynamic_rnn(cell, tf.ones([2, 3, 5]), dtype=tf.float32))
        stage.attempt(lambda: tf.nn.dynamic_rnn(cell, x))
        stage.attempt(
            lambda: tf.nn.dynamic_rnn(cell, x, [4, 1], dtype=tf.float32, scope="c")[0].shape
        )
        stage.attempt(
            lambda: tf.nn.dynamic_rnn(cell, x, [1, 1, 1], dtype=tf.float32, scope="c")[0].shape
        )
        stage.attempt(lambda: tf.nn.dynamic_rnn(1, x, dtype=tf.float32))
        stage.say(cell.state_size, cell.output_size, [v.name for v in cell.weights])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            stage.attempt(session.run, state)

    return scene


_CELLS = {
    "basic": lambda c: c.BasicRNNCell(2),
    "lstm": lambda c: c.LSTMCell(2, use_peepholes=True, num_proj=3),
    "basic_lstm": lambda c: c.BasicLSTMCell(2, state_is_tuple=False),
    "gru": lambda c: c.GRUCell(2),
    "several": lambda c: c.MultiRNNCell([c.GRUCell(2), c.BasicLSTMCell(3)]),
    "residual": lambda c: c.ResidualWrapper(c.GRUCell(4)),
    "dropped": lambda c: c.DropoutWrapper(c.GRUCell(2), 0.5, 0.5, seed=1),
    "on_a_device": lambda c: c.DeviceWrapper(c.GRUCell(2), "/cpu:0"),
}
for _name, _make in _CELLS.items():
    _made = _of_cells(_make)
    _made.__module__ = __name__
    globals()["cell_" + _name] = _made
