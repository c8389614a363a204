"""tf.contrib.metrics by legacy names, with all options; contrib.framework's variables and functions."""

# ruff: noqa: E731

import numpy as np

from tests.conformance import scenes

MORE = {"metrics_collections": ["m"], "updates_collections": ["u"], "name": "own"}


def _measured(tf, stage, cases, feeds):
    """Records metrics over two batches, with names and collections."""
    for name, make in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            given = {k: tf.placeholder(v[0].dtype, [None] * v[0].ndim, k) for k, v in feeds.items()}
            value, update = make(**given)
            flat = tf.nest.flatten([value, update])
            stage.say(name, [(t.name, str(t.shape), t.dtype) for t in flat])
            stage.say({k: [v.name for v in graph.get_collection(k)] for k in "mu"})
            session.run(tf.local_variables_initializer())
            for number in range(2):
                feed = {given[k]: v[number] for k, v in feeds.items()}
                with stage.failing():
                    stage.say(session.run(update, feed), session.run(value, feed))
            stage.brief_graph(names=False)


def older_names(tf, stage):
    of = tf.contrib.metrics
    feeds = {
        "p": np.float32([[0.9, 0.2, 0.4, 0.5], [0.1, 0.7, 0.6, 0.3]]),
        "y": np.int64([[1, 0, 1, 1], [0, 1, 0, 0]]),
        "w": np.float32([[1.0, 2.0, 0.5, 0.0], [3.0, 0.25, 1.0, 1.0]]),
    }
    high = lambda p: p > 0.45
    floats = lambda y: tf.cast(y, tf.float32)
    two = {"weights": "w", **MORE}
    plain = {
        "accuracy": lambda p, y, **k: of.streaming_accuracy(tf.cast(high(p), tf.int64), y, **k),
        "mean": lambda p, y, **k: of.streaming_mean(p, **k),
        "mean tensor": lambda p, y, **k: of.streaming_mean_tensor(tf.reshape(p, [4]), **k),
        "true positives": lambda p, y, **k: of.streaming_true_positives(high(p), y, **k),
        "true negatives": lambda p, y, **k: of.streaming_true_negatives(high(p), y, **k),
        "false positives": lambda p, y, **k: of.streaming_false_positives(high(p), y, **k),
        "false negatives": lambda p, y, **k: of.streaming_false_negatives(high(p), y, **k),
        "precision": lambda p, y, **k: of.streaming_precision(high(p), y, **k),
        "recall": lambda p, y, **k: of.streaming_recall(high(p), y, **k),
        "absolute": lambda p, y, **k: of.streaming_mean_absolute_error(p, floats(y), **k),
        "squared": lambda p, y, **k: of.streaming_mean_squared_error(p, floats(y), **k),
        "root": lambda p, y, **k: of.streaming_root_mean_squared_error(p, floats(y), **k),
        "relative": lambda p, y, **k: of.streaming_mean_relative_error(p, floats(y), p + 1.0, **k),
        "less": lambda p, y, **k: of.streaming_percentage_less(p, threshold=0.45, **k),
        "iou": lambda p, y, **k: of.streaming_mean_iou(tf.cast(high(p), tf.int64), y, 2, **k),
        "auc": lambda p, y, **k: of.streaming_auc(p, y, num_thresholds=5, curve="PR", **k),
        "precisions": lambda p, y, **k: of.streaming_precision_at_thresholds(
            p, y, thresholds=[0.3, 0.6], **k
        ),
        "recalls": lambda p, y, **k: of.streaming_recall_at_thresholds(
            p, y, thresholds=[0.3, 0.6], **k
        ),
        "specificity": lambda p, y, **k: of.streaming_specificity_at_sensitivity(
            p, y, 0.5, num_thresholds=5, **k
        ),
        "sensitivity": lambda p, y, **k: of.streaming_sensitivity_at_specificity(
            p, y, 0.5, num_thresholds=5, **k
        ),
        "kappa": lambda p, y, **k: of.cohen_kappa(y, tf.cast(high(p), tf.int64), 2, **k),
        "cosine": lambda p, y, **k: of.streaming_mean_cosine_distance(
            tf.reshape(p, [2, 2]), tf.reshape(floats(y), [2, 2]), -1, **k
        ),
    }
    cases = {}
    for name, make in plain.items():
        cases[name] = lambda p, y, w, make=make: make(p, y)
        use = (lambda w: tf.reshape(w, [2, 2])[:, :1]) if name == "cosine" else lambda w: w
        cases[name + ", all"] = lambda p, y, w, make=make, use=use: make(
            p, y, **{**two, "weights": use(w)}
        )
    _measured(tf, stage, cases, feeds)


def best_classes(tf, stage):
    of = tf.contrib.metrics
    feeds = {
        "p": np.float32([[[0.1, 0.6, 0.3], [0.5, 0.2, 0.3]], [[0.2, 0.2, 0.6], [0.4, 0.5, 0.1]]]),
        "y": np.int64([[[1], [2]], [[0], [1]]]),
        "w": np.float32([[1.0, 2.0], [0.5, 0.0]]),
    }
    top = lambda p: tf.cast(tf.nn.top_k(p, 2)[1], tf.int64)
    flat = lambda y: tf.reshape(y, [2])
    _measured(
        tf,
        stage,
        {
            "recall": lambda p, y, w: of.streaming_recall_at_k(p, flat(y), 1),
            "recall, all": lambda p, y, w: of.streaming_recall_at_k(p, flat(y), 2, w, **MORE),
            "sparse recall": lambda p, y, w: of.streaming_sparse_recall_at_k(p, y, 1),
            "sparse recall, all": lambda p, y, w: of.streaming_sparse_recall_at_k(
                p, y, 2, 1, w, **MORE
            ),
            "sparse precision": lambda p, y, w: of.streaming_sparse_precision_at_k(p, y, 2),
            "sparse precision, all": lambda p, y, w: of.streaming_sparse_precision_at_k(
                p, y, 2, 1, w, **MORE
            ),
            "precision of top": lambda p, y, w: of.streaming_sparse_precision_at_top_k(top(p), y),
            "precision of top, all": lambda p, y, w: of.streaming_sparse_precision_at_top_k(
                top(p), y, 2, w, **MORE
            ),
            "recall of top": lambda p, y, w: of.sparse_recall_at_top_k(y, top(p)),
            "recall of top, all": lambda p, y, w: of.sparse_recall_at_top_k(
                y, top(p), 2, w, **MORE
            ),
            "average": lambda p, y, w: of.streaming_sparse_average_precision_at_k(p, y, 2),
            "average, all": lambda p, y, w: of.streaming_sparse_average_precision_at_k(
                p, y, 2, w, **MORE
            ),
            "average of top": lambda p, y, w: of.streaming_sparse_average_precision_at_top_k(
                top(p), y
            ),
            "average of top, all": lambda p, y, w: of.streaming_sparse_average_precision_at_top_k(
                top(p), y, w, **MORE
            ),
            "joined": lambda p, y, w: of.streaming_concat(tf.reshape(p, [2, 3]), -1, 4, **MORE),
            "joined, all": lambda p, y, w: of.streaming_concat(tf.reshape(p, [-1, 2]), 0),
            "joined, outside": lambda p, y, w: of.streaming_concat(w, 1),
            "joined, unknown": lambda p, y, w: of.streaming_concat(p),
            "joined, no rank": lambda p, y, w: of.streaming_concat(
                tf.placeholder_with_default(1.0, None)
            ),
            "several": lambda p, y, w: of.aggregate_metric_map(
                {"b": of.streaming_mean(w), "a": of.count(w)}
            ),
            "in a list": lambda p, y, w: of.aggregate_metrics(of.count(w), of.streaming_mean(w)),
            "none": lambda p, y, w: of.aggregate_metrics(),
            "none by name": lambda p, y, w: of.aggregate_metric_map({}),
        },
        feeds,
    )


def variables_of_models(tf, stage):
    of = tf.contrib.framework
    own = lambda name, **kwargs: stage.say(name, sorted(kwargs), kwargs["reuse"]) or "made"
    l2 = tf.contrib.layers.l2_regularizer(0.5)
    servers = of.VariableDeviceChooser(2, "p", "GPU", 1, 3)
    cases = (
        lambda: of.variable("a", [2], tf.float64, tf.ones_initializer(), l2, False, ["x", "x"]),
        lambda: of.variable("b", [2], caching_device="/cpu:0", device="/job:ps", use_resource=True),
        lambda: of.variable("c", [4, 1], partitioner=tf.fixed_size_partitioner(2), device=servers),
        lambda: of.variable("d", [2], custom_getter=own),
        lambda: of.variable(
            "e",
            initializer=[1, 2],
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        ),
        lambda: of.variable("f", [1], device=lambda op: servers(op)),
        lambda: of.variable("g"),
        lambda: of.model_variable("h", [1], collections=["y"], regularizer=l2, trainable=False),
        lambda: of.model_variable("i", [1], tf.int32, tf.zeros_initializer()),
        lambda: of.model_variable("a", [2]),
        lambda: of.local_variable([1.0], name="j"),
        lambda: of.local_variable(tf.placeholder(tf.float32), False, "k", True),
        lambda: of.global_variable(3, name="l", use_resource=True),
        lambda: of.global_variable(tf.placeholder(tf.float32)),
    )
    for case in cases:
        with stage.failing():
            made = case()
            for v in list(made) if hasattr(made, "_get_variable_list") else [made]:
                if v == "made":
                    continue
                stage.say(v.name, v.dtype, v.shape, v.device, v.trainable, type(v).__name__)
                stage.say(v.synchronization, v.aggregation, of.get_variable_full_name(v))
    of.add_model_variable(tf.global_variables()[0])
    of.add_model_variable(tf.global_variables()[0])
    with tf.variable_scope("again", reuse=True):
        stage.attempt(lambda: of.variable("m", [2], custom_getter=own))
    choose = of.VariableDeviceChooser(2)
    stage.say([choose(None) for _ in range(3)], of.VariableDeviceChooser(device_index=1)(None))


def functions_in_python(tf, stage):
    of = tf.contrib.framework
    fed = scenes.unknown(tf, ranked=True)
    x = lambda: tf.constant([1.0, 2.0])
    small = lambda a, by=1.0: {"low": a / by, "pair": (a + by, [np.int64(3)])}
    types = {"low": tf.float32, "pair": (tf.float32, [tf.int64])}
    shapes = {"low": [2], "pair": (tf.TensorShape([2]), [()])}
    stage.each(
        {
            "plain": lambda: of.py_func(lambda a: a * 2.0, [x()], output_types=tf.float32),
            "nested": lambda: of.py_func(small, [x()], {"by": fed(np.float32(2.0))}, types, shapes),
            "of functions": lambda: of.py_func(
                small,
                (x(),),
                {"by": tf.constant(2.0)},
                lambda a, by: dict(types, low=by.dtype),
                lambda a, by: dict(shapes, low=a.shape),
                False,
                "own",
            ),
            "nested arguments": lambda: of.py_func(
                lambda a, b: a["x"] + a["y"][0] + b,
                [{"x": x(), "y": [x()]}],
                {"b": x()},
                tf.float32,
                [2],
            ),
            "others": lambda: of.py_func(
                lambda a: {"other": a}, [x()], output_types={"a": tf.float32}
            ),
            "other shape": lambda: of.py_func(lambda a: a, [x()], None, tf.float32, [3]),
            "nothing": lambda: of.py_func(lambda: np.float32(1.0), output_types=tf.float32),
        },
        graph=False,
    )
