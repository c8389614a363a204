"""Booleans among an Example's integers."""

import numpy as np


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
