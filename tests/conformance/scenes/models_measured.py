"""Keras's optimizers, schedules, losses and metrics in eager mode: every option, rows, two steps, restored states."""

import functools

import numpy as np

from tests.conformance import scenes


def _eagerly(scene):
    """Runs the scene in eager mode, and in a separate graph."""

    @functools.wraps(scene)
    def inside(tf, stage):
        with tf.Graph().as_default(), scenes.eager_mode(tf):
            scene(tf, stage)

    return inside


def _stepped(tf, stage, optimizer, dtype=np.float32, constraint=None):
    """Records a dense and a sparse variable after each of three steps, one of them without rows."""
    w = tf.Variable(np.array([1.0, -2.0], dtype), name="w", constraint=constraint)
    table = tf.Variable(np.ones([4, 2], dtype), name="table")
    for rows in ([2, 0, 2], [1], []):
        grads = (
            tf.constant(np.array([0.5, -3.0], dtype)),
            tf.IndexedSlices(
                tf.ones([len(rows), 2], table.dtype) * 0.25, tf.constant(rows, tf.int32), [4, 2]
            ),
        )
        optimizer.apply_gradients(zip(grads, (w, table)))
        stage.say(w, table)
    return w, table


@_eagerly
def optimizers(tf, stage):
    of, k = tf.keras.optimizers, tf.keras.optimizers.schedules
    cases = (
        (of.SGD, {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
        (of.SGD, {"lr": 0.5, "decay": 0.5, "name": "own"}),
        (of.SGD, {"learning_rate": k.ExponentialDecay(1.0, 1, 0.5)}),
        (of.SGD, {"learning_rate": lambda: 0.25, "momentum": lambda: 0.5}),
        (of.Adagrad, {"initial_accumulator_value": 0.5, "epsilon": 0.1}),
        (of.Adadelta, {"learning_rate": 1.0, "rho": 0.5, "epsilon": 0.1}),
        (of.Adam, {"learning_rate": 0.5, "beta_1": 0.5, "beta_2": 0.25, "epsilon": 0.1}),
        (of.Adam, {"amsgrad": True, "decay": 0.5}),
        (of.Adamax, {"learning_rate": 0.5, "beta_1": 0.5, "beta_2": 0.25}),
        (of.Nadam, {"learning_rate": 0.5, "beta_1": 0.5, "beta_2": 0.25, "schedule_decay": 0.5}),
        (of.RMSprop, {"learning_rate": 0.5, "rho": 0.5, "epsilon": 0.1}),
        (of.RMSprop, {"centered": True, "momentum": 0.5}),
        (of.RMSprop, {"centered": True, "rho": 0.5, "epsilon": 0.5}),
        (of.RMSprop, {"momentum": 0.5, "decay": 0.1}),
        (
            of.Ftrl,
            {
                "learning_rate_power": -0.25,
                "initial_accumulator_value": 0.5,
                "l1_regularization_strength": 0.1,
                "l2_regularization_strength": 0.2,
            },
        ),
        (of.Ftrl, {"l2_shrinkage_regularization_strength": 0.1}),
    )
    for make, options in cases:
        stage.say(make.__name__, sorted(options))
        with stage.failing():
            optimizer = make(**options)
            w, table = _stepped(tf, stage, optimizer)
            names = optimizer.get_slot_names()
            stage.say(names, [optimizer.get_slot(w, name).numpy() for name in names])
            stage.say([v.name for v in optimizer.variables()], optimizer.iterations)
            stage.say([np.shape(v) for v in optimizer.get_weights()], optimizer.lr is None)
        with stage.failing():
            config = optimizer.get_config()
            stage.say(sorted(config.items()))
            again = make.from_config(config)
            stage.say(sorted(again.get_config()) == sorted(config), again.get_config()["name"])
    _stepped(tf, stage, of.Adam(0.5), np.float64)
    _stepped(tf, stage, of.SGD(0.5), np.float16)
    _stepped(tf, stage, of.SGD(0.5), constraint=lambda w: tf.clip_by_value(w, 0.0, 0.5))


@_eagerly
def optimizers_used(tf, stage):
    of = tf.keras.optimizers
    w = tf.Variable([3.0, 4.0], name="w")
    none = tf.Variable([1.0], name="none")
    table = tf.Variable(tf.ones([2, 2]), name="table", constraint=lambda x: x)
    loss = lambda: tf.reduce_sum(w * w)  # noqa: E731
    for options in ({"clipnorm": 1.0}, {"clipvalue": 0.5}, {"clipnorm": 1.0, "clipvalue": 0.5}):
        with stage.failing():
            optimizer = of.SGD(1.0, **options)
            optimizer.minimize(loss, [w])
            stage.say(w, sorted(optimizer.get_config().items()))
    optimizer = of.SGD(0.25, momentum=0.5)
    rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), [2, 2])
    stage.attempts(
        lambda: optimizer.minimize(loss, lambda: [w], name="named") and w,
        lambda: optimizer.minimize(loss, [w], grad_loss=tf.constant(0.5)) and w,
        lambda: optimizer.minimize(loss, [w, none]) and none,
        lambda: optimizer.minimize(loss, [none]),
        lambda: optimizer.minimize(3.0, [none]),
        lambda: optimizer.apply_gradients([]),
        lambda: optimizer.apply_gradients([(None, w)]),
        lambda: optimizer.apply_gradients([(rows, table)]),
        lambda: optimizer.get_slot(w, "momentum"),
        lambda: optimizer.get_slot(w, "none"),
        lambda: optimizer.get_slot(table, "momentum"),
        lambda: optimizer.add_slot(w, "momentum").name,
        lambda: optimizer.add_slot(w, "own", "ones"),
        lambda: optimizer.add_slot(w, "other", tf.constant([5.0, 6.0])),
        lambda: optimizer.get_slot_names(),
        lambda: optimizer.set_weights([]),
        lambda: optimizer.set_weights([np.zeros(3)] * len(optimizer.weights)),
        lambda: optimizer.set_weights([x + 1 for x in optimizer.get_weights()]),
        lambda: (optimizer.get_weights(), optimizer.iterations),
        lambda: optimizer.learning_rate,
        lambda: setattr(optimizer, "lr", 0.5),
        lambda: (optimizer.lr, optimizer.momentum, optimizer.nesterov),
        lambda: setattr(optimizer, "learning_rate", of.schedules.ExponentialDecay(1.0, 2, 0.5)),
        lambda: sorted(optimizer.get_config()["learning_rate"]["config"].items(), key=str),
        lambda: optimizer.minimize(loss, [w]) and w,
        lambda: optimizer.none,
        lambda: setattr(optimizer, "iterations", tf.Variable(3)),
        lambda: setattr(of.SGD(), "iterations", tf.Variable(3)),
        lambda: of.get("sgd").get_config()["learning_rate"],
        lambda: of.get("RMSprop").get_config()["epsilon"],
        lambda: of.get({"class_name": "adam", "config": {"lr": 0.5}}).get_config()["learning_rate"],
        lambda: of.get({"class_name": "none", "config": {}}),
        lambda: of.get(optimizer) is optimizer,
        lambda: type(of.get(tf.train.AdamOptimizer())).__name__,
        lambda: of.get(3),
        lambda: of.get(None),
        lambda: sorted(of.serialize(of.Adam(0.5))),
        lambda: of.deserialize(of.serialize(of.Adam(0.5))).get_config()["learning_rate"],
        lambda: of.SGD(momentum=-1.0),
        lambda: of.SGD(clipnorm=-1.0),
        lambda: of.SGD(0.1, none=1),
        lambda: of.Adagrad(initial_accumulator_value=-1.0),
        lambda: of.Ftrl(learning_rate_power=1.0),
        lambda: of.Ftrl(initial_accumulator_value=-1.0),
        lambda: of.Ftrl(l1_regularization_strength=-1.0),
        lambda: of.Ftrl(l2_regularization_strength=-1.0),
        lambda: of.Ftrl(l2_shrinkage_regularization_strength=-1.0),
        lambda: of.RMSprop(momentum=2.0),
        lambda: of.Nadam(of.schedules.ExponentialDecay(1.0, 2, 0.5)),
    )


_TRUE = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], np.float32)
_FOUND = np.array([[0.75, 0.25], [0.5, 0.125], [0.875, 0.0]], np.float32)


@_eagerly
def losses(tf, stage):
    of = tf.keras.losses
    weights = np.array([1.0, 0.0, 2.0], np.float32)
    cases = [
        (of.MeanSquaredError, {}),
        (of.MeanAbsoluteError, {}),
        (of.MeanAbsolutePercentageError, {}),
        (of.MeanSquaredLogarithmicError, {}),
        (of.BinaryCrossentropy, {"from_logits": True, "label_smoothing": 0.5}),
        (of.BinaryCrossentropy, {"label_smoothing": 0.25}),
        (of.CategoricalCrossentropy, {"label_smoothing": 0.5}),
        (of.CategoricalCrossentropy, {"from_logits": True}),
        (of.Hinge, {}),
        (of.SquaredHinge, {}),
        (of.CategoricalHinge, {}),
        (of.LogCosh, {}),
        (of.Poisson, {}),
        (of.KLDivergence, {}),
        (of.Huber, {"delta": 0.25}),
        (of.CosineSimilarity, {"axis": 0}),
        (of.CosineSimilarity, {}),
    ]
    for make, options in cases:
        stage.say(make.__name__, sorted(options))
        for reduction in ("auto", "none", "sum", "sum_over_batch_size"):
            with stage.failing():
                loss = make(reduction=reduction, **options)
                stage.say(loss(_TRUE, _FOUND), loss(_TRUE, _FOUND, sample_weight=weights))
        with stage.failing():
            stage.say(loss.name, sorted(loss.get_config().items(), key=str))
            again = make.from_config(loss.get_config())
            stage.say(again(_TRUE, _FOUND), again(_TRUE.tolist(), _FOUND.tolist(), 0.5))
            stage.say(loss(_TRUE.astype(np.float64), _FOUND.astype(np.float64)))
            stage.say(loss(_TRUE[:0], _FOUND[:0]), loss(_TRUE[:1], _FOUND[:1]))
    sparse = of.SparseCategoricalCrossentropy
    ids, found = np.array([1, 0, 1]), tf.constant(_FOUND)
    stage.attempts(
        lambda: sparse()(ids, found),
        lambda: sparse()(np.array([1, 5, 0]), found),
        lambda: of.MeanSquaredError("other"),
        lambda: of.MeanSquaredError("mean"),
        lambda: of.MeanSquaredError()(_TRUE, _FOUND, np.ones([3, 2])),
        lambda: of.MeanSquaredError()(_TRUE[:2], _FOUND),
        lambda: of.MeanSquaredError()(None, _FOUND),
        lambda: of.get(None),
        lambda: of.serialize(of.mean_squared_error),
        lambda: of.hinge(np.array([[1.0, -1.0]]), np.array([[0.5, 0.5]])),
    )


@_eagerly
def metrics(tf, stage):
    of = tf.keras.metrics
    weights = np.array([1.0, 0.0, 2.0], np.float32)
    ids, ones = np.array([[1], [0], [1]]), np.array([[1.0], [0.0], [1.0]], np.float32)
    scores = np.array([[0.75], [0.5], [0.25]], np.float32)
    pairs = {
        of.Accuracy: (ids, np.array([[1], [1], [1]])),
        of.BinaryAccuracy: (ones, scores),
        of.CategoricalAccuracy: (_TRUE, _FOUND),
        of.SparseCategoricalAccuracy: (ids, _FOUND),
        of.TopKCategoricalAccuracy: (_TRUE, _FOUND),
        of.SparseTopKCategoricalAccuracy: (ids, _FOUND),
        of.MeanSquaredError: (_TRUE, _FOUND),
        of.RootMeanSquaredError: (_TRUE, _FOUND),
        of.MeanRelativeError: (_TRUE, _FOUND),
        of.CosineSimilarity: (_TRUE, _FOUND),
        of.LogCoshError: (_TRUE, _FOUND),
        of.BinaryCrossentropy: (_TRUE, _FOUND),
        of.CategoricalCrossentropy: (_TRUE, _FOUND),
        of.SparseCategoricalCrossentropy: (ids, _FOUND),
        of.Precision: (ones, scores),
        of.Recall: (ones, scores),
        of.TruePositives: (ones, scores),
        of.FalsePositives: (ones, scores),
        of.TrueNegatives: (ones, scores),
        of.FalseNegatives: (ones, scores),
        of.AUC: (ones, scores),
        of.SensitivityAtSpecificity: (ones, scores),
        of.SpecificityAtSensitivity: (ones, scores),
        of.MeanIoU: (ids, np.array([[1], [1], [1]])),
    }
    cases = [
        (of.Accuracy, {}),
        (of.BinaryAccuracy, {"threshold": 0.25}),
        (of.CategoricalAccuracy, {"name": "own"}),
        (of.SparseCategoricalAccuracy, {}),
        (of.TopKCategoricalAccuracy, {"k": 1}),
        (of.SparseTopKCategoricalAccuracy, {"k": 1}),
        (of.MeanSquaredError, {"dtype": "float64"}),
        (of.RootMeanSquaredError, {}),
        (of.MeanRelativeError, {"normalizer": [1.0, 2.0]}),
        (of.CosineSimilarity, {"axis": 0}),
        (of.LogCoshError, {}),
        (of.BinaryCrossentropy, {"label_smoothing": 0.5}),
        (of.CategoricalCrossentropy, {"from_logits": True}),
        (of.SparseCategoricalCrossentropy, {"from_logits": True}),
        (of.Precision, {"thresholds": [0.25, 0.75]}),
        (of.Precision, {"top_k": 1, "class_id": 0}),
        (of.Recall, {"thresholds": 0.5}),
        (of.Recall, {"class_id": 0}),
        (of.TruePositives, {}),
        (of.FalsePositives, {"thresholds": [0.0, 0.5]}),
        (of.TrueNegatives, {}),
        (of.FalseNegatives, {}),
        (of.AUC, {"num_thresholds": 4, "summation_method": "majoring"}),
        (of.AUC, {"num_thresholds": 4, "curve": "PR", "summation_method": "minoring"}),
        (of.AUC, {"thresholds": [0.3, 0.6], "curve": "PR"}),
        (of.SensitivityAtSpecificity, {"specificity": 0.5, "num_thresholds": 5}),
        (of.SpecificityAtSensitivity, {"sensitivity": 0.5, "num_thresholds": 5}),
        (of.MeanIoU, {"num_classes": 2}),
    ]
    for make, options in cases:
        stage.say(make.__name__, sorted(options))
        with stage.failing():
            metric, (true, found) = make(**options), map(tf.constant, pairs[make])
            stage.say(metric.name, metric.dtype, metric.result(), [v.name for v in metric.weights])
            stage.say(metric(true, found), metric(true, found, sample_weight=tf.constant(weights)))
            metric.update_state(true[:1], found[:1])
            stage.say(metric.result(), metric.get_weights())
            metric.reset_states()
            stage.say(metric.result(), metric.stateful, metric.trainable_weights)
        with stage.failing():
            config = metric.get_config()
            stage.say(sorted(config.items(), key=str))
            stage.say(make.from_config(config)(true, found))
    mean, tensor = of.Mean(name="m"), of.MeanTensor()
    stage.attempts(
        lambda: tensor.result(),
        lambda: (tensor([1.0, 2.0]), tensor([3.0, 5.0], sample_weight=[0.0, 2.0])),
        lambda: tensor([1.0, 2.0, 3.0]),
        lambda: tensor.update_state([[1.0, 2.0], [3.0, 4.0]]),
        lambda: (tensor.reset_states(), tensor.result(), tensor.count, tensor.total),
        lambda: of.Precision(thresholds=[None]),
        lambda: of.AUC(curve="none"),
        lambda: of.AUC(summation_method="none"),
        lambda: of.SensitivityAtSpecificity(1.5),
        lambda: of.SpecificityAtSensitivity(0.5, num_thresholds=0),
        lambda: of.Recall()([1.0], [1.5]),
        lambda: of.MeanIoU(2)(tf.constant([3]), tf.constant([0])),
        lambda: of.get("acc").__name__,
        lambda: of.get(3),
        lambda: of.serialize(mean),
        lambda: of.sparse_categorical_accuracy(ids, _FOUND),
        lambda: of.sparse_categorical_accuracy(*map(tf.constant, (ids[:, 0], _FOUND))),
        lambda: of.BinaryAccuracy()(_TRUE, _FOUND[:2]),
        lambda: of.Mean()([]),
    )
