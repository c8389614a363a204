"""Derived Estimators, in-memory evaluation, clustering, weighted heads, row queues."""

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_estimators import _estimator, _inputs

_X = np.array([[0.0, 1.0], [1.0, 1.0], [8.0, 9.0], [9.0, 9.5], [0.5, 0.0], [9.0, 8.0]], np.float32)


def _signatures(tf, stage, path):
    with tf.Session(graph=tf.Graph()) as session:
        meta = tf.saved_model.load(session, ["serve"], path.decode())
        for key, signature in sorted(meta.signature_def.items()):
            outputs = sorted((k, v.name) for k, v in signature.outputs.items())
            stage.say(key, signature.method_name, outputs)


def forwarded(tf, stage):
    source = _estimator(tf, stage)
    source.train(_inputs(tf), steps=1)

    def given():
        made = tf.data.Dataset.from_tensors({"x": [[1.0], [2.0]], "id": ["a", "b"]})
        sparse = tf.SparseTensor([[0, 0]], [5], [2, 1])
        return made.map(lambda row: dict(row, sparse=sparse))

    def serving():
        features = {"x": tf.placeholder(tf.float32, [None, 1]), "id": tf.placeholder(tf.string)}
        return tf.estimator.export.ServingInputReceiver(features, dict(features))

    forward = tf.contrib.estimator.forward_features
    for options in (
        {"keys": "id"},
        {"keys": ["id", "x"]},
        {"keys": "sparse", "sparse_default_values": {"sparse": -1}},
        {"keys": "sparse"},
        {"keys": "none"},
        {"keys": "x", "sparse_default_values": {"x": 0.0}},
        {},
        {"keys": 3},
        {"keys": ["id", 3]},
    ):
        stage.say(sorted(options))
        with stage.failing():
            made = forward(source, **options)
            for row in made.predict(given):
                stage.say(sorted(row.items()))
            stage.say(sorted(made.evaluate(_inputs(tf, epochs=1)).items()))
            _signatures(tf, stage, made.export_saved_model(stage.folder + "/out", serving))


def clipped(tf, stage):
    clip = tf.contrib.estimator.clip_gradients_by_norm
    for name, norm in (("a", 0.5), ("b", 100.0)):
        with tf.Graph().as_default(), tf.Session() as session:
            v, w = (tf.get_variable(n, initializer=[3.0, 4.0]) for n in ("v", "w"))
            loss = tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(w, [0]))
            optimizer = clip(tf.train.MomentumOptimizer(0.1, 0.9), norm)
            step = tf.train.get_or_create_global_step()
            train = optimizer.minimize(loss, step, name=name)
            session.run(tf.global_variables_initializer())
            session.run(train)
            stage.say(session.run([v, w, step]), train.name, optimizer.get_name())
            stage.say(optimizer.get_slot_names(), optimizer.get_slot(v, "momentum"))
            stage.nodes()


def evaluated_in_memory(tf, stage):
    estimator = _estimator(tf, stage, run={"save_checkpoints_steps": None})
    make = tf.estimator.experimental.InMemoryEvaluatorHook

    class Says(tf.train.SessionRunHook):
        def __init__(self, word):
            self.word = word

        def end(self, session):
            stage.say(self.word, session.run("global_step:0"))

    hook = make(estimator, _inputs(tf, epochs=1), 1, [Says("evaluated")], "mine", 2)
    for _ in range(2):
        estimator.train(_inputs(tf), [hook], steps=3)
    stage.events(estimator.eval_dir("mine"))
    for options in (
        {"steps": 0},
        {"every_n_iter": 0},
        {"every_n_iter": None},
        {"hooks": [3]},
        {"name": "all"},
    ):
        with stage.failing():
            other = make(estimator, _inputs(tf, epochs=1), **options)
            estimator.train(_inputs(tf), [other], steps=1)
            stage.files(estimator.eval_dir("all"))
    saved = _estimator(tf, stage, "saver", scaffold=lambda y, labels: tf.train.Scaffold(saver=3))
    stage.attempt(saved.train, _inputs(tf), [make(saved, _inputs(tf, epochs=1))], 1)


def clusters(tf, stage):
    of = tf.contrib.factorization.KMeansClustering
    newer = tf.estimator.experimental.KMeans

    def given(epochs=1):
        return lambda: tf.train.limit_epochs(tf.constant(_X), num_epochs=epochs)

    def columns():
        parts = {"b": _X[:, :1], "a": _X[:, 1:]}
        return tf.data.Dataset.from_tensors(parts).repeat(3)

    tf.logging.set_verbosity(tf.logging.WARN)  # they log all digits
    config = tf.estimator.RunConfig(tf_random_seed=1, log_step_count_steps=None)
    numeric = tf.feature_column.numeric_column
    whole = {"use_mini_batch": False}
    for number, (make, options, function) in enumerate(
        (
            (newer, {"initial_clusters": _X[:2], **whole}, given(4)),
            (newer, {"initial_clusters": _X[1:3], "distance_metric": "cosine", **whole}, given(2)),
            (of, {"initial_clusters": _X[:2], "relative_tolerance": 0.1, **whole}, given(9)),
            (of, {"initial_clusters": _X[:2, ::-1], **whole}, columns),
            (
                of,
                {"initial_clusters": _X[:2, :1], "feature_columns": [numeric("b")], **whole},
                columns,
            ),
            (of, {"initial_clusters": "none"}, given()),
            (of, {"distance_metric": "none"}, given()),
        )
    ):
        stage.say(number)
        with stage.failing():
            made = make(2, f"{stage.folder}/{number}", config=config, **options)
            made.train(function)
            stage.say(made.cluster_centers(), made.get_variable_value("global_step"))
            if function is not columns:
                stage.say(made.score(given()), list(made.predict_cluster_index(given())))
                stage.say(list(made.transform(given())))


@in_own_graph
def heads_with_weights(tf, stage):
    of = tf.contrib.estimator
    heads = [of.regression_head(name="r"), of.binary_classification_head(name="b")]
    features = {"w": tf.constant([[1.0], [3.0]])}
    logits = tf.constant([[0.5, 1.0], [-1.0, 2.0]])
    labels = {"r": tf.constant([[1.0], [0.0]]), "b": tf.constant([[0], [1]])}
    modes = tf.estimator.ModeKeys
    for weights in (None, [0.5, 2.0]):
        head = of.multi_head(heads, weights)
        stage.say(head.name, head.logits_dimension)
        for mode in (modes.EVAL, modes.TRAIN):
            made = head.create_loss(features, mode, logits, labels)
            with tf.Session() as session, stage.failing():
                for part in made:
                    stage.say(session.run(part))
        train = lambda loss: tf.assign_add(tf.train.get_or_create_global_step(), 1)  # noqa: E731
        for mode in (modes.EVAL, modes.TRAIN, modes.PREDICT):
            with tf.Session() as session, stage.failing():
                spec = head.create_estimator_spec(features, mode, logits, labels, None, train)
                stage.say(spec.predictions, sorted(spec.eval_metric_ops))
                stage.say(session.run(spec.loss) if spec.loss is not None else spec.export_outputs)
                stage.say(sorted(spec.export_outputs or {}))
    stage.attempt(of.multi_head, heads, [1.0])
    stage.attempt(of.multi_head, [])
    for given in (
        {"thresholds": [0.5, 1.0]},
        {"thresholds": (0.25,), "weight_column": "w", "name": "t"},
        {"label_vocabulary": "ab"},
        {"loss_reduction": "none"},
        {"loss_fn": lambda labels, logits, other: 3},
        {"loss_fn": lambda labels: 3},
        {"loss_fn": lambda labels, logits: tf.ones([2, 2])},
        {"loss_fn": lambda labels, logits, features: features["w"] * labels},
    ):
        with tf.Session() as session, stage.failing():
            head = of.binary_classification_head(**given)
            spec = head.create_estimator_spec(features, modes.EVAL, logits[:, :1], labels["b"])
            stage.say(session.run(spec.loss), sorted(spec.eval_metric_ops))


def rows_enqueued(tf, stage):
    of = tf.estimator.inputs.numpy_input_fn
    data = {"a": np.arange(5), "b": np.arange(10.0).reshape(5, 2)}
    for name, case in (
        ("shuffled", lambda: of(data, np.arange(5), 2, shuffle=True, queue_capacity=40)()),
        ("threads", lambda: of(data, batch_size=3, shuffle=False, num_threads=2)()),
    ):
        with tf.Graph().as_default():
            stage.say(name)
            stage.attempt(case)
            stage.brief_graph()
            for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
                stage.say(len(runner.enqueue_ops), runner.queue.name)
