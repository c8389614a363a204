"""Metrics and losses: weights, ranks, unknown shapes, classes, options, errors, graphs."""

import numpy as np


def _unknown(tf, value, dtype=np.float32, shape=None):
    return tf.placeholder_with_default(np.array(value, dtype), shape)


def _measured(tf, stage, cases):
    """Records value, update and updated value, names, and the graph's checksum."""
    for name, make in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say("=", name)
            value, update = make()
            local = tf.local_variables()
            stage.say(value.name, update.name, str(value.shape), [str(v.shape) for v in local])
            session.run(tf.local_variables_initializer())
            with stage.failing():
                stage.say(session.run(update), session.run(value))
            stage.brief_graph(names=False)


def metrics(tf, stage):
    m, f = tf.metrics, np.float32
    labels, values = [1.0, 0.0, 1.0, 0.0], [0.9, 0.6, 0.25, 0.1]

    def two(kind, given=labels, found=values, dtype=None, **options):
        def run():
            weights = options.get("weights")
            if callable(weights):
                options["weights"] = weights()
            return getattr(m, kind)(tf.constant(given, dtype), tf.constant(found, dtype), **options)

        return run

    def vague(kind, given=labels, found=values, dtype=f, shape=None, **options):
        def run():
            more = {k: v() if callable(v) else v for k, v in options.items()}
            return getattr(m, kind)(
                _unknown(tf, given, dtype, shape), _unknown(tf, found, dtype, shape), **more
            )

        return run

    half = [0.5, 1.0, 0.0, 2.0]
    cases = {}
    kinds = {
        "mean_squared_error": {},
        "root_mean_squared_error": {},
        "mean_absolute_error": {},
        "mean_relative_error": {"normalizer": [1.0, 2.0, 0.0, 4.0]},
        "mean_cosine_distance": {"dim": 0},
        "true_positives": {},
        "true_negatives": {},
        "false_positives": {},
        "false_negatives": {},
        "precision": {},
        "recall": {},
        "auc": {"num_thresholds": 4},
        "accuracy": {},
        "precision_at_thresholds": {"thresholds": [0.5, 0.2]},
        "recall_at_thresholds": {"thresholds": [0.5, 0.2]},
        "true_positives_at_thresholds": {"thresholds": [0.5]},
        "false_negatives_at_thresholds": {"thresholds": [0.5]},
        "true_negatives_at_thresholds": {"thresholds": [0.5]},
        "false_positives_at_thresholds": {"thresholds": [0.5]},
        "sensitivity_at_specificity": {"specificity": 0.5, "num_thresholds": 4},
        "specificity_at_sensitivity": {"sensitivity": 0.5, "num_thresholds": 4},
    }
    every = ("mean_squared_error", "mean_relative_error", "mean_cosine_distance")
    every += ("true_positives", "auc", "false_positives_at_thresholds")
    for kind, options in kinds.items():
        cases[kind] = two(kind, **options)
        cases[kind + " weighted"] = two(kind, weights=half, **options)
        if kind not in every:
            continue
        cases[kind + " one weight"] = vague(kind, weights=2.0, **options)
        cases[kind + " wrong weights"] = two(kind, weights=[1.0, 2.0], **options)
        cases[kind + " columns"] = vague(
            kind, [[x] for x in labels], [[x] for x in values], shape=[None, 1], **options
        )
        cases[kind + " other shape"] = two(kind, labels, values[:3], **options)
    cases.update(
        auc_pr=two("auc", curve="PR", num_thresholds=5),
        auc_minor=two("auc", summation_method="minoring", num_thresholds=5),
        auc_major=two("auc", curve="PR", summation_method="majoring", num_thresholds=5),
        auc_careful=two(
            "auc", curve="PR", summation_method="careful_interpolation", num_thresholds=5
        ),
        auc_wrong=two("auc", curve="ROCK"),
        auc_careful_roc=two("auc", summation_method="careful_interpolation"),
        auc_given=two("auc", thresholds=[0.3, 0.7], num_thresholds=4),
        auc_range=two("auc", found=[1.5, 0.0, 0.0, 0.0]),
        specificity_range=two("specificity_at_sensitivity", sensitivity=1.5),
        sensitivity_range=two("sensitivity_at_specificity", specificity=-1.0),
        relative_shape=two("mean_relative_error", normalizer=[1.0]),
        mean_empty=lambda: m.mean(tf.zeros([0])),
        mean_weights=lambda: m.mean(tf.constant([[1.0], [2.0]]), [[0.5], [0.0]]),
        mean_weights_flat=lambda: m.mean(_unknown(tf, [[1.0], [2.0]]), _unknown(tf, [0.5, 1.0])),
        mean_weights_more=lambda: m.mean(
            _unknown(tf, [1.0, 2.0]), tf.placeholder_with_default([[0.5], [1.0]], [None, 1])
        ),
        mean_integers=lambda: m.mean(tf.constant([1, 2, 4])),
        tensor=lambda: m.mean_tensor(tf.constant([1.0, 2.0]), tf.constant([0.0, 2.0])),
        tensor_unknown=lambda: m.mean_tensor(_unknown(tf, [1.0, 2.0])),
        below=lambda: m.percentage_below(tf.constant([0.1, 0.9]), 0.5, [1.0, 3.0]),
        iou=two("mean_iou", [0, 1, 1], [0, 1, 0], num_classes=2),
        iou_weights=two(
            "mean_iou",
            [0, 1, 1],
            [0, 1, 0],
            num_classes=2,
            weights=lambda: tf.constant([1.0, 0.5, 0.0]),
        ),
        iou_square=two("mean_iou", [[0, 1], [1, 2]], [[0, 2], [1, 2]], num_classes=3),
        iou_missing=two("mean_iou", [0, 0], [0, 0], num_classes=3),
        iou_far=two("mean_iou", [0, 5], [0, 1], num_classes=2),
        per_class=two("mean_per_class_accuracy", [0, 1, 1], [0, 1, 0], num_classes=2),
        per_class_weights=two(
            "mean_per_class_accuracy",
            [0, 1, 1],
            [0, 1, 0],
            num_classes=3,
            weights=lambda: tf.constant([1, 2, 0]),
        ),
        accuracy_texts=lambda: m.accuracy(tf.constant(["a", "b"]), tf.constant(["a", "c"])),
        accuracy_collections=lambda: m.accuracy(
            [1, 2], [1, 3], metrics_collections=["x"], updates_collections="y", name="mine"
        ),
        accuracy_collections_wrong=lambda: m.accuracy([1], [1], metrics_collections=3),
        booleans=two("precision", [True, False], [True, True]),
        integers=two("recall", [2, 0, 1], [1, 1, 0]),
    )
    _measured(tf, stage, cases)


def metrics_at_k(tf, stage):
    m = tf.metrics
    scores = [[0.1, 0.3, 0.2, 0.4], [0.4, 0.3, 0.2, 0.1]]

    def sparse():
        return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([3, 1, 2], np.int64), [2, 2])

    def of(
        kind, labels=lambda: tf.constant([[3, 1], [2, 2]], tf.int64), found=None, k=2, **options
    ):
        def run():
            more = {key: v() if callable(v) else v for key, v in options.items()}
            return getattr(m, kind)(
                labels(), tf.constant(scores if found is None else found), k, **more
            )

        return run

    cases = {}
    for kind in ("precision_at_k", "recall_at_k", "sparse_precision_at_k"):
        cases[kind] = of(kind)
        cases[kind + " sparse"] = of(kind, sparse)
        if kind == "sparse_precision_at_k":
            continue
        cases[kind + " class"] = of(kind, class_id=1)
        cases[kind + " sparse class"] = of(kind, sparse, class_id=1)
        cases[kind + " class absent"] = of(kind, class_id=0)
        cases[kind + " weights"] = of(kind, weights=[0.5, 2.0])
        cases[kind + " flat labels"] = of(kind, lambda: tf.constant([3, 2], tf.int64))
        cases[kind + " one"] = of(kind, k=1, name="mine")
        cases[kind + " zero"] = of(kind, k=0)
        cases[kind + " many"] = of(kind, k=5)
    for kind in ("average_precision_at_k", "sparse_average_precision_at_k"):
        cases[kind] = of(kind)
        cases[kind + " sparse"] = of(kind, sparse, k=3)
        cases[kind + " weights"] = of(kind, weights=[0.5, 2.0])
        cases[kind + " zero"] = of(kind, k=0)
    top = lambda: tf.constant([[3, 1], [0, 1]], tf.int64)  # noqa: E731
    labels = lambda: tf.constant([[3, 1], [2, 2]], tf.int64)  # noqa: E731
    cases.update(
        top_precision=lambda: m.precision_at_top_k(labels(), top(), 2),
        top_precision_class=lambda: m.precision_at_top_k(labels(), top(), class_id=3),
        top_recall=lambda: m.recall_at_top_k(labels(), top(), 2, weights=[1.0, 3.0]),
        top_recall_sparse=lambda: m.recall_at_top_k(sparse(), top()),
        top_average=lambda: tf.contrib.metrics.streaming_sparse_average_precision_at_top_k(
            top(), labels(), weights=[0.5, 1.0]
        ),
        top_average_scalar=lambda: tf.contrib.metrics.streaming_sparse_average_precision_at_top_k(
            tf.constant(1, tf.int64), labels()
        ),
        top_average_unknown=lambda: tf.contrib.metrics.streaming_sparse_average_precision_at_top_k(
            tf.placeholder(tf.int64, [2, None]), labels()
        ),
    )
    _measured(tf, stage, cases)


def losses(tf, stage):
    s, reduction = tf.losses, tf.losses.Reduction
    labels, found = [[1.0, 0.0], [0.0, 1.0]], [[0.75, 0.25], [0.5, 0.5]]

    def of(kind, *given, **options):
        def run():
            more = {k: v() if callable(v) else v for k, v in options.items()}
            values = [v() if callable(v) else tf.constant(v) for v in given]
            loss = getattr(s, kind)(*values, **more)
            stage.say(loss.name, [x.name for x in tf.get_collection("losses")])
            return loss

        return run

    def vague(value, shape=None, dtype=np.float32):
        return lambda: _unknown(tf, value, dtype, shape)

    kinds = {
        "log_loss": {"epsilon": 0.1},
        "cosine_distance": {"axis": 1},
        "sigmoid_cross_entropy": {"label_smoothing": 0.2},
        "softmax_cross_entropy": {"label_smoothing": 0.2},
        "mean_pairwise_squared_error": {},
    }
    cases = {}
    for kind, options in kinds.items():
        cases[kind] = of(kind, labels, found, **options)
        cases[kind + " weights"] = of(kind, labels, found, weights=[[0.5], [2.0]], **options)
        cases[kind + " zeros"] = of(kind, labels, found, weights=0.0, **options)
        if kind not in ("absolute_difference", "cosine_distance", "mean_pairwise_squared_error"):
            continue
        cases[kind + " unknown"] = of(kind, vague(labels), vague(found), **options)
        cases[kind + " unknown weights"] = of(
            kind, vague(labels), vague(found), weights=vague([[1.0], [0.0]]), **options
        )
        cases[kind + " shapes"] = of(kind, labels, [[1.0], [2.0]], **options)
        cases[kind + " no labels"] = of(kind, lambda: None, found, **options)
        cases[kind + " wrong weights"] = of(kind, labels, found, weights=[1.0, 2.0, 3.0], **options)
    for each in (*reduction.all(), "other"):
        cases["reduction " + each] = of("absolute_difference", labels, found, reduction=each)
        cases["softmax " + each] = of("softmax_cross_entropy", labels, found, reduction=each)
    for name, given, more in (
        ("plain", [1, 0], {}),
        ("column", [[1], [0]], {}),
        ("weights", [1, 0], {"weights": [0.5, 2.0]}),
        ("weights column", [1, 0], {"weights": [[0.5], [2.0]]}),
        ("rank", [[[1]], [[0]]], {}),
        ("shape", [1], {}),
        ("far", [1, 2], {}),
    ):
        cases["sparse " + name] = of("sparse_softmax_cross_entropy", given, found, **more)
    cases.update(
        sparse_unknown=of(
            "sparse_softmax_cross_entropy",
            vague([[1], [0]], dtype=np.int64),
            vague(found),
            weights=vague([[0.5], [1.0]]),
        ),
        sparse_half_known=of(
            "sparse_softmax_cross_entropy",
            vague([1, 0], [None], np.int64),
            vague(found, [None, 2]),
            weights=vague([0.5, 1.0]),
        ),
        cosine_no_axis=of("cosine_distance", labels, found),
        cosine_dim=of("cosine_distance", labels, found, dim=1),
        collection=of("huber_loss", labels, found, loss_collection="mine", scope="x"),
        no_collection=of("huber_loss", labels, found, loss_collection=None),
        scalar=of("absolute_difference", 1.0, 3.0),
        empty=of("mean_squared_error", lambda: tf.zeros([0, 2]), lambda: tf.zeros([0, 2])),
        integers=of("absolute_difference", [1, 2], [3, 5]),
        doubles=of("mean_squared_error", np.array([1.0]), np.array([3.0])),
        weighted=lambda: s.compute_weighted_loss(tf.constant([1.0, 2.0]), [0.5, 1.0]),
        weighted_integers=lambda: s.compute_weighted_loss(tf.constant([1, 2]), 2),
        weighted_halves=lambda: s.compute_weighted_loss(tf.constant([1.0, 2.0], tf.float16)),
        average=lambda: tf.nn.compute_average_loss(tf.constant([1.0, 2.0]), global_batch_size=4),
        average_weights=lambda: tf.nn.compute_average_loss(
            tf.constant([1.0, 2.0]), sample_weight=[0.5, 2.0]
        ),
        average_scalar=lambda: tf.nn.compute_average_loss(3.0),
        scaled=lambda: tf.nn.scale_regularization_loss(tf.constant([1.0, 2.0])),
        total=lambda: (s.add_loss(tf.constant(2.0)), s.get_total_loss(name="t"))[1],
        total_none=lambda: s.get_total_loss(),
        regularized=lambda: (
            tf.add_to_collection("regularization_losses", tf.constant(2.0)),
            s.get_regularization_loss(name="r"),
        )[1],
    )
    stage.each(cases, graph="sum")
