"""tf.contrib.learn: linear, DNN and combined models with all options: graphs, and a training step."""

# ruff: noqa: E731

import numpy as np


def _features(tf):
    return {
        "x": tf.constant([[1.0, 2.0], [3.0, -1.0]]),
        "word": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "c", "a"], [2, 2]),
        "w": tf.constant([[1.0], [3.0]]),
    }


def _columns(tf):
    of = tf.contrib.layers
    word = of.sparse_column_with_keys("word", ["a", "b", "c"])
    return (
        of.real_valued_column("x", 2),
        word,
        of.embedding_column(word, 2, initializer=tf.ones_initializer()),
    )


def _built(tf, stage, cases, labels=((1,), (0,)), modes=("train",)):
    """Records each model's variables after a step, and the checksum of each mode's graph."""
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    config = tf.contrib.learn.RunConfig(model_dir=stage.folder)
    for name, make in cases.items():
        stage.say(name)
        with stage.failing():
            model = make(config)
            for mode in modes:
                with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                    tf.set_random_seed(1)
                    step = tf.train.create_global_step()
                    given = tf.constant(labels) if mode != "infer" else None
                    made = model.model_fn(_features(tf), given, mode, config)
                    stage.say(
                        mode,
                        sorted(made.predictions or {}),
                        sorted(made.eval_metric_ops),
                        len(made.training_chief_hooks),
                    )
                    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                    if mode == "train":
                        before = session.run(made.loss)
                        session.run(made.train_op)
                        stage.say(before, session.run(step))
                        if not any("centered" in v.name for v in tf.global_variables()):
                            stage.say(session.run(made.loss))
                        stage.say([(v.name, str(v.shape)) for v in tf.global_variables()])
                        stage.say([s.op.name for s in tf.get_collection("summaries")])
                    stage.brief_graph(names=False)
    tf.logging.set_verbosity(level)


def _engineered(features, labels):
    return {**features, "x": features["x"] * 2.0}, labels


def linear(tf, stage):
    learn = tf.contrib.learn
    columns = lambda: _columns(tf)[:2]
    words = lambda: _columns(tf)[1:2]
    core = lambda: [tf.feature_column.numeric_column("x", [2])]
    descent = lambda: tf.train.GradientDescentOptimizer(0.5)
    _built(
        tf,
        stage,
        {
            "classifier": lambda c: learn.LinearClassifier(columns(), config=c),
            "options": lambda c: learn.LinearClassifier(
                words(), None, 3, "w", "Adagrad", 0.5, True, True, c, _engineered
            ),
            "core columns": lambda c: learn.LinearClassifier(core(), optimizer=descent(), config=c),
            "regressor": lambda c: learn.LinearRegressor(
                columns(),
                None,
                "w",
                descent,
                0.125,
                True,
                config=c,
                feature_engineering_fn=_engineered,
            ),
            "joint regressor": lambda c: learn.LinearRegressor(
                words(), label_dimension=1, _joint_weights=True, config=c
            ),
            "any head": lambda c: learn.LinearEstimator(
                words(),
                learn.poisson_regression_head(),
                None,
                "none",
                "SGD",
                1.0,
                True,
                c,
                _engineered,
            ),
            "no columns": lambda c: learn.LinearClassifier([], config=c),
            "no optimizer": lambda c: learn.LinearClassifier(columns(), optimizer="none", config=c),
            "joint numbers": lambda c: learn.LinearClassifier(
                columns(), _joint_weight=True, config=c
            ),
            "one class": lambda c: learn.LinearClassifier(columns(), n_classes=1, config=c),
        },
    )


def networks(tf, stage):
    learn = tf.contrib.learn
    deep = lambda: [_columns(tf)[0], _columns(tf)[2]]
    core = lambda: [tf.feature_column.numeric_column("x", [2])]
    descent = lambda: tf.train.GradientDescentOptimizer(0.5)
    _built(
        tf,
        stage,
        {
            "classifier": lambda c: learn.DNNClassifier([3, 2], deep(), config=c),
            "options": lambda c: learn.DNNClassifier(
                [2],
                deep(),
                None,
                3,
                "w",
                descent(),
                tf.tanh,
                0.5,
                0.25,
                True,
                c,
                _engineered,
                None,
                4,
            ),
            "core columns": lambda c: learn.DNNClassifier(
                [2], core(), activation_fn="sigmoid", config=c
            ),
            "regressor": lambda c: learn.DNNRegressor(
                hidden_units=(2,),
                feature_columns=deep(),
                weight_column_name="w",
                optimizer=descent,
                gradient_clip_norm=0.125,
                enable_centered_bias=True,
                label_dimension=1,
                config=c,
            ),
            "any head": lambda c: learn.DNNEstimator(
                learn.multi_class_head(2),
                [2],
                deep(),
                optimizer="SGD",
                dropout=0.25,
                config=c,
                feature_engineering_fn=_engineered,
            ),
            "no activation": lambda c: learn.DNNClassifier(
                [2], deep(), activation_fn="none", config=c
            ),
            "no layers": lambda c: learn.DNNRegressor([], deep(), activation_fn=None, config=c),
        },
    )


def both(tf, stage):
    learn = tf.contrib.learn
    wide, deep = lambda: _columns(tf)[1:2], lambda: [_columns(tf)[0], _columns(tf)[2]]
    descent = lambda: tf.train.GradientDescentOptimizer(0.5)
    _built(
        tf,
        stage,
        {
            "classifier": lambda c: learn.DNNLinearCombinedClassifier(
                linear_feature_columns=wide(),
                dnn_feature_columns=deep(),
                dnn_hidden_units=[2],
                fix_global_step_increment_bug=True,
                config=c,
            ),
            "options": lambda c: learn.DNNLinearCombinedClassifier(
                None,
                3,
                "w",
                wide(),
                "SGD",
                True,
                deep(),
                descent,
                [3, 2],
                tf.tanh,
                0.5,
                0.25,
                True,
                c,
                _engineered,
                None,
                4,
            ),
            "regressor": lambda c: learn.DNNLinearCombinedRegressor(
                weight_column_name="w",
                dnn_feature_columns=deep(),
                dnn_optimizer=descent(),
                dnn_hidden_units=[2],
                enable_centered_bias=True,
                config=c,
                gradient_clip_norm=0.125,
            ),
            "any head": lambda c: learn.DNNLinearCombinedEstimator(
                learn.regression_head(),
                linear_feature_columns=wide(),
                linear_optimizer=descent,
                _joint_linear_weights=True,
                config=c,
                feature_engineering_fn=_engineered,
            ),
            "no columns": lambda c: learn.DNNLinearCombinedClassifier(config=c),
            "no layers": lambda c: learn.DNNLinearCombinedClassifier(
                dnn_feature_columns=deep(), config=c
            ),
        },
    )


def logistic(tf, stage):
    learn = tf.contrib.learn
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)

    def model(features, labels, mode):
        y = tf.sigmoid(tf.reduce_sum(features, 1) * 0.5)
        loss = tf.losses.mean_squared_error(labels, y) if labels is not None else None
        return y, loss, tf.assign_add(tf.train.get_global_step(), 1)

    config = learn.RunConfig(model_dir=stage.folder)
    made = learn.LogisticRegressor(model, [0.25, 0.75], config=config)
    x, y = np.float32([[1.0, -2.0], [0.5, 2.0], [-1.0, 0.0]]), np.float32([[0], [1], [1]])
    stage.attempts(
        lambda: made.fit(x, y, steps=1) is made,
        lambda: sorted(made.evaluate(x, y, steps=1).items()),
        lambda: sorted(
            made.evaluate(
                x, y, steps=1, metrics={"own": tf.metrics.mean_absolute_error}, name="n"
            ).items()
        ),
        lambda: list(made.predict(x)),
        lambda: sorted(learn.LogisticRegressor(model, config=config).evaluate(x, y, steps=1)),
    )
    tf.logging.set_verbosity(level)


def clusters(tf, stage):
    learn = tf.contrib.learn
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    points = np.float32([[0.0, 1.0], [0.5, 1.0], [4.0, 4.0], [5.0, 4.0]])
    rows = lambda: (tf.constant(points), None)
    named = lambda: ({"b": tf.constant(points[:, :1]), "a": tf.constant(points[:, 1:])}, None)
    config = lambda name: learn.RunConfig(model_dir=stage.folder + "/" + name)
    start = points[[0, 2]]
    kind = learn.KMeansClustering
    made = kind(2, initial_clusters=start, use_mini_batch=False, config=config("a"))
    cosine = kind(
        2, None, points[[1, 3]][:, ::-1], kind.COSINE_DISTANCE, 3, False, 1, 2, 1e-3, config("b")
    )
    stage.attempts(
        lambda: made.fit(input_fn=rows, steps=3) is made,
        lambda: made.clusters(),
        lambda: made.score(input_fn=rows, steps=1),
        lambda: made.transform(input_fn=rows),
        lambda: next(made.transform(input_fn=rows, as_iterable=True)),
        lambda: [next(made.predict_cluster_idx(input_fn=rows)) for _ in range(2)],
        lambda: cosine.fit(input_fn=named, max_steps=9) is cosine,
        lambda: kind(2, initial_clusters="none", config=config("c")).fit(input_fn=rows, steps=1),
        lambda: kind(2, distance_metric="none", config=config("d")).fit(input_fn=rows, steps=1),
    )
    tf.logging.set_verbosity(level)
