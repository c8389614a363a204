"""Kernels on non-contiguous arrays, fed or created by the graph."""

import numpy as np


def _numbers(*shape, dtype="f"):
    return (np.random.RandomState([7, *shape]).randint(-24, 25, shape) / 8).astype(dtype)


def _fed(numbers):
    """The same values in other memory layouts."""
    wide = np.zeros([2 * n + 1 for n in numbers.shape], numbers.dtype)
    apart = wide[tuple(slice(1, None, 2) for _ in numbers.shape)]
    apart[...] = numbers
    backwards = numbers[tuple(slice(None, None, -1) for _ in numbers.shape)].copy()
    fixed = numbers.copy()
    fixed.flags.writeable = False
    return {
        "columns": np.asfortranarray(numbers),
        "apart": apart,
        "backwards": backwards[tuple(slice(None, None, -1) for _ in numbers.shape)],
        "swapped": numbers.astype(numbers.dtype.newbyteorder(">")),
        "fixed": fixed,
    }


def _brief(value):
    """A large array's dtype, shape and a weighted mean."""
    value = np.asarray(value)
    if value.dtype.kind not in "fiubc" or value.size < 8:
        return value
    wide = value.astype("D" if value.dtype.kind == "c" else "d").ravel()
    wide = np.where(np.isfinite(wide), wide, 77)
    mean = np.sum(wide * np.cos(np.arange(wide.size) * 0.7)) / wide.size
    return (value.dtype.name, value.shape, np.round(mean, 7).item())


def _say(tf, stage, cases, x, numbers):
    """Records each case for contiguous arrays, and which layouts yield different results."""
    names = list(cases)
    made = [tf.nest.flatten(cases[name]) for name in names]
    with tf.Session() as session:
        wanted = session.run(made, {x: numbers})
        for name, values in zip(names, wanted):
            stage.say(name, *map(_brief, values))
        for way, given in _fed(numbers).items():
            before = given.copy()
            found = session.run(made, {x: given})
            differ = [
                name
                for name, one, other in zip(names, wanted, found)
                if not all(_same(a, b) for a, b in zip(one, other))
            ]
            stage.say(way, differ, bool((before == given).all()))


def _same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return np.allclose(a, b, 1e-4, 1e-5, equal_nan=True) if a.dtype.kind in "fc" else (a == b).all()


def _matrices(tf, x):
    """Results for a matrix of 64 rows and 40 columns, and for the graph's transposes and slices of it."""
    nn, m = tf.nn, tf.math
    reductions = [
        tf.reduce_sum,
        lambda x, a: tf.reduce_prod(1 + x / 8, a),
        tf.reduce_max,
        tf.reduce_min,
        tf.reduce_mean,
    ]
    ids = tf.constant(np.arange(64) * 7 % 10 // 2)
    sorted_ids = tf.constant(np.arange(64) // 9)
    labels = np.arange(64, dtype="i4") * 3 % 40

    def of(x, rows, columns):
        chosen = tf.constant(np.arange(2 * rows) * 5 % rows)
        return {
            "reduced": [f(x, a) for f in reductions for a in (0, 1, None)],
            "logical": [tf.reduce_any(x > 2.8, 1), tf.reduce_all(x > -2.9, 0)],
            "norms": [tf.norm(x, axis=0), nn.l2_normalize(x, 1), nn.l2_loss(x)],
            "moments": list(nn.moments(x, [0])) + list(nn.moments(x, [1], keep_dims=True)),
            "softmax": [nn.softmax(x), nn.log_softmax(x), nn.softmax(x, 0)],
            "sums so far": [tf.cumsum(x, 1, reverse=True), tf.cumprod(x / 3, 0, exclusive=True)],
            "extremes": [tf.argmax(x, 1), tf.argmin(x, 0), nn.top_k(x, 3)],
            "elements": [m.erf(x), m.sigmoid(x), nn.elu(x), tf.exp(x), tf.sin(x), x * 2 - 1 / 3],
            "two": [m.maximum(x, 0.5), m.floormod(x, 0.75), tf.where(x > 0, x, -x * x), x > 1],
            "of a row": [x + x[1], x * x[:, 2:3], x - tf.reduce_mean(x, 0)],
            "casts": [tf.cast(x, k) for k in ("float64", "int32", "int8", "bool", "half")],
            "products": [
                tf.matmul(x, x, transpose_b=True),
                tf.matmul(x, x, transpose_a=True),
                tf.matmul(x, tf.transpose(x)[:, :3]),
                tf.linalg.matvec(x, x[0]),
            ],
            "layer": nn.relu(nn.xw_plus_b(x, tf.transpose(x)[:, :9], x[0, :9])),
            "bias": [nn.bias_add(x, x[3]), tf.gradients(nn.bias_add(x * 1, x[3]) ** 2, x)[0]],
            "rows": [tf.gather(x, chosen), tf.gather(x, [3, 1], axis=1), tf.gather_nd(x, [[1, 2]])],
            "moved": [tf.reverse(x, [1]), tf.pad(x, [[1, 2], [0, 3]]), tf.tile(x, [2, 1])],
            "parts": [tf.concat([x, x[:, :2]], 1), tf.split(x, 2, 0)[1], tf.stack([x, x], 1)],
            "picked": [
                tf.boolean_mask(x, x[:, 0] > 0),
                tf.where(x > 2.9),
                tf.strided_slice(x, [5], [1], [-2]),
            ],
            "sorted": [tf.sort(x, 1), tf.argsort(x, 0, stable=True), tf.roll(x, [3, -1], [0, 1])],
            "bits": [tf.bitcast(x, tf.int32), tf.as_string(x[:2, :3], precision=3)],
            "rounded": [tf.quantization.fake_quant_with_min_max_args(x, -2, 2, 4), tf.round(x)],
            "diagonals": [
                tf.linalg.diag_part(x),
                tf.linalg.band_part(x, 1, 2),
                tf.linalg.diag(x[0]),
            ],
            "transforms": [tf.abs(tf.spectral.rfft(x)), tf.spectral.dct(x[:, :8])],
            "ids": [tf.unique(x[:, 0]), tf.searchsorted(tf.sort(x, 1), x[:, :3])],
        }

    made = of(x, 64, 40)
    made.update({"turned " + k: v for k, v in of(tf.transpose(x), 40, 64).items()})
    made.update(
        {
            "segments": [tf.segment_sum(x, sorted_ids), tf.segment_max(x, sorted_ids)],
            "unsorted": [
                tf.unsorted_segment_sum(x, ids, 6),
                tf.unsorted_segment_min(x, ids, 5),
                tf.math.unsorted_segment_sqrt_n(x, ids, 5),
            ],
            "partitions": tf.dynamic_partition(x, tf.cast(ids % 3, tf.int32), 3),
            "crossed": [
                nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x),
                nn.softmax_cross_entropy_with_logits(labels=nn.softmax(-x), logits=x),
                nn.sigmoid_cross_entropy_with_logits(labels=nn.sigmoid(-x), logits=x),
                nn.in_top_k(x, labels, 5),
            ],
            "embedded": nn.embedding_lookup_sparse(
                x, tf.sparse.from_dense(np.arange(40).reshape(8, 5) % 7 * 9), None, combiner="mean"
            ),
            "slopes": [
                tf.convert_to_tensor(tf.gradients(f(x) ** 2, x)[0])
                for f in (
                    nn.softmax,
                    nn.log_softmax,
                    nn.selu,
                    lambda x: tf.gather(x, ids),
                    lambda x: tf.matmul(x, x, transpose_b=True),
                    lambda x: tf.reduce_max(tf.transpose(x), 0),
                    lambda x: tf.cumsum(tf.transpose(x), 1),
                )
            ],
        }
    )
    return made


def matrices(tf, stage):
    x = tf.placeholder(tf.float32, [64, 40], name="x")
    _say(tf, stage, _matrices(tf, x), x, _numbers(64, 40))


def images(tf, stage):
    nn, im = tf.nn, tf.image
    x = tf.placeholder(tf.float32, [2, 12, 10, 6], name="x")
    f = tf.constant(_numbers(3, 3, 6, 4))
    d = tf.constant(_numbers(3, 3, 6, 2))
    boxes, numbers = [[0.1, 0.2, 0.9, 1.1], [0.8, 0.0, 0.3, 0.7]], [1, 0]

    def of(x):
        return {
            "convolved": [
                nn.conv2d(x, f, 1, "SAME"),
                nn.conv2d(x, f, [1, 2, 3, 1], "VALID"),
                nn.conv2d(x, f, 1, "VALID", dilations=[1, 2, 2, 1]),
                nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "SAME"),
                nn.conv2d(x, tf.reverse(f, [0, 1]), 1, "SAME"),
                nn.conv2d(x, tf.transpose(f, [1, 0, 2, 3]), 1, "SAME"),
                nn.conv2d_transpose(x, tf.transpose(f, [0, 1, 3, 2]), [2, 24, 20, 4], 2, "SAME")
                if x.shape[1] == 12
                else tf.zeros([]),
            ],
            "pooled": [
                nn.max_pool(x, 3, 2, "SAME"),
                nn.avg_pool(x, [1, 2, 3, 1], [1, 2, 2, 1], "VALID"),
                nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
                nn.fractional_max_pool(x, [1, 1.5, 1.4, 1], deterministic=True, seed=3)[0],
            ],
            "windows": [
                nn.lrn(x, 2, 1.0, 0.5),
                nn.dilation2d(x, d[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
                tf.extract_image_patches(x, [1, 2, 2, 1], [1, 3, 3, 1], [1, 1, 1, 1], "SAME"),
                tf.space_to_depth(x, 2),
                tf.space_to_batch(x, [[0, 0], [0, 0]], 2),
            ],
            "statistics": nn.fused_batch_norm(x, [1.0] * 6, [0.5] * 6),
            "resized": [
                im.resize_bilinear(x, [7, 15]),
                im.resize_bicubic(x, [5, 5], align_corners=True),
                im.resize_nearest_neighbor(x, [20, 3]),
                im.resize_area(x, [4, 4]),
                im.crop_and_resize(x, boxes, numbers, [4, 5]),
            ],
            "turned": [
                im.flip_left_right(x),
                im.rot90(x, 3),
                im.per_image_standardization(x[1]),
                im.total_variation(x),
                im.adjust_contrast(x, 0.5),
            ],
            "colours": [
                im.adjust_hue(x[..., 1:4], 0.2),
                im.rgb_to_hsv(tf.abs(x[..., :3]) / 3),
                im.hsv_to_rgb(tf.abs(x[..., 3:]) / 3),
                im.adjust_saturation(x[..., ::2], 0.5),
            ],
            "slopes": [
                tf.gradients(y * tf.stop_gradient(y), [x])[0]
                for y in (
                    nn.conv2d(x, f, 2, "SAME"),
                    nn.depthwise_conv2d(x, d, [1, 2, 2, 1], "VALID"),
                    nn.max_pool(x, 3, 2, "SAME"),
                    nn.avg_pool(x, 3, 2, "SAME"),
                    nn.lrn(x, 1),
                    im.resize_bilinear(x, [5, 6]),
                    nn.fused_batch_norm(x, [1.0] * 6, [0.5] * 6)[0],
                    nn.bias_add(x, x[0, 0, 0]),
                )
            ],
        }

    made = of(x)
    other = of(tf.transpose(x, [0, 2, 1, 3]))
    made.update({"transposed " + k: other[k] for k in other})
    made["of the other layout"] = [
        nn.bias_add(tf.transpose(x, [0, 3, 1, 2]), [1.0, 2, 3, 4, 5, 6], "NCHW"),
        tf.reduce_max(tf.transpose(x, [3, 0, 1, 2]), [1, 2]),
        tf.reduce_sum(tf.transpose(x, [2, 0, 3, 1]), [1, 3]),
    ]
    made["chosen"] = im.non_max_suppression(
        tf.transpose(tf.reshape(x[0, :8, :8, 0], [4, 16])), tf.reshape(x[1, :8, :2, 3], [16]), 9
    )
    _say(tf, stage, made, x, _numbers(2, 12, 10, 6))


def doubles(tf, stage):
    """A batch of three square float64 matrices."""
    la = tf.linalg
    x = tf.placeholder(tf.float64, [3, 9, 9], name="x")

    def of(x):
        square = tf.matmul(x, x, transpose_b=True) + tf.eye(9, dtype=tf.float64)
        sided = x[:, :, :4]
        return {
            "solved": [
                la.solve(x + 9 * tf.eye(9, dtype=tf.float64), sided),
                la.solve(square, sided, adjoint=True),
                la.triangular_solve(square, sided, lower=False),
                la.cholesky_solve(la.cholesky(square), sided),
                la.lstsq(x[:, :, :3], sided, fast=True, l2_regularizer=0.5),
            ],
            "factors": [
                la.cholesky(square),
                la.inv(square),
                la.det(x / 3),
                la.slogdet(square)[1],
                tf.abs(la.qr(x)[1]),
                la.svd(x, compute_uv=False),
                tf.self_adjoint_eigvals(square),
                la.expm(x / 9),
                la.trace(x),
            ],
            "others": [
                tf.matrix_transpose(x) @ x,
                tf.einsum("bij,bkj->bik", x, x),
                tf.tensordot(x, x[0], [[2], [1]]),
                tf.reduce_logsumexp(x, 1),
                tf.reduce_sum(x, [0, 2]),
                tf.nn.softmax(x, 1),
                tf.cumsum(x, 0),
                tf.lgamma(tf.abs(x) + 0.5),
                tf.polygamma(tf.constant(1.0, tf.float64), tf.abs(x) + 1),
                tf.clip_by_norm(x, 2.0, [1]),
            ],
        }

    made = of(x)
    turned = of(tf.transpose(x, [0, 2, 1]))
    made.update({"turned " + k: turned[k] for k in turned})
    _say(tf, stage, made, x, _numbers(3, 9, 9, dtype="d"))


def whole_numbers(tf, stage):
    """64-bit integers near their limits."""
    x = tf.placeholder(tf.int64, [30, 20], name="x")
    numbers = np.random.RandomState(3).randint(-(2**62), 2**62, (30, 20))
    numbers[::7] %= 17

    def of(x):
        small = x % 17
        return {
            "counted": [tf.bincount(tf.cast(small, tf.int32)), tf.unique_with_counts(small[:, 3])],
            "bits": [tf.bitwise.bitwise_xor(x, x[1]), tf.bitwise.right_shift(x, small)],
            "quotients": [
                x // (small + 1),
                tf.truncatemod(x, small + 1),
                tf.floormod(x, -7 - small),
            ],
            "reduced": [tf.reduce_max(x, 0), tf.reduce_sum(x, 1), tf.reduce_prod(small, 0)],
            "chosen": [tf.argmax(x, 1), tf.math.top_k(x, 2), tf.sort(x, 0)],
            "gathered": [
                tf.gather(x, small[0]),
                tf.one_hot(small[:2], 4),
                tf.scatter_nd(small[:, :1], x, [17, int(x.shape[1])]),
            ],
            "texts": [
                tf.as_string(x[1]),
                tf.strings.to_hash_bucket_fast(tf.as_string(x[:, 2]), 1000),
            ],
            "stitched": tf.dynamic_stitch([tf.range(int(x.shape[0]))[::-1]], [x]),
            "sets": tf.sparse.to_dense(tf.sets.set_intersection(small, small[:, ::2])),
            "casts": [tf.cast(x, tf.float32), tf.cast(x, tf.int32), tf.cast(small, tf.uint8)],
            "equal": [tf.equal(x, x[0]), tf.reduce_any(small > 15, 0), tf.cumsum(small, 1)],
        }

    made = of(x)
    turned = of(tf.transpose(x))
    made.update({"turned " + k: turned[k] for k in turned})
    _say(tf, stage, made, x, numbers)
