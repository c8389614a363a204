"""tf.data: several datasets in turn, caches, generators, rows of elements, repeated and shuffled."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import until_the_end


def counting(first, word):
    for number in range(3):
        yield first + number, word


def build(tf):
    D = tf.data.Dataset

    def drawn(_):
        return tf.random_uniform([], maxval=100, dtype=tf.int32, seed=3)

    datasets = [
        D.range(1, 6).interleave(
            lambda x: D.range(x * 10, x * 10 + x), cycle_length=3, block_length=2
        ),
        D.range(6).interleave(
            lambda x: D.range(x * 10, x * 10 + (x * 3) % 4), 2, 1, num_parallel_calls=2
        ),
        D.range(4).interleave(
            lambda x: D.range(x * 10, x * 10 + 4).shuffle(3, seed=1), cycle_length=2
        ),
        D.range(3).map(drawn).cache().repeat(3),
        D.range(5).cache().shuffle(3, seed=1).repeat(2),
        D.range(5).map(drawn).cache().take(2).repeat(3),
        D.range(7)
        .batch(3)
        .map(lambda x: (x, x * 2))
        .apply(lambda d: d.unbatch())
        .map(lambda a, b: a + b),
        D.from_generator(
            counting, (tf.int32, tf.string), ([], []), args=(tf.constant(5), tf.constant("s"))
        ).repeat(2),
        D.from_generator(lambda: iter([{"a": 1, "b": [1.0, 2]}]), {"a": tf.int64, "b": tf.float32}),
        D.from_generator(lambda: ([i] * i for i in range(4)), tf.int64, [None]).padded_batch(
            4, [None]
        ),
        D.from_generator(lambda: iter(["a", "b", b"c"]), tf.string, []).shuffle(2).prefetch(1),
        D.from_generator(
            lambda: (np.full([2], i, np.float32) for i in range(3)), tf.float32, [2]
        ).batch(2),
    ]
    steps = []
    for number, dataset in enumerate(datasets):
        iterator = dataset.make_initializable_iterator()
        following = iterator.get_next()
        for again in "ab":
            steps.append((f"start {number}{again}", lambda s, i=iterator: s.run(i.initializer)))
            steps.append((f"read {number}{again}", until_the_end(following)))
    return {"steps": steps, "facts": {"element": repr(datasets[8])}}
