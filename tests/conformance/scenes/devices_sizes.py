"""Kernels on more elements than a register or a block holds: odd sizes, several dtypes, gradients."""

import numpy as np


def _numbers(*shape, dtype="f"):
    return np.round(np.random.RandomState([11, *shape]).uniform(-3, 3, shape), 3).astype(dtype)


ROWS, COLUMNS = _numbers(7, 131), _numbers(303, 5)
LONG = _numbers(1031)
CUBE = _numbers(5, 7, 41)


def _brief(value):
    """Some elements of a large array, and checksums over all."""
    value = np.asarray(value)
    if value.dtype == object or value.size <= 6:
        return value
    flat = value.reshape(-1)
    parts = flat[:: max(1, value.size // 3)], flat[-1]
    wide = flat.astype("D" if value.dtype.kind == "c" else "d")
    weights = np.cos(np.arange(value.size) * 0.7)
    finite = np.where(np.isfinite(wide), wide, 0)
    sums = [
        np.abs(finite).mean(),
        float((finite.real * weights).sum() / (1 + np.abs(finite).sum())),
    ]
    return [value.dtype.name, str(value.shape), *parts, np.array(sums).astype("f")]


def _say(tf, stage, cases):
    """Records a summary of what each function of a dict returns."""
    for name, function in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            with stage.failing():
                made = tf.nest.flatten(function())
                session.run(tf.global_variables_initializer())
                stage.say(name, *map(_brief, session.run(made)))


def _slopes(tf, function, *inputs):
    """A result, and the gradients of its product with numbers of all magnitudes."""
    inputs = [tf.constant(x) for x in inputs]
    made = function(*inputs)
    factors = np.cos(np.arange(int(np.prod(made.shape.as_list()))) * 0.3)
    loss = tf.reduce_sum(
        made * factors.reshape(made.shape.as_list()).astype(made.dtype.as_numpy_dtype)
    )
    return [made, *map(tf.convert_to_tensor, tf.gradients(loss, inputs))]


def elementwise(tf, stage):
    m, nn = tf.math, tf.nn
    unary = [tf.exp, tf.tanh, tf.sigmoid, tf.sin, tf.cos, m.erf, m.expm1, tf.square, tf.atan]
    unary += [nn.relu, nn.relu6, nn.elu, nn.selu, nn.softplus, nn.softsign, nn.leaky_relu, tf.abs]
    unary += [tf.sign, tf.floor, tf.ceil, tf.round, m.sinh, m.cosh, m.asinh, m.lgamma, m.digamma]
    positive = [tf.log, tf.sqrt, tf.rsqrt, m.log1p, m.reciprocal, tf.acosh]
    cases = {
        str(n): lambda f=f: [f(tf.constant(LONG)), f(tf.constant(LONG[:37].astype("d")))]
        for n, f in enumerate(unary)
    }
    for n, f in enumerate(positive):
        cases[f"positive{n}"] = lambda f=f: f(tf.constant(np.abs(LONG) + 1.001))
    for n, f in enumerate((tf.add, tf.multiply, tf.maximum, tf.subtract, tf.divide, tf.pow)):
        cases[f"two{n}"] = lambda f=f: [
            f(tf.abs(ROWS) + 0.5, ROWS[:, :1]),
            f(tf.abs(ROWS) + 0.5, ROWS[0]),
            f(tf.abs(CUBE) + 0.5, CUBE[:, :1]),
        ]
    _say(tf, stage, cases)


def reduced(tf, stage):
    kinds = [tf.reduce_sum, tf.reduce_prod, tf.reduce_max, tf.reduce_min, tf.reduce_mean]
    cases = {}
    for n, f in enumerate(kinds):
        cases[f"{n}"] = lambda f=f: [
            f(tf.constant(x * (0.3 if f is tf.reduce_prod else 1)), axis)
            for x in (ROWS, COLUMNS, CUBE)
            for axis in (0, 1, [0, 1], *(([2], [0, 2], [1, 2]) if x.ndim == 3 else ()))
        ]
        cases[f"{n}_of_kinds"] = lambda f=f: [
            f(tf.constant(ROWS.astype(k)), 1) for k in ("d", "i4", "i8")
        ]
    cases["large"] = lambda: [f(tf.constant(np.tile(CUBE, (4, 1, 1))), [1]) for f in kinds[2:]]
    cases["places"] = lambda: [
        f(tf.constant(x.astype(k)), axis)
        for f in (tf.argmax, tf.argmin)
        for k in ("f", "d", "i4")
        for x, axis in ((np.tile(ROWS, (2, 1)), 1), (COLUMNS, 0), (COLUMNS, 1))
    ]
    ties = np.floor(np.tile(ROWS, (2, 1)))
    cases["top"] = lambda: [
        tf.nn.top_k(ties.astype(k), n) for k in ("f", "i4") for n in (1, 3, 131)
    ]
    cases["in_top"] = lambda: [
        tf.nn.in_top_k(ties, np.arange(14, dtype=k) * 9, n)
        for k in ("i4", "i8")
        for n in (1, 9, 60)
    ]
    cases["sorted"] = lambda: [tf.sort(ties, 1), tf.argsort(ROWS, 0, "DESCENDING")]
    cases["running"] = lambda: [tf.cumsum(CUBE, a, reverse=a == 1) for a in (0, 1, 2)]
    _say(tf, stage, cases)


def layers(tf, stage):
    nn = tf.nn
    wide = np.abs(ROWS) / np.abs(ROWS).sum(1, keepdims=True)
    labels = np.arange(303) % 5
    cases = {
        "softmax": lambda: [
            _slopes(tf, f, x) for f in (nn.softmax, nn.log_softmax) for x in (ROWS, COLUMNS)
        ],
        "softmax_double": lambda: _slopes(tf, nn.softmax, ROWS.astype("d")),
        "entropy": lambda: _slopes(
            tf, lambda x: nn.softmax_cross_entropy_with_logits_v2(labels=wide, logits=x), ROWS
        ),
        "sparse": lambda: _slopes(
            tf,
            lambda x: nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x),
            COLUMNS,
        ),
        "sigmoids": lambda: _slopes(
            tf, lambda x: nn.sigmoid_cross_entropy_with_logits(labels=wide, logits=x), ROWS
        ),
        "bias": lambda: _slopes(tf, nn.bias_add, COLUMNS, COLUMNS[0]),
        "norm": lambda: _slopes(tf, lambda x: nn.l2_normalize(x, 1), ROWS),
        "l2": lambda: _slopes(tf, lambda x: tf.reshape(nn.l2_loss(x), [1]), ROWS),
        "batch": lambda: _slopes(
            tf, lambda x, s, b: nn.fused_batch_norm(x, s, b)[0], CUBE[None], CUBE[0, 0], CUBE[1, 0]
        ),
        "batch_used": lambda: _slopes(
            tf,
            lambda x, s: nn.fused_batch_norm(
                x, s, CUBE[1, 0], CUBE[2, 0], np.abs(CUBE[3, 0]), 0.01, is_training=False
            )[0],
            CUBE[None],
            CUBE[0, 0],
        ),
        "moments": lambda: nn.moments(tf.constant(CUBE), [0, 1]),
        **{
            f"lrn{r}_{b}": lambda r=r, b=b: _slopes(
                tf, lambda x: nn.lrn(x, r, 1.5, 0.2, b), CUBE[None]
            )
            for r in (1, 3, 40)
            for b in (0.5, 0.75, 1.0, 0.6)
        },
    }
    logits = _numbers(12, 3, 6)
    sparse = lambda: tf.SparseTensor(  # noqa: E731
        [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]], np.array([1, 1, 4, 0, 2, 3], "i4"), [3, 3]
    )
    cases["aligned"] = lambda: [
        _slopes(tf, lambda x, m=m: nn.ctc_loss(sparse(), x, [12, 5, 9], True, m), logits)
        for m in (True, False)
    ]
    _say(tf, stage, cases)


def products(tf, stage):
    a, b = _numbers(33, 65), _numbers(65, 17)
    stack = _numbers(3, 4, 9), _numbers(3, 9, 5)
    spd = np.eye(9, dtype="f") * 5 + np.matmul(_numbers(4, 9, 3), np.ones([4, 3, 9], "f")) * 0.1
    spd = (spd + spd.transpose(0, 2, 1)) / 2
    square, sides = _numbers(4, 9, 9) + 6 * np.eye(9, dtype="f"), _numbers(4, 9, 2)
    holes = np.where(np.abs(a) > 2, a, 0).astype("f")
    mm = tf.matmul
    cases = {
        "plain": lambda: [_slopes(tf, mm, a.astype(k), b.astype(k)) for k in "fd"],
        "turned": lambda: [
            mm(a if not x else a.T.copy(), b if not y else b.T.copy(), x, y)
            for x in (False, True)
            for y in (False, True)
        ],
        "stacked": lambda: [_slopes(tf, mm, *stack), mm(*(s.astype("i4") for s in stack))],
        "thin": lambda: [mm(a[:1], b), mm(a, b[:, :1]), mm(a[:, :1], b[:1]), mm(a[:1], b[:, :1])],
        "sparse": lambda: [
            mm(holes, b, a_is_sparse=True),
            mm(a, np.where(b > 1, b, 0).astype("f"), b_is_sparse=True),
            tf.sparse_tensor_dense_matmul(tf.contrib.layers.dense_to_sparse(holes), b),
        ],
        "whole": lambda: [mm(np.floor(a).astype(k), np.floor(b).astype(k)) for k in ("i4", "i8")],
        "complex": lambda: mm(a + 1j * a[::-1], b - 2j * b, adjoint_a=False),
        "factors": lambda: [
            tf.cholesky(spd),
            tf.matrix_inverse(square),
            tf.matrix_determinant(square),
        ],
        "solved": lambda: [
            tf.matrix_solve(square, sides),
            tf.matrix_solve(square, sides, adjoint=True),
            tf.matrix_triangular_solve(square, sides),
            tf.matrix_triangular_solve(square.astype("d"), sides.astype("d"), False, True),
        ],
        "least": lambda: tf.matrix_solve_ls(_numbers_of(a), _numbers_of(a[:, :2]), 0.1),
        "values": lambda: tf.self_adjoint_eigvals(spd),
        "qr": lambda: [tf.abs(p) for f in (True, False) for p in tf.qr(square[:, :, :5], f)],
    }
    _say(tf, stage, cases)


def _numbers_of(x):
    return x[:12, :4].astype("d") if x.shape[1] > 2 else x[:12].astype("d")


def windows(tf, stage):
    nn = tf.nn
    x = _numbers(3, 9, 11, 5)
    kernel, deep = _numbers(3, 2, 5, 7), _numbers(3, 2, 5, 2)
    volume = _numbers(2, 5, 6, 4, 3)
    cases = {
        **{
            f"conv{s}{d}{p}{k}": lambda s=s, d=d, p=p, k=k: _slopes(
                tf,
                lambda x, w: nn.conv2d(x, w, [1, s, s, 1], p, dilations=[1, d, d, 1]),
                x.astype(k),
                kernel.astype(k),
            )
            for s, d, p, k in (
                (1, 1, "SAME", "f"),
                (2, 1, "SAME", "f"),
                (2, 1, "VALID", "d"),
                (1, 2, "VALID", "f"),
                (3, 1, "SAME", "f"),
            )
        },
        "pixels": lambda: _slopes(
            tf, lambda x, w: nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), x, kernel[:1, :1]
        ),
        "whole": lambda: nn.conv2d(x, _numbers(9, 11, 5, 2) * 0 + 1, [1, 1, 1, 1], "VALID"),
        "back": lambda: nn.conv2d_transpose(x[..., :2], deep, [3, 18, 22, 5], [1, 2, 2, 1]),
        **{
            f"deep{s}{p}{k}": lambda s=s, p=p, k=k: _slopes(
                tf,
                lambda x, w: nn.depthwise_conv2d(x, w, [1, s, s, 1], p),
                x.astype(k),
                deep.astype(k)[..., : 1 + (s == 1)],
            )
            for s in (1, 2)
            for p, k in (("SAME", "f"), ("VALID", "d"))
        },
        "volume": lambda: _slopes(
            tf,
            lambda x, w: nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"),
            volume,
            _numbers(2, 3, 2, 3, 4) * 0 + 0.5,
        ),
        **{
            f"pool{n}{k}{s}{p}": lambda f=f, k=k, s=s, p=p: _slopes(
                tf, lambda x: f(x, [1, k, 2, 1], [1, s, s, 1], p), x
            )
            for n, f in enumerate((nn.max_pool, nn.avg_pool))
            for k, s, p in ((2, 2, "VALID"), (3, 1, "SAME"), (3, 2, "SAME"), (1, 3, "VALID"))
        },
        "pool_volume": lambda: [
            _slopes(tf, lambda v, f=f: f(v, [1, 2, 3, 2, 1], [1, 2, 1, 2, 1], "SAME"), volume)
            for f in (nn.max_pool3d, nn.avg_pool3d)
        ],
        **{
            f"dilated{s}{r}": lambda s=s, r=r: _slopes(
                tf,
                lambda x, w: nn.dilation2d(x, w, [1, s, s, 1], [1, r, r, 1], "SAME"),
                x,
                kernel[..., 0],
            )
            for s, r in ((1, 1), (2, 1), (1, 2))
        },
    }
    _say(tf, stage, cases)


def moved(tf, stage):
    box = np.arange(2 * 3 * 5 * 7).reshape(2, 3, 5, 7)
    kinds = ("u1", "i2", "f", "D", "?")
    ids = (np.arange(420) * 7919) % 303
    mixed = (np.arange(303) * 31) % 17
    cases = {
        "turned": lambda: [
            tf.transpose((box % 251).astype(k), p)
            for k, p in zip(
                kinds, ([3, 1, 0, 2], [0, 2, 1, 3], [1, 0, 2, 3], [0, 3, 1, 2], [3, 2, 1, 0])
            )
        ],
        "planes": lambda: [
            tf.transpose(COLUMNS),
            tf.transpose(ROWS.astype("d")),
            tf.transpose(CUBE, [0, 2, 1]),
        ],
        "joined": lambda: [
            tf.concat([x.astype(k), x[:, :2].astype(k), x.astype(k)], 1)
            for k in kinds
            for x in (np.arange(21).reshape(3, 7),)
        ],
        "joined_large": lambda: [
            tf.concat([np.tile(ROWS, (40, 2)), np.tile(ROWS, (40, 1))], 1),
            tf.concat([np.tile(COLUMNS, (60, 1))] * 2, 0),
        ],
        "rows": lambda: _slopes(tf, lambda x: tf.gather(x, ids), COLUMNS),
        "along": lambda: [
            tf.gather(CUBE, ids[:300] % 41, axis=2),
            tf.gather(CUBE, (ids[:300] % 7).reshape(5, 60), axis=1, batch_dims=1),
            tf.gather(box, ids[:260] % 5, axis=2),
        ],
        "points": lambda: [
            tf.gather_nd(CUBE, np.stack([ids[:200] % 5, ids[:200] % 7], 1)),
            tf.gather_nd(COLUMNS, np.stack([ids, ids % 5], 1).astype("i4")),
        ],
        "sums": lambda: [
            f(x.astype(k), mixed.astype(i), 17)
            for f in (tf.unsorted_segment_sum, tf.unsorted_segment_max, tf.unsorted_segment_prod)
            for x, k, i in ((COLUMNS / 2, "f", "i4"), (COLUMNS, "d", "i8"), (COLUMNS, "i4", "i4"))
        ],
        "sorted_sums": lambda: [
            f(COLUMNS, np.sort(mixed))
            for f in (tf.segment_sum, tf.segment_mean, tf.segment_min, tf.segment_max)
        ],
        "put": lambda: [
            tf.scatter_nd(ids[:303, None], COLUMNS, [310, 5]),
            tf.tensor_scatter_add(COLUMNS, ids[:303, None], COLUMNS),
            tf.tensor_scatter_update(COLUMNS, np.arange(0, 303, 2)[:, None], COLUMNS[:152]),
        ],
    }

    def updated(kind):
        v = tf.Variable(COLUMNS, use_resource=kind == "resource")
        with tf.control_dependencies(
            [tf.scatter_add(v, ids[:400] % 100, np.tile(COLUMNS, (2, 1))[:400])]
        ):
            with tf.control_dependencies([tf.scatter_sub(v, ids[:9] % 50, COLUMNS[:9])]):
                last = tf.scatter_update(v, np.arange(200, 303), COLUMNS[:103])
        with tf.control_dependencies([last]):
            return tf.identity(v.read_value())

    cases["variables"] = lambda: updated("reference")
    cases["resources"] = lambda: updated("resource")
    # Each op of a step once, in a session with its variables.
    for name in ("variables", "resources"):
        function = cases.pop(name)
        with tf.Graph().as_default(), tf.Session() as session:
            made = function()
            session.run(tf.global_variables_initializer())
            stage.say(name, _brief(session.run(made)), _brief(session.run(made)))
    _say(tf, stage, cases)


def images(tf, stage):
    im = tf.image
    x = np.abs(_numbers(2, 13, 17, 3)) / 3
    small = (np.abs(_numbers(2, 6, 5, 4)) * 80).astype("u1")
    boxes = np.array([[0.1, 0.2, 0.9, 0.8], [0.9, 0.1, -0.2, 1.2], [0, 0, 1, 1]], "f")
    resize = tf.image.resize_images
    cases = {
        **{
            f"sized{m}{a}": lambda m=m, a=a: [
                _slopes(tf, lambda x: resize(x, [7, 23], m, a), x),
                tf.cast(resize(small, [11, 3], m, a), tf.float32),
            ]
            for m in (0, 1, 2)
            for a in (False, True)
        },
        "area": lambda: [resize(x, [5, 40], 3), resize(small, [13, 2], 3)],
        "centres": lambda: (
            [tf.compat.v1.image.resize(x, [20, 9], method) for method in (0, 1)]
            + [tf.raw_ops.ResizeBilinear(images=x, size=[20, 9], half_pixel_centers=True)]
            + [tf.raw_ops.ResizeNearestNeighbor(images=x, size=[20, 9], half_pixel_centers=True)]
            + [tf.raw_ops.ResizeBicubic(images=x, size=[20, 9], half_pixel_centers=True)]
        ),
        "scaled": lambda: [
            tf.raw_ops.ScaleAndTranslate(
                images=x,
                size=[9, 30],
                scale=[0.6, 1.7],
                translation=[0.5, -1],
                kernel_type=k,
                antialias=b,
            )
            for k, b in (("lanczos3", True), ("triangle", False), ("gaussian", True))
        ],
        **{
            f"cropped_{m}": lambda m=m: [
                _slopes(tf, lambda x: im.crop_and_resize(x, boxes, [0, 1, 0], [6, 5], m, 0.5), x),
                im.crop_and_resize(small, boxes, [1, 0, 1], [1, 3], m),
            ]
            for m in ("bilinear", "nearest")
        },
        "colours": lambda: [
            _slopes(tf, im.rgb_to_hsv, x)[0],
            im.hsv_to_rgb(x),
            im.adjust_hue(x, 0.3),
            im.adjust_saturation(x, 0.4),
            im.adjust_contrast(x, 1.7),
            im.rgb_to_hsv(x.astype("d")),
            im.adjust_contrast(small, 2.0),
            im.rgb_to_grayscale(x),
            im.per_image_standardization(x),
        ],
    }
    corners = np.abs(_numbers(70, 4))
    scores = np.round(np.abs(_numbers(70)), 1)
    cases["kept"] = lambda: (
        [
            im.non_max_suppression(corners, scores, n, t, s)
            for n, t, s in ((70, 0.5, 0.2), (5, 0.1, -np.inf), (40, 0.8, 1.0), (0, 0.5, 0.0))
        ]
        + [*im.non_max_suppression_with_scores(corners, scores, 20, 0.9, 0.1, 0.5)]
    )
    _say(tf, stage, cases)


def drawn_numbers(tf, stage):
    r = tf.random
    cases = {
        **{
            f"{g.__name__}_{k.name}": lambda g=g, k=k: g([1031], dtype=k, seed=9)
            for g in (tf.random_uniform, tf.random_normal, tf.truncated_normal)
            for k in (tf.float16, tf.float32, tf.float64)
        },
        "whole": lambda: [
            tf.random_uniform([517], -5, 90, tf.int32, seed=3),
            tf.random_uniform([517], -(2**40), 2**61, tf.int64, seed=3),
        ],
        "gamma": lambda: [
            tf.random_gamma([101], np.array([0.1, 0.9, 1.0, 1.5, 40.0], k), seed=5) for k in "fd"
        ],
        "poisson": lambda: [
            tf.random_poisson(np.array([0.3, 9.9, 10.0, 75.0], k), [101], seed=5) for k in "fd"
        ],
        "shuffled": lambda: [tf.random_shuffle(np.arange(n), seed=4) for n in (2, 33, 700)],
        "classes": lambda: [
            tf.multinomial(ROWS.astype(k), n, seed=6) for k in "efd" for n in (1, 50)
        ],
        "stateless": lambda: [
            r.stateless_normal([301], [3, 2**40]),
            r.stateless_uniform([301], [-1, 5], dtype=tf.float64),
            r.stateless_truncated_normal([301], [7, 7]),
            r.stateless_uniform([301], [1, 2], -9, 77, tf.int64),
            r.stateless_categorical(ROWS, 20, [4, 5]),
        ],
        "sampled": lambda: [
            f(np.arange(6).reshape(3, 2), 2, 40, u, 500, seed=8)
            for f in (tf.nn.log_uniform_candidate_sampler, tf.nn.uniform_candidate_sampler)
            for u in (True, False)
        ],
        "learned": lambda: tf.nn.learned_unigram_candidate_sampler([[1], [2]], 1, 30, True, 90, 8),
        "fixed": lambda: tf.nn.fixed_unigram_candidate_sampler(
            [[1], [2]], 1, 30, False, 60, unigrams=[(n * 7) % 11 + 0.5 for n in range(60)], seed=8
        ),
    }
    _say(tf, stage, cases)


def updates(tf, stage):
    t, k = tf.train, tf.keras.optimizers
    made = {
        "descent": lambda: t.GradientDescentOptimizer(0.1),
        "momentum": lambda: t.MomentumOptimizer(0.1, 0.9),
        "nesterov": lambda: t.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        "adam": lambda: t.AdamOptimizer(0.1, 0.8, 0.95, 0.01),
        "adagrad": lambda: t.AdagradOptimizer(0.1),
        "adadelta": lambda: t.AdadeltaOptimizer(0.5, 0.9, 0.01),
        "rms": lambda: t.RMSPropOptimizer(0.1, 0.8, 0.5, 0.01),
        "centered": lambda: t.RMSPropOptimizer(0.1, 0.8, 0.5, 0.1, centered=True),
        "ftrl": lambda: t.FtrlOptimizer(0.1, -0.5, 0.2, 0.1, 0.2),
        "ftrl_power": lambda: t.FtrlOptimizer(0.1, -0.3, 0.2, 0.1, 0.2),
        "shrinking": lambda: t.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.3),
        "proximal": lambda: t.ProximalGradientDescentOptimizer(0.1, 0.2, 0.3),
        "proximal_adagrad": lambda: t.ProximalAdagradOptimizer(0.1, 0.2, 0.1, 0.3),
        "adamax": lambda: k.Adamax(0.1),
        "amsgrad": lambda: k.Adam(0.1, amsgrad=True),
        "add_sign": lambda: tf.contrib.opt.AddSignOptimizer(0.1),
        "power_sign": lambda: tf.contrib.opt.PowerSignOptimizer(0.1),
    }
    ids = (np.arange(130) * 37) % 101
    for name, optimizer in made.items():
        kind = "f" if name.startswith("proximal") else "d"
        with tf.Graph().as_default(), tf.Session() as session:
            dense = [
                tf.Variable(LONG[:1001], use_resource=True),
                tf.Variable(LONG[:600].astype(kind), use_resource=True),
            ]
            table = tf.Variable(COLUMNS[:101], use_resource=True)
            grads = [(tf.constant(np.cos(np.arange(1001)), tf.float32), dense[0])]
            grads += [(tf.constant(np.sin(np.arange(600)).astype(kind)), dense[1])]
            if name not in ("add_sign", "power_sign"):
                rows = tf.IndexedSlices(tf.constant(COLUMNS[:130]), tf.constant(ids), [101, 5])
                grads += [(rows, table)]
            with stage.failing():
                step = optimizer().apply_gradients(grads)
                session.run(tf.global_variables_initializer())
                for _ in range(2):
                    session.run(step)
                stage.say(name, *map(_brief, session.run([*dense, table])))
