"""Kernels on unusual numbers: empty arrays, single elements, ties, dtype limits, NaN and infinities."""

import numpy as np

NAN, INF = np.nan, np.inf
ODD = np.array([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.5, 2.5, 3e38, 1e-40], "f")
_RNG = np.random.RandomState(3)
ROWS = _RNG.randint(-4, 5, (6, 5)).astype("f")


def _of_kinds(tf, function, numbers, kinds):
    """Results for each dtype, with numbers that it can hold."""
    with np.errstate(all="ignore"):
        return [function(tf.constant(np.array(numbers).astype(k))) for k in kinds]


def each_element(tf, stage):
    m = tf.math
    unary = [tf.abs, tf.negative, tf.sign, tf.floor, tf.ceil, tf.round, m.rint, tf.square]
    unary += [m.reciprocal, tf.exp, m.expm1, m.log, m.log1p, tf.sin, tf.tan, tf.atan]
    unary += [tf.tanh, tf.sigmoid, m.sinh, m.asinh, m.erf, m.erfc, m.lgamma, m.digamma]
    unary += [tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign]
    unary += [tf.nn.leaky_relu, tf.is_nan, tf.is_inf, tf.is_finite, m.softplus, m.log_sigmoid]
    moderate = np.array([NAN, INF, -INF, 0.0, 0.5, 1.0, -1.5, 2.5, 30.0, -30.0], "f")
    cases = {str(n): lambda f=f: f(tf.constant(moderate)) for n, f in enumerate(unary)}
    stage.each(cases, graph=False)
    whole = [-128, -7, -1, 0, 1, 5, 127]
    kinds = ("i1", "i2", "i4", "i8")
    stage.each(
        {
            "abs": lambda: _of_kinds(tf, tf.abs, whole, kinds),
            "sign": lambda: _of_kinds(tf, tf.sign, whole, ("i4", "i8")),
            "negative": lambda: _of_kinds(tf, tf.negative, whole, ("i4", "i8", "i2")),
            "invert": lambda: _of_kinds(tf, tf.bitwise.invert, whole, kinds),
            "least": lambda: [tf.abs(np.int32(-(2**31))), tf.negative(np.int64(-(2**63)))],
            "halves": lambda: tf.round(np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999], "d")),
            "casts": lambda: [
                tf.cast(tf.constant([300.7, -1.5, 0.9, 127.0]), k)
                for k in (tf.int32, tf.int64, tf.float16, tf.bool, tf.float64, tf.complex64)
            ],
            "casts_whole": lambda: [
                tf.cast(tf.constant([300, -1, 65536, 2**31 - 1]), k)
                for k in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int64, tf.float32, tf.bool)
            ],
            "half": lambda: tf.cast(tf.constant([65504.0, 65520.0, 1e-8, 2049.0, NAN]), tf.float16),
            "bfloat16": lambda: tf.cast(
                tf.cast(tf.constant([1.00390625, 3.14159, 1e39 / 10, NAN]), tf.bfloat16), tf.float32
            ),
            "saturated": lambda: [
                tf.saturate_cast(tf.constant([300.7, -5.0, 1e10]), k) for k in (tf.uint8, tf.int16)
            ],
        },
        graph=False,
    )


def two_by_two(tf, stage):
    a = np.array([7, -7, 7, -7, 0, 5, 1, -1], "i4")
    b = np.array([2, 2, -2, -2, 3, 5, 7, 7], "i4")
    x = np.array([7, -7, 7, -7, 0, INF, NAN, 1, 0.5, 1], "f")
    y = np.array([2, 2, -2, -2, 3, 2, 1, NAN, 0, INF], "f")
    binary = [tf.add, tf.subtract, tf.multiply, tf.floordiv, tf.truncatediv, tf.floormod, tf.mod]
    binary += [tf.truncatemod, tf.maximum, tf.minimum, tf.squared_difference, tf.equal, tf.less]
    binary += [tf.not_equal, tf.less_equal, tf.greater, tf.greater_equal]
    cases = {}
    for number, f in enumerate(binary):
        cases[f"binary{number}"] = lambda f=f: [f(a, b), f(a.astype("i8"), b.astype("i8")), f(x, y)]
    floats = [tf.divide, tf.realdiv, tf.pow, tf.atan2, tf.div_no_nan, tf.math.xdivy, tf.math.xlogy]
    for number, f in enumerate(floats):
        cases[f"floats{number}"] = lambda f=f: f(x, y)
    bits = tf.bitwise
    for number, f in enumerate((bits.bitwise_and, bits.bitwise_or, bits.bitwise_xor)):
        cases[f"bits{number}"] = lambda f=f: [f(a, b), f(a.astype("u1"), b.astype("u1"))]
    cases["shifts"] = lambda: [
        bits.left_shift(a, np.abs(b)),
        bits.right_shift(a, np.abs(b)),
        bits.right_shift(a.astype("u1"), np.abs(b).astype("u1")),
    ]
    cases["zero"] = lambda: tf.floordiv(tf.constant([1, 2]), tf.constant([1, 0]))
    cases["zero_mod"] = lambda: tf.floormod(tf.constant([1, 2]), tf.constant([0, 1]))
    cases["whole_powers"] = lambda: tf.pow(tf.constant([2, -3, 0, 7]), tf.constant([10, 3, 0, 0]))
    cases["wrapped"] = lambda: [
        tf.constant(2**31 - 1) + 1,
        tf.constant(-(2**63), tf.int64) - 1,
        tf.constant([200], tf.uint8) + tf.constant([100], tf.uint8),
        tf.constant([100], tf.int8) * tf.constant([3], tf.int8),
    ]
    cases["shapes"] = lambda: [
        tf.constant([[1.0], [2.0]]) + tf.constant([10.0, 20.0, 30.0]),
        tf.zeros([0, 3]) + tf.ones([3]),
        tf.zeros([2, 1, 0]) * tf.ones([3, 1]),
        tf.maximum(tf.ones([1, 1, 2]), tf.zeros([3, 2, 1])),
    ]
    cases["unfit"] = lambda: tf.placeholder_with_default(np.ones([2, 3], "f"), None) + tf.ones([2])
    cases["complex"] = lambda: [
        f(tf.constant([1 + 2j, 0j]), tf.constant([3 - 1j, 1j]))
        for f in (tf.add, tf.multiply, tf.divide, tf.equal, tf.not_equal)
    ]
    cases["logical"] = lambda: [
        f([True, True, False, False], [True, False, True, False])
        for f in (tf.logical_and, tf.logical_or, tf.logical_xor)
    ]
    cases["text"] = lambda: [f(["a", "b", ""], ["a", "c", "b"]) for f in (tf.equal, tf.not_equal)]
    stage.each(cases, graph=False)


def reduced(tf, stage):
    reductions = [tf.reduce_sum, tf.reduce_prod, tf.reduce_max, tf.reduce_min, tf.reduce_mean]
    more = [
        tf.reduce_logsumexp,
        tf.math.reduce_std,
        tf.math.reduce_variance,
        tf.math.reduce_euclidean_norm,
    ]
    nothing, odd = np.zeros([0, 3], "f"), np.array([[1, NAN, 3], [-INF, 2, INF]], "f")
    cases = {}
    for number, f in enumerate(reductions + more):
        cases[f"reduced{number}"] = lambda f=f: [
            f(tf.constant(ROWS)),
            f(tf.constant(ROWS), 0),
            f(tf.constant(ROWS), [1], True),
            f(tf.constant(ROWS), [-1, 0]),
            f(tf.constant(ROWS), []),
            f(tf.constant(nothing), 1),
            f(tf.constant(7.0)),
        ]
        cases[f"of_nothing{number}"] = lambda f=f: f(tf.constant(nothing), 0)
        cases[f"odd{number}"] = lambda f=f: [f(tf.constant(odd), axis) for axis in (0, 1)]
    for number, f in enumerate(reductions):
        cases[f"whole{number}"] = lambda f=f: [
            f(tf.constant([[100, 100], [27, -128]], k), 0) for k in (tf.int8, tf.int32, tf.int64)
        ]
    cases["all_any"] = lambda: [
        f(tf.constant([[True, False], [True, True]]), axis)
        for f in (tf.reduce_all, tf.reduce_any)
        for axis in (None, 0, [1])
    ]
    cases["none_at_all"] = lambda: [
        tf.reduce_all(tf.zeros([0], tf.bool)),
        tf.reduce_any(tf.zeros([0], tf.bool)),
    ]
    cases["counted"] = lambda: [
        tf.count_nonzero(tf.constant([[0.0, 3.0, NAN], [0.0, 0.0, -0.0]]), axis)
        for axis in (None, 0, 1)
    ]
    cases["largest"] = lambda: [
        f(tf.constant(x), axis)
        for f in (tf.argmax, tf.argmin)
        for x in (ROWS, odd, np.array([[3, 3], [1, 3]]))
        for axis in (0, 1)
    ]
    cases["largest_of_none"] = lambda: tf.argmax(tf.placeholder_with_default(nothing, None), 0)
    cases["largest_short"] = lambda: tf.argmax(tf.constant(ROWS), 1, output_type=tf.int32)
    cases["running"] = lambda: [
        f(tf.constant(x), axis, exclusive=e, reverse=r)
        for f in (tf.cumsum, tf.cumprod)
        for x, axis in ((ROWS[:3, :3], 1), (np.array([1, 2, 3]), 0))
        for e in (False, True)
        for r in (False, True)
    ]
    cases["far"] = lambda: tf.reduce_sum(tf.placeholder_with_default(ROWS, None), 2)
    stage.each(cases, graph=False)


def chosen_rows(tf, stage):
    ph = tf.placeholder_with_default
    ids = np.array([0, 0, 2, 2, 2, 5])
    mixed = np.array([3, -1, 0, 3, 0, 1])
    cases = {}
    for name in ("sum", "prod", "max", "min", "mean"):
        sorted_ones = getattr(tf, "segment_" + name)
        cases["segment_" + name] = lambda f=sorted_ones: [
            f(tf.constant(ROWS), ids),
            f(tf.constant(ROWS.astype("i4")), tf.constant(ids, tf.int32)),
            f(tf.zeros([0, 2]), tf.zeros([0], tf.int32)),
        ]
        cases["segment_" + name + "_unsorted"] = lambda f=sorted_ones: f(
            ROWS, ph([0, 2, 1, 1, 1, 1], [6])
        )
        cases["segment_" + name + "_below"] = lambda f=sorted_ones: f(
            ROWS, ph([-1, 0, 0, 0, 0, 0], [6])
        )
        any_order = getattr(tf, "unsorted_segment_" + name)
        cases["unsorted_" + name] = lambda f=any_order: [
            f(tf.constant(ROWS), mixed, 4),
            f(tf.constant(ROWS), np.arange(30).reshape(6, 5) % 4, 5),
        ]
        cases["unsorted_" + name + "_far"] = lambda f=any_order: f(ROWS, ph(mixed, [6]), 3)
    for name in ("sum", "mean", "sqrt_n"):
        f = getattr(tf, "sparse_segment_" + name)
        cases["sparse_" + name] = lambda f=f: [
            f(tf.constant(ROWS), [5, 0, 5], [0, 0, 1]),
            f(tf.constant(ROWS), [1, 2], [0, 3], num_segments=5),
        ]
        cases["sparse_" + name + "_far"] = lambda f=f: f(ROWS, ph([1, 6], [2]), [0, 1])
        cases["sparse_" + name + "_few"] = lambda f=f: f(
            ROWS, [1, 2], [0, 3], num_segments=ph(3, [])
        )
    cases["gather"] = lambda: [
        tf.gather(ROWS, [5, 0, 5]),
        tf.gather(ROWS, [[1], [0]], axis=1),
        tf.gather(ROWS, 2, axis=-1),
        tf.gather(ROWS, np.zeros([0], "i4")),
        tf.gather(np.arange(24).reshape(2, 3, 4), [[0, 2], [1, 1]], batch_dims=1),
        tf.gather(["a", "b"], [1, 1, 0]),
    ]
    cases["gather_far"] = lambda: tf.gather(ROWS, ph([0, 6], [2]))
    cases["gather_below"] = lambda: tf.gather(ROWS, ph([[-1]], None), axis=1)
    cases["gather_nd"] = lambda: [
        tf.gather_nd(ROWS, [[0, 1], [5, 4]]),
        tf.gather_nd(ROWS, [[3], [0]]),
        tf.gather_nd(ROWS, np.zeros([2, 0], "i4")),
    ]
    cases["gather_nd_far"] = lambda: tf.gather_nd(ROWS, ph([[0, 1], [5, 5]], None))
    cases["scatter_nd"] = lambda: [
        tf.scatter_nd([[1], [0], [1]], [1.0, 2.0, 3.0], [3]),
        tf.scatter_nd([[1]], [[5, 6]], [2, 2]),
        tf.scatter_nd(np.zeros([0, 1], "i4"), np.zeros([0, 2], "f"), [2, 2]),
        tf.tensor_scatter_update([1, 2, 3], [[0], [0]], [7, 8]),
        tf.tensor_scatter_add([1, 2, 3], [[0], [0]], [7, 8]),
        tf.tensor_scatter_sub([1, 2, 3], [[2]], [7]),
    ]
    cases["scatter_nd_far"] = lambda: tf.scatter_nd(ph([[3]], None), [1.0], [3])
    cases["top"] = lambda: [
        tf.nn.top_k(x, k, sorted=True)
        for x, k in (
            ([1.0, 3.0, 3.0, NAN, 2.0], 3),
            ([[5, 5, 1], [0, 2, 2]], 2),
            ([1.0, 2.0], 0),
            (ROWS, 5),
        )
    ]
    cases["top_far"] = lambda: tf.nn.top_k(ph(ROWS, None), 6)
    cases["in_top"] = lambda: tf.nn.in_top_k(
        [[0.1, 0.5, 0.5], [NAN, 0.1, 0.2], [1.0, 2.0, 3.0]], [1, 2, 5], 1
    )
    cases["sorted"] = lambda: [
        tf.sort([3.0, 1.0, 2.0]),
        tf.sort([3, 1, 2], direction="DESCENDING"),
        tf.argsort([3, 1, 1, 2], stable=True),
    ]
    cases["unique"] = lambda: [
        tf.unique([5, 1, 5, 2, 1]),
        tf.unique_with_counts(["b", "a", "b"]),
        tf.unique(tf.zeros([0])),
    ]
    cases["where"] = lambda: [
        tf.where([[True, False], [False, True]]),
        tf.where([1.0, 0.0, NAN]),
        tf.where([True, False], [1, 2], [3, 4]),
        tf.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]),
    ]
    cases["listed"] = lambda: [
        tf.setdiff1d([1, 2, 3, 2], [2]),
        *(tf.searchsorted([1.0, 3.0, 5.0], [3.0, 0.0, 9.0, NAN], s) for s in ("left", "right")),
        tf.dynamic_stitch([[-1]], [[1.0]]),
        tf.linspace(ph(0.0, []), INF, 3),
    ]
    cases["searched"] = lambda: tf.searchsorted([1, 3, 3, 5], [3, 5], side="right")
    cases["bins"] = lambda: [
        tf.bincount([1, 1, 4, 0]),
        tf.bincount([1, 5], minlength=3, maxlength=4),
        tf.bincount([1, 2], weights=[0.5, 2.0]),
    ]
    cases["bins_below"] = lambda: tf.bincount(ph([-1, 1], [2]))
    cases["histogram"] = lambda: tf.histogram_fixed_width(
        [-5.0, 0.0, 1.9, 5.0, 99.0], [0.0, 5.0], 5
    )
    stage.each(cases, graph=False)


def layers(tf, stage):
    nn = tf.nn
    logits = np.array([[1, 2, 3], [1000, 1000, -1000], [-INF, 0, 1], [NAN, 0, 0]], "f")
    labels = np.array([[0, 0, 1], [0.5, 0.5, 0], [0, 1, 0], [1, 0, 0]], "f")
    x = (np.arange(32).reshape(1, 4, 4, 2) % 7).astype("f")
    cases = {
        "softmax": lambda: [nn.softmax(logits), nn.log_softmax(logits), nn.softmax(logits, 0)],
        "softmax_of_none": lambda: [nn.softmax(tf.zeros([0, 3])), nn.softmax(tf.zeros([2, 1]))],
        "entropy": lambda: nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits),
        "sparse": lambda: nn.sparse_softmax_cross_entropy_with_logits(
            labels=[2, 0, 1, 0], logits=logits
        ),
        "sparse_far": lambda: nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.placeholder_with_default([3, 0, 0, 0], [4]), logits=logits
        ),
        "sigmoid": lambda: nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits),
        "weighted": lambda: nn.weighted_cross_entropy_with_logits(labels, logits, 2.0),
        "l2": lambda: [
            nn.l2_loss(x),
            nn.l2_normalize(x[0, 0], 1),
            nn.l2_normalize(tf.zeros([2]), 0),
        ],
        "lrn": lambda: nn.lrn(x, 1, 1.0, 0.5, 0.75),
        "bias": lambda: [nn.bias_add(x, [1.0, -1.0]), nn.bias_add([[1, 2]], [3, 4])],
        "moments": lambda: [
            nn.moments(tf.constant(x), [0, 1, 2]),
            nn.moments(tf.constant(ROWS), [1], keep_dims=True),
        ],
        "batch": lambda: nn.fused_batch_norm(x, [1.0, 2.0], [0.0, 1.0]),
        "batch_used": lambda: nn.fused_batch_norm(
            x, [1.0, 2.0], [0.0, 1.0], mean=[1.0, 2.0], variance=[1.0, 4.0], is_training=False
        )[0],
        "pool": lambda: [
            f(x, [1, k, k, 1], [1, s, s, 1], p)
            for f in (nn.max_pool, nn.avg_pool)
            for k, s, p in ((2, 2, "VALID"), (3, 2, "SAME"), (2, 1, "SAME"), (1, 3, "VALID"))
        ],
        "pool_places": lambda: nn.max_pool_with_argmax(x, [1, 3, 3, 1], [1, 2, 2, 1], "SAME"),
        "conv": lambda: [
            nn.conv2d(x, np.ones([k, k, 2, 1], "f"), [1, s, s, 1], p, dilations=[1, d, d, 1])
            for k, s, p, d in (
                (1, 1, "VALID", 1),
                (3, 2, "SAME", 1),
                (2, 1, "VALID", 2),
                (3, 1, [[0, 0], [1, 0], [2, 2], [0, 0]], 1),
            )
        ],
        "depthwise": lambda: nn.depthwise_conv2d(
            x, np.ones([2, 2, 2, 2], "f"), [1, 2, 2, 1], "SAME"
        ),
        "transposed": lambda: nn.conv2d_transpose(
            x[:, :2, :2], np.ones([3, 3, 1, 2], "f"), [1, 4, 4, 1], [1, 2, 2, 1]
        ),
        "products": lambda: (
            [tf.matmul(ROWS, ROWS, a, not a) for a in (False, True)]
            + [
                tf.matmul(tf.zeros([2, 0]), tf.zeros([0, 3])),
                tf.matmul([[1, 2]], [[3], [2**31 - 1]]),
                tf.matmul(
                    tf.constant([[1j, 2]]),
                    tf.constant([[1j], [2]]),
                    adjoint_a=False,
                    adjoint_b=False,
                ),
                tf.matmul([[[1.0, NAN]], [[0.0, INF]]], [[[0.0], [1.0]]] * 2),
            ]
        ),
        "sparse_product": lambda: tf.matmul(
            ROWS, ROWS, transpose_b=True, a_is_sparse=True, b_is_sparse=True
        ),
        "dropped": lambda: nn.dropout(tf.ones([3]), rate=0.0),
        "crossed": lambda: tf.cross([[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]),
        "ctc": lambda: nn.ctc_greedy_decoder(
            np.log([[[0.1, 0.6, 0.3]], [[0.1, 0.6, 0.3]], [[0.2, 0.2, 0.6]]]).astype("f"), [3]
        ),
    }
    stage.each(cases, graph=False)


def moved(tf, stage):
    t = np.arange(24).reshape(2, 3, 4)
    ph = tf.placeholder_with_default
    stage.each(
        {
            "transposed": lambda: [
                tf.transpose(t, p) for p in ([0, 2, 1], [2, 0, 1], [2, 1, 0], [1, 0, 2])
            ],
            "reversed": lambda: [
                tf.reverse(t, [0, -1]),
                tf.reverse(t, []),
                tf.reverse_sequence(t, [1, 3], 1, 0),
            ],
            "reversed_far": lambda: tf.reverse_sequence(
                t, ph([1, 4], [2]), seq_axis=1, batch_axis=0
            ),
            "padded": lambda: [
                tf.pad([[1, 2, 3], [4, 5, 6]], [[1, 0], [2, 1]], m)
                for m in ("CONSTANT", "REFLECT", "SYMMETRIC")
            ],
            "padded_with": lambda: tf.pad([1.0], [[0, 2]], constant_values=NAN),
            "padded_far": lambda: tf.pad(ph([1, 2], None), [[2, 0]], "REFLECT"),
            "tiled": lambda: [tf.tile([[1, 2]], [2, 3]), tf.tile([1], [0]), tf.tile(["a"], [2])],
            "rolled": lambda: [tf.roll(t, [1, -2], [0, 2]), tf.roll([1, 2, 3], 4, 0)],
            "parts": lambda: tf.split(t, [1, 0, 3], 2) + tf.split(t, 3, 1),
            "joined": lambda: [
                tf.concat([t, t[:, :1]], 1),
                tf.concat([t[:0], t], 0),
                tf.stack([t[0], t[1]], -1),
            ],
            "slices": lambda: (
                [t_[1:, ::-1, ..., None] for t_ in [tf.constant(t)]]
                + [tf.constant(t)[-1, 5:], tf.constant(t)[:, :, 3:0:-2]]
            ),
            "diagonals": lambda: [
                tf.matrix_diag([[1, 2]]),
                tf.matrix_diag_part(t[:, :, :3]),
                tf.matrix_set_diag(t[:, :, :3], [[9, 9, 9]] * 2),
            ],
            "bands": lambda: [tf.matrix_band_part(ROWS, *n) for n in ((1, 0), (-1, 1), (0, -1))],
            "spaces": lambda: [
                tf.space_to_depth(np.arange(16).reshape(1, 4, 4, 1), 2),
                tf.depth_to_space(np.arange(16).reshape(1, 2, 2, 4), 2),
                tf.space_to_batch_nd(np.arange(6).reshape(1, 6, 1), [2], [[1, 1]]),
                tf.batch_to_space_nd(np.arange(8).reshape(4, 2, 1), [2], [[1, 0]]),
            ],
            "ranges": lambda: [
                tf.range(5, 0, -2),
                tf.range(0.0, 1.0, 0.3),
                tf.linspace(0.0, 1.0, 1),
                tf.linspace(1.0, 0.0, 4),
            ],
            "hot": lambda: [
                tf.one_hot([0, 2, -1, 9], 3, 5, 1),
                tf.one_hot([[1]], 2, axis=0, dtype=tf.int8),
            ],
            "spread": lambda: [
                tf.broadcast_to([[1], [2]], [2, 2, 3]),
                tf.meshgrid([1, 2], [3], indexing="ij"),
            ],
            "filled": lambda: [
                tf.fill([2, 0], 3),
                tf.fill([2], "a"),
                tf.zeros_like(["a"]),
                tf.eye(2, 3, [2]),
            ],
            "bits": lambda: [
                tf.bitcast([1.0, -0.0], tf.int32),
                tf.bitcast([[1, 2]], tf.uint8),
                tf.bitcast(tf.constant([[1, 2]], tf.int32), tf.float64),
            ],
            "clipped": lambda: [
                tf.clip_by_value(ODD[:9], -1.0, 2.0),
                tf.clip_by_value([1, 5, 9], 2, 6),
                tf.clip_by_norm([3.0, 4.0], 2.5),
                tf.clip_by_norm([0.0], 1.0),
            ],
            "norms": lambda: [
                tf.norm(ROWS),
                tf.norm(ROWS, 1, 0),
                tf.norm(ROWS, INF, 1),
                tf.global_norm([tf.constant([3.0]), tf.constant([4.0])]),
            ],
            "numbers": lambda: [
                tf.string_to_number(["1.5", "-2", "1e3", " 7 "]),
                tf.as_string([1.5, -0.0, NAN]),
                tf.as_string([True, False]),
            ],
            "mixed": lambda: tf.quantize_v2([-1.0, 0.0, 0.5, 2.0], -1.0, 1.0, tf.quint8)[1:],
            "faked": lambda: tf.fake_quant_with_min_max_args(
                [-7.0, -0.1, 0.3, 5.9, 9.0], -6.0, 6.0, 3
            ),
        },
        graph=False,
    )


def drawn_of_turned_logits(tf, stage):
    """Categorical draws from non-contiguous logits."""
    logits = np.log(np.array([[0.7, 0.1], [0.2, 0.1], [0.1, 0.8]], np.float32))
    wide = np.repeat(logits, 2, axis=1)
    stage.each(
        {
            f"{kind.name}_{name}": lambda x=x, kind=kind: tf.random.categorical(
                tf.cast(x(), kind), 40, seed=4
            )
            for kind in (tf.float32, tf.float64)
            for name, x in {
                "turned": lambda: tf.transpose(logits),
                "strided": lambda: tf.transpose(wide)[::2],
                "backwards": lambda: tf.constant(logits)[::-1],
                "columns": lambda: tf.constant(wide)[:, 1:3],
                "none": lambda: tf.constant(wide)[:, :0],
            }.items()
        },
        graph=False,
    )
