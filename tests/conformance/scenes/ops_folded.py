"""Constant folding equals evaluation in a step; dtypes without a kernel."""

import numpy as np


def integers(tf, stage):
    raw = tf.raw_ops
    functions = {
        "tan": tf.tan,
        "asin": tf.asin,
        "acos": tf.acos,
        "atan": tf.atan,
        "reciprocal": tf.math.reciprocal,
        "inv": lambda x: raw.Inv(x=x),
        "sign": tf.sign,
        "square": tf.square,
    }
    for kind in (tf.int32, tf.int64):
        cases = {
            name: lambda f=function, kind=kind: f(tf.constant([1, 2], kind))
            for name, function in functions.items()
        }
        stage.each(cases, graph=False)


def dtypes_without_kernels(tf, stage):
    raw = tf.raw_ops
    yes, words = [True, False], ["a", "b"]
    stage.each(
        {
            "add_bool": lambda: raw.InplaceAdd(x=yes, i=[0], v=yes[:1]),
            "subtract_bool": lambda: raw.InplaceSub(x=yes, i=[0], v=yes[:1]),
            "add_words": lambda: raw.InplaceAdd(x=words, i=[0], v=words[:1]),
            "subtract_words": lambda: raw.InplaceSub(x=words, i=[0], v=words[:1]),
            "turned_bool": lambda: raw.ConjugateTranspose(x=[yes], perm=[1, 0]),
            "turned_words": lambda: raw.ConjugateTranspose(x=[words], perm=[1, 0]),
        },
        graph=False,
    )


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
