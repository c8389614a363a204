"""tf.data: transformations with random functions, each dataset used once, twice, in a function, by two iterators."""

from tests.conformance.recorded_programs.data.data_basic import until_the_end

TOLERANCE = 0
# Their threads share a random stream if their datasets are not rewritten.
RACING = ("parallel map", "map_and_batch", "prefetch")


def drawn(tf):
    """A random number with its own seed."""
    return tf.random_uniform([], maxval=100, dtype=tf.int32, seed=3)


def datasets_of_datasets(tf):
    """Transformations whose functions return datasets."""
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(3)

    def several(x):
        return D.range(2).map(lambda y: drawn(tf))

    def shuffled(x):
        return D.range(4).shuffle(4, seed=2)

    def twice(x):
        inner = D.range(2).map(lambda y: drawn(tf))
        return D.zip((inner, inner))

    def deeper(x):
        return D.range(2).flat_map(several)

    def kept(x):
        return D.range(2).map(lambda y: drawn(tf)).cache()

    def key(x):
        return tf.cast(drawn(tf) % 2, tf.int64)

    return {
        "flat_map": numbers.flat_map(several),
        "flat_map of shuffled": numbers.flat_map(shuffled),
        "flat_map of cache": numbers.flat_map(kept),
        "interleave of shuffled": numbers.interleave(shuffled, 2),
        "parallel interleave of shuffled": numbers.interleave(shuffled, 2, num_parallel_calls=1),
        "parallel_interleave of shuffled": numbers.apply(E.parallel_interleave(shuffled, 1)),
        "window of shuffled": D.range(8).window(4).flat_map(lambda w: w.shuffle(4, seed=2)),
        "group_by_window of shuffled": D.range(8).apply(
            E.group_by_window(lambda x: x % 2, lambda k, w: w.shuffle(4, seed=2), 4)
        ),
        "flat_map of zip": numbers.flat_map(twice),
        "flat_map of flat_map": numbers.flat_map(deeper),
        "flat_map of elements": numbers.map(several).flat_map(lambda d: D.zip((d, d))),
        "interleave": numbers.interleave(several, 2, 2),
        "window": D.range(4).window(2).flat_map(lambda w: w.map(lambda x: drawn(tf))),
        "group_by_window": D.range(5).apply(
            E.group_by_window(key, lambda k, w: w.map(lambda x: (k, drawn(tf))), 2)
        ),
    }


def datasets_of_elements(tf):
    """The other transformations."""
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(4)

    def random(x):
        return drawn(tf)

    def pair(x):
        return tf.random_uniform([2], maxval=100, dtype=tf.int32, seed=3)

    mapped = numbers.map(random)
    reducer = E.Reducer(random, lambda s, x: s + drawn(tf), lambda s: s * drawn(tf))
    parity = numbers.map(lambda x: tf.cast(x % 2, tf.int32)).repeat(4)
    return {
        "map": mapped,
        "parallel map": numbers.map(random, num_parallel_calls=1),
        "map and batch": numbers.map(random).batch(2),
        "map_and_batch": numbers.apply(E.map_and_batch(random, 2, num_parallel_calls=1)),
        "filter": D.range(9).filter(lambda x: drawn(tf) > 50),
        "scan": numbers.apply(E.scan(0, lambda s, x: (s + drawn(tf), s))),
        "take_while": D.range(9).apply(E.take_while(lambda x: drawn(tf) > 20)),
        "group_by_reducer": numbers.apply(E.group_by_reducer(lambda x: x % 2, reducer)),
        "rejection_resample": parity.apply(
            E.rejection_resample(lambda x: x, [0.2, 0.8], [0.5, 0.5], seed=4)
        ),
        "sample_from_datasets": E.sample_from_datasets([mapped, mapped, mapped], seed=4),
        "choose_from_datasets": E.choose_from_datasets([mapped] * 2, D.range(2).repeat(3)),
        "unbatch": D.range(2).map(pair).unbatch(),
        "cache": mapped.cache(),
        "prefetch": mapped.prefetch(1),
        "padded_batch": mapped.padded_batch(3, []),
        "shuffle": numbers.shuffle(3, seed=5),
        "shuffle, one order": numbers.shuffle(3, seed=5, reshuffle_each_iteration=False),
        "shuffle_and_repeat": numbers.apply(E.shuffle_and_repeat(3, 2, seed=5)),
        "random": E.RandomDataset(4).take(3),
        "ignore_errors": mapped.apply(E.ignore_errors()),
        "enumerate": mapped.enumerate(),
    }


def uses(tf, dataset):
    """The dataset used once for two epochs, twice in several ways, and twice unchanged, which TensorFlow does not
    rewrite."""
    D = tf.data.Dataset
    plain = tf.data.Options()
    plain.experimental_optimization.apply_default_optimizations = False
    plain.experimental_optimization.autotune = False

    def inside(x):
        return dataset

    return {
        "once": dataset.repeat(2),
        "zip": D.zip((dataset, dataset)).repeat(2),
        "concatenate": dataset.concatenate(dataset.repeat(2)),
        "inside": D.range(2).flat_map(inside).concatenate(dataset),
        "plain": D.zip((dataset, dataset)).with_options(plain),
    }


def build(tf):
    table = {**datasets_of_elements(tf), **datasets_of_datasets(tf)}
    steps = []
    for name, dataset in table.items():
        for use, made in uses(tf, dataset).items():
            if use == "plain" and name in RACING:
                continue
            iterator = tf.data.make_initializable_iterator(made)
            read = until_the_end(iterator.get_next(), 60)

            def started(session, iterator=iterator, read=read):
                session.run(iterator.initializer)
                return read(session)

            steps.append((f"{name}: {use}", started))
    mapped = table["map"]
    twice = tf.data.Dataset.zip((mapped, mapped))
    one_shot = [tf.data.make_one_shot_iterator(each).get_next() for each in (twice, twice, mapped)]

    def in_another(session):
        with type(session)(graph=session.graph) as other:
            return [until_the_end(fetches)(other) for fetches in one_shot]

    summed = twice.reduce(tf.constant(0), lambda s, x: s * 10 + x[0] - x[1])
    single = tf.data.experimental.get_single_element(twice.take(1))
    return {
        "steps": [
            *steps,
            *[(f"one shot {n}", until_the_end(fetches)) for n, fetches in enumerate(one_shot)],
            ("one shot, another session", in_another),
            ("reduce", summed, None),
            ("reduce again", summed, None),
            ("single", list(single), None),
        ]
    }
