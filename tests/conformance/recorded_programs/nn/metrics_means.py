"""tf.metrics of means and errors: weights of all ranks, collections, scopes, several batches, a reset."""

import numpy as np


def build(tf):
    metrics = tf.metrics
    labels = tf.placeholder(tf.float32, [None, 2], name="labels")
    guesses = tf.placeholder(tf.float32, [None, 2], name="guesses")
    column = tf.placeholder(tf.float32, [None, 1], name="column")
    fixed = tf.placeholder(tf.float32, [2, 2], name="fixed")
    classes = tf.constant([0, 1, 2, 1], name="classes")
    made = [
        metrics.mean(labels),
        metrics.mean(labels, 0.5, ["metrics"], ["updates", "more"], name="half"),
        metrics.mean([1, 2, 3], [1.0, 0.0, 2.0]),
        metrics.mean(labels, column, "metrics", "updates"),
        metrics.mean_tensor(fixed),
        metrics.mean_tensor(fixed, [[1.0], [0.0]], name="each"),
        metrics.accuracy(classes, tf.constant([0, 2, 2, 1])),
        metrics.accuracy(classes, tf.constant([[0.0], [1.0], [2.0], [0.0]]), [1, 1, 0, 2]),
        metrics.accuracy(tf.constant(["a", "b"]), tf.constant(["a", "c"]), name="words"),
        metrics.mean_absolute_error(labels, guesses),
        metrics.mean_squared_error(labels, guesses, column),
        metrics.root_mean_squared_error(labels, guesses, updates_collections="updates"),
        metrics.mean_cosine_distance(labels, guesses, 1, metrics_collections="metrics"),
        metrics.mean_cosine_distance(labels, guesses, 1, column, name="cosine"),
        metrics.mean_relative_error(labels, guesses, labels),
        metrics.percentage_below(guesses, 0.5),
        metrics.percentage_below(guesses, tf.constant(1.0), weights=column, name="below"),
    ]
    values, updates = zip(*made)
    rng = np.random.RandomState(2)
    feeds = []
    for size in (3, 1, 4):
        batch = rng.rand(3, size, 2).round(1)
        square = rng.rand(2, 2).round(1)
        feed = {labels: batch[0], guesses: batch[1], column: batch[2, :, :1], fixed: square}
        feeds.append(feed)
    return {
        "facts": {
            "shapes": [str(part.shape) for pair in made for part in pair],
            "local": [v.name for v in tf.local_variables()],
            "metrics": [v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)],
            "collected": [v.name for v in tf.get_collection("metrics")],
            "updates": [v.name for v in tf.get_collection("updates") + tf.get_collection("more")],
        },
        "steps": [
            ("initialize", tf.local_variables_initializer()),
            ("before", values),
            *[("update", updates, feed) for feed in feeds],
            ("after", values),
            ("reset", tf.local_variables_initializer()),
            ("again", updates, feeds[1]),
        ],
    }
