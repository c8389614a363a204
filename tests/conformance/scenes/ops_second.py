"""Functions as the second release names them, all arguments given by their places."""

import numpy as np


def _w(*shape, by=5, of=7, less=3):
    return (np.arange(int(np.prod(shape))) * by % of - less).astype("f").reshape(shape)


def arrays(tf, stage):
    v2 = tf.compat.v2
    x = _w(2, 3)
    sparse = lambda: tf.sparse.from_dense(np.maximum(x, 0))  # noqa: E731
    cases = {
        "batch_to_space": lambda: v2.batch_to_space(
            _w(4, 2, 2, 1), [2, 2], [[0, 1], [1, 0]], "own"
        ),
        "constant": lambda: v2.constant(3, tf.float32, [2, 2], "own"),
        "gather_nd": lambda: v2.gather_nd(x, [[1], [0]], 1, "own"),
        "gradients": lambda: _derived(tf, v2),
        "reverse_sequence": lambda: v2.reverse_sequence(x, [1, 2, 2], 0, 1, "own"),
        "shape": lambda: [v2.shape(x, tf.int64, "own"), v2.size(x, tf.int64, "two")],
        "argmax": lambda: [
            v2.argmax(x, 1, tf.int32, "own"),
            v2.argmin(x),
            v2.argmin(x, 1, tf.int32),
        ],
        "sparse_add": lambda: v2.sparse.add(sparse(), sparse(), 3.0),
        "sparse_concat": lambda: v2.sparse.concat(1, [sparse(), sparse()], True, "own"),
        "checks": lambda: v2.debugging.assert_all_finite(x, "odd", "own"),
        "checks_odd": lambda: v2.debugging.assert_all_finite(x / 0.0, "odd"),
        "words": lambda: [
            v2.strings.length(["aä"], "UTF8_CHAR", "own"),
            v2.strings.reduce_join([["a", "b"]], 1, True, "-", "joined"),
            v2.strings.substr(["aäb"], 1, 2, "UTF8_CHAR", "part"),
            v2.strings.to_number(["3"], tf.int32, "number"),
            v2.strings.to_hash_bucket(["a"], 100, "bucket"),
            v2.strings.split(["a-b-c"], "-", 1, "split").values,
        ],
    }
    stage.each(cases)


def _derived(tf, v2):
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    z = x * x
    return v2.gradients(
        [z, z * 2.0],
        [x, y],
        [tf.constant([1.0, 10.0]), None],
        "own",
        True,
        None,
        [],
        v2.UnconnectedGradients.ZERO,
    )


def of_networks(tf, stage):
    v2 = tf.compat.v2
    nn = v2.nn
    x, f = _w(1, 4, 4, 2), _w(2, 2, 2, 2, by=3)
    table = _w(4, 3)
    places = [[0, 0], [0, 1], [1, 0]]
    ids = lambda: tf.SparseTensor(places, tf.constant([1, 3, 0], tf.int64), [2, 2])  # noqa: E731
    weights = lambda: tf.SparseTensor(places, [1.0, 3.0, 2.0], [2, 2])  # noqa: E731
    cases = {
        "conv1d": lambda: nn.conv1d(_w(1, 4, 2), _w(2, 2, 3), 1, "SAME", "NWC", 2, "own"),
        "conv3d": lambda: nn.conv3d(x[None], f[None], [1] * 5, "SAME", "NDHWC", [1] * 5, "own"),
        "crelu": lambda: nn.crelu(x, 1, "own"),
        "depth": lambda: [
            nn.depth_to_space(_w(1, 1, 1, 4), 2, "NHWC", "own"),
            nn.space_to_depth(x, 2, "NHWC", "two"),
        ],
        "separable": lambda: nn.separable_conv2d(
            x, f, _w(1, 1, 4, 1), [1] * 4, "SAME", None, [1, 2], "own"
        ),
        "dropout": lambda: [
            nn.dropout(x, 0.0, None, 1, "own"),
            nn.dropout(x * 0, 0.9, [1, 4, 1, 1], 2, "two"),
        ],
        "embedded_sparse": lambda: nn.embedding_lookup_sparse(
            table, ids(), weights(), "sqrtn", 2.0, "own"
        ),
        "embedded_safe": lambda: nn.safe_embedding_lookup_sparse(
            table, ids(), weights(), "sum", 2, None, "own"
        ),
        "argmax": lambda: list(
            nn.max_pool_with_argmax(
                x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", "NHWC", tf.int64, True, "own"
            )
        ),
        "moments": lambda: nn.moments(tf.constant(x), [1, 2], None, True, "own"),
        "dilated": lambda: nn.dilation2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
        "eroded": lambda: nn.erosion2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
        "crop": lambda: v2.image.crop_and_resize(
            x, [[0, 0, 2, 1]], [0], [3, 2], "nearest", 9, "own"
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
