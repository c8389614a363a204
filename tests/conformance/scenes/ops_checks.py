"""Assertions: messages, data and summaries; static checks, run-time checks, and eager mode."""

import numpy as np

X = [1.0, 2.0, 3.0, 4.0, 5.0]
Y = [1.0, 0.0, 3.0, 0.0, 0.0]


def _checks(tf):
    debugging = tf.debugging
    return {
        "equal": lambda x, y, **k: tf.assert_equal(x, y, **k),
        "none_equal": lambda x, y, **k: tf.assert_none_equal(x, y, **k),
        "less": lambda x, y, **k: tf.assert_less(x, y, **k),
        "less_equal": lambda x, y, **k: tf.assert_less_equal(x, y, **k),
        "greater": lambda x, y, **k: tf.assert_greater(y, x, **k),
        "greater_equal": lambda x, y, **k: tf.assert_greater_equal(y, x, **k),
        "near": lambda x, y, **k: debugging.assert_near(x, y, **k),
        "negative": lambda x, y, **k: tf.assert_negative(x, **k),
        "positive": lambda x, y, **k: tf.assert_positive(y, **k),
        "non_negative": lambda x, y, **k: tf.assert_non_negative(-x, **k),
        "non_positive": lambda x, y, **k: tf.assert_non_positive(x, **k),
        "rank": lambda x, y, **k: tf.assert_rank(x, 2, **k),
        "rank_at_least": lambda x, y, **k: tf.assert_rank_at_least(x, 2, **k),
        "rank_in": lambda x, y, **k: tf.assert_rank_in(x, [0, 2], **k),
        "shapes": lambda x, y, **k: debugging.assert_shapes([(x, ("N", "M"))], **k),
        "same_sizes": lambda x, y, **k: debugging.assert_shapes([(x, "N"), (y[1:], "N")], **k),
    }


def _options(tf):
    return {
        "plain": lambda: {},
        "message": lambda: {"message": "said"},
        "named": lambda: {"name": "own"},
        "data": lambda: {"data": ["this", tf.constant([7.0, 8.0, 9.0, 10.0])], "message": "with"},
        "all": lambda: {"summarize": -1, "data": [tf.constant(X), "text"]},
        "none": lambda: {"summarize": 0},
        "one": lambda: {"summarize": 1, "data": [tf.constant([7.0, 8.0]), tf.constant(3.0)]},
    }


def constants(tf, stage):
    for name, check in _checks(tf).items():
        for option, given in _options(tf).items():
            with tf.Graph().as_default(), tf.Session() as session:
                stage.say(name, option)
                with stage.failing():
                    made = check(tf.constant(X, name="x"), tf.constant(Y, name="y"), **given())
                    stage.say(made.name, made.type)
                    session.run(made)


def eager(tf, stage):
    cases = {
        f"{name}_{option}": lambda check=check, given=given: check(
            tf.constant(X), tf.constant(Y), **given()
        )
        for name, check in _checks(tf).items()
        for option, given in _options(tf).items()
        if option != "all"  # TensorFlow uses 1e9, and cannot truncate a list there
    }
    stage.each_eagerly(cases)


def conditions(tf, stage):
    p = lambda *shape: tf.placeholder_with_default(np.zeros(shape, "f"), [None] * len(shape))  # noqa: E731
    shapes = tf.debugging.assert_shapes
    stage.attempts(lambda: tf.Assert(True, "a").name)
    stage.each(
        {
            "summarize": lambda: tf.Assert(tf.placeholder_with_default(False, []), [X], 2),
            "named": lambda: tf.Assert(tf.constant(False), [1.0], name="own"),
            "too_few": lambda: shapes([(p(2), (Ellipsis, "N", "M"))]),
            "another_axis": lambda: shapes([(tf.zeros([2, 3]), "NM"), (tf.zeros([2]), "M")]),
            "explicit": lambda: shapes([(p(2, 3), (2, "4"))], message="said"),
            "explicit_static": lambda: shapes([(tf.zeros([2, 3]), (2, 4))], message="said"),
            "in_the_middle": lambda: shapes([(p(2, 3), ("N", "*"))]),
            "no_iterable": lambda: shapes([(p(2, 3), 3)]),
            "dict": lambda: shapes({p(2): ("N",)}),
            "other_dtype": lambda: tf.assert_rank(p(2), 1.0),
            "fed_vector": lambda: tf.assert_rank(p(2), tf.placeholder_with_default([2], [None])),
            "in_none": lambda: tf.assert_rank_in(tf.placeholder(tf.float32, name="any"), []),
            "finite": lambda: tf.verify_tensor_all_finite(tf.constant([np.inf, 1.0]), "not"),
            "new_names": lambda: tf.verify_tensor_all_finite(x=[1.0], message="b", name="own"),
        },
        any=np.zeros([2, 2]),
    )


def types(tf, stage):
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    one, two = tf.constant(1.0, name="one"), tf.constant(1.0, tf.float64, name="two")
    same = tf.debugging.assert_same_float_dtype
    iterable = tf.debugging.assert_proper_iterable
    stage.attempts(
        lambda: iterable(one),
        lambda: iterable(sparse),
        lambda: iterable(np.zeros(1)),
        lambda: iterable(1),
        lambda: tf.assert_integer(one, message="said"),
        lambda: tf.assert_type(one, tf.float64, "said"),
        lambda: tf.debugging.assert_scalar([1.0]),
        lambda: tf.debugging.assert_scalar(tf.placeholder(tf.float32, name="p"), message="said "),
        lambda: same([one, None, two]),
        lambda: same([one], tf.float64),
        lambda: same(),
    )
    stage.each_eagerly(
        {
            "integer": lambda: tf.assert_integer(1.0, message="said"),
            "type": lambda: tf.assert_type(1.0, tf.float64, "said"),
            "scalar": lambda: tf.debugging.assert_scalar([1.0], message="said "),
            "rank": lambda: tf.assert_rank([1.0], [1]),
            "numerics": lambda: tf.debugging.assert_all_finite([np.nan], "said"),
            "assert_all": lambda: tf.Assert(False, [1.0, X, "a"], summarize=-1),
        }
    )
