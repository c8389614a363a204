"""tf.data: windows of all kinds, of elements with several components, and what is made of them."""

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D = tf.data.Dataset
    numbers = D.range(11)
    pairs = D.zip({"a": numbers, "b": numbers.map(lambda x: tf.as_string(x))})
    datasets = [
        numbers.window(4).flat_map(lambda w: w.batch(4)),
        numbers.window(3, 2, 2).flat_map(lambda w: w.batch(3)),
        numbers.window(3, 5, 2, drop_remainder=True).flat_map(lambda w: w.batch(3)),
        numbers.window(2, shift=4).interleave(lambda w: w, cycle_length=2),
        pairs.window(3).flat_map(lambda w: D.zip((w["a"].batch(3), w["b"].batch(3)))),
        numbers.window(3).map(lambda w: w.reduce(tf.constant(0, tf.int64), lambda s, x: s + x)),
        numbers.window(4).flat_map(lambda w: w.skip(1).take(2)),
        numbers.batch(3).window(2).flat_map(lambda w: w.unbatch()),
        numbers.window(5).flat_map(lambda w: w.window(2).flat_map(lambda v: v.batch(2))),
        numbers.window(3).shuffle(4, seed=2).flat_map(lambda w: w),
        numbers.window(3, drop_remainder=True).repeat(2).flat_map(lambda w: w.batch(3)),
    ]
    return {"steps": read_all(tf, datasets), "facts": {"repr": repr(pairs.window(3))}}
