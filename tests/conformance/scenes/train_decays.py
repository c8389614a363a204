"""Learning rates that decay: eagerly, of tensors and variables, of doubles and vectors; scales of losses."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _decays(tf, n):
    """Each decay with every option given; `n` gives a number its form."""
    t = tf.train
    return {
        "exponential": lambda r, s: t.exponential_decay(r, s, n(4), n(0.5), name="own"),
        "exponential, steps": lambda r, s: t.exponential_decay(r, s, n(4), n(0.5), True),
        "natural": lambda r, s: t.natural_exp_decay(r, s, n(4), 0.5, name="own"),
        "natural, steps": lambda r, s: t.natural_exp_decay(r, s, n(4), n(0.5), True),
        "inverse": lambda r, s: t.inverse_time_decay(r, s, n(4), n(0.5), name="own"),
        "inverse, steps": lambda r, s: t.inverse_time_decay(r, s, n(4), n(0.5), True),
        "polynomial": lambda r, s: t.polynomial_decay(r, s, n(4), n(0.1), n(2.0), name="own"),
        "polynomial, cycles": lambda r, s: t.polynomial_decay(r, s, 4, n(0.1), n(0.5), True),
        "cosine": lambda r, s: t.cosine_decay(r, s, n(4), 0.25, "own"),
        "restarts": lambda r, s: t.cosine_decay_restarts(r, s, n(3), n(1.5), n(0.5), 0.1, "own"),
        "restarts alike": lambda r, s: t.cosine_decay_restarts(r, s, n(3), 1.0, n(0.5), 0.1),
        "linear cosine": lambda r, s: t.linear_cosine_decay(r, s, n(4), 1.5, 0.2, 0.1, "own"),
        "no noise": lambda r, s: t.noisy_linear_cosine_decay(r, s, n(4), 0.0, 0.5, 1.5, 0.2, 0.1),
        "pieces": lambda r, s: t.piecewise_constant(s, [2, 4], [r, 0.5, 0.25], "own"),
    }


def in_graphs(tf, stage):
    forms = {"tensors": lambda x: tf.constant(float(x)), "doubles": np.float64}
    for form, number in forms.items():
        rate = tf.constant(0.75, tf.float64 if form == "doubles" else tf.float32)
        for name, make in _decays(tf, number).items():
            with tf.Graph().as_default(), tf.Session() as session:
                stage.say(form, name)
                step = tf.placeholder(tf.int32, [], name="step")
                with stage.failing():
                    value = 0.75 if form == "tensors" else np.float64(0.75)
                    made = make(tf.constant(value, rate.dtype), step)
                    stage.say(made.name, made.dtype, made.shape)
                    stage.say([session.run(made, {step: at}) for at in (0, 1, 2, 3, 4, 5, 9)])
                stage.brief_graph(names=form == "tensors")


def in_eager_mode(tf, stage):
    for name, make in _decays(tf, lambda x: x).items():
        with tf.Graph().as_default(), eager_mode(tf):
            stage.say(name)
            step = tf.Variable(0, name="step", dtype=tf.int32)
            with stage.failing():
                made = make(0.75, step)
                stage.say(callable(made), type(made).__name__)
                for at in (0, 2, 4, 5):
                    step.assign(at)
                    stage.say(made())
    with eager_mode(tf):
        t = tf.train
        stage.attempts(
            lambda: t.piecewise_constant(tf.constant(1.0), [2], [0.5, 0.25]),
            lambda: t.piecewise_constant(tf.constant(1), [2], [0.5])(),
        )
        rate = t.exponential_decay(1.0, t.get_or_create_global_step(), 1, 0.5)
        v = tf.Variable([8.0])
        optimizer = t.GradientDescentOptimizer(rate)
        for _ in range(3):
            optimizer.minimize(lambda: v * 1.0, t.get_or_create_global_step())
            stage.say(v.numpy(), t.get_global_step().numpy())


def steps_of_other_kinds(tf, stage):
    t = tf.train
    variable = tf.get_variable("step", initializer=3, trainable=False)
    resource = tf.get_variable("resource", initializer=np.int64(3), use_resource=True)
    given = {
        "number": 3,
        "float": 2.5,
        "array": np.int64(3),
        "variable": variable,
        "resource": resource,
        "double": tf.constant(2.5, tf.float64),
        "vector": tf.constant([0, 3]),
        "text": "a",
    }
    rates = {"float": 0.5, "half": tf.constant(0.5, tf.float16), "rows": [0.5, 0.25], "text": "a"}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name, step in given.items():
            for kind, rate in rates.items():
                if kind != "float" and name != "number":
                    continue
                stage.say(name, kind)
                stage.attempts(
                    lambda: session.run(t.exponential_decay(rate, step, 4, 0.5)),  # noqa: B023
                    lambda: session.run(t.polynomial_decay(rate, step, 4, 0.25)),  # noqa: B023
                    lambda: session.run(t.cosine_decay(rate, step, 4)),  # noqa: B023
                )
        stage.attempts(
            lambda: session.run(t.polynomial_decay(0.5, 0, 4, cycle=True)),
            lambda: session.run(t.polynomial_decay(0.5, 9, 4, cycle=True)),
            lambda: session.run(t.exponential_decay(0.5, 3, 0, 0.5)),
            lambda: session.run(t.cosine_decay(0.5, 3, 0)),
            lambda: session.run(t.cosine_decay(0.5, -3, 4)),
            lambda: session.run(t.exponential_decay(0.5, -3, 4, 0.5, staircase=True)),
            lambda: session.run(t.piecewise_constant(variable, [3, 3], [1.0, 2.0, 3.0])),
            lambda: session.run(t.piecewise_constant(variable, [4, 2], [1.0, 2.0, 3.0])),
            lambda: session.run(t.piecewise_constant(resource, [2, 4], [1, 2, 3])),
            lambda: session.run(t.piecewise_constant(resource, [2, 4], ["a", "b", "c"])),
        )
    stage.brief_graph(names=False)


def scales_in_eager_mode(tf, stage):
    scales = tf.train.experimental
    with eager_mode(tf):
        fixed, moving = scales.FixedLossScale(8), scales.DynamicLossScale(4.0, 2, 2.0)
        stage.say(repr(fixed), fixed(), fixed.update([tf.constant(1.0)])[1])
        stage.say(repr(moving), moving(), moving.get_config())
        for value in (1.0, 1.0, 1.0, np.inf, np.nan, 2.0):
            fine = moving.update({"a": tf.constant([value, 1.0]), "b": None})[1]
            stage.say(value, fine, moving(), repr(moving))
        again = scales.DynamicLossScale.from_config(moving.get_config())
        stage.say(repr(again), scales.FixedLossScale.from_config(fixed.get_config())())
        stage.attempts(lambda: scales.FixedLossScale(0), lambda: scales.LossScale())
