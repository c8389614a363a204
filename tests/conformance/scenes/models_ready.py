"""Canned Estimators, both APIs: graphs with every option, and errors."""

import numpy as np

from tests.conformance.scenes import in_own_graph


def _columns(tf, of=None):
    of = of or tf.feature_column
    city = of.categorical_column_with_identity("city", 3)
    return [of.numeric_column("age")], [city], [of.embedding_column(city, 2, initializer=None)]


def _features(tf):
    return {
        "age": tf.constant([[1.0], [2.0], [5.0]]),
        "city": tf.constant([[0], [2], [1]]),
        "w": tf.constant([[1.0], [0.5], [2.0]]),
    }


def _graphs(tf, stage, cases, labels, steps=0):
    """Records the graphs of Estimators in each mode, and losses of some steps."""
    for number, (name, make) in enumerate(cases.items()):
        stage.say(name)
        with stage.failing():
            config = tf.estimator.RunConfig(f"{stage.folder}/{number}", tf_random_seed=1)
            made = make(config)
            for mode in ("train", "infer")[: 1 + (name in ("options", "three", "head", "both"))]:
                with tf.Graph().as_default(), tf.Session() as session:
                    tf.set_random_seed(1)
                    step = tf.train.get_or_create_global_step()
                    given = None if mode == "infer" else tf.constant(labels)
                    spec = made.model_fn(_features(tf), given, mode, config)
                    stage.brief_graph(names=False)
                    stage.say([v.name for v in tf.trainable_variables()])
                    if mode == "train":
                        stage.say(len(tf.global_variables()), spec.train_op.name)
                        stage.say([s.op.name for s in tf.get_collection("summaries")])
                        stage.say(len(spec.training_chief_hooks))
                        if steps:
                            session.run(tf.global_variables_initializer())
                            losses = [
                                session.run([spec.loss, spec.train_op])[0] for _ in range(steps)
                            ]
                            stage.say(losses, session.run(step))
                    else:
                        stage.say(sorted(spec.predictions))


_CLASSES = np.array([[1], [0], [1]])
_NUMBERS = np.array([[1.0], [0.5], [3.0]], np.float32)


@in_own_graph
def older_linear(tf, stage):
    of = tf.estimator
    numbers, city, _ = _columns(tf)
    cases = {
        "no_optimizer": lambda c: of.LinearClassifier(numbers + city, optimizer=None, config=c),
        "no_columns": lambda c: of.LinearRegressor([], config=c),
    }
    _graphs(tf, stage, cases, _CLASSES)


def _one_or_both_parts(of, numbers, city, adam):
    """Combined linear and DNN models: both parts with all options, one of them, neither, half of one."""
    return {
        "both_with_options": lambda c: of.DNNLinearCombinedRegressor(
            linear_feature_columns=numbers + city,
            dnn_feature_columns=numbers,
            dnn_hidden_units=[2, 2],
            linear_optimizer="SGD",
            dnn_optimizer=adam(),
            linear_sparse_combiner="sqrtn",
            dnn_dropout=0.1,
            batch_norm=True,
            dnn_activation_fn=None,
            weight_column="w",
            config=c,
        ),
        "linear_alone": lambda c: of.DNNLinearCombinedRegressor(
            linear_feature_columns=numbers, linear_optimizer="Adagrad", config=c
        ),
        "network_alone": lambda c: of.DNNLinearCombinedRegressor(
            dnn_feature_columns=numbers, dnn_hidden_units=[2], config=c
        ),
        "neither": lambda c: of.DNNLinearCombinedRegressor(config=c),
        "no_sizes": lambda c: of.DNNLinearCombinedRegressor(dnn_feature_columns=numbers, config=c),
    }


@in_own_graph
def older_networks(tf, stage):
    of = tf.estimator
    numbers, city, embedded = _columns(tf)
    cases = {
        "parted": lambda c: of.DNNRegressor(
            [2], embedded, input_layer_partitioner=tf.fixed_size_partitioner(2), config=c
        ),
        **_one_or_both_parts(of, numbers, city, lambda: tf.train.AdamOptimizer(0.5)),
    }
    _graphs(tf, stage, cases, _CLASSES)


def _with_heads(tf, of, head, sgd, **parts):
    """Estimators with custom heads, each with all options."""
    numbers, city, embedded = _columns(tf)
    return {
        "both": lambda c: of.DNNLinearCombinedEstimator(
            head(),
            linear_feature_columns=numbers + city,
            linear_optimizer=sgd(),
            linear_sparse_combiner="mean",
            dnn_feature_columns=embedded,
            dnn_optimizer="Adagrad",
            dnn_hidden_units=[2],
            dnn_activation_fn=tf.nn.tanh,
            dnn_dropout=0.25,
            config=c,
        ),
        "baseline": lambda c: of.BaselineEstimator(head(), optimizer=sgd(), config=c),
    }


@in_own_graph
def heads_with_options(tf, stage):
    of, parted = tf.estimator, tf.fixed_size_partitioner(2)
    old, new = tf.train.GradientDescentOptimizer, tf.keras.optimizers.SGD
    head = tf.contrib.estimator.regression_head
    for cases in (
        _with_heads(tf, of, head, lambda: old(0.5), partitioner=parted),
        _with_heads(tf, tf.compat.v2.estimator, of.RegressionHead, lambda: new(0.5)),
    ):
        _graphs(tf, stage, cases, _NUMBERS, steps=2)


@in_own_graph
def older_baselines(tf, stage):
    of = tf.estimator
    cases = {
        "two": lambda c: of.BaselineClassifier(
            weight_column=tf.feature_column.numeric_column("w"), optimizer="SGD", config=c
        ),
        "wide": lambda c: of.BaselineRegressor(label_dimension=2, config=c),
    }
    _graphs(tf, stage, cases, _CLASSES, steps=2)


@in_own_graph
def newer_linear_and_baselines(tf, stage):
    of = tf.compat.v2.estimator
    numbers, city, _ = _columns(tf)
    keras = tf.keras.optimizers
    cases = {
        "no_optimizer": lambda c: of.LinearRegressor(numbers + city, optimizer=None, config=c),
        "older_optimizer": lambda c: of.LinearRegressor(
            numbers, optimizer=tf.train.AdamOptimizer(), config=c
        ),
        "unknown": lambda c: of.LinearRegressor(numbers, optimizer="Best", config=c),
        "baseline_of_two": lambda c: of.BaselineClassifier(
            weight_column="w", optimizer=lambda: keras.SGD(0.5), config=c
        ),
        "baseline_wrong": lambda c: of.BaselineRegressor(optimizer=3, config=c),
    }
    _graphs(tf, stage, cases, _CLASSES)


@in_own_graph
def newer_networks(tf, stage):
    of = tf.compat.v2.estimator
    numbers, city, embedded = _columns(tf)
    keras = tf.keras.optimizers
    cases = {
        "options": lambda c: of.DNNClassifier(
            [3],
            embedded,
            n_classes=3,
            weight_column="w",
            optimizer="RMSProp",
            activation_fn=tf.nn.tanh,
            dropout=0.5,
            batch_norm=True,
            config=c,
        ),
        "head": lambda c: of.DNNEstimator(
            tf.estimator.RegressionHead(), [2], numbers, optimizer="Ftrl", config=c
        ),
        "older_columns": lambda c: of.DNNRegressor(
            [2], [tf.contrib.layers.real_valued_column("age")], config=c
        ),
        "both": lambda c: of.DNNLinearCombinedClassifier(
            linear_feature_columns=city,
            dnn_feature_columns=numbers + embedded,
            dnn_hidden_units=[2],
            config=c,
        ),
        **_one_or_both_parts(of, numbers, city, lambda: keras.Adam(0.5)),
    }
    _graphs(tf, stage, cases, _CLASSES)


@in_own_graph
def trained_by_dual_ascent(tf, stage):
    of, newer = tf.estimator, tf.compat.v2.estimator
    make = of.experimental.LinearSDCA
    numbers, city, embedded = _columns(tf)
    column = tf.feature_column
    weighted = column.weighted_categorical_column(city[0], "age")
    stage.attempts(
        lambda: of.LinearClassifier(numbers, n_classes=3, optimizer=make("id")),
        lambda: of.LinearRegressor(numbers, sparse_combiner="mean", optimizer=make("id")),
        lambda: of.LinearRegressor([3], optimizer=make("id")),
        lambda: newer.LinearClassifier(numbers, n_classes=3, optimizer=make("id")),
        lambda: newer.LinearRegressor(numbers, label_dimension=2, optimizer=make("id")),
    )
    plain = {"symmetric_l2_regularization": 1.0}
    cases = (
        (of.LinearRegressor, numbers, plain, {}),
        (of.LinearClassifier, numbers + city, {**plain, "adaptive": True}, {"weight_column": "w"}),
        (of.LinearRegressor, [weighted], {**plain, "symmetric_l1_regularization": 0.5}, {}),
        (
            of.LinearRegressor,
            city,
            {**plain, "num_loss_partitions": 2, "num_table_shards": 2},
            {"partitioner": tf.fixed_size_partitioner(2)},
        ),
        (newer.LinearClassifier, numbers + city, plain, {"weight_column": "w"}),
        (newer.LinearRegressor, [column.bucketized_column(numbers[0], [1.5])], plain, {}),
        (of.LinearRegressor, [column.indicator_column(city[0])], plain, {}),
        (of.LinearRegressor, [column.numeric_column("wide", shape=(2, 1))], plain, {}),
        (
            lambda columns, **given: newer.LinearEstimator(of.MultiClassHead(3), columns, **given),
            *(numbers, plain, {}),
        ),
    )
    for number, (kind, columns, options, more) in enumerate(cases):
        stage.say(number)
        config = tf.estimator.RunConfig(f"{stage.folder}/{number}", tf_random_seed=1)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            made = kind(columns, optimizer=make("id", **options), config=config, **more)
            step = tf.train.get_or_create_global_step()
            # One example: TensorFlow processes several in any order.
            features = {k: v[1:2] for k, v in _features(tf).items()}
            features.update(id=tf.constant(["a"]), wide=tf.ones([1, 2, 1]))
            spec = made.model_fn(features, tf.constant([[1]]), "train", config)
            stage.brief_graph(names=False)
            update = [h for h in spec.training_chief_hooks if "Weights" in type(h).__name__]
            stage.say(spec.train_op.name)
            update[0].begin()
            session.run([v.initializer for v in tf.global_variables()])
            session.run(tf.tables_initializer())
            stage.say(session.run(spec.loss))
            session.run([spec.train_op, update[0].before_run(None).fetches])
            stage.say(session.run([spec.loss, step]))
            values = session.run({v.name: v for v in tf.trainable_variables()})
            stage.say(sorted(values.items()))
