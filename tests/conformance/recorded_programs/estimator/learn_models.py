"""`contrib.learn.models`: regressions, and recurrent networks feeding them; one as an Estimator in a predictor."""

import tempfile

import numpy as np

X = np.random.RandomState(0).randn(6, 4).astype("f")
Y = X[:, :1] * 2 - X[:, 1:2]


def build(tf):
    learn = tf.contrib.learn
    models = learn.models
    x = tf.placeholder(tf.float32, [6, 4], "x")
    y, flat = tf.constant(Y), tf.constant(Y[:, 0])
    two = tf.one_hot(tf.cast(y[:, 0] > 0, tf.int32), 2)
    made = []

    def apart(name, call):
        with tf.variable_scope(name):
            made.append((name, call()))

    apart("linear", lambda: models.linear_regression(x, y))
    apart("flat", lambda: models.linear_regression(x, flat, 0.5, 0.1))
    apart("zero", lambda: models.linear_regression_zero_init(x, y))
    apart("logistic", lambda: models.logistic_regression(x, two))
    apart("zeros", lambda: models.logistic_regression_zero_init(x, two))
    class_weight = tf.constant([1.0, 2.0], name="class_weight")
    apart("weighed", lambda: models.logistic_regression(x, two, init_mean=0.0))
    last = models.linear_regression

    def net(kind, both=False, attention=None):
        sizes = [attention] * 3
        given = lambda t: tf.split(t, 2, 1)  # noqa: E731
        return models.get_rnn_model(3, kind, 2, given, both, last, None, None, *sizes)

    apart("rnn", lambda: net("rnn")(x, y))
    apart("gru", lambda: net("gru", both=True)(x, y))
    apart("lstm", lambda: net("lstm", attention=2)(x, y))
    parts = learn.ops
    apart("sex", lambda: [parts.categorical_variable([[0, 1], [1, 2]], 3, 4, "sex")])
    apart("squared", lambda: parts.mean_squared_error_regressor(x, flat, X[:4, :1], [0.5]))
    ids = tf.constant([[0, 2]])
    apart("classes", lambda: parts.softmax_classifier(x, two, X[:4, :2], [0.0, 1.0], [1.0, 2.0]))
    apart("rows", lambda: [parts.embedding_lookup(tf.constant(X), ids, "rows")])
    pairs = lambda size: tf.reshape(x[:, :size], [6, 2, -1])  # noqa: E731
    inputs, fed, labels = parts.seq2seq_inputs(pairs(4), pairs(4), 2, 2)
    cells = [tf.nn.rnn_cell.GRUCell(2) for _ in range(2)]
    apart("decoded", lambda: parts.rnn_seq2seq(inputs, fed, *cells)[::2])
    decoded = made.pop()[1]
    apart("sequence", lambda: parts.sequence_classifier(decoded[0], labels + [two], decoded[1]))
    made.append(("decoded", decoded[0] + decoded[1]))
    facts = {"class_weight": class_weight.name}
    wrong = {
        "cell": lambda: net("none")(x, y),
        "cells": lambda: models.bidirectional_rnn(1, 2, [x]),
        "list": lambda: models.bidirectional_rnn(*[tf.nn.rnn_cell.GRUCell(2)] * 2, inputs=x),
        "empty": lambda: models.bidirectional_rnn(*[tf.nn.rnn_cell.GRUCell(2)] * 2, inputs=[]),
    }
    for name, call in wrong.items():
        try:
            call()
        except (ValueError, TypeError) as error:
            facts[name] = [type(error).__name__, str(error)]

    def model(features, labels, mode):
        outputs = tf.layers.dense(features["x"], 1)
        loss = train = None
        if mode != learn.ModeKeys.INFER:
            loss = tf.losses.mean_squared_error(labels, outputs)
        if mode == learn.ModeKeys.TRAIN:
            step = tf.train.get_global_step()
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        return learn.ModelFnOps(mode, {"y": outputs}, loss, train)

    def served():
        fed = tf.placeholder(tf.float32, [None, 4])
        return learn.InputFnOps({"x": fed}, None, {"x": fed})

    with tempfile.TemporaryDirectory() as folder:
        estimator = learn.Estimator(model, folder, learn.RunConfig(tf_random_seed=1))
        estimator.fit(input_fn=lambda: ({"x": tf.constant(X)}, tf.constant(Y)), steps=3)
        predictor = tf.contrib.predictor
        predict = predictor.from_contrib_estimator(estimator, served)
        found = predict({"x": X})["y"]
        for key in ("a", None):
            try:
                predictor.from_contrib_estimator(
                    estimator if key else tf.estimator.Estimator(lambda features: None, folder),
                    served,
                    output_alternative_key=key,
                )
            except (ValueError, TypeError) as error:
                facts[str(key)] = [type(error).__name__, str(error)]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    steps = [("init", tf.global_variables_initializer())]
    steps += [(name, list(each), {x: X}) for name, each in made]
    fed = tf.placeholder(tf.float32)
    steps.append(("predicted", tf.identity(fed), {fed: found}))
    return {"steps": steps, "facts": facts}
