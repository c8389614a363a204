"""Functions as the second release names them, all arguments given by their places."""

import numpy as np


def _w(*shape, by=5, of=7, less=3):
    return (np.arange(int(np.prod(shape))) * by % of - less).astype("f").reshape(shape)


def arrays(tf, stage):
    v2 = tf.compat.v2
    x = _w(2, 3)
    cases = {
        "batch_to_space": lambda: v2.batch_to_space(
            _w(4, 2, 2, 1), [2, 2], [[0, 1], [1, 0]], "own"
        ),
        "checks_odd": lambda: v2.debugging.assert_all_finite(x / 0.0, "odd"),
    }
    stage.each(cases)


def of_networks(tf, stage):
    v2 = tf.compat.v2
    nn = v2.nn
    x = _w(1, 4, 4, 2)
    cases = {
        "conv1d": lambda: nn.conv1d(_w(1, 4, 2), _w(2, 2, 3), 1, "SAME", "NWC", 2, "own"),
        "dilated": lambda: nn.dilation2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
        "eroded": lambda: nn.erosion2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
    }
    stage.each(cases)


def with_defaults(tf, stage):
    v2 = tf.compat.v2
    nn, math = v2.nn, v2.math
    x, wide, image = _w(2, 3), _w(1, 4, 4, 2), _w(1, 6, 6, 1)
    sparse = lambda: tf.sparse.from_dense(np.maximum(x, 0))  # noqa: E731
    cases = {
        "batch_to_space": lambda: v2.batch_to_space(_w(4, 2, 2, 1), 2, [[0, 1], [1, 0]]),
        "space_to_batch": lambda: v2.space_to_batch(wide, 2, [[0, 0], [0, 0]]),
        "avg_pool2d": lambda: nn.avg_pool2d(wide, [2, 1], 2, "SAME"),
        "places": lambda: nn.max_pool_with_argmax(wide, 2, [2, 1], "SAME"),
        "places_other_format": lambda: nn.max_pool_with_argmax(wide, 2, 2, "SAME", "NCHW"),
        "places_of_three": lambda: nn.max_pool_with_argmax(wide, [1, 2, 1], 2, "SAME"),
        "convolution": lambda: [
            nn.convolution(wide, _w(2, 2, 2, 1)),
            nn.convolution(wide, _w(2, 2, 2, 1), 2),
            nn.convolution(wide, _w(2, 2, 2, 1), dilations=2),
        ],
        "pool_of_one_size": lambda: nn.pool(wide, 2, "MAX", 2),
        "scaled": lambda: [
            math.scalar_mul(2.0, tf.constant(x)),
            math.scalar_mul(tf.constant(3.0), tf.constant(x), "own"),
        ],
        "scaled_by_rows": lambda: math.scalar_mul(x, tf.constant(x)),
        "sparse_split": lambda: v2.sparse.split(sparse(), 3, -1),
        "sparse_split_beyond": lambda: v2.sparse.split(sparse(), 3, 2),
        "distorted_box": lambda: v2.image.sample_distorted_bounding_box(
            [4, 4, 1], [[[0, 0, 1, 1.0]]], seed=3
        ),
        "distorted_box_by_place": lambda: v2.image.sample_distorted_bounding_box(
            [9, 9, 1], [[[0, 0, 1, 1.0]]], 5, 0.5, [0.9, 1.1], [0.2, 0.9], 20, True, "own"
        ),
        "distorted_box_of_a_seeded_graph": lambda: _seeded(
            tf, lambda: v2.image.sample_distorted_bounding_box([9, 9, 1], [[[0, 0, 1, 1.0]]], 5)
        ),
    }
    ratios = {
        "a_number": lambda pool: pool(image, 1.5, seed=3),
        "two": lambda pool: pool(image, [1.5, 1.2], True, True, 7, "own"),
        "three": lambda pool: pool(image, [1.5, 1.2, 1.0], seed=9),
        "four": lambda pool: pool(image, [1.0, 1.5, 1.2, 1.0], seed=9, overlapping=True),
        "none": lambda pool: pool(image, None, seed=1),
        "a_seeded_graph": lambda pool: _seeded(
            tf, lambda: pool(image, [1.0, 1.3, 1.3, 1.0], seed=2)
        ),
        "its_own_draw": lambda pool: [tf.shape(part) for part in pool(image, [1.0, 1.5, 1.1, 1.0])],
        "no_seed": lambda pool: [
            tf.shape(part) for part in pool(image, [1.0, 1.5, 1.1, 1.0], seed=None)
        ],
    }
    for which in ("avg", "max"):
        pool = getattr(nn, f"fractional_{which}_pool")
        for ratio, call in ratios.items():
            cases[f"fractional_{which}_{ratio}"] = lambda call=call, pool=pool: call(pool)
    stage.each(cases)


def _seeded(tf, call):
    tf.set_random_seed(4)
    return call()
