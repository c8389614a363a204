"""Uniform and integer streams, shuffles and multinomials: bitwise equal, over several runs."""

TOLERANCE = 0


def build(tf):
    n = tf.placeholder_with_default(3, [], name="n")
    rows = tf.constant([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]])
    made = [
        tf.random_uniform([2, 3]), tf.random_uniform([5], -1.0, 1.0, seed=1),
        tf.random_uniform([3], dtype=tf.float64), tf.random_uniform([7], dtype=tf.float16),
        tf.random_uniform([4], 0, 10, tf.int32), tf.random_uniform([4], -5, 2 ** 40, tf.int64, 3),
        tf.random_uniform([n, 2]), tf.random_uniform([], maxval=5, dtype=tf.int32, name="named"),
        tf.random_shuffle(rows), tf.random_shuffle([1, 2, 3], seed=4), tf.random.shuffle(rows),
        tf.random.uniform([2], tf.constant(1.0), tf.constant(2.0)), tf.random_uniform([0, 3]),
        tf.multinomial([[0.1, 0.2, 0.7], [1.0, 1.0, 1.0]], 5, seed=2),
        tf.random.categorical([[1.0, 2.0]], 4, dtype=tf.int32),
    ]  # fmt: skip
    with tf.name_scope("scope"):
        made.append(tf.random_uniform([2], seed=1))
    tf.set_random_seed(99)
    made += [tf.random_uniform([2]), tf.random_uniform([2], seed=1)]
    steps = [(f"{k} {t.name}", t) for k in range(3) for t in made]
    steps += [("fed", made[6], {n: 1}), ("all", made)]
    return {"steps": steps}
