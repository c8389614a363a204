"""tf.contrib.metrics: each metric over several batches, with weights, options, collections; errors."""

# ruff: noqa: E731

LABELS = [[1, 0, 1, 1], [0, 1], [1, 1, 0, 0, 1]]
SCORES = [[0.9, 0.4, 0.4, 0.1], [0.75, 0.5], [0.25, 1.0, 0.0, 0.6, 0.6]]
WEIGHTS = [[1.0, 2.0, 0.5, 1.0], [0.0, 3.0], [1.0, 0.25, 2.0, 1.0, 0.0]]


def _batches(tf, stage, measures, flat=False):
    """Records metrics before, during and after three batches, and the resulting graph."""
    for name, make in measures.items():
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            stage.say(name)
            labels = tf.placeholder(tf.int64, [None], "labels")
            scores = tf.placeholder(tf.float32, [None], "scores")
            weights = tf.placeholder(tf.float32, [None], "weights")
            value, update = make(labels, scores, weights)
            stage.say(
                [(t.name, str(t.shape), t.dtype) for t in tf.nest.flatten(value)], update.name
            )
            stage.brief_graph(names=False)
            kept = {
                k: [v.name for v in graph.get_collection(k)] for k in ("m", "u", "local_variables")
            }
            stage.say(kept)
            session.run(tf.local_variables_initializer())
            first = dict(zip((labels, scores, weights), (LABELS[0], SCORES[0], WEIGHTS[0])))
            with stage.failing():
                stage.say(session.run(value, first))
            for each in zip(LABELS, SCORES, WEIGHTS):
                feed = dict(zip((labels, scores, weights), each))
                with stage.failing():
                    stage.say(session.run(update, feed))
                    stage.say(session.run(value, feed))


def spreads(tf, stage):
    of = tf.contrib.metrics
    floats = lambda labels: tf.cast(labels, tf.float32)
    more = {"metrics_collections": ["m"], "updates_collections": ["u"], "name": "own"}
    _batches(
        tf,
        stage,
        {
            "covariance": lambda y, x, w: of.streaming_covariance(x, floats(y)),
            "weighted covariance": lambda y, x, w: of.streaming_covariance(
                x, floats(y), w, ["m"], ["u"], "own"
            ),
            "correlation": lambda y, x, w: of.streaming_pearson_correlation(x, floats(y)),
            "weighted correlation": lambda y, x, w: of.streaming_pearson_correlation(
                x, floats(y), w, **more
            ),
            "correlation, one weight": lambda y, x, w: of.streaming_pearson_correlation(
                x, floats(y), 0.5
            ),
            "count": lambda y, x, w: of.count(x),
            "weighted count": lambda y, x, w: of.count(x, w, **more),
            "count of a weight": lambda y, x, w: of.count(y, 2),
            "kappa": lambda y, x, w: of.cohen_kappa(y, tf.cast(x * 2, tf.int64), 3),
            "weighted kappa": lambda y, x, w: of.cohen_kappa(
                y, tf.cast(x * 2, tf.int64), 4, w, **more
            ),
            "kappa, whole weights": lambda y, x, w: of.cohen_kappa(
                tf.expand_dims(y, 1), tf.cast(x * 2, tf.int64), 3, tf.cast(w, tf.int64)
            ),
            "kappa of one": lambda y, x, w: of.cohen_kappa(y, y, 1),
            "cosines": lambda y, x, w: of.streaming_mean_cosine_distance(
                tf.stack([x, 1 - x], 1), tf.stack([floats(y), x], 1), 1
            ),
            "weighted cosines": lambda y, x, w: of.streaming_mean_cosine_distance(
                tf.stack([x, 1 - x], 1),
                tf.stack([floats(y), x], 1),
                1,
                tf.expand_dims(w, 1),
                **more,
            ),
        },
    )


def more_curves(tf, stage):
    of = tf.contrib.metrics
    bools = lambda labels: tf.cast(labels, tf.bool)
    more = {"metrics_collections": ["m"], "updates_collections": ["u"], "name": "own"}
    _batches(
        tf,
        stage,
        {
            "interval": lambda y, x, w: of.auc_with_confidence_intervals(y, x),
            "interval, weights": lambda y, x, w: of.auc_with_confidence_intervals(
                y, x, w, 0.5, False, **more
            ),
            "interval, weights of logits": lambda y, x, w: of.auc_with_confidence_intervals(
                y, x, w * 0.3
            ),
            "interval of all": lambda y, x, w: of.auc_with_confidence_intervals(y, x, alpha=1.0),
            "interval, labels": lambda y, x, w: of.auc_with_confidence_intervals(y - 1, x),
            "histograms": lambda y, x, w: of.auc_using_histogram(bools(y), x, [0.0, 1.0], 4),
            "histograms, clipped": lambda y, x, w: of.auc_using_histogram(
                bools(y),
                x,
                [0.25, 0.5],
                nbins=3,
                collections=["local_variables", "m"],
                check_shape=False,
                name="own",
            ),
            "histograms of numbers": lambda y, x, w: of.auc_using_histogram(y, x, [0.0, 1.0]),
            "histograms of rows": lambda y, x, w: of.auc_using_histogram(
                tf.expand_dims(tf.expand_dims(bools(y), 1), 1),
                tf.expand_dims(tf.expand_dims(x, 1), 1),
                [0.0, 1.0],
            ),
        },
    )


def counts_at_thresholds(tf, stage):
    of = tf.contrib.metrics
    bools = lambda labels: tf.cast(labels, tf.bool)
    more = {"metrics_collections": ["m"], "updates_collections": ["u"], "name": "own"}
    cases = {
        "equal": lambda y, x, w: of.precision_recall_at_equal_thresholds(
            bools(y), x, num_thresholds=3
        ),
        "equal, weights": lambda y, x, w: of.precision_recall_at_equal_thresholds(
            bools(y), x, w, 4, False, "own"
        ),
        "equal, numbers": lambda y, x, w: of.precision_recall_at_equal_thresholds(y, x),
        "equal, outside": lambda y, x, w: of.precision_recall_at_equal_thresholds(
            bools(y), x * 2 - 0.1, None, 2
        ),
        "precision at recall": lambda y, x, w: of.precision_at_recall(y, x, 0.7),
        "weighted precision": lambda y, x, w: of.precision_at_recall(y, x, 0.5, w, 6, **more),
        "precision of none": lambda y, x, w: of.precision_at_recall(y, x, 1.5),
        "recall at precision": lambda y, x, w: of.recall_at_precision(y, x, 0.7),
        "recall, strict": lambda y, x, w: of.recall_at_precision(
            y, x, 0.9, w, 6, strict_mode=True, **more
        ),
        "recall of none": lambda y, x, w: of.recall_at_precision(y, x, -0.5),
        "f1": lambda y, x, w: of.f1_score(y, x),
        "weighted f1": lambda y, x, w: of.f1_score(y, x, w, 5, **more),
    }
    _batches(tf, stage, cases)
