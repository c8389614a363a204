"""Messages of several lines, whole: of checks in eager mode and of checks that a step runs."""

import numpy as np

from tests.conformance.scenes import eager_mode

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "f")
Y = np.array([[1.0, 0.0, 3.0], [0.0, 0.0, 0.0]], "f")


def _said(stage, function):
    """Says all lines of an error in one, or what a call gives."""
    try:
        stage.say("->", function())
    except Exception as error:
        lines = (getattr(error, "message", None) or str(error)).split("\n")
        stage.say("!!", type(error).__name__, " | ".join(lines))


def _comparisons(tf):
    debugging = tf.debugging
    return {
        "equal": lambda **k: tf.assert_equal(X, Y, **k),
        "none_equal": lambda **k: tf.assert_none_equal(X, X, **k),
        "less": lambda **k: tf.assert_less(X, Y, **k),
        "less_equal": lambda **k: tf.assert_less_equal(X, Y, **k),
        "greater": lambda **k: tf.assert_greater(Y, X, **k),
        "greater_equal": lambda **k: tf.assert_greater_equal(Y, X, **k),
        "near": lambda **k: debugging.assert_near(X, Y, **k),
        "positive": lambda **k: tf.assert_positive(Y, **k),
        "negative": lambda **k: tf.assert_negative(X, **k),
        "non_negative": lambda **k: tf.assert_non_negative(-X, **k),
        "non_positive": lambda **k: tf.assert_non_positive(X, **k),
        "rank": lambda **k: tf.assert_rank(X, 3, **k),
        "rank_at_least": lambda **k: tf.assert_rank_at_least(X, 3, **k),
        "rank_in": lambda **k: tf.assert_rank_in(X, [1, 3], **k),
        "shapes": lambda **k: debugging.assert_shapes([(X, ("N", "M")), (Y[:1], ("N", "M"))], **k),
        "integers": lambda **k: tf.assert_equal(X.astype("i"), Y.astype("i"), **k),
        "words": lambda **k: tf.assert_equal(["a", "b"], ["a", "c"], **k),
        "scalars": lambda **k: tf.assert_equal(1, 2, **k),
        "broadcast": lambda **k: tf.assert_equal(X, Y[0], **k),
        "long": lambda **k: tf.assert_less(np.arange(9), np.zeros(9, "i8"), **k),
    }


def _options():
    return {
        "plain": {},
        "none": {"summarize": 0},
        "one": {"summarize": 1},
        "seven": {"summarize": 7},
        "message": {"message": "said", "summarize": 2},
        "data": {"data": ["own", X], "summarize": 2},
        "both": {"data": [X[0], "text", 3], "message": "said"},
    }


def eagerly(tf, stage):
    with eager_mode(tf):
        for name, check in _comparisons(tf).items():
            for option, given in _options().items():
                stage.say(name, option)
                _said(stage, lambda check=check, given=given: check(**given))
        for given in ({}, {"summarize": 0}, {"summarize": 2}):
            _said(stage, lambda given=given: tf.Assert(False, [X, "word", 3], **given))


def in_steps(tf, stage):
    for name in ("equal", "less", "near", "positive", "rank", "shapes", "words", "long"):
        for option in ("plain", "none", "one", "data", "both"):
            with tf.Graph().as_default(), tf.Session() as session:
                stage.say(name, option)
                check, given = _comparisons(tf)[name], _options()[option]
                _said(stage, lambda check=check, given=given: session.run(check(**given)))


def of_structures(tf, stage):
    c = tf.constant
    yes = tf.placeholder_with_default(True, [])
    loop = tf.while_loop
    shapes = tf.debugging.assert_shapes
    for function in (
        lambda: tf.cond(yes, lambda: {"a": c(1.0)}, lambda: {"b": c(1.0)}),
        lambda: tf.cond(yes, lambda: [c(1.0)], lambda: (c(1.0), c(2.0))),
        lambda: tf.cond(yes, lambda: [c(1.0)], lambda: [[c(1.0)]]),
        lambda: tf.case([(yes, lambda: c(1.0))], lambda: [c(1.0), c(2.0)]),
        lambda: loop(lambda i: i["a"] < 2, lambda i: {"b": i["a"] + 1}, [{"a": c(0)}]),
        lambda: loop(lambda i, j: i < 2, lambda i, j: (i + 1,), [c(0), c(0)]),
        lambda: loop(lambda i: i < 2, lambda i: [[i]], [c(0)]),
        lambda: loop(lambda i: i < 2, lambda i: i, [c(0)], [[tf.TensorShape([])]]),
        lambda: loop(lambda x: True, lambda x: x, [c([1.0])], [tf.TensorShape([2])]),
        lambda: shapes([(X, ("N", 4))]),
        lambda: shapes([(X, ("N",))], message="said"),
        lambda: tf.debugging.assert_same_float_dtype([c(1.0), c(1.0, tf.float64)]),
        lambda: tf.debugging.assert_scalar(c([1.0])),
    ):
        _said(stage, function)
    with tf.Session() as session:
        sparse = tf.SparseTensor([[1, 0], [0, 0]], [1.0, 2.0], [2, 2])
        twice = tf.SparseTensor([[1, 0], [1, 0]], [1.0, 2.0], [2, 2])
        far = tf.SparseTensor([[1, 0], [1, 5]], [1.0, 2.0], [2, 2])
        for each in (sparse, twice, far):
            _said(stage, lambda each=each: session.run(tf.sparse.to_dense(each)))
            _said(stage, lambda each=each: session.run(tf.sparse.to_dense(each, None, False)))
