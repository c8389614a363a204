"""Ops in eager mode: kernel errors, without prior shape functions, and tape gradients."""

import numpy as np

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5
A = np.array([[4.0, 1.0], [1.0, 3.0]], "f")
IMAGES = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64


def refused(tf, stage):
    raw, m, im, nn, s = tf.raw_ops, tf.math, tf.image, tf.nn, tf.strings
    stage.each_eagerly(
        {
            "concat_axis": lambda: raw.ConcatV2(values=[X, X], axis=2),
            "concat_sizes": lambda: tf.concat([X, X[:, 1:]], 0),
            "concat_ranks": lambda: tf.concat([X, X[0]], 0),
            "concat_vector": lambda: tf.concat([X, X], [0]),
            "stack_shapes": lambda: tf.stack([X, X[0]]),
            "unstack_number": lambda: tf.unstack(X, 4),
            "gather_axis": lambda: tf.gather(X, [0], axis=2),
            "gather_nd_deep": lambda: tf.gather_nd(X, [[0, 0, 0]]),
            "slice_far": lambda: tf.slice(X, [1, 1], [1, 4]),
            "reshaped_twice": lambda: tf.reshape(X, [-1, -1]),
            "expanded": lambda: tf.expand_dims(X, 4),
            "turned": lambda: tf.transpose(X, [0, 0]),
            "padded": lambda: tf.pad(X, [[0, 1]]),
            "tiled": lambda: tf.tile(X, [1]),
            "spread": lambda: tf.broadcast_to(X, [3, 5]),
            "filled": lambda: tf.fill([-1], 0),
            "one_hot": lambda: tf.one_hot([0], -1),
            "ranged": lambda: tf.range(0, 3, 0),
            "reversed": lambda: tf.reverse(X, [2]),
            "rolled": lambda: tf.roll(X, [1], [0, 1]),
            "matmul_rank": lambda: tf.matmul(X, X[0]),
            "matmul_batches": lambda: tf.matmul([A, A], [A, A, A]),
            "inverse": lambda: tf.matrix_inverse(np.ones([2, 2], "f")),
            "solved": lambda: tf.matrix_solve(np.zeros([2, 2], "f"), A),
            "cholesky": lambda: tf.cholesky(-A),
            "band": lambda: tf.matrix_band_part(X, 9, 0),
            "summed": lambda: tf.reduce_sum(X, 2),
            "argmax": lambda: tf.argmax(X, 2),
            "top": lambda: m.top_k(X, 5),
            "in_top": lambda: nn.in_top_k(X, [0], 1),
            "segments": lambda: m.segment_sum(X, [1, 0, 1]),
            "unsorted": lambda: m.unsorted_segment_sum(X, [0, 5, 1], 3),
            "cumsum": lambda: tf.cumsum(X, 2),
            "bincount": lambda: m.bincount([-1]),
            "clipped": lambda: tf.clip_by_value(X, 1.0, [[1.0]] * 4),
            "conv": lambda: nn.conv2d(IMAGES, np.ones([2, 2, 2, 1], "f"), 1, "SAME"),
            "pool": lambda: nn.max_pool(IMAGES[0], 2, 2, "SAME"),
            "pool_batch": lambda: nn.avg_pool(IMAGES, [2, 1, 1, 1], 1, "SAME"),
            "biased": lambda: nn.bias_add(X, [1.0, 2.0]),
            "cross_shapes": lambda: nn.softmax_cross_entropy_with_logits_v2(X, X[:, :2]),
            "looked_up": lambda: nn.embedding_lookup(X, [3]),
            "cropped": lambda: im.crop_and_resize(IMAGES, [[0.0, 0.0, 1.0, 1.0]], [1], [2, 2]),
            "resized": lambda: im.resize_bilinear(IMAGES, [0, 1]),
            "number": lambda: tf.string_to_number("one"),
            "substring": lambda: s.substr("abc", 5, 1),
            "pattern": lambda: s.regex_replace("a", "(", "b"),
            "raw": lambda: tf.decode_raw("abc", tf.int16),
            "uniform": lambda: tf.random_uniform([2], 3, 3, tf.int32),
            "ensured": lambda: tf.ensure_shape(X, [3, 3]),
        }
    )


def taped(tf, stage):
    """First and second gradients by tapes."""
    nn = tf.nn

    def tape(f, *given, twice=False):
        given = [tf.constant(x) for x in given]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(given)
            with tf.GradientTape() as inner:
                inner.watch(given)
                y = tf.nest.flatten(f(*given))
                total = tf.add_n([tf.reduce_sum(p**2) for p in y])
            first = inner.gradient(total, given)
            square = tf.add_n([tf.reduce_sum(g**2) for g in first if g is not None])
        return (first, outer.gradient(square, given)) if twice else first

    softmax = lambda x: nn.softmax_cross_entropy_with_logits_v2([[0.2, 0.3, 0.1, 0.4]] * 3, x)  # noqa: E731
    cases = {
        "gather": lambda: tape(lambda x: tf.gather(x, [2, 0, 2]), X),
        "cross": lambda: tape(softmax, X, twice=True),
    }
    stage.each_eagerly(cases)
