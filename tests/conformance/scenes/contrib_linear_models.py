"""tf.contrib.linear_optimizer, learn.SVM, kernel_methods: dual coordinate ascent models with all options; errors."""

# ruff: noqa: B023, E731

import numpy as np

OPTIONS = {
    "symmetric_l1_regularization": 0.125,
    "symmetric_l2_regularization": 0.5,
    "loss_type": "squared_loss",
}


def _parts(tf, parts=1):
    """With one example, since the order of several is random."""
    of = tf.contrib.linear_optimizer
    cut = tf.fixed_size_partitioner(parts) if parts > 1 else None
    examples = {
        "sparse_features": [
            of.SparseFeatureColumn([0, 0, 0], [3, 1, 0], [1.0, 0.5, 2.0]),
            of.SparseFeatureColumn([0, 0], [1, 0], None),
        ],
        "dense_features": [tf.constant([[1.0, -2.0]])],
        "example_labels": [1.0],
        "example_weights": [0.5],
        "example_ids": ["a"],
    }

    def make(name, size):
        initializer = tf.constant_initializer(0.25)
        return tf.get_variable(name, [size], initializer=initializer, partitioner=cut)

    variables = {
        "sparse_features_weights": [make("s", 4), make("t", 2)],
        "dense_features_weights": [make("d", 2)],
    }
    for key, values in variables.items():
        if parts > 1:
            variables[key] = [list(v) for v in values]
    return examples, variables


def dual_steps(tf, stage):
    of = tf.contrib.linear_optimizer
    for name, parts, options in (
        ("plain", 1, {}),
        ("parts", 2, {"loss_type": "logistic_loss"}),
        (
            "options",
            1,
            {
                "loss_type": "hinge_loss",
                "num_loss_partitions": 2,
                "num_table_shards": 2,
                "adaptive": False,
            },
        ),
        ("counts", 1, {"loss_type": "poisson_loss", "symmetric_l2_regularization": 3.0}),
        ("smooth", 1, {"loss_type": "smooth_hinge_loss", "symmetric_l1_regularization": 0.0}),
    ):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(name)
            examples, variables = _parts(tf, parts)
            examples["sparse_features"].pop()
            variables["sparse_features_weights"].pop()
            model = of.SdcaModel(examples, variables, {**OPTIONS, **options})
            step = tf.train.get_or_create_global_step()
            train = model.minimize(step, "own") if parts == 1 else model.minimize()
            update = model.update_weights(train)
            losses = [model.unregularized_loss(examples), model.regularized_loss(examples)]
            stage.say(train.name, update.type, losses)
            stage.say([(v.name, v.trainable) for v in tf.global_variables()])
            stage.say([s.op.name for s in tf.get_collection("summaries")])
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(update)
                stage.say(session.run([losses, model.predictions(examples), step]))
            stage.say(session.run(model.approximate_duality_gap()))
            stage.say(session.run(variables))
            stage.brief_graph(names=False)


def dual_refusals(tf, stage):
    of = tf.contrib.linear_optimizer

    def made(change=None, **options):
        with tf.Graph().as_default():
            examples, variables = _parts(tf)
            given = {**OPTIONS, **options}
            for key, value in (change or {}).items():
                next(part for part in (examples, variables, given) if key in part)[key] = value
            return of.SdcaModel(
                examples, variables, {k: v for k, v in given.items() if v != "gone"}
            )

    column = of.SparseFeatureColumn([0], [5], None)
    stage.attempts(
        lambda: of.SdcaModel({}, {"a": 1}, {"b": 2}),
        lambda: of.SdcaModel({"a": 1}, None, {"b": 2}),
        lambda: made(symmetric_l2_regularization=-1.0),
        lambda: made({"sparse_features": ()}),
        lambda: made({"dense_features": 3}),
        lambda: made({"dense_features_weights": ()}),
        lambda: (column.example_indices.name, column.feature_indices.dtype, column.feature_values),
        lambda: of.SparseFeatureColumn(["a"], [5], [1.0]).example_indices,
    )
    sdca = of.SDCAOptimizer("id", 2, 3, 0.25, 4.0, False, len)
    plain = of.SDCAOptimizer("key")
    names = (
        "example_id_column",
        "num_loss_partitions",
        "num_table_shards",
        "symmetric_l1_regularization",
        "symmetric_l2_regularization",
        "adaptive",
        "partitioner",
    )
    for each in (sdca, plain):
        stage.say([getattr(each, name) for name in names], each.get_name())


def _columns(tf):
    of = tf.contrib.layers
    word = of.sparse_column_with_keys("word", ["a", "b", "c"])
    return {
        "real": of.real_valued_column("x", 2),
        "buckets": of.bucketized_column(of.real_valued_column("y"), [0.0, 1.0]),
        "word": word,
        "weighted": of.weighted_sparse_column(
            of.sparse_column_with_hash_bucket("other", 5), "weight"
        ),
        "crossed": of.crossed_column([word, of.sparse_column_with_hash_bucket("other", 5)], 7),
        "embedded": of.embedding_column(word, 2),
    }


def _features(tf, rows=1):
    return {
        "x": tf.constant([[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]][:rows]),
        "y": tf.constant([[0.5], [-1.0], [3.0]][:rows]),
        "word": tf.SparseTensor([[0, 0], [0, 1], [0, 2]], ["a", "c", "a"], [rows, 3]),
        "other": tf.SparseTensor([[0, 0], [0, 1]], ["u", "v"], [rows, 2]),
        "weight": tf.SparseTensor([[0, 0], [0, 1]], [0.5, 2.0], [rows, 2]),
        "id": tf.constant(["1", "2", "3"][:rows]),
        "importance": tf.constant([[0.75], [2.0], [0.5]][:rows]),
    }


def dual_columns(tf, stage):
    of = tf.contrib.linear_optimizer

    def case(*names, loss="logistic_loss", weights=None, **options):
        def build():
            columns = [_columns(tf)[name] for name in names]
            features = _features(tf)
            parsed = {**features, **tf.contrib.layers.transform_features(features, columns)}
            with tf.variable_scope("linear", partitioner=options.get("partitioner")):
                logits, variables, bias = tf.contrib.layers.weighted_sum_from_feature_columns(
                    parsed, columns, 1
                )
            step = tf.train.get_or_create_global_step()
            targets = tf.constant([[1]])
            model, train = of.SDCAOptimizer("id", **options).get_train_step(
                variables, weights, loss, parsed, targets, step
            )
            with tf.control_dependencies([model.update_weights(train)]):
                return [
                    v[0].read_value() if hasattr(v[0], "read_value") else v[0]
                    for _, v in sorted(variables.items(), key=lambda pair: pair[0].key)
                ]

        return build

    stage.each(
        {
            "real": case("real"),
            "weights": case(
                "real",
                "buckets",
                loss="squared_loss",
                weights="importance",
                symmetric_l2_regularization=2.0,
            ),
            "words": case("word", "weighted", symmetric_l1_regularization=0.25, adaptive=False),
            "crossed": case("crossed", "real", num_table_shards=2, num_loss_partitions=2),
        },
        graph="sum",
    )


def machines(tf, stage):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    rows = lambda: (_features(tf), tf.constant([[1]]))
    config = lambda name: learn.RunConfig(model_dir=stage.folder + "/" + name, tf_random_seed=2)
    real = [layers.real_valued_column("x", 2)]
    svm = learn.SVM(
        "id",
        real,
        "importance",
        l1_regularization=0.25,
        l2_regularization=2.0,
        num_loss_partitions=1,
        config=config("svm"),
    )
    optimizer = tf.contrib.linear_optimizer.SDCAOptimizer("id", symmetric_l2_regularization=2.0)
    models = {
        "svm": svm,
        "classifier": learn.LinearClassifier(real, optimizer=optimizer, config=config("c")),
    }
    for name, model in models.items():
        stage.say(name)
        stage.attempts(
            lambda: model.fit(input_fn=rows, steps=3) is model,
            lambda: list(model.predict_classes(input_fn=rows)),
            lambda: list(model.predict_proba(input_fn=rows)),
        )
    stage.attempts(
        lambda: learn.SVM("id", real, kernels=[1]),
        lambda: learn.LinearClassifier(
            [layers.real_valued_column("tf_virtual_bias_column")],
            optimizer=optimizer,
            config=config("b"),
        ).fit(
            input_fn=lambda: (
                {"tf_virtual_bias_column": tf.ones([3, 1]), "id": tf.constant(["1", "2", "3"])},
                tf.ones([3, 1]),
            ),
            steps=1,
        ),
    )
    tf.logging.set_verbosity(level)


def kernels(tf, stage):
    of, layers, learn = tf.contrib.kernel_methods, tf.contrib.layers, tf.contrib.learn
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    column = layers.real_valued_column("x", 2)
    word = layers.one_hot_column(layers.sparse_column_with_keys("word", ["a", "b", "c"]))
    mapper = of.RandomFourierFeatureMapper(2, 3, 2.0, 5, "own")
    other = of.RandomFourierFeatureMapper(2, 2)
    rows = lambda: (_features(tf, 3), tf.constant([[1], [0], [2]]))
    config = lambda name: learn.RunConfig(model_dir=stage.folder + "/" + name, tf_random_seed=2)
    make = of.KernelLinearClassifier
    x = tf.ones([1, 2])
    stage.attempts(
        lambda: make(kernel_mappers={column: [3]}, config=config("bad")),
        lambda: make(kernel_mappers={word: [mapper]}, config=config("word")).fit(
            input_fn=rows, steps=1
        ),
        lambda: (mapper.name, mapper.input_dim, mapper.output_dim, other.name.isdigit()),
        lambda: mapper.map(tf.ones([2])),
    )
    with tf.Session() as session:
        stage.say(session.run([mapper.map(x), other.map(x), mapper.map(x * 2)]))
    tf.logging.set_verbosity(level)
    stage.say(np.random.rand())
