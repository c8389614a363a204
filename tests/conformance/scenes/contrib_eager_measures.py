"""tf.contrib.eager.metrics: options, repeated calls, errors."""

import numpy as np

from tests.conformance.scenes import eager_mode
from tests.conformance.scenes.contrib_eager_parts import _in_both, _start


def _floats(*x):
    return np.array(x, np.float32)


def _measured(tf, stage, cases):
    def told(read, make, calls):
        metric = make()
        stage.say(metric.name, metric.variables, metric.dtype)
        for args in calls:
            made = metric(*map(tf.convert_to_tensor, args))
            if metric.variables[0] not in told.started:
                _start(read)
                told.started.append(metric.variables[0])
            stage.say([str(x.dtype) for x in tf.nest.flatten(made)], read(made))
            result = metric.result()
            stage.say(result.dtype, result.shape, read(metric.variables), read(result))
        stage.say([(v.name, v.dtype.name, v.trainable) for v in metric.variables])
        value = metric.value()
        stage.say(callable(value), read(value() if callable(value) else value))
        read(metric.init_variables())
        stage.say(read(metric.variables), read(metric.result(write_summary=False)))
        made = metric(*map(tf.convert_to_tensor, calls[0]))
        stage.say(read(made), read(metric.variables))

    told.started = []
    for name, (make, calls) in cases.items():
        stage.say(name)
        _in_both(tf, stage, lambda read: told(read, make, calls))  # noqa: B023  called here


def right_ones(tf, stage):
    of = tf.contrib.eager.metrics
    cases = {
        "accuracy": (
            lambda: of.Accuracy(),
            [([1, 2, 3, 4], [1, 2, 0, 4]), ([0, 1], [1, 1], [0.25, 2.0])],
        ),
        "accuracy of text": (
            lambda: of.Accuracy("told", tf.float32),
            [(np.array(["a", "b"]), np.array(["a", "c"]))],
        ),
        "kinds": (lambda: of.Accuracy(), [([1, 2], [1.0, 2.0])]),
    }
    _measured(tf, stage, cases)


def right_classes(tf, stage):
    of = tf.contrib.eager.metrics
    cases = {
        "classes": (
            lambda: of.CategoricalAccuracy(dtype=tf.float32),
            [
                (_floats([0, 1], [1, 0]), _floats([0.2, 0.8], [0.3, 0.7])),
                (_floats([1, 1]), _floats([0.5, 0.5]), [3.0]),
            ],
        ),
        "class shapes": (lambda: of.CategoricalAccuracy("c"), [(_floats([0, 1]), _floats(0, 1))]),
    }
    _measured(tf, stage, cases)


def right_above(tf, stage):
    of = tf.contrib.eager.metrics
    cases = {
        "threshold": (
            lambda: of.BinaryAccuracy(0.5),
            [
                (_floats(1, 0, 1), _floats(0.5, 0.4, 0.6)),
                ([True, False], _floats(0.9, 0.9), _floats(1.0, 4.0)),
            ],
        ),
    }
    _measured(tf, stage, cases)


def right_of_sparse(tf, stage):
    of = tf.contrib.eager.metrics
    cases = {
        "sparse": (
            lambda: of.SparseAccuracy(),
            [
                (np.array([1, 0], "i"), _floats([0.2, 0.8], [0.3, 0.7])),
                (np.array([1], "i"), _floats([0.2, 0.8]), [0.5]),
            ],
        ),
        "sparse shapes": (
            lambda: of.SparseAccuracy("s", tf.float32),
            [(np.array([1, 0, 2], "i"), _floats([0.2, 0.8], [0.3, 0.7]))],
        ),
    }
    _measured(tf, stage, cases)


def own_measures(tf, stage):
    of = tf.contrib.eager.metrics

    class Largest(of.Metric):
        def build(self, values, floor=0.0):
            self.most = self.add_variable(
                "most", shape=[], dtype=tf.float32, initializer=tf.constant_initializer(floor)
            )
            self.count = self.add_variable("count", (), tf.int32, tf.constant_initializer(7))
            stage.say("built", tf.get_variable_scope().name, floor)

        def call(self, values, floor=0.0):
            self.most.assign(tf.maximum(self.most, tf.reduce_max(values)))
            self.count.assign_add(1)
            return tf.reduce_max(values) + floor

        def result(self):
            return self.most

    def told(read):
        one, two = Largest(), Largest("Largest")
        named = Largest("a b/c:d", use_global_variables=True)
        with tf.variable_scope("around"):
            inner = Largest(name="inner")
        stage.say([m.name for m in (one, two, named, inner)])
        made = [
            one(tf.constant([1.0, 3.0])),
            two(tf.constant(5.0), 6.0),
            named(tf.constant([1.0]), floor=2.5),
            inner(tf.constant([0.5])),
        ]
        _start(read)
        stage.say(read(made))
        variables = [v for m in (one, two, named, inner) for v in m.variables]
        stage.say([(v.name, v.shape, v.dtype.name) for v in variables])
        stage.say(read(variables))
        stage.attempts(
            lambda: one.add_variable("more", []),
            lambda: one.build(tf.constant(1.0)),
            lambda: one.aggregate([two]),
            lambda: one.aggregate([of.Mean()]),
            lambda: two.aggregate([]),
            lambda: of.Metric()(1.0),
            lambda: of.Metric("m").call(),
            lambda: of.Metric("m").result(),
        )
        others = [Largest(name="same") for _ in range(2)]
        for number, each in enumerate(others):
            with tf.variable_scope(f"s{number}"):
                stage.attempt(lambda: read(each(tf.constant(float(number)))))  # noqa: B023
        read(one.init_variables())
        stage.say(read(one.variables), read(two.variables))

    _in_both(tf, stage, told)
    with tf.Graph().as_default():
        metric = of.Mean("kept")
        first = metric(tf.constant([1.0, 2.0]))
        second = metric(tf.constant([6.0]))
        stage.say(first.shape, second.shape, metric.value() is metric.result)
        stage.say([v.name for v in tf.get_collection("metric_variables")])
        with tf.Session() as session:
            session.run(metric.init_variables())
            session.run([first, second])
            stage.say(session.run(metric.result()))
            asked = tf.placeholder_with_default(True, [])
            stage.say(session.run(metric.result(asked)), metric.result(write_summary=3).name)
        stage.brief_graph()


def added_up(tf, stage):
    of = tf.contrib.eager.metrics
    with tf.Graph().as_default(), eager_mode(tf):
        means = [of.Mean("same") for _ in range(3)]
        for number, mean in enumerate(means):
            mean(tf.constant([float(number), 10.0]))
        stage.say([v.name for m in means for v in m.variables])
        stage.attempt(means[0].aggregate, means[1:])
        stage.say([v for m in means for v in m.variables], means[0].result())
        stage.attempt(means[0].aggregate, [of.Accuracy()])
        stage.attempt(means[0].aggregate, [of.Mean("other")])
        other = of.Mean("another")
        other(tf.constant([4.0]))
        stage.attempt(means[0].aggregate, [other])
        stage.say(means[0].variables)
