"""Large tensors, for which kernels may use other code paths, compared by exact checksums."""

import numpy as np


def _told(x):
    """The dtype, shape and checksums of an array of integers; counts NaN and infinities."""
    x = np.asarray(x.numpy() if hasattr(x, "numpy") else x)
    kind = x.dtype.name if x.dtype != object else "string"
    if x.dtype == object:
        x = np.array(
            [sum((n + 1) * c for n, c in enumerate(each)) for each in x.reshape(-1)] or [0]
        )
    if x.dtype.kind == "c":
        x = x.real + 7 * x.imag
    wide = x.astype("d").reshape(-1)
    nan, infinite = int(np.isnan(wide).sum()), [int((wide == s).sum()) for s in (np.inf, -np.inf)]
    wide = np.where(np.isfinite(wide), wide, 0)
    weights = np.arange(wide.size) % 97 + 1
    found = [_exact(wide.sum()), _exact((wide * weights).sum())]
    odd = [nan, *infinite] if nan or any(infinite) else []
    return [kind, list(x.shape), *found, *odd]


def _exact(number):
    return int(number) if number == int(number) and abs(number) < 1e15 else f"{number:.5g}"


def _each(tf, stage, cases):
    """Records the result of each function of eager tensors, one per line."""

    def told(case):
        return lambda: [_told(x) for x in tf.nest.flatten(case())]

    stage.each_eagerly({name: told(case) for name, case in cases.items()})


def _numbers(*shape, kind="f", by=7919, of=101, less=50):
    count = int(np.prod(shape))
    return (np.arange(count) * by % of - less).astype(kind).reshape(shape)


def sums(tf, stage):
    """Sums and other reductions along each axis, with overflowing numbers."""
    cases = {}
    shapes = (
        (4095,),
        (4096,),
        (10000,),
        (200, 50),
        (50, 200),
        (3, 70, 50),
        (300, 2, 17),
        (2, 3, 4, 900),
    )
    for shape in shapes:
        axes = [None, [0], [-1]] + [[0, 1], [0, len(shape) - 1], [1]] * (len(shape) > 1)
        axes = [a for a in axes if a is None or len(set(a)) == len(a)]
        for kind in "fdil":
            x = _numbers(*shape, kind=kind)
            cases[f"sum_{shape}_{kind}"] = lambda x=x, axes=axes: [
                tf.reduce_sum(x, a) for a in axes
            ]
        f, whole = _numbers(*shape), _numbers(*shape, kind="i")
        cases[f"most_{shape}"] = lambda f=f, axes=axes: [
            [tf.reduce_max(f, a, a == [0]), tf.reduce_min(f, a)] for a in axes
        ]
        cases[f"logic_{shape}"] = lambda f=f, axes=axes: [
            [tf.reduce_any(f > 49.0, a), tf.reduce_all(f < 50.0, a)] for a in axes
        ]
        cases[f"wrapped_{shape}"] = lambda x=whole, axes=axes: [
            [tf.reduce_prod(x | 1, a), tf.reduce_sum(x * 100000000, a)] for a in axes
        ]
    odd = _numbers(90, 80)
    odd[3, 4], odd[5], odd[:, 7] = np.nan, np.inf, -np.inf
    cases["odd"] = lambda: [
        f(odd, a)
        for f in (tf.reduce_sum, tf.reduce_max, tf.reduce_min, tf.reduce_prod)
        for a in (None, 0, 1)
    ]
    whole = _numbers(100, 100, kind="B", less=0)
    cases["bytes"] = lambda: [tf.reduce_sum(whole, a) for a in (0, 1)]
    cases["halves"] = lambda: [tf.reduce_sum(_numbers(100, 60, kind="e"), a) for a in (None, 0, 1)]
    cases["means"] = lambda: [
        tf.reduce_mean(tf.constant(_numbers(128, 64, kind=k, of=64)), a) * 128
        for k in "fd"
        for a in (0, 1, None)
    ]
    cases["whole_means"] = lambda: [
        tf.reduce_mean(_numbers(99, 70, kind=k) * 3, a) for k in "il" for a in (0, 1)
    ]
    for shape, axis in (
        ((5000,), 0),
        ((1000, 7), 0),
        ((7, 1000), 1),
        ((40, 50, 6), 1),
        ((40, 50, 6), -1),
    ):
        for kind in "fi":
            x = _numbers(*shape, kind=kind, of=11, less=5)
            cases[f"running_{shape}_{axis}_{kind}"] = lambda x=x, axis=axis: [
                tf.cumsum(x, axis, e, r) for e in (False, True) for r in (False, True)
            ]
        signs = np.sign(_numbers(*shape)) + (_numbers(*shape) == 0)
        cases[f"products_{shape}_{axis}"] = lambda x=signs, axis=axis: [
            tf.cumprod(x, axis, e, r) for e in (False, True) for r in (False, True)
        ]
    for count in (300, 5000):
        ids = np.sort(_numbers(count, kind="i", of=97, less=0))
        some = _numbers(count, kind="i", of=97, less=7)
        for kind in "fi":
            x = _numbers(count, 3, kind=kind)
            cases[f"segments_{count}_{kind}"] = lambda x=x, ids=ids: [
                getattr(tf.math, f"segment_{how}")(x, ids) for how in ("sum", "max", "min")
            ]
            cases[f"unsorted_{count}_{kind}"] = lambda x=x, ids=some: [
                getattr(tf.math, f"unsorted_segment_{how}")(x, ids, 95 + n)
                for n, how in enumerate(("sum", "max", "min", "prod"))
            ]
        cases[f"counted_{count}"] = lambda ids=ids, count=count: [
            tf.math.bincount(ids),
            tf.math.bincount(ids, maxlength=50),
            tf.math.bincount(ids, _numbers(count), 200, dtype=tf.float32),
            tf.histogram_fixed_width(_numbers(count), [-40.0, 40.0], 16),
        ]
    _each(tf, stage, cases)


def moved(tf, stage):
    """Rearranged elements."""
    cases = {}
    for shape in ((100, 60, 3), (60, 100, 4), (130, 130), (20000,), (7, 5, 1000), (2, 90, 100, 1)):
        for kind in "fBd?":
            x = _numbers(*shape, kind=kind, less=0)
            cases[f"reversed_{shape}_{kind}"] = lambda x=x: (
                [tf.reverse(x, [a]) for a in range(x.ndim)] + [tf.reverse(x, list(range(x.ndim)))]
            )
        x = _numbers(*shape, kind="i")
        cases[f"turned_{shape}"] = lambda x=x: [
            tf.transpose(x),
            tf.transpose(x, [*range(1, x.ndim), 0]),
            tf.transpose(x, [x.ndim - 1, *range(x.ndim - 1)]),
            tf.roll(x, [7, -3][: x.ndim], [0, -1][: x.ndim]),
        ]
        cases[f"parts_{shape}"] = lambda x=x: [
            x[tuple(tf.newaxis if n == 1 else s for n, s in enumerate(rows))]
            for x in [tf.constant(x)]
            for rows in ([slice(None, None, -2)], [Ellipsis, slice(1, None, 3)], [slice(3, -4)])
        ]
        cases[f"joined_{shape}"] = lambda x=x: [
            tf.concat([x, x[:1], x[1:]], 0),
            tf.stack([x, x], -1),
            tf.tile(x, [2] + [1] * (x.ndim - 2) + [3] * (x.ndim > 1)),
            tf.pad(x, [[1, 2]] * x.ndim, constant_values=9),
            tf.pad(x, [[1, 0]] * x.ndim, "SYMMETRIC"),
        ]
    for count in (2047, 2048, 5000):
        for kind in "?fidBh":
            x = _numbers(count, kind=kind, of=13, less=0)
            x[x > (0 if kind == "?" else 4)] = 0 if kind != "?" else True
            cases[f"where_{count}_{kind}"] = lambda x=x: tf.where(tf.constant(x))
        rows = _numbers(count, 2, kind="i", of=5, less=2)
        cases[f"where_rows_{count}"] = lambda x=rows: [
            tf.where(x),
            tf.where(x * 0),
            tf.where(x > -9),
        ]
        first, other = _numbers(count), _numbers(count, by=31)
        cases[f"chosen_{count}"] = lambda m=first > 0, a=first, b=other: [
            tf.where(m, a, b),
            tf.where_v2(m, a, 5.0),
            tf.boolean_mask(a, m),
            tf.where(m, a > 0, b > 3),
        ]
        ids = _numbers(count, kind="i", of=3, less=0)
        cases[f"dealt_{count}"] = lambda ids=ids, b=other: [
            tf.dynamic_partition(b, ids, 4),
            tf.dynamic_stitch(
                tf.dynamic_partition(np.arange(b.size, dtype="i"), ids, 4),
                tf.dynamic_partition(b, ids, 4),
            ),
        ]
        for kind in "ifBl":
            x = (_numbers(count, kind="i", of=307, less=0) * 1000).astype(kind)
            cases[f"unique_{count}_{kind}"] = lambda x=x: [
                list(tf.unique(x)),
                list(tf.unique_with_counts(x, tf.int64)),
                list(tf.setdiff1d(x, x[:100:3])),
            ]
        words = np.array([b"w%d" % n for n in _numbers(count, kind="i", less=0)], object)
        cases[f"unique_words_{count}"] = lambda x=words: list(tf.unique_with_counts(x))
        x = _numbers(3, count, of=1009)
        cases[f"sorted_{count}"] = lambda x=x: [
            tf.sort(x, direction="DESCENDING"),
            tf.argsort(x),
            tf.argsort(x, direction="DESCENDING", stable=True),
            tf.searchsorted(np.sort(x), x[:, :50]),
            tf.searchsorted(np.sort(x), x[:, :50], "right", tf.int64),
        ]
    table = _numbers(300, 5)
    places = _numbers(50, 40, kind="i", of=300, less=0)
    cases["taken"] = lambda: [
        tf.gather(table, places),
        tf.gather(table.T, places, axis=1),
        tf.gather(table, places[0], batch_dims=0),
        tf.gather_nd(table, np.stack([places, places % 5], -1)),
        tf.one_hot(places, 300, 5, -1, 0, tf.int32),
        tf.scatter_nd(places.reshape(-1, 1), _numbers(2000, 2), [300, 2]),
        tf.tensor_scatter_nd_max(table, places[:1].T, table[:40])
        if hasattr(tf, "tensor_scatter_nd_max")
        else tf.tensor_scatter_nd_sub(table, places[:1].T, table[:40]),
    ]
    picture = _numbers(2, 24, 36, 12)
    cases["blocks"] = lambda: [
        tf.space_to_depth(picture, 2),
        tf.depth_to_space(picture, 2),
        tf.space_to_batch(picture, [[0, 0], [2, 4]], 3) if picture.shape[1] % 3 == 0 else 0,
        tf.space_to_batch_nd(picture, [2, 3], [[0, 0], [0, 0]]),
        tf.batch_to_space_nd(np.tile(picture, [3, 1, 1, 1]), [2, 3], [[1, 0], [0, 2]]),
        tf.extract_image_patches(
            _numbers(1, 80, 80, 8), [1, 3, 3, 1], [1, 1, 1, 1], [1, 2, 1, 1], "SAME"
        ),
        tf.extract_image_patches(
            _numbers(1, 80, 80, 8), [1, 3, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID"
        ),
        tf.reverse_sequence(picture, [3, 24], 1, 0),
        tf.reverse_sequence(_numbers(50, 9, kind="i"), np.arange(9) * 6, 0, 1),
    ]
    _each(tf, stage, cases)


def of_networks(tf, stage):
    """Activations, biases, windows and products of integers."""
    nn, raw = tf.nn, tf.raw_ops
    cases = {}
    for count in (2047, 2048, 20000):
        for kind in "fdei":
            x = _numbers(count, kind=kind)
            if kind != "i":
                x[5:9] = np.nan, np.inf, -np.inf, -0.0
            back = _numbers(count, kind=kind, by=31)
            cases[f"clipped_{count}_{kind}"] = lambda x=x, back=back: [
                nn.relu(x),
                nn.relu6(x),
                raw.ReluGrad(gradients=back, features=x),
                raw.Relu6Grad(gradients=back, features=x),
                tf.clip_by_value(x, x.dtype.type(-7), x.dtype.type(9)),
                tf.maximum(x, x.dtype.type(3)),
                tf.minimum(x, x.dtype.type(3)),
            ]
        x = _numbers(count)
        x[5:9] = np.nan, np.inf, -np.inf, -0.0
        cases[f"bent_{count}"] = lambda x=x: [
            nn.leaky_relu(x, 0.5),
            raw.LeakyReluGrad(gradients=x, features=x[::-1].copy(), alpha=0.25),
            raw.EluGrad(gradients=x, outputs=x[::-1].copy()),
            nn.softsign(x * 0 + 1),
            tf.abs(x),
            tf.sign(x),
        ]
    for count in (255, 256, 1000):
        for kind in "fdil":
            x = _numbers(count, kind=kind)
            cases[f"divided_{count}_{kind}"] = lambda x=x: [
                f(x, x.dtype.type(by))
                for f in (tf.math.floormod, tf.math.floordiv, tf.truncatemod, tf.truncatediv)[
                    : 4 if x.dtype.kind == "i" else 2
                ]
                for by in (1, 3, -4, 60)
            ]
        f = _numbers(count) / 4
        cases[f"fractions_{count}"] = lambda x=f: [
            x % y for x in [tf.constant(x)] for y in (0.75, -1.5, np.inf, 0.0)
        ]
    for shape in ((255, 64), (256, 64), (300, 70), (3, 5, 1100), (20, 900), (2, 16, 30, 20)):
        for kind in "fdi":
            x, bias = _numbers(*shape, kind=kind), _numbers(shape[-1], kind=kind, by=3)
            second = _numbers(shape[1], kind=kind, by=5)
            cases[f"bias_{shape}_{kind}"] = lambda x=x, b=bias, c=second: [
                nn.bias_add(x, b),
                raw.BiasAddGrad(out_backprop=x),
                [nn.bias_add(x, c, "NCHW"), raw.BiasAddGrad(out_backprop=x, data_format="NCHW")]
                if x.ndim > 3
                else x,
                x + b,
                b - x,
                x[:, :1] * x,
            ]
    picture, filters = (
        _numbers(2, 20, 23, 8, of=13, less=6),
        _numbers(3, 3, 8, 6, by=5, of=7, less=3),
    )
    for padding in ("SAME", "VALID"):
        for strides in ([1, 1, 1, 1], [1, 2, 3, 1]):
            cases[f"windows_{padding}_{strides}"] = lambda p=padding, s=strides: [
                nn.conv2d(picture, filters, s, p),
                nn.conv2d(picture, filters, s, p, dilations=[1, 1, 2, 1] if s[1] == 1 else None),
                nn.conv2d(picture[..., :4].copy(), filters[:, :, :4, :4].copy(), s, p),
                nn.conv2d(picture, filters[:1, :1].copy(), s, p),
                nn.depthwise_conv2d(picture, filters[..., :2].copy(), [1, s[1], s[1], 1], p),
                raw.Conv2DBackpropInput(
                    input_sizes=picture.shape,
                    filter=filters,
                    strides=s,
                    padding=p,
                    out_backprop=nn.conv2d(picture, filters, s, p),
                ),
                raw.Conv2DBackpropFilter(
                    input=picture,
                    filter_sizes=filters.shape,
                    strides=s,
                    padding=p,
                    out_backprop=nn.conv2d(picture, filters, s, p),
                ),
                nn.max_pool(picture, [1, 3, 2, 1], s, p),
                list(nn.max_pool_with_argmax(picture, [1, 3, 2, 1], s, p)),
                nn.avg_pool(picture, [1, 2, 2, 1], s, "VALID"),
                nn.dilation2d(picture, filters[..., 0].copy(), s, [1, 1, 1, 1], p)
                if hasattr(nn, "dilation2d")
                else 0,
                nn.conv3d(picture[None], filters[None], [1, 1, s[1], s[2], 1], p),
                nn.max_pool3d(picture[None], [1, 2, 3, 2, 1], [1, 1, s[1], s[2], 1], p),
            ]
    for kind in "fdilD":
        a, b = (_numbers(*s, kind=kind, of=19, less=9) for s in ((70, 90), (90, 40)))
        many = _numbers(6, 20, 30, kind=kind, of=19, less=9)
        cases[f"products_{kind}"] = lambda a=a, b=b, many=many: [
            tf.matmul(a, b),
            tf.matmul(a.T, b, True),
            tf.matmul(a, b.T, transpose_b=True),
            tf.matmul(many, many, adjoint_b=True),
            tf.matmul(many, many[:1] if many.dtype.kind == "O" else many, True),
            tf.tensordot(many, a, [[1, 2], [0, 1]])
            if a.shape == (20, 30)
            else tf.tensordot(a, b, 1),
            tf.linalg.band_part(many, 3, 5),
            tf.linalg.diag_part(many),
            tf.linalg.trace(many),
        ]
    _each(tf, stage, cases)


def a_million(tf, stage):
    """Large enough to be divided among threads."""
    rows = _numbers(600, 1000)
    cases = {
        "rows": lambda: [f(rows, a) for f in (tf.reduce_sum, tf.reduce_min) for a in (0, 1, None)],
        "running": lambda: [tf.cumsum(rows, 0), tf.cumsum(rows, 1)],
        "taken": lambda: [tf.gather(rows, [5, 599, 0] * 200), tf.reverse(rows, [0])],
        "products": lambda: tf.matmul(rows, rows[:, :50], True),
    }
    _each(tf, stage, cases)
