"""tf.case with lists and dicts, default, exclusive and strict; piecewise_constant; asserts."""

from collections import OrderedDict


def build(tf):
    x = tf.placeholder(tf.int32, [], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    pairs = [
        (tf.less(x, 0), lambda: tf.constant(-1)),
        (tf.equal(x, 0), lambda: tf.constant(0)),
        (tf.greater(x, 10), lambda: x * 2),
    ]
    listed = tf.case(pairs, default=lambda: tf.constant(99), name="listed")
    exclusive = tf.case(pairs, default=lambda: tf.constant(7), exclusive=True)
    ordered = tf.case(OrderedDict(pairs), default=lambda: x, name="ordered")
    without = tf.case(pairs[:2], name="without_default")
    both = tf.case(
        [(x > 1, lambda: (x, tf.constant(1.0))), (x > 2, lambda: (x + 1, tf.constant(2.0)))],
        default=lambda: (tf.constant(0), tf.constant(0.0)),
        name="both",
    )
    strict = tf.case([(x > 1, lambda: [x])], default=lambda: [x - 1], strict=True, name="strict")
    step = tf.cast(x, tf.int32)
    rate = tf.train.piecewise_constant(step, [2, 5, 9], [0.1, 0.01, 0.001, 0.0001])
    whole = tf.train.piecewise_constant(step, [3], [5, 6], name="whole")
    floats = tf.train.piecewise_constant(tf.reduce_sum(y), [1.5], [1.0, 0.5], name="floats")
    asserts = [
        tf.assert_equal(tf.shape(y)[0], 2),
        tf.assert_less(y, 10.0, message="too much"),
        tf.assert_positive(y, data=[y], summarize=2),
        tf.assert_rank(y, 1),
        tf.assert_greater_equal(y, 0.0, name="not_negative"),
        tf.assert_non_negative(y),
        tf.assert_none_equal(y, 5.0),
        tf.Assert(tf.reduce_all(y < 9.0), [y, "hint"], name="own"),
    ]
    with tf.control_dependencies([a for a in asserts if a is not None]):
        checked = tf.identity(y)
    fetches = [listed, both, strict, rate, whole]
    steps = [(f"x={k}", fetches, {x: k}) for k in (-1, 0, 1, 2, 3, 6, 11)]
    steps += [(f"ordered {k}", [ordered, exclusive], {x: k}) for k in (-1, 0, 5, 11)]
    steps += [(f"without {k}", without, {x: k}) for k in (-1, 0)]
    steps += [("checked", [checked, floats], {y: [1.0, 2.0]})]
    return {"steps": steps}
