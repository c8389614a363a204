"""Normals between bounds: each way to draw them, by rows and all alike, run after run."""

TOLERANCE = 1e-5


def build(tf):
    rows = tf.placeholder_with_default([3, 5], [2], name="rows")

    def bounded(shape, dtype, *parameters, **seeds):
        parameters = [tf.constant(value, dtype) for value in parameters]
        keys = ("means", "stdevs", "minvals", "maxvals")
        return tf.raw_ops.ParameterizedTruncatedNormal(
            shape=shape, **dict(zip(keys, parameters)), **seeds
        )

    infinity = float("inf")
    made = [
        bounded([7], tf.float32, 0.0, 1.0, -2.0, 2.0, seed=1),
        bounded([7], tf.float64, 1.0, 2.0, -3.0, -1.5, seed=1, seed2=2),
        bounded([7], tf.float16, 0.0, 1.0, 0.5, 0.75, seed=3, seed2=-2),
        bounded([90], tf.float32, [0.0], [1.0], [4.0], [infinity], seed=4, seed2=2),
        bounded([3, 4, 2], tf.float32, [0.0, 1.0, 2.0], 1.0, [-1.0, 4.0, -infinity], 6.0, seed=5),
        bounded(rows, tf.float64, [0.0, -8.0, 50.0], [1.0, 2.0, 3.0], -4.0, 5.0, seed=6),
        bounded([0, 2], tf.float32, 0.0, 1.0, -2.0, 2.0, seed=7),
    ]  # fmt: skip
    steps = [(f"{run} {tensor.name}", tensor) for run in range(3) for tensor in made]
    return {"steps": [*steps, ("fed", made[5], {rows: [3, 2]}), ("all", made)]}
