"""Long seeded random draws: beyond a block, a register or a part, in all dtypes, repeatedly."""

import numpy as np


def _brief(value):
    """The shape, the first, middle and last elements, and checksums over all elements."""
    value = np.asarray(value)
    flat = value.reshape(-1)
    wide = flat.astype("d")
    places = [0, 1, 2, 3, 61, 62, 255, 256, 257, 1023, 1024, 4095, 4096, -3, -2, -1]
    some = [flat[p] for p in places if -flat.size <= p < flat.size]
    weights = np.cos(np.arange(flat.size) * 0.7)
    finite = np.where(np.isfinite(wide), wide, 0)
    total = float((finite * weights).sum() / (1 + np.abs(finite).sum()))
    return [value.dtype.name, str(value.shape), np.array(some).astype("f"), np.float32(total)]


def _say(tf, stage, cases, runs=2):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(5)
        for name, case in cases.items():
            made = tf.nest.flatten(case())
            for _ in range(runs):
                stage.say(name)
                with stage.failing():
                    stage.say(*map(_brief, session.run(made)))


def plain(tf, stage):
    cases = {}
    for kind in (tf.float32, tf.float64, tf.float16):
        for n in (1, 3, 5, 1031, 5003):
            cases[f"uniform {kind.name} {n}"] = lambda k=kind, n=n: tf.random_uniform(
                [n], dtype=k, seed=3
            )
            cases[f"normal {kind.name} {n}"] = lambda k=kind, n=n: tf.random_normal(
                [n], 1, 2, k, seed=4
            )
            cases[f"truncated {kind.name} {n}"] = lambda k=kind, n=n: tf.truncated_normal(
                [n], dtype=k, seed=5
            )
    for kind in (tf.int32, tf.int64):
        for low, high in ((0, 7), (-5, 1 << 30), (-(1 << 31), (1 << 31) - 1)):
            cases[f"{kind.name} {low} {high}"] = lambda k=kind, a=low, b=high: tf.random_uniform(
                [1031], a, b, k, seed=6
            )
    cases["int64"] = lambda: tf.random_uniform([77], -(1 << 62), 1 << 62, tf.int64, seed=7) // 1000
    _say(tf, stage, cases)


_PARAMETERS = ("means", "stdevs", "minvals", "maxvals")
_BOUNDED = [
    *((0.0, 1.0, -1.0, 2.0), (1.0, 2.0, -5.0, 5.0), (-3.0, 0.5, -3.5, -2.0), (0.0, 1.0, 2.0, 3.0)),
    *((1.0, 2.0, 1.0, 1.5), (-3.0, 0.5, -np.inf, -3.0), (0.0, 1.0, 4.0, np.inf)),
    *((1.0, 2.0, 5.0, np.inf), (-3.0, 0.5, 0.0, 9.0), (0.0, 1.0, -9.0, -3.0)),
]


def of_distributions(tf, stage):
    alphas = np.array([0.05, 0.3, 0.999, 1.0, 1.001, 2.5, 40.0, 1e4])
    rates = np.array([0.0, 0.01, 0.7, 3.0, 9.99, 10.0, 10.01, 55.5, 1e5])
    cases = {}
    for kind in (tf.float32, tf.float64):
        cases[f"gamma {kind.name}"] = lambda k=kind: tf.random_gamma([301], alphas, None, k, seed=1)
        cases[f"gamma with rates {kind.name}"] = lambda k=kind: tf.random_gamma(
            [2, 5], alphas[:, None], np.array([0.5, 2.0, 7.0]), k, seed=2
        )
        cases[f"poisson {kind.name}"] = lambda k=kind: tf.random_poisson(rates, [301], k, seed=3)
        for (
            numbers
        ) in _BOUNDED:  # one row each: TensorFlow's numbers for several depend on its threads
            cases[f"bounded {kind.name} {numbers}"] = lambda k=kind, n=numbers: (
                tf.raw_ops.ParameterizedTruncatedNormal(
                    shape=[1, 707],
                    **{key: tf.constant([x], k) for key, x in zip(_PARAMETERS, n)},
                    seed=4,
                    seed2=9,
                )
            )
    cases["poisson of integers"] = lambda: tf.random_poisson(rates[:-1], [65], tf.int32, seed=3)
    logits = np.log(np.random.RandomState(3).uniform(0.01, 1, (1, 37))).astype("f")
    for samples in (1, 3, 4, 5, 129, 1031):
        cases[f"classes {samples}"] = lambda n=samples: tf.random.categorical(logits, n, seed=8)
    cases["classes int32"] = lambda: tf.random.categorical(logits.astype("d"), 77, tf.int32, seed=8)
    _say(tf, stage, cases)


def in_another_order(tf, stage):
    cases = {}
    for n in (2, 3, 61, 62, 63, 64, 65, 255, 256, 257, 1031, 5003):
        cases[f"shuffled {n}"] = lambda n=n: tf.random_shuffle(tf.range(n), seed=n)
    cases["rows"] = lambda: tf.random_shuffle(np.arange(700.0).reshape(100, 7), seed=2)
    cases["texts"] = lambda: tf.string_to_number(
        tf.random_shuffle(tf.as_string(tf.range(99)), seed=2)
    )
    true = np.array([[1, 3], [0, 9]], np.int64)
    for size, count in ((10, 8), (64, 60), (1000, 300), (1 << 20, 70)):
        for unique in (True, False):
            key = f"{size} {count} {unique}"
            for name in ("uniform", "log_uniform", "learned_unigram"):
                sampler = getattr(tf.nn, f"{name}_candidate_sampler")
                if name == "learned_unigram" and size > 1000:
                    continue
                cases[f"{name} {key}"] = lambda s=sampler, n=size, c=count, u=unique: list(
                    s(true, 2, c, u, n, seed=3)
                )
            if size < 2000:
                cases[f"fixed {key}"] = lambda n=size, c=count, u=unique: list(
                    tf.nn.fixed_unigram_candidate_sampler(
                        true, 2, c, u, n, unigrams=[1.0 + k % 7 for k in range(n)], seed=4
                    )
                )
    _say(tf, stage, cases)


def without_state(tf, stage):
    cases = {}
    for seed in ((1, 2), (-1, 1 << 40)):
        for kind in (tf.float32, tf.float64, tf.float16):
            for name in ("uniform", "normal"):
                cases[f"{name} {kind.name} {seed}"] = lambda f=f"stateless_{name}", k=kind, s=seed: (
                    getattr(tf.random, f)([701], s, dtype=k)
                )
            cases[f"truncated {kind.name} {seed}"] = lambda k=kind, s=seed: (
                tf.random.stateless_truncated_normal([701], s, dtype=k)
            )
        for kind in (tf.int32, tf.int64):
            cases[f"{kind.name} {seed}"] = lambda k=kind, s=seed: tf.random.stateless_uniform(
                [701], s, -9, 1000, k
            )
        cases[f"classes {seed}"] = lambda s=seed: tf.random.stateless_categorical(
            np.zeros([1, 9], "f"), 301, s
        )
    _say(tf, stage, cases, runs=1)


def datasets(tf, stage):
    numbers = tf.data.Dataset.range(300)
    batch = {
        "all at once": numbers.shuffle(300, 7).batch(300),
        "a small buffer": numbers.shuffle(10, 7).batch(150),
        "a buffer of one": numbers.shuffle(1, 7).batch(300),
        "again": numbers.shuffle(90, 3).repeat(3).batch(300),
        "the same again": numbers.shuffle(90, 3, False).repeat(3).batch(300),
        "together": numbers.apply(tf.data.experimental.shuffle_and_repeat(70, 3, 11)).batch(300),
        "random": tf.data.experimental.RandomDataset(5).take(300).batch(300),
        "chosen": tf.data.experimental.sample_from_datasets(
            [numbers, numbers.map(lambda x: -x)], [0.7, 0.3], 4
        ).batch(300),
    }
    for name, dataset in batch.items():
        following = tf.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            for _ in range(3):
                stage.say(name)
                with stage.failing():
                    stage.say(_brief(session.run(following)))


def queues(tf, stage):
    for capacity, least in ((400, 0), (100, 60)):
        queue = tf.RandomShuffleQueue(capacity, least, tf.int64, [[]], seed=3)
        with tf.Session() as session:
            for start in range(0, 300, 50):
                session.run(queue.enqueue_many([np.arange(start, min(start + 50, capacity))]))
                if start + 50 >= capacity:
                    break
            stage.say(_brief([session.run(queue.dequeue()) for _ in range(5)]))
            session.run(queue.close())
            stage.say(_brief(session.run(queue.dequeue_up_to(500))))
