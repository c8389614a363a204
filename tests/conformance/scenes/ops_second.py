"""Functions as the second release names them, all arguments given by their places."""

import numpy as np


def _w(*shape, by=5, of=7, less=3):
    return (np.arange(int(np.prod(shape))) * by % of - less).astype("f").reshape(shape)


def arrays(tf, stage):
    v2 = tf.compat.v2
    x, wide = _w(2, 3), _w(1, 4, 4, 2)
    sparse = lambda: tf.sparse.from_dense(np.maximum(x, 0))  # noqa: E731
    cases = {
        "batch_to_space": lambda: v2.batch_to_space(
            _w(4, 2, 2, 1), [2, 2], [[0, 1], [1, 0]], "own"
        ),
        "space_to_batch": lambda: v2.space_to_batch(wide, [2, 1], [[0, 0], [1, 0]], "own"),
        "boolean_mask": lambda: v2.boolean_mask(x, [True, False, True], 1, "own"),
        "case": lambda: v2.case(
            [(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)],
            lambda: 3,
            True,
            True,
            "own",
        ),
        "cond": lambda: v2.cond(tf.constant(True), lambda: x, lambda: -x, "own"),
        "constant": lambda: v2.constant(3, tf.float32, [2, 2], "own"),
        "convert": lambda: v2.convert_to_tensor(3, None, tf.float64, "own"),
        "expand_dims": lambda: v2.expand_dims(x, 1, "own"),
        "gather": lambda: v2.gather(x, [[2, 0], [1, 1]], None, 1, 1, "own"),
        "gather_default": lambda: v2.gather(_w(2, 2, 3), [[1], [0]], batch_dims=1),
        "gather_nd": lambda: v2.gather_nd(x, [[1], [0]], 1, "own"),
        "gradients": lambda: _derived(tf, v2),
        "norm": lambda: [v2.norm(x, 1, 1, True, "own"), v2.norm(x)],
        "pad": lambda: v2.pad(x, [[0, 1], [1, 0]], "CONSTANT", 5, "own"),
        "pad_other": lambda: v2.pad(x, [[0, 1], [1, 0]], "REFLECT", 5),
        "reverse_sequence": lambda: v2.reverse_sequence(x, [1, 2, 2], 0, 1, "own"),
        "reverse_sequence_default": lambda: v2.reverse_sequence(x, [1, 3], 1),
        "shape": lambda: [v2.shape(x, tf.int64, "own"), v2.size(x, tf.int64, "two")],
        "squeeze": lambda: v2.squeeze(_w(1, 2, 1), 0, "own"),
        "transpose": lambda: v2.transpose(tf.complex(x, x), [1, 0], True, "own"),
        "tuple": lambda: v2.tuple([tf.constant(1), tf.constant(2)], [tf.no_op()], "own"),
        "while": lambda: v2.while_loop(
            lambda i: i < 9,
            lambda i: [i + 2],
            [tf.constant(0)],
            [tf.TensorShape([])],
            3,
            False,
            True,
            2,
            "own",
        ),
        "where": lambda: v2.where(x > 0, x, 9.0, "own"),
        "argmax": lambda: [
            v2.argmax(x, 1, tf.int32, "own"),
            v2.argmin(x),
            v2.argmin(x, 1, tf.int32),
        ],
        "confusion": lambda: v2.math.confusion_matrix([0, 1], [1, 1], 3, [2, 5], tf.int64, "own"),
        "counted": lambda: v2.math.count_nonzero(x, 1, True, tf.int32, "own"),
        "in_top": lambda: v2.math.in_top_k([1, 0], x, 1, "own"),
        "normalized": lambda: v2.math.l2_normalize(tf.constant(x), 1, 0.5, "own"),
        "any": lambda: [
            v2.reduce_any(x > 2, 1, True, "own"),
            v2.reduce_all(x > -9, 0, False, "two"),
        ],
        "most": lambda: [v2.reduce_max(x, 1, True, "own"), v2.reduce_min(x, 0, False, "two")],
        "sums": lambda: [v2.reduce_sum(x, 1, True, "own"), v2.reduce_prod(x, 0, False, "two")],
        "means": lambda: [
            v2.reduce_mean(x, 1, True, "own"),
            v2.reduce_logsumexp(x, 0, True, "two"),
        ],
        "sparse_add": lambda: v2.sparse.add(sparse(), sparse(), 3.0),
        "sparse_concat": lambda: v2.sparse.concat(1, [sparse(), sparse()], True, "own"),
        "sparse_split": lambda: list(v2.sparse.split(sparse(), 3, 1, "own")),
        "segments": lambda: [
            getattr(v2.sparse, "segment_" + how)(x, [0, 1], [0, 0], 3, how)
            for how in ("sum", "mean", "sqrt_n")
        ],
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
    logits, labels = _w(2, 3), np.float32([[0, 1, 0], [1, 0, 0]])
    table = _w(4, 3)
    places = [[0, 0], [0, 1], [1, 0]]
    ids = lambda: tf.SparseTensor(places, tf.constant([1, 3, 0], tf.int64), [2, 2])  # noqa: E731
    weights = lambda: tf.SparseTensor(places, [1.0, 3.0, 2.0], [2, 2])  # noqa: E731
    cases = {
        "avg_pool": lambda: [
            nn.avg_pool(x, 2, 2, "SAME", "NHWC", "own"),
            nn.avg_pool2d(x, 2, 2, "SAME", "NHWC", "two"),
        ],
        "conv1d": lambda: nn.conv1d(_w(1, 4, 2), _w(2, 2, 3), 1, "SAME", "NWC", 2, "own"),
        "conv2d": lambda: nn.conv2d(x, f, 1, "VALID", "NHWC", [1, 2], "own"),
        "conv3d": lambda: nn.conv3d(x[None], f[None], [1] * 5, "SAME", "NDHWC", [1] * 5, "own"),
        "convolution": lambda: nn.convolution(x, f, None, "SAME", None, [1, 2], "own"),
        "crelu": lambda: nn.crelu(x, 1, "own"),
        "depth": lambda: [
            nn.depth_to_space(_w(1, 1, 1, 4), 2, "NHWC", "own"),
            nn.space_to_depth(x, 2, "NHWC", "two"),
        ],
        "depthwise": lambda: nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", None, [2, 1], "own"),
        "separable": lambda: nn.separable_conv2d(
            x, f, _w(1, 1, 4, 1), [1] * 4, "SAME", None, [1, 2], "own"
        ),
        "dropout": lambda: [
            nn.dropout(x, 0.0, None, 1, "own"),
            nn.dropout(x * 0, 0.9, [1, 4, 1, 1], 2, "two"),
        ],
        "embedded": lambda: nn.embedding_lookup(table, [3, 1], 1.0, "own"),
        "embedded_sparse": lambda: nn.embedding_lookup_sparse(
            table, ids(), weights(), "sqrtn", 2.0, "own"
        ),
        "embedded_safe": lambda: nn.safe_embedding_lookup_sparse(
            table, ids(), weights(), "sum", 2, None, "own"
        ),
        "softmax": lambda: [
            nn.softmax(logits, 0, "own"),
            nn.log_softmax(logits, 0, "two"),
            nn.softmax(logits),
        ],
        "argmax": lambda: list(
            nn.max_pool_with_argmax(
                x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", "NHWC", tf.int64, True, "own"
            )
        ),
        "moments": lambda: nn.moments(tf.constant(x), [1, 2], None, True, "own"),
        "moments_weighted": lambda: nn.weighted_moments(logits, [1], labels, True, "own"),
        "statistics": lambda: list(
            nn.sufficient_statistics(tf.constant(logits), [1], 1.0, True, "own")
        ),
        "pool": lambda: nn.pool(x, [2, 2], "MAX", [1, 2], "SAME", None, None, "own"),
        "entropies": lambda: [
            nn.sigmoid_cross_entropy_with_logits(labels, logits, "own"),
            nn.softmax_cross_entropy_with_logits(labels, logits, 0, "two"),
            nn.sparse_softmax_cross_entropy_with_logits([1, 0], logits, "three"),
            nn.weighted_cross_entropy_with_logits(labels, logits, 3.0, "four"),
        ],
        "dilated": lambda: nn.dilation2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
        "eroded": lambda: nn.erosion2d(
            x, _w(2, 2, 2), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1], "own"
        ),
        "crop": lambda: v2.image.crop_and_resize(
            x, [[0, 0, 2, 1]], [0], [3, 2], "nearest", 9, "own"
        ),
        "boxes": lambda: v2.image.draw_bounding_boxes(
            x[..., :1] * 0, [[[0, 0, 0.9, 0.9]]], [[5.0]], "own"
        ),
        "resized": lambda: [
            v2.image.resize(x, [2, 3], "bilinear", False, False, "own"),
            v2.image.resize(x, [6, 3], "nearest", True),
            v2.image.resize(x, [3, 3], "area"),
        ],
        "eye": lambda: v2.linalg.eye(2, 3, [2], tf.int32, "own"),
        "normalize": lambda: v2.linalg.normalize(logits, 1, 1, "own"),
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
        "avg_pool2d_of_four": lambda: nn.avg_pool2d(wide, [1, 2, 1, 1], [1, 1, 2, 1], "VALID"),
        "places": lambda: nn.max_pool_with_argmax(wide, 2, [2, 1], "SAME"),
        "places_other_format": lambda: nn.max_pool_with_argmax(wide, 2, 2, "SAME", "NCHW"),
        "places_of_three": lambda: nn.max_pool_with_argmax(wide, [1, 2, 1], 2, "SAME"),
        "convolution": lambda: [
            nn.convolution(wide, _w(2, 2, 2, 1)),
            nn.convolution(wide, _w(2, 2, 2, 1), 2),
            nn.convolution(wide, _w(2, 2, 2, 1), dilations=2),
        ],
        "pool": lambda: nn.pool(wide, [2, 2], "AVG"),
        "pool_of_one_size": lambda: nn.pool(wide, 2, "MAX", 2),
        "pool_of_least": lambda: nn.pool(wide, [2, 2], "MIN"),
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
