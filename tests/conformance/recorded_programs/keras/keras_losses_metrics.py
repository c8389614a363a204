"""All losses and metrics of Keras on one output, as functions and as objects."""

import numpy as np

TOLERANCE = 2e-4  # another summation order
LOSSES = (
    *("mse", "mae", "mape", "msle", "hinge", "squared_hinge", "categorical_hinge", "logcosh"),
    *("categorical_crossentropy", "binary_crossentropy", "kullback_leibler_divergence", "poisson"),
    *("cosine_proximity",),
)
CLASSES = (
    *("MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "Hinge", "Poisson"),
    *("MeanSquaredLogarithmicError", "SquaredHinge", "CategoricalHinge", "KLDivergence"),
    *("BinaryCrossentropy", "CategoricalCrossentropy", "CosineSimilarity"),
)


def build(tf):
    losses, metrics = tf.keras.losses, tf.keras.metrics
    draw = np.random.RandomState(3)
    y_true = tf.constant((draw.rand(4, 3) > 0.5).astype(np.float32))
    y_pred = tf.constant(draw.rand(4, 3).astype(np.float32))
    weights = tf.constant(draw.rand(4).astype(np.float32))
    numbers = tf.constant([0, 2, 1, 1])
    steps = [(name, getattr(losses, name)(y_true, y_pred), None) for name in LOSSES]
    soft = tf.nn.softmax(y_pred)
    steps += [
        ("sparse", losses.sparse_categorical_crossentropy(numbers, y_pred), None),
        ("of a softmax", losses.categorical_crossentropy(y_true, soft), None),
        ("of logits", losses.binary_crossentropy(y_true, y_pred, from_logits=True), None),
        ("smoothed", losses.categorical_crossentropy(y_true, y_pred, label_smoothing=0.1), None),
        ("Huber", losses.Huber(0.5)(y_true, y_pred), None),
        ("sum", losses.MeanSquaredError(reduction="sum")(y_true, y_pred, weights), None),
        ("none", losses.LogCosh(reduction="none")(y_true, y_pred, weights), None),
    ]
    made = []
    for name in CLASSES:
        steps.append((name, getattr(losses, name)()(y_true, y_pred, sample_weight=weights), None))
        made.append((getattr(metrics, name)(), (y_true, y_pred)))
    made += [
        (metrics.BinaryAccuracy(threshold=0.4), (y_true, y_pred)),
        (metrics.CategoricalAccuracy(), (y_true, y_pred)),
        (metrics.SparseCategoricalAccuracy(), (numbers, y_pred)),
        (metrics.TopKCategoricalAccuracy(k=2), (y_true, y_pred)),
        (metrics.SparseTopKCategoricalAccuracy(k=2), (numbers, y_pred)),
        (metrics.RootMeanSquaredError(), (y_true, y_pred)),
        (metrics.MeanRelativeError(normalizer=[[1.0, 2.0, 3.0]]), (y_true, y_pred)),
        (metrics.Accuracy(), (y_true, y_true)),
        (metrics.Mean(), (y_pred,)),
        (metrics.Sum(), (y_pred,)),
    ]
    results = [metric(*given) for metric, given in made]
    variables = [v.initializer for metric, _ in made for v in metric.variables]
    steps += [("start", variables, None)]
    for metric, result in zip((m for m, _ in made), results):
        steps += [(metric.name, result, None), (metric.name + " again", result, None)]
    facts = {"variables": [v.name for metric, _ in made for v in metric.variables]}
    facts["configs"] = str([sorted(metric.get_config().items()) for metric, _ in made[:-4]])
    return {"facts": facts, "steps": steps}
