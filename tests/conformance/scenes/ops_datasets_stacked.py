"""Random chains of dataset transformations, read to the end, and saved halfway and resumed."""

import random

import numpy as np

_NOT_RESTORED = {4, 7, 8, 20, 23, 28}  # TensorFlow itself fails to restore it


def _steps(tf, seed):
    """Transformations of a dataset of scalars."""
    e = tf.data.experimental
    D = tf.data.Dataset
    return {
        "shuffle": lambda d: d.shuffle(3, seed=seed),
        "shuffle_once": lambda d: d.shuffle(2, seed=seed, reshuffle_each_iteration=False),
        "shuffle_whole": lambda d: d.shuffle(50, seed=seed),
        "shuffle_repeat": lambda d: d.apply(e.shuffle_and_repeat(3, 2, seed=seed)),
        "repeat": lambda d: d.repeat(2),
        "for_ever": lambda d: d.repeat().take(7),
        "take": lambda d: d.take(5),
        "take_all": lambda d: d.take(-1),
        "skip": lambda d: d.skip(2),
        "skip_many": lambda d: d.skip(4),
        "shard": lambda d: d.shard(2, 1),
        "join": lambda d: d.concatenate(D.range(20, 23)),
        "join_before": lambda d: D.range(20, 22).concatenate(d),
        "join_itself": lambda d: d.concatenate(d),
        "batches": lambda d: d.batch(3).apply(e.unbatch()),
        "whole_batches": lambda d: d.batch(2, drop_remainder=True).map(lambda x: x[0] - x[1]),
        "sums": lambda d: d.batch(2).map(tf.reduce_sum),
        "odd": lambda d: d.filter(lambda x: tf.equal(x % 2, 1)),
        "more": lambda d: d.map(lambda x: x * 2 + 1),
        "twice": lambda d: d.flat_map(lambda x: D.from_tensors(x).repeat(2)),
        "by_turns": lambda d: d.interleave(lambda x: D.range(x, x + 2), 2, 1),
        "numbered": lambda d: d.apply(e.enumerate_dataset(3)).map(lambda i, x: i + x),
        "scan": lambda d: d.apply(e.scan(np.int64(1), lambda s, x: (s + x, s - x))),
        "unique": lambda d: d.apply(e.unique()),
        "while": lambda d: d.apply(e.take_while(lambda x: x < 15)),
        "groups": lambda d: d.apply(
            e.group_by_window(lambda x: x % 2, lambda k, w: w.batch(2), 2)
        ).map(tf.reduce_sum),
        "cache": lambda d: d.cache(),
        "prefetch": lambda d: d.prefetch(1),
        "ignore": lambda d: d.apply(e.ignore_errors()),
        "chosen": lambda d: e.choose_from_datasets(
            [d, D.range(30, 33)], D.from_tensor_slices(np.int64([0, 1, 0, 0, 1, 0]))
        ),
    }  # fmt: skip


def _drawn(tf, seed):
    """A dataset with random transformations, and their names."""
    draws = random.Random(seed)
    steps = _steps(tf, seed)
    names = draws.choices(list(steps), k=4)
    data = tf.data.Dataset.range(draws.choice([1, 4, 7]))
    for name in names:
        data = steps[name](data)
    return data, names


def _kept(tf, stage, seeds):
    """Reads each to its end, twice; then from a saved position."""
    for seed in seeds:
        with tf.Graph().as_default():
            tf.set_random_seed(seed)
            data, names = _drawn(tf, seed)
            stage.say(seed, *names)
            iterator = tf.data.make_initializable_iterator(data)
            value, size = iterator.get_next(), tf.data.experimental.cardinality(data)
            keep = tf.data.experimental.make_saveable_from_iterator(iterator)
            saver = tf.train.Saver({"it": keep})
            path = f"{stage.folder}/{seed}"
            with tf.Session() as session:
                session.run(iterator.initializer)
                stage.say(session.run(size), _rest(tf, session, value))
                session.run(iterator.initializer)
                first = [_rest(tf, session, value, 1) for _ in range(seed % 4)]
                goes_on = ["end"] not in first and seed not in _NOT_RESTORED
                if goes_on:  # TensorFlow restores no iterator at its end
                    saver.save(session, path)
                stage.say(first, _rest(tf, session, value))
            with tf.Session() as session:
                session.run(iterator.initializer)
                _rest(tf, session, value, 1)
                if goes_on:
                    saver.restore(session, path)
                    stage.say(_rest(tf, session, value))


def _rest(tf, session, value, most=40):
    read = []
    try:
        while len(read) < most:
            read.append(session.run(value).tolist())
    except tf.errors.OutOfRangeError:
        read.append("end")
    return read


def _drawn_scene(seeds):
    return lambda tf, stage: _kept(tf, stage, seeds)


for _first in range(0, 30, 6):
    _made = _drawn_scene(range(_first, _first + 6))
    _made.__module__ = __name__
    globals()[f"drawn_from_{_first}"] = _made
