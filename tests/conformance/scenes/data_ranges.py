"""Ranges up to int64's limits, dropped remainders, booleans among an Example's integers."""

import numpy as np


def _elements(tf, stage, cases, count=3):
    """Records each dataset's first elements."""
    for name, case in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            with stage.failing():
                element = tf.compat.v1.data.make_one_shot_iterator(case()).get_next()
                for _ in range(count):
                    stage.say(session.run(element))


def remainders(tf, stage):
    numbers = tf.data.Dataset.range

    _elements(
        tf, stage, {"skipped": lambda: numbers(10).batch(4).skip(1).batch(8, drop_remainder=True)}
    )


def booleans(tf, stage):
    train = tf.train

    def extended(values):
        made = train.Int64List(value=[3])
        made.value.extend(values)
        return list(made.value)

    def appended(value):
        made = train.Int64List()
        made.value.append(value)
        return list(made.value)

    for values in ([True], [np.bool_(False), 2], np.array([True, False]), (True, np.int8(2)), [7]):
        stage.attempt(extended, values)
        stage.attempt(appended, values[0])
    stage.attempt(lambda: list(train.Int64List(value=(n > 1 for n in range(3))).value))
    feature = train.Feature(int64_list=train.Int64List(value=np.array([True])))
    stage.say(train.Features(feature={"a": feature}).SerializeToString())
