"""Ranges as long as int64 allows, last batches that are dropped, booleans among the integers of an Example."""

import numpy as np

FIRST, LAST = -(2**63), 2**63 - 1


def _elements(tf, stage, cases, count=3):
    """Says the first elements of each dataset."""
    for name, case in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            with stage.failing():
                element = tf.compat.v1.data.make_one_shot_iterator(case()).get_next()
                for _ in range(count):
                    stage.say(session.run(element))


def ranges(tf, stage):
    numbers = tf.data.Dataset.range

    def from_below():
        return numbers(-5, LAST)

    _elements(
        tf,
        stage,
        {
            "from_below": from_below,
            "down": lambda: numbers(5, FIRST, -1),
            "whole": lambda: numbers(FIRST, LAST),
            "in_steps": lambda: numbers(FIRST, LAST, 2**62),
            "down_in_steps": lambda: numbers(LAST, FIRST, -(2**62)),
            "batches": lambda: from_below().batch(3),
            "skipped": lambda: from_below().skip(2).take(2),
            "shard": lambda: from_below().shard(3, 1),
            "repeated": lambda: from_below().repeat(),
            "joined": lambda: from_below().concatenate(numbers(3)),
            "interleaved": lambda: numbers(2).interleave(lambda _: from_below(), 2, 1),
            "paired": lambda: tf.data.Dataset.zip((numbers(3), numbers(-1, LAST))),
            "enumerated": lambda: numbers(3).enumerate(-1),
            "enumerated_from_first": lambda: numbers(3).enumerate(np.int64(FIRST)),
            "enumerated_to_last": lambda: numbers(3).enumerate(LAST - 2),
        },
    )
    with tf.Session() as session:
        long = numbers(LAST).repeat(3)
        stage.say(session.run(tf.data.experimental.cardinality(long)))


def remainders(tf, stage):
    numbers, experimental = tf.data.Dataset.range, tf.data.experimental

    def longer(number):
        return tf.range(tf.maximum(number, 3))

    _elements(
        tf,
        stage,
        {
            "of_unequal_batches": lambda: numbers(10).batch(4).batch(8, drop_remainder=True),
            "after_a_batch": lambda: numbers(11).batch(2).batch(4, drop_remainder=True),
            "after_a_whole_one": lambda: numbers(10).batch(4).prefetch(1).batch(2, True),
            "kept": lambda: numbers(10).batch(4).batch(8),
            "skipped": lambda: numbers(10).batch(4).skip(1).batch(8, drop_remainder=True),
            "padded": lambda: numbers(6).map(longer).padded_batch(4, [-1], drop_remainder=True),
            "fused": lambda: numbers(6).apply(
                experimental.map_and_batch(longer, 4, drop_remainder=True)
            ),
            "mapped": lambda: numbers(6).map(longer).batch(4, drop_remainder=True),
            "mapped_before": lambda: numbers(6).map(longer).prefetch(1).batch(4, True),
            "equal": lambda: numbers(6).map(lambda n: [n, n]).batch(4, drop_remainder=True),
        },
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
        stage.attempt(lambda values=values: list(train.Int64List(value=values).value))
        stage.attempt(extended, values)
        stage.attempt(appended, values[0])
    stage.attempt(lambda: list(train.Int64List(value=(n > 1 for n in range(3))).value))
    feature = train.Feature(int64_list=train.Int64List(value=np.array([True])))
    stage.say(train.Features(feature={"a": feature}).SerializeToString())
