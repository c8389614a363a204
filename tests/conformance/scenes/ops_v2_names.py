"""Functions under their v2 names, with all arguments positional."""

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
    cases = {
        "batch_to_space": lambda: v2.batch_to_space(_w(4, 2, 2, 1), 2, [[0, 1], [1, 0]]),
        "space_to_batch": lambda: v2.space_to_batch(wide, 2, [[0, 0], [0, 0]]),
        "avg_pool2d": lambda: nn.avg_pool2d(wide, [2, 1], 2, "SAME"),
        "places": lambda: nn.max_pool_with_argmax(wide, 2, [2, 1], "SAME"),
        "scaled_by_rows": lambda: math.scalar_mul(x, tf.constant(x)),
        "distorted_box_by_place": lambda: v2.image.sample_distorted_bounding_box(
            [9, 9, 1], [[[0, 0, 1, 1.0]]], 5, 0.5, [0.9, 1.1], [0.2, 0.9], 20, True, "own"
        ),
    }
    ratios = {
        "three": lambda pool: pool(image, [1.5, 1.2, 1.0], seed=9),
        "four": lambda pool: pool(image, [1.0, 1.5, 1.2, 1.0], seed=9, overlapping=True),
        "none": lambda pool: pool(image, None, seed=1),
        "its_own_draw": lambda pool: [tf.shape(part) for part in pool(image, [1.0, 1.5, 1.1, 1.0])],
    }
    for which in ("avg", "max"):
        pool = getattr(nn, f"fractional_{which}_pool")
        for ratio, call in ratios.items():
            cases[f"fractional_{which}_{ratio}"] = lambda call=call, pool=pool: call(pool)
    stage.each(cases)
