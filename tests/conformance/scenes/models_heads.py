"""Estimator heads, both APIs: every option, metrics of two batches, weights, labels in all forms, errors."""

import functools

import numpy as np

from tests.conformance.scenes import in_own_graph

_LOGITS = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [-2.0, 3.0, 0.0]], np.float32)
_WEIGHTS = np.array([[1.0], [0.0], [2.5]], np.float32)


def _run(
    tf,
    stage,
    make,
    logits,
    labels,
    weights=_WEIGHTS,
    regularization=None,
    newer=False,
    trains=False,
):
    """Records a head's specs in each mode: the metrics of two batches in EVAL, then the loss in TRAIN."""
    modes = tf.estimator.ModeKeys
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        head = make()
        stage.say(head.name, head.logits_dimension)
        start = tf.placeholder_with_default(np.float32(0), [])
        given = tf.constant(logits) + start
        features = {"w": tf.constant(weights)}
        if callable(labels):
            labels = labels()
        more = {}
        if regularization:
            more["regularization_losses"] = [tf.constant(x) for x in regularization]
        spec = head.create_estimator_spec(features, modes.EVAL, given, labels, **more)
        metrics = {
            k: (m.result(), m.updates[0]) if hasattr(m, "updates") else m
            for k, m in spec.eval_metric_ops.items()
        }
        asked = head.create_estimator_spec(features, modes.PREDICT, given)
        outputs = {}
        for key, output in asked.export_outputs.items():
            for part in ("scores", "classes", "value"):
                if getattr(output, part, None) is not None:
                    outputs[key + " " + part] = getattr(output, part)
            if hasattr(output, "outputs"):
                stage.say(key, sorted(output.outputs))
        session.run([v.initializer for v in tf.local_variables() + tf.global_variables()])
        session.run(tf.tables_initializer())
        first = {k: v[1] for k, v in metrics.items()}
        stage.say(*map(_sorted, session.run([spec.loss, first, asked.predictions, outputs])))
        session.run(first, {start: 0.75})
        stage.say(_sorted(session.run({k: metrics[k][0] for k in metrics})))
        if not trains:
            return
        rate = tf.Variable(1.0, name="rate")
        if newer:
            more["trainable_variables"] = [rate]
        optimizer = tf.keras.optimizers.SGD if newer else tf.train.GradientDescentOptimizer
        step = tf.train.get_or_create_global_step()
        made = head.create_estimator_spec(
            features, modes.TRAIN, given * rate, labels, optimizer(0.1), **more
        )
        session.run([v.initializer for v in tf.global_variables()])
        session.run(tf.tables_initializer())
        stage.say(session.run([made.loss, made.train_op])[0], session.run([rate, step]))
        stage.say(sorted(made.eval_metric_ops or {}))
        stage.say(sorted(op.name for op in tf.get_collection(tf.GraphKeys.SUMMARIES)))


def _sorted(value):
    return sorted(value.items(), key=str) if isinstance(value, dict) else value


def _numbers():
    return np.array([[1.0], [0.0], [3.0]], np.float32)


def _classes():
    return np.array([[0], [2], [1]])


@in_own_graph
def older_labels_and_numbers(tf, stage):
    run = functools.partial(_run, tf, stage)
    of = tf.contrib.estimator
    many = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1]])
    run(
        lambda: of.multi_label_head(
            3, "w", [0.3], classes_for_class_based_metrics=[2, 0], name="l"
        ),
        _LOGITS,
        many,
    )
    run(
        lambda: of.multi_label_head(
            3, label_vocabulary=["a", "b", "c"], classes_for_class_based_metrics=["c"]
        ),
        _LOGITS,
        lambda: tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "c", "b"], [3, 2]),
        regularization=[0.5],
    )
    run(
        lambda: of.multi_label_head(3, loss_reduction=tf.losses.Reduction.SUM),
        _LOGITS,
        lambda: tf.SparseTensor([[0, 0], [1, 0], [2, 1]], [2, 1, 0], [3, 2]),
    )
    run(lambda: of.regression_head("w", name="r"), _LOGITS[:, :1], _numbers())
    run(
        lambda: of.regression_head(
            "w", 3, inverse_link_fn=tf.exp, loss_reduction=tf.losses.Reduction.MEAN
        ),
        _LOGITS,
        _LOGITS * 2.0,
        regularization=[1.0],
        trains=True,
    )
    run(lambda: of.poisson_regression_head("w", name="p"), _LOGITS[:, :1], _numbers())
    run(lambda: of.poisson_regression_head(compute_full_loss=False), _LOGITS[:, :1], _numbers())
    run(lambda: of.logistic_regression_head("w"), _LOGITS[:, :1], _numbers() / 3.0)


@in_own_graph
def newer_classes(tf, stage):
    run = functools.partial(_run, tf, stage)
    of = tf.estimator
    reductions = tf.keras.losses.Reduction if hasattr(tf.keras.losses, "Reduction") else None
    total = getattr(reductions, "SUM", "sum")
    run(lambda: of.MultiClassHead(3, "w", name="m"), _LOGITS, _classes(), newer=True)
    run(
        lambda: of.MultiClassHead(3, label_vocabulary=["a", "b", "c"], loss_reduction=total),
        _LOGITS,
        lambda: tf.constant([["b"], ["c"], ["a"]]),
        regularization=[0.5, 0.25],
        trains=True,
        newer=True,
    )
    run(
        lambda: of.BinaryClassHead("w", [0.5, 0.25], name="b"),
        _LOGITS[:, :1],
        np.array([[1], [1], [0]]),
        newer=True,
    )
    run(
        lambda: of.BinaryClassHead(
            label_vocabulary=["no", "yes"],
            loss_reduction=total,
            loss_fn=lambda labels, logits, features: labels * logits * features["w"],
        ),
        _LOGITS[:, 1:2],
        lambda: tf.constant([["yes"], ["no"], ["yes"]]),
        regularization=[0.125],
        newer=True,
    )


@in_own_graph
def newer_labels_and_numbers(tf, stage):
    run = functools.partial(_run, tf, stage)
    of = tf.estimator
    many = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1]])
    run(
        lambda: of.MultiLabelHead(3, "w", [0.3], classes_for_class_based_metrics=[2, 0], name="l"),
        _LOGITS,
        many,
        newer=True,
    )
    run(
        lambda: of.MultiLabelHead(
            3, label_vocabulary=["a", "b", "c"], classes_for_class_based_metrics=["c"]
        ),
        _LOGITS,
        lambda: tf.SparseTensor([[0, 0], [1, 0], [1, 1], [2, 0]], ["a", "c", "b", "a"], [3, 2]),
        regularization=[0.5],
        newer=True,
    )
    run(
        lambda: of.MultiLabelHead(3, loss_fn=lambda labels, logits: logits[:, :1] * 2.0),
        _LOGITS,
        lambda: tf.SparseTensor([[0, 0], [1, 0], [2, 1]], [2, 1, 0], [3, 2]),
        newer=True,
    )
    one = _LOGITS[:, :1]
    run(lambda: of.RegressionHead(1, "w", name="r"), one, _numbers(), newer=True)
    run(
        lambda: of.RegressionHead(3, "w", inverse_link_fn=tf.exp),
        _LOGITS,
        _LOGITS * 2.0,
        regularization=[1.0],
        trains=True,
        newer=True,
    )
    run(lambda: of.PoissonRegressionHead(1, "w", name="p"), one, _numbers(), newer=True)
    run(lambda: of.PoissonRegressionHead(compute_full_loss=False), one, _numbers(), newer=True)
    run(lambda: of.LogisticRegressionHead("w"), one, _numbers() / 3.0, newer=True)


@in_own_graph
def several_newer_heads(tf, stage):
    run = functools.partial(_run, tf, stage)
    of = tf.estimator
    labels = {"r": _numbers(), "c": _classes()}
    logits = np.concatenate([_LOGITS, _LOGITS[:, :1] * 3.0], 1)

    def heads(**options):
        return [of.MultiClassHead(3, name="c", **options), of.RegressionHead(1, "w", name="r")]

    for weights in (None, [2.0, 0.5]):
        run(
            lambda: of.MultiHead(heads(), weights),  # noqa: B023  called here
            logits,
            labels,
            newer=True,
            trains=True,
            regularization=[0.5] if weights else None,
        )
    modes, one = of.ModeKeys, of.MultiHead(heads())
    features = {"w": tf.constant(_WEIGHTS)}
    parted = {"c": tf.constant(_LOGITS), "r": tf.constant(_LOGITS[:, :1])}

    def spec(mode, logits=logits, labels=labels, head=one, **options):
        return sorted(head.create_estimator_spec(features, mode, logits, labels, **options)[0])

    def step(loss):
        return tf.no_op()

    stage.say(one.name, one.loss_reduction, one.logits_dimension)
    stage.attempts(
        lambda: of.MultiHead([]),
        lambda: of.MultiHead(heads(), [1.0]),
        lambda: of.MultiHead([of.RegressionHead()]),
        lambda: of.MultiHead(heads(loss_reduction="sum")).loss_reduction,
        lambda: one.loss(labels, logits[:, :2], features),
        lambda: one.loss(labels, {"c": parted["c"]}, features),
        lambda: one.loss({"c": labels["c"]}, logits, features),
        lambda: one.loss(labels["c"], logits, features),
        lambda: one.create_estimator_spec(features, modes.TRAIN, logits, labels),
        lambda: one.create_estimator_spec(
            features, modes.TRAIN, logits, labels, tf.train.AdamOptimizer()
        ),
        lambda: one.create_estimator_spec(
            features, modes.TRAIN, logits, labels, tf.keras.optimizers.SGD()
        ),
        lambda: one.create_estimator_spec(
            features, modes.TRAIN, logits, labels, tf.keras.optimizers.SGD(), tf.Variable(1.0)
        ),
        lambda: one.create_estimator_spec(
            features,
            *(modes.TRAIN, logits, labels),
            optimizer=tf.keras.optimizers.SGD(),
            train_op_fn=step,
        ),
        lambda: one.create_estimator_spec(
            features, modes.TRAIN, logits, labels, train_op_fn=step, update_ops=3
        ),
        lambda: (
            one.create_estimator_spec(
                features, modes.TRAIN, logits, labels, train_op_fn=step, update_ops=[tf.no_op()]
            ).train_op.type
        ),
        lambda: one.create_estimator_spec(features, "other", logits, labels),
        lambda: of.MultiHead(heads(loss_reduction="sum")).create_estimator_spec(
            features, modes.TRAIN, logits, labels, train_op_fn=step
        ),
    )
    with tf.Session() as session:
        stage.say(session.run(one.loss(labels, parted, features)))
        predictions = session.run(one.predictions(parted))
        stage.say(sorted(predictions.items(), key=str))
        stage.say(session.run(one.loss(labels, logits, features, None, [tf.constant(2.0)])))
        stage.say([(k, type(m).__name__, m.name) for k, m in one.metrics([1.0]).items()])


@in_own_graph
def several_older_heads(tf, stage):
    run = functools.partial(_run, tf, stage)
    of = tf.contrib.estimator
    labels = {"r": _numbers(), "c": _classes()}
    logits = np.concatenate([_LOGITS, _LOGITS[:, :1] * 3.0], 1)

    def heads():
        return [of.multi_class_head(3, name="c"), of.regression_head("w", name="r")]

    run(lambda: of.multi_head(heads(), [2.0, 0.5]), logits, labels, trains=True)
    one, modes = of.multi_head(heads()), tf.estimator.ModeKeys
    features = {"w": tf.constant(_WEIGHTS)}
    parted = {"c": tf.constant(_LOGITS), "r": tf.constant(_LOGITS[:, :1])}
    stage.attempts(
        lambda: one.create_loss(features, modes.EVAL, logits[:, :2], labels),
        lambda: one.create_loss(features, modes.EVAL, {"c": parted["c"]}, labels),
        lambda: one.create_estimator_spec(features, modes.EVAL, logits, labels["c"]),
        lambda: one.create_estimator_spec(features, modes.TRAIN, logits, labels),
        lambda: one.create_estimator_spec(features, "other", logits, labels),
    )
    with tf.Session() as session:
        made = one.create_loss(features, "", parted, labels)
        stage.say(made.weights["c"], session.run([made[0], made[1], made.weights["r"], made[3]]))


def _refused(tf, stage, make, *others, width=1):
    """Records how a head rejects arguments, then labels, logits and weights."""
    for options in (
        {"loss_reduction": "other"},
        {"loss_reduction": "none"},
        {"loss_fn": lambda labels: 1},
        {"loss_fn": lambda logits: 1},
        {"loss_fn": lambda labels, logits, features, more: 1},
        *others,
    ):
        stage.attempt(lambda o=options: make(**o).logits_dimension)
    features = {"w": tf.constant(_WEIGHTS), "two": tf.ones([3, 2]), "words": tf.constant(["a"])}
    logits = _LOGITS[:, : make().logits_dimension]
    labels = np.ones([3, width], np.int32)

    def loss(labels=labels, logits=logits, given=features, **options):
        head = make(**options)
        if hasattr(head, "loss"):
            made = head.loss(labels, logits, given, "eval")
        else:
            made = head.create_loss(given, "eval", tf.convert_to_tensor(logits), labels)[0]
        with tf.Session() as session:
            return session.run(made)

    unknown = tf.placeholder_with_default(logits, None)
    stage.attempts(
        loss,
        lambda: loss(None),
        lambda: loss(labels[:, 0]),
        lambda: loss(np.ones([3, 4], np.int32)),
        lambda: loss(labels[:2]),
        lambda: loss(labels.astype(np.float64)),
        lambda: loss(tf.SparseTensor([[0, 0]], [1], [3, 1])),
        lambda: loss(tf.placeholder_with_default(labels, None), unknown),
        lambda: loss(logits=np.ones([3, 5], np.float32)),
        lambda: loss(logits=logits[0]),
        lambda: loss(weight_column=tf.feature_column.numeric_column("w")),
        lambda: loss(weight_column="two"),
        lambda: loss(weight_column="words"),
        lambda: loss(weight_column="none"),
        lambda: loss(weight_column=3),
        lambda: loss(weight_column="w", given=tf.ones([3])),
        lambda: loss(weight_column="w", given={"w": tf.ones([3])}),
        lambda: loss(loss_fn=lambda labels, logits: tf.ones([2, 2])),
    )
    for outside in (labels * 7, labels * -1):
        try:
            stage.say(loss(outside))
        except tf.errors.InvalidArgumentError as error:
            stage.say("!!", error.message)


@in_own_graph
def refused_by_older_classes(tf, stage):
    of = tf.contrib.estimator
    many = lambda **options: of.multi_class_head(3, **options)  # noqa: E731
    vocabularies = "abc", ("a", "b"), list("abcd")
    _refused(tf, stage, many, *({"label_vocabulary": words} for words in vocabularies))
    _refused(
        tf,
        stage,
        of.binary_classification_head,
        {"thresholds": [0.0]},
        {"thresholds": [1]},
        {"thresholds": (0.5, -1.0)},
        {"thresholds": []},
        {"label_vocabulary": "ab"},
    )
    stage.attempts(*[lambda n=n: of.multi_class_head(n) for n in (None, 2, -1, "a")])


_OF_LABELS = (
    {"thresholds": [0.0]},
    {"thresholds": (0.5, 1.0)},
    {"label_vocabulary": "abc"},
    {"label_vocabulary": ["a"]},
    {"classes_for_class_based_metrics": [3]},
    {"classes_for_class_based_metrics": [-1]},
    {"classes_for_class_based_metrics": ["a"]},
)
_OF_NUMBERS = (
    {"label_dimension": 0},
    {"inverse_link_fn": lambda x, y: x},
    {"inverse_link_fn": lambda logits: logits},
)


@in_own_graph
def refused_by_older_labels_and_numbers(tf, stage):
    of = tf.contrib.estimator
    labels = lambda **options: of.multi_label_head(3, **options)  # noqa: E731
    _refused(tf, stage, labels, *_OF_LABELS, width=3)
    _refused(tf, stage, of.regression_head, *_OF_NUMBERS)
    stage.attempts(*[lambda n=n: of.multi_label_head(n) for n in (None, 1, -1)])


@in_own_graph
def refused_by_newer_classes(tf, stage):
    of = tf.estimator
    many = lambda **options: of.MultiClassHead(3, **options)  # noqa: E731
    vocabularies = "abc", ("a", "b"), list("abcd")
    _refused(tf, stage, many, *({"label_vocabulary": words} for words in vocabularies))
    wrong = {"thresholds": [0.0]}, {"thresholds": (0.5, 1.0)}, {"label_vocabulary": "ab"}
    _refused(tf, stage, of.BinaryClassHead, *wrong)
    stage.attempts(*[lambda n=n: of.MultiClassHead(n) for n in (None, 2, -1)])
    head = of.BinaryClassHead()
    stage.attempts(
        lambda: head.predictions(_LOGITS[:, :1], ["none"]),
        lambda: sorted(head.predictions(_LOGITS[:, :1], ["all_classes", "class_ids"])),
        lambda: sorted(head.predictions(_LOGITS[:, :1], [])),
        lambda: head.predictions(_LOGITS),
        lambda: sorted(many().predictions(_LOGITS, ["classes", "logits"])),
        lambda: many().predictions(_LOGITS, ["logistic"]),
        lambda: of.Head(),
    )


@in_own_graph
def refused_by_newer_labels_and_numbers(tf, stage):
    of = tf.estimator
    labels = lambda **options: of.MultiLabelHead(3, **options)  # noqa: E731
    _refused(tf, stage, labels, *_OF_LABELS, width=3)
    _refused(tf, stage, of.RegressionHead, *_OF_NUMBERS)
    stage.attempts(*[lambda n=n: of.MultiLabelHead(n) for n in (None, 1, -1)])
    numbers = of.RegressionHead()
    stage.attempts(
        lambda: numbers.predictions(_LOGITS),
        lambda: sorted(numbers.predictions(_LOGITS[:, :1])),
        lambda: sorted(labels().predictions(_LOGITS, ["probabilities"])),
        lambda: labels().predictions(_LOGITS, ["classes"]),
    )
