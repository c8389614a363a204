"""tf.contrib.learn: heads in each mode, metrics, model functions, runners; errors."""

import importlib

import numpy as np

LOGITS = np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])


def _made(tf, head, mode, labels, columns=slice(0, 3), train=True, **options):
    """The components of a head's output, as tensors; the stage records their names."""
    features = options.pop("features", {"w": tf.constant([[1.0], [3.0]]), "x": tf.ones([2, 1])})
    step = tf.train.get_or_create_global_step()
    given = {"logits": tf.constant(LOGITS[:, columns])} if "logits_input" not in options else {}
    options = {**given, **options}

    def trained(loss):
        return tf.assign_add(step, tf.cast(tf.round(loss * 10), tf.int64))

    made = head.create_model_fn_ops(features, mode, labels, trained if train else None, **options)
    parts = [made.loss]
    if not any("centered_bias" in v.name for v in tf.trainable_variables()):
        parts.append(made.train_op)  # it would change what others read
    predictions = made.predictions or {}
    metrics = made.eval_metric_ops or {}
    for key in sorted(predictions):
        parts.append(predictions[key])
    for key in sorted(metrics):
        parts.append(metrics[key][1])
    names = [
        sorted(map(str, predictions)),
        sorted(map(str, metrics)),
        sorted((made.output_alternatives or {}).items(), key=str),
    ]
    return [tf.constant(str(names)), [part for part in parts if part is not None]]


def _loss_only_head(tf):
    """A function that is in no public module."""
    module, name = "contrib.learn.python.learn.estimators.head", "loss_only_head"
    if tf.__name__.startswith("tfmini"):
        lookup = importlib.import_module("tfmini._src.programs.hook.object_lookup")
        return lookup.find(module, name)
    return getattr(importlib.import_module("tensorflow." + module), name)


def _cases(tf):
    of = tf.contrib.learn
    labels = lambda *rows, dtype=tf.int64: tf.constant(rows, dtype)  # noqa: E731
    floats = lambda *rows: tf.constant(rows, tf.float32)  # noqa: E731

    def weighted(labels, logits, weights=None):
        return tf.reduce_mean(logits * (1.0 if weights is None else weights))

    one, two = slice(0, 1), slice(0, 2)
    sparse = lambda: tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 2, 1], [2, 2])  # noqa: E731
    return {
        "regression": (lambda: of.regression_head(), lambda: floats(1.0, 2.0), one),
        "regression of two": (
            lambda: of.regression_head(
                "y", "w", label_dimension=2, enable_centered_bias=True, head_name="own"
            ),
            lambda: {"y": floats([1.0, 2.0], [3.0, 5.0]), "z": floats(1.0)},
            two,
        ),
        "linked": (lambda: of.regression_head(link_fn=tf.exp), lambda: labels([1], [2]), one),
        "counts": (
            lambda: of.poisson_regression_head(weight_column_name="w", head_name="counts"),
            lambda: floats([1.0], [2.0]),
            one,
        ),
        "two classes": (
            lambda: of.multi_class_head(2, weight_column_name="w", thresholds=[0.25, 0.5]),
            lambda: labels([1], [0]),
            one,
        ),
        "two classes, own loss": (
            lambda: of.multi_class_head(
                2, label_name="y", loss_fn=weighted, enable_centered_bias=True, head_name="h"
            ),
            lambda: {"y": labels(1, 0)},
            one,
        ),
        "three classes": (
            lambda: of.multi_class_head(3, metric_class_ids=[0, 2], enable_centered_bias=True),
            lambda: labels([2], [0]),
            slice(0, 3),
        ),
        "three words": (
            lambda: of.multi_class_head(
                3, label_keys=["a", "b", "c"], weight_column_name="w", head_name="words"
            ),
            lambda: tf.constant([["c"], ["a"]]),
            slice(0, 3),
        ),
        "three classes, own loss": (
            lambda: of.multi_class_head(3, loss_fn=weighted, weight_column_name="w"),
            lambda: labels([2], [0]),
            slice(0, 3),
        ),
        "svm": (
            lambda: of.binary_svm_head("y", "w", True, "svm", [0.5]),
            lambda: {"y": labels([1], [0])},
            one,
        ),
        "labels": (
            lambda: of.multi_label_head(3, weight_column_name="w", metric_class_ids=[1]),
            lambda: labels([1, 0, 1], [0, 0, 1]),
            slice(0, 3),
        ),
        "sparse labels": (
            lambda: of.multi_label_head(3, head_name="sparse", enable_centered_bias=True),
            sparse,
            slice(0, 3),
        ),
        "labels, own loss": (
            lambda: of.multi_label_head(3, loss_fn=weighted),
            lambda: labels([1, 0, 1], [0, 0, 1]),
            slice(0, 3),
        ),
        "of losses": (
            lambda: _loss_only_head(tf)(lambda: [tf.constant(1.5), tf.constant(2.0)]),
            lambda: None,
            one,
        ),
        "of a loss": (
            lambda: _loss_only_head(tf)(lambda: tf.constant(1.5), "mine"),
            lambda: None,
            one,
        ),
        "many": (
            lambda: of.multi_head(
                [
                    of.regression_head("y", head_name="first"),
                    of.multi_class_head(2, "z", head_name="second", enable_centered_bias=True),
                    _loss_only_head(tf)(lambda: tf.constant(4.0)),
                ],
                [0.5, 2.0, 0.25],
            ),
            lambda: {"y": floats(1.0, 2.0), "z": labels(1, 0)},
            two,
        ),
    }


def trained(tf, stage):
    _all(tf, stage, "train")


def _all(tf, stage, mode):
    stage.each(
        {
            name: lambda make=make, labels=labels, columns=columns: _made(
                tf, make(), mode, labels() if mode != "infer" else None, columns
            )
            for name, (make, labels, columns) in _cases(tf).items()
        },
        graph="sum",
    )


def made_otherwise(tf, stage):
    of = tf.contrib.learn
    two, three = lambda: of.multi_class_head(2), lambda: of.multi_class_head(3)
    labels = lambda dtype=tf.int64: tf.constant([[1], [0]], dtype)  # noqa: E731
    several = lambda weights=None: of.multi_head(  # noqa: E731
        [of.regression_head("y", head_name="a"), of.regression_head("y", head_name="b")], weights
    )
    y = lambda: {"y": tf.constant([1.0, 2.0])}  # noqa: E731
    one = slice(0, 1)
    logits = lambda: {"a": tf.ones([2, 1]), "b": tf.zeros([2, 1])}  # noqa: E731
    cases = {
        "many from inputs": lambda: _made(
            tf, several(), "train", y(), logits_input=tf.constant(LOGITS)
        ),
        "many by names": lambda: _made(tf, several([1.0, 3.0]), "eval", y(), logits=logits()),
        "no mode for many": lambda: _made(tf, several(), "none", y(), one),
        "no training of many": lambda: _made(tf, several(), "train", y(), two_, train=False),
        "no training of losses": lambda: _made(
            tf, _loss_only_head(tf)(lambda: tf.ones([])), "train", None, train=False
        ),
        "sparse": lambda: _made(tf, two(), "train", tf.SparseTensor([[0, 0]], [1], [2, 1]), one),
        "float labels": lambda: _made(tf, three(), "train", labels(tf.float32)),
        "no weights": lambda: _made(
            tf, of.regression_head(weight_column_name="v"), "train", labels(), one
        ),
    }
    two_ = slice(0, 2)
    stage.each(cases, graph="sum")
    stage.attempts(
        lambda: of.multi_class_head(3, metric_class_ids=[-1]),
        lambda: of.multi_label_head(1),
        lambda: of.multi_label_head(3, metric_class_ids=[0, 3]),
        lambda: of.multi_head([of.regression_head(head_name="a")], [1.0, 2.0]),
        lambda: of.multi_head([of.regression_head()]),
        lambda: of.regression_head(label_dimension=0),
    )


def two_ways_of_cells(tf, stage):
    models, cell = tf.contrib.learn.models, tf.nn.rnn_cell.GRUCell
    inputs = lambda n=3: [tf.ones([2, 3]) * i for i in range(n)]  # noqa: E731
    length = lambda: tf.constant([1, 3], tf.int64)  # noqa: E731
    stage.each(
        {
            "no cell": lambda: models.bidirectional_rnn(3, cell(2), inputs()),
            "no cell back": lambda: models.bidirectional_rnn(cell(2), None, inputs()),
            "no list": lambda: models.bidirectional_rnn(cell(2), cell(2), tf.ones([2, 3])),
        },
        graph="sum",
    )
    with tf.Graph().as_default():
        stage.attempt(
            lambda: models.bidirectional_rnn(
                cell(2), cell(2), inputs(), dtype=tf.float32, sequence_length=length(), scope="own"
            )
        )
    target = lambda x, y: (x, tf.reduce_mean(x))  # noqa: E731

    def model(kind, layers=1, **options):
        given = {
            "rnn_size": 2,
            "cell_type": kind,
            "num_layers": layers,
            "input_op_fn": lambda x: [x, x],
            "bidirectional": False,
            "target_predictor_fn": target,
            "sequence_length": None,
            "initial_state": None,
            "attn_length": None,
            "attn_size": None,
            "attn_vec_size": None,
        }
        made = models.get_rnn_model(**{**given, **options})
        return lambda: made(tf.ones([2, 3]), tf.ones([2]))

    stage.each(
        {
            "rnn": model("rnn"),
            "lstm": model("lstm", 2, sequence_length=[1, 2]),
            "attention": model("gru", attn_length=2, attn_size=3, attn_vec_size=2),
            "both ways": model("gru", bidirectional=True),
            "other": model("none"),
        },
        graph="sum",
    )
    stage.each(
        {
            "logistic": lambda: models.logistic_regression(
                tf.ones([2, 3]), tf.constant([[1.0, 0.0], [0.0, 1.0]]), [1.0, 2.0], 0.3, 0.1
            )
        },
        graph="sum",
    )
