"""tf.data: functions of elements: what they capture, their effects, nested datasets, reductions."""

import warnings

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import until_the_end


class Scale:
    """Has a method that is mapped."""

    def by(self, x):
        return x * 3

    def __call__(self, x):
        return x - 1


def add_one(x):
    return x + 1


def build(tf):
    D = tf.data.Dataset
    factor = tf.constant(3, tf.int64, name="factor")
    weight = tf.get_variable("weight", [2], use_resource=True, initializer=tf.ones_initializer())
    plain = tf.get_variable("plain", [], initializer=tf.constant_initializer(2.0))
    rows = np.arange(12.0, dtype=np.float32).reshape(6, 2)
    numbers = D.range(6)

    def several(x):
        with tf.name_scope("inner"):
            y = tf.cast(x, tf.float32) * plain
        return {"y": y, "x": x}, [1, 2], "text"

    def checked(x):
        with tf.control_dependencies([tf.py_func(lambda v: v, [x], tf.int64)]):
            first = tf.py_func(lambda v: v + 1, [x], tf.int64)
        return first, tf.random_uniform([], maxval=10, dtype=tf.int32)

    datasets = [
        numbers.map(lambda x: x * factor).map(add_one).filter(lambda x: tf.equal(x % 2, 0)),
        D.from_tensor_slices(rows).map(lambda r: r * weight + plain),
        numbers.map(several).batch(4),
        numbers.map(checked, num_parallel_calls=3).map(lambda a, b: (a, b >= 0)),
        numbers.map(Scale().by).map(Scale()),
        numbers.flat_map(lambda x: D.range(x).map(lambda y: y + x)),
        numbers.map(lambda x: D.range(x)).flat_map(lambda d: d.batch(2).take(1)),
        numbers.window(3, 2).flat_map(lambda w: w.batch(3)),
        D.zip((numbers, D.range(6, 12)))
        .window(2, drop_remainder=True)
        .flat_map(lambda a, b: D.zip((a, b)).batch(2)),
        D.range(1, 5).map(lambda n: tf.fill([n], n)).padded_batch(3, [None], np.int64(-1)),
        D.range(1, 5)
        .map(lambda n: (tf.fill([n], "ab"), n))
        .padded_batch(2, ([5], []), drop_remainder=True),
        numbers.apply(lambda d: d.batch(3)).map(lambda batch: tf.reduce_sum(batch)),
    ]
    steps = [("variables", tf.global_variables_initializer(), None)]
    for number, dataset in enumerate(datasets):
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # that a reference variable keeps it from being rewritten
            iterator = dataset.make_initializable_iterator()
        following = iterator.get_next()
        steps.append((f"start {number}", lambda s, i=iterator: s.run(i.initializer)))
        steps.append((f"read {number}", until_the_end(following)))
    total = numbers.reduce(np.int64(0), lambda s, x: s + x)
    grown = D.range(3).reduce(
        (tf.zeros([0], tf.int64), 0), lambda s, x: (tf.concat([s[0], [x]], 0), s[1] + 1)
    )
    return {"steps": [*steps, ("total", total, None), ("grown", list(grown), None)]}
