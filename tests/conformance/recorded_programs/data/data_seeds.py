"""tf.data: shuffles and random numbers under seeds of all kinds: the same order."""

from tests.conformance.recorded_programs.data.data_basic import read_all

SEED = 21


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(13)
    seed = tf.placeholder_with_default(tf.constant(9, tf.int64), [], name="seed")
    datasets = [
        numbers.shuffle(5),
        numbers.shuffle(5, seed=1).repeat(3).batch(13),
        numbers.shuffle(13, seed=1, reshuffle_each_iteration=False).repeat(2),
        numbers.shuffle(4, seed=seed),
        numbers.repeat(2).shuffle(20, seed=3),
        numbers.shuffle(3, seed=2).shuffle(6, seed=4).batch(4),
        numbers.shuffle(6, seed=2**40 + 5),
        D.range(3).flat_map(lambda x: D.range(x * 10, x * 10 + 6).shuffle(4, seed=5)),
        D.range(3).interleave(lambda x: D.range(x * 10, x * 10 + 6).shuffle(4), 2).repeat(2),
        D.zip((numbers.shuffle(13, seed=6), numbers.shuffle(13, seed=7))),
        D.from_tensor_slices([1.5, 2.5, 3.5]).shuffle(3, seed=1).repeat(4),
        numbers.map(lambda x: tf.random_uniform([], maxval=1000, dtype=tf.int32, seed=8)),
        numbers.map(lambda x: tf.random_shuffle(tf.range(5), seed=4)).take(4),
        numbers.apply(E.shuffle_and_repeat(6, 2)),
        numbers.shuffle(6, seed=2).cache().repeat(2),
        E.sample_from_datasets([numbers, numbers.skip(5), numbers.skip(9)]),
    ]
    return {"steps": read_all(tf, datasets)}
