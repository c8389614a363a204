"""Python functions in steps: how often they are called."""

import numpy as np


def python_functions(tf, stage):
    """Calls per step: every time, or once in total if declared stateless with constant inputs."""
    for stateful in (False, True):
        for given in ("constant", "none", "fed", "failing"):
            calls = []

            def function(*inputs, given=given, calls=calls):
                calls.append(1)
                if given == "failing":
                    raise ValueError("failed")
                return np.float32(sum(inputs) + len(calls))

            with tf.Graph().as_default(), tf.Session() as session:
                inputs = {"none": [], "fed": [tf.placeholder_with_default(1.0, [])]}.get(
                    given, [tf.constant(1.0)]
                )
                y = tf.py_func(function, inputs, tf.float32, stateful=stateful)
                z = y + 1.0
                stage.say(stateful, given)
                for fetched in (y, y, z, z, [y, z]):
                    stage.attempt(session.run, fetched)
                if given != "failing":
                    stage.say(len(calls))
