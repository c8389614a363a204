"""Learning rate decays: in eager mode, of tensors and variables, in float64, of vectors; loss scales."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _decays(tf, n):
    """Each decay with every option set; `n` converts a number."""
    t = tf.train
    return {
        "polynomial, cycles": lambda r, s: t.polynomial_decay(r, s, 4, n(0.1), n(0.5), True),
        "restarts alike": lambda r, s: t.cosine_decay_restarts(r, s, n(3), 1.0, n(0.5), 0.1),
        "linear cosine": lambda r, s: t.linear_cosine_decay(r, s, n(4), 1.5, 0.2, 0.1, "own"),
        "no noise": lambda r, s: t.noisy_linear_cosine_decay(r, s, n(4), 0.0, 0.5, 1.5, 0.2, 0.1),
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
        stage.attempts(lambda: session.run(t.piecewise_constant(variable, [4, 2], [1.0, 2.0, 3.0])))
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
        stage.attempts(lambda: scales.LossScale())
