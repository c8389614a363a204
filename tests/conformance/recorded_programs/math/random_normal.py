"""Normal and truncated normal streams: equal to the reference up to the last digits."""

TOLERANCE = 2e-6


def build(tf):
    made = [
        tf.random_normal([2, 3]), tf.random_normal([5], 1.0, 2.0, seed=1),
        tf.random_normal([3], dtype=tf.float64), tf.random_normal([6], dtype=tf.float16),
        tf.truncated_normal([4]), tf.truncated_normal([3, 2], 1.0, 0.5, seed=2),
        tf.truncated_normal([3], dtype=tf.float64), tf.random_normal([], name="named"),
        tf.random.normal([1]), tf.random.truncated_normal([9], stddev=0.1),
        tf.random_normal([700], seed=5)[-4:], tf.truncated_normal([700], seed=5)[-4:],
    ]  # fmt: skip
    steps = [(f"{k} {t.name}", t) for k in range(3) for t in made]
    return {"steps": steps + [("all", made)]}
