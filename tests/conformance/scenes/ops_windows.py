"""Pooling and convolutions: mismatched windows, formats, second gradients, unknown shapes."""

import numpy as np

from tests.conformance.scenes import unknown

IMAGES = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 16 - 1
CUBES = (np.arange(48, dtype="f").reshape(1, 2, 4, 3, 2) * 29 % 40) / 16 - 1


def pooled(tf, stage):
    u, raw, nn = unknown(tf), tf.raw_ops, tf.nn
    p = tf.placeholder

    def pool(op, x=IMAGES, k=(1, 2, 2, 1), s=(1, 1, 1, 1), m="VALID", **o):
        return op(
            **{"value" if op is raw.AvgPool else "input": u(x)},
            ksize=list(k),
            strides=list(s),
            padding=m,
            **o,
        )

    best, mean, places = raw.MaxPool, raw.AvgPool, raw.MaxPoolWithArgmax

    def v2(k, s):
        return raw.MaxPoolV2(
            input=u(IMAGES), ksize=u(np.array(k, "i")), strides=u(np.array(s, "i")), padding="SAME"
        )

    def back(f, x=IMAGES, twice=False):
        x = tf.constant(x)
        y = f(x)
        y = y[0] if isinstance(y, tuple) else y
        first = tf.gradients(y * y, x)[0]
        return tf.gradients(first * first, x)[0] if twice else first

    def argmax_grad(grad, at, **k):
        return raw.MaxPoolGradWithArgmax(
            input=IMAGES,
            grad=u(np.array(grad, "f")),
            argmax=u(np.array(at, "i8")),
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="VALID",
            **k,
        )

    def second_of_another_output():
        ksize, strides = [1, 2, 2, 1], [1, 1, 1, 1]
        pooled = nn.max_pool(IMAGES, ksize, strides, "VALID")
        other = tf.where(pooled > 1, pooled, pooled + 1)
        return raw.MaxPoolGradGrad(
            orig_input=IMAGES,
            orig_output=other,
            grad=IMAGES + 1,
            ksize=ksize,
            strides=strides,
            padding="VALID",
        )

    part = lambda r, **k: nn.fractional_max_pool(IMAGES, r, deterministic=True, seed=3, **k)  # noqa: E731
    windows = [[1, 2, 2, 1], [1, 1, 2, 1], "SAME"]
    deep = [1, 2, 1, 2, 1], [1, 1, 2, 1, 1]
    stage.each(
        {
            "best": lambda: [
                pool(best, k=k, s=s, m=m)
                for k, s in (((1, 2, 3, 1), (1, 2, 1, 1)), ((1, 1, 1, 3), (1, 1, 1, 3)))
                for m in ("SAME", "VALID")
            ],
            "best_kinds": lambda: [
                pool(best, IMAGES.astype(k)) for k in ("e", "d", "i", "i8", "u1", "i1")
            ],
            "second": second_of_another_output,
            "best_nan": lambda: pool(best, np.where(IMAGES > 1, np.nan, IMAGES)),
            "mean": lambda: (
                [pool(mean, k=(1, 2, 3, 1), s=(1, 2, 1, 1), m=m) for m in ("SAME", "VALID")]
                + [pool(mean, IMAGES.astype(k)) for k in "ed"]
            ),
            **{
                f"{n}_{w}": lambda op=op, o=o: pool(op, **o)
                for n, op in (("best", best), ("mean", mean))
                for w, o in {
                    "ksize": {"k": (1, 2, 2)},
                    "strides": {"s": (1, 1, 1)},
                    "batch": {"k": (2, 1, 1, 1)},
                    "rank": {"x": IMAGES[0]},
                    "channels": {"k": (1, 2, 2, 2)},
                    "depth": {"k": (1, 1, 1, 2), "s": (1, 1, 1, 1)},
                    "large": {"k": (1, 9, 9, 1)},
                    "large_same": {"k": (1, 9, 9, 1), "m": "SAME"},
                    "first": {"data_format": "NCHW"},
                    "none": {"x": IMAGES[:0]},
                }.items()
            },
            "static": lambda: raw.MaxPool(
                input=IMAGES, ksize=[1, 2, 2], strides=[1] * 4, padding="SAME"
            ),
            "static_mean": lambda: raw.AvgPool(
                value=IMAGES, ksize=[1] * 4, strides=[1] * 5, padding="SAME"
            ),
            "static_large": lambda: nn.max_pool(IMAGES, [1, 9, 9, 1], [1] * 4, "VALID"),
            "places": lambda: [
                places(
                    input=np.concatenate([IMAGES, -IMAGES]),
                    ksize=[1, 2, 3, 1],
                    strides=[1, 2, 1, 1],
                    padding=m,
                    include_batch_in_index=b,
                )
                for m in ("SAME", "VALID")
                for b in (True, False)
            ],
            "places_short": lambda: [nn.max_pool_with_argmax(IMAGES, *windows, tf.int32, "own")],
            "places_back": lambda: [
                back(lambda x: nn.max_pool_with_argmax(x, *windows), twice=t) for t in (False, True)
            ],
            "places_grad": lambda: [
                argmax_grad(
                    np.ones([1, 2, 2, 1]), [[[[0], [4]], [[9], [47]]]], include_batch_in_index=b
                )
                for b in (True, False)
            ],
            "v2": lambda: v2([1, 2, 2, 1], [1, 2, 1, 1]),
            "v2_sizes": lambda: v2([1, 2, 2], [1] * 4),
            "v2_strides": lambda: v2([1, 2, 2, 1], [1] * 3),
            "v2_static": lambda: raw.MaxPoolV2(
                input=IMAGES, ksize=[1, 2, 2], strides=[1] * 4, padding="SAME"
            ),
            "v2_shapes": lambda: (
                raw.MaxPoolV2(
                    input=IMAGES, ksize=[1, 2, 2, 1], strides=p(tf.int32, [4]), padding="SAME"
                ).shape
            ),
            "back": lambda: [
                back(lambda x, f=f: f(x, *windows), twice=t)
                for f in (nn.max_pool, nn.avg_pool)
                for t in (False, True)
            ],
            "deep": lambda: [
                f(CUBES, *deep, m, name="own")
                for f in (nn.max_pool3d, nn.avg_pool3d)
                for m in ("SAME", "VALID")
            ],
            "deep_back": lambda: [
                back(lambda x, f=f: f(x, *deep, "SAME"), CUBES, t)
                for f in (nn.max_pool3d, nn.avg_pool3d)
                for t in (False, True)
            ],
            "deep_rank": lambda: raw.MaxPool3D(
                input=u(CUBES[0]), ksize=[1] * 5, strides=[1] * 5, padding="SAME"
            ),
            "deep_batch": lambda: raw.AvgPool3D(
                input=u(CUBES), ksize=[2, 1, 1, 1, 1], strides=[1] * 5, padding="SAME"
            ),
            "deep_channels": lambda: raw.MaxPool3D(
                input=u(CUBES), ksize=[1, 1, 1, 1, 2], strides=[1] * 5, padding="SAME"
            ),
            "deep_sizes": lambda: raw.MaxPool3D(
                input=u(CUBES), ksize=[1] * 4, strides=[1] * 5, padding="SAME"
            ),
            "deep_grad_shape": lambda: raw.AvgPool3DGrad(
                orig_input_shape=u(np.array([1, 2, 4], "i")),
                grad=u(CUBES),
                ksize=[1] * 5,
                strides=[1] * 5,
                padding="SAME",
            ),
            "deep_grad_rank": lambda: raw.AvgPool3DGrad(
                orig_input_shape=u(np.array(CUBES.shape, "i")),
                grad=u(CUBES[0]),
                ksize=[1] * 5,
                strides=[1] * 5,
                padding="SAME",
            ),
            "any": lambda: (
                [
                    tf.compat.v2.nn.max_pool(x, 2, s, "SAME", name="own")
                    for x, s in ((IMAGES[0], 1), (IMAGES, [2, 1]), (CUBES, 2))
                ]
                + [
                    tf.compat.v2.nn.avg_pool(x, k, 1, "VALID")
                    for x, k in ((IMAGES[0], [2]), (IMAGES, [1, 2, 1, 1]), (CUBES, 1))
                ]
            ),
            "any_rank": lambda: tf.compat.v2.nn.max_pool(IMAGES[0, 0], 2, 1, "SAME"),
            "any_six": lambda: tf.compat.v2.nn.avg_pool(CUBES[None], 2, 1, "SAME"),
            "any_sizes": lambda: tf.compat.v2.nn.max_pool(IMAGES, [1, 2, 3], 1, "SAME"),
            "any_unknown": lambda: tf.compat.v2.nn.max_pool(p(tf.float32), 2, 1, "SAME"),
            "line": lambda: [
                f(IMAGES[0], 2, s, m, name="own")
                for f in (nn.max_pool1d, nn.avg_pool1d)
                for s in (1, 2)
                for m in ("SAME", "VALID")
            ],
            "nd": lambda: [
                nn.pool(x, w, k, m, strides=s)
                for k in ("MAX", "AVG")
                for x, w, s in (
                    (IMAGES[0], [2], [2]),
                    (IMAGES, [2, 1], None),
                    (CUBES, [1, 2, 2], [1, 2, 1]),
                )
                for m in ("SAME", "VALID")
            ],
            "nd_rates": lambda: (
                [
                    nn.pool(IMAGES, [2, 2], k, m, dilation_rate=[2, 1])
                    for k in ("MAX", "AVG")
                    for m in ("SAME", "VALID")
                ]
                + [nn.pool(IMAGES[0], [2], "MAX", "VALID", [2], name="own")]
            ),
            "nd_both": lambda: nn.pool(IMAGES, [2, 2], "MAX", "VALID", [2, 1], [2, 1]),
            "nd_same_rates": lambda: nn.pool(IMAGES, [2, 2], "AVG", "SAME", [2, 2]),
            "nd_kind": lambda: nn.pool(IMAGES, [2, 2], "MIN", "VALID"),
            "nd_window": lambda: nn.pool(IMAGES, [2], "MAX", "VALID"),
            "fractions": lambda: [
                part([1.0, 1.4, 1.7, 1.0], pseudo_random=q, overlapping=o)
                for q in (False, True)
                for o in (False, True)
            ],
            "fractions_back": lambda: [
                back(
                    lambda x, f=f, o=o: tuple(
                        f(x, [1.0, 1.4, 1.7, 1.0], deterministic=True, seed=5, overlapping=o)
                    )
                )
                for f in (nn.fractional_max_pool, nn.fractional_avg_pool)
                for o in (False, True)
            ],
            "fractions_four": lambda: raw.FractionalMaxPool(
                value=IMAGES, pooling_ratio=[1.0, 1.4, 1.0, 1.0, 1.0], seed=1, deterministic=True
            ),
            "fractions_seed": lambda: raw.FractionalMaxPool(
                value=u(IMAGES), pooling_ratio=[1.0, 1.4, 1.0, 1.0], seed=1
            ),
            "fractions_rank": lambda: raw.FractionalMaxPool(
                value=u(IMAGES[0]), pooling_ratio=[1.0, 1.4, 1.0, 1.0], seed=1, deterministic=True
            ),
        },
        graph=False,
    )


def convolved(tf, stage):
    u, raw, nn = unknown(tf), tf.raw_ops, tf.nn
    kernel = (np.arange(24, dtype="f").reshape(2, 2, 3, 2) * 7 % 9) / 4 - 1
    deep = (np.arange(16, dtype="f").reshape(2, 2, 1, 2, 2) * 7 % 9) / 4 - 1
    ones = [1, 1, 1, 1]

    def conv(x=IMAGES, w=kernel, s=ones, m="SAME", **k):
        return raw.Conv2D(input=u(x), filter=u(w), strides=list(s), padding=m, **k)

    def thin(x=IMAGES, w=kernel, s=ones, m="SAME", **k):
        return raw.DepthwiseConv2dNative(input=u(x), filter=u(w), strides=list(s), padding=m, **k)

    def cube(x=CUBES, w=deep, s=(1,) * 5, m="SAME", **k):
        return raw.Conv3D(input=u(x), filter=u(w), strides=list(s), padding=m, **k)

    def fat(x=IMAGES, w=kernel[..., 0], s=ones, r=ones, m="SAME"):
        return raw.Dilation2D(input=u(x), filter=u(w), strides=list(s), rates=list(r), padding=m)

    def back(f, x, w):
        x, w = tf.constant(x), tf.constant(w)
        y = f(x, w)
        first = tf.gradients(y * y, [x, w])
        return y, first, tf.gradients(first[0] ** 2, [x, w])

    wrong = {
        "strides": {"s": (1, 1, 1)},
        "batch": {"s": (2, 1, 1, 1)},
        "none": {"s": (1, 0, 1, 1)},
        "channels": {"s": (1, 1, 1, 2)},
        "rank": {"x": IMAGES[0]},
        "empty": {"x": IMAGES[:0]},
        "large": {"x": IMAGES[:, :1], "m": "VALID"},
    }
    stage.each(
        {
            **{f"flat_{n}": lambda o=o: conv(**o) for n, o in wrong.items()},
            **{f"thin_{n}": lambda o=o: thin(**o) for n, o in wrong.items()},
            "thin_uneven": lambda: thin(s=(1, 1, 2, 1)),
            "flat_rates": lambda: conv(dilations=[1, 0, 1, 1]),
            "flat_rates_batch": lambda: conv(dilations=[2, 1, 1, 1]),
            "flat_rates_three": lambda: conv(dilations=[1, 1, 1]),
            "flat_pads": lambda: conv(m="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 2, 0, 0]),
            "flat_pads_few": lambda: conv(m="EXPLICIT", explicit_paddings=[0, 0, 1]),
            "flat_pads_batch": lambda: conv(
                m="EXPLICIT", explicit_paddings=[1, 0, 1, 0, 0, 2, 0, 0]
            ),
            "flat_pads_negative": lambda: conv(
                m="EXPLICIT", explicit_paddings=[0, 0, -1, 0, 0, 2, 0, 0]
            ),
            "flat_pads_same": lambda: conv(explicit_paddings=[0, 0, 1, 0, 0, 2, 0, 0]),
            "flat_lists": lambda: nn.conv2d(
                IMAGES, kernel, [2, 1], [[0, 0], [1, 0], [0, 2], [0, 0]], dilations=2, name="own"
            ),
            "flat_both": lambda: nn.conv2d(IMAGES, kernel, 1, "SAME", filters=kernel),
            "flat_three": lambda: nn.conv2d(IMAGES, kernel, [1, 1, 1], "SAME"),
            "flat_back": lambda: [
                back(lambda x, w, s=s, m=m: nn.conv2d(x, w, s, m), IMAGES, kernel)
                for s, m in (([1, 2, 1, 1], "SAME"), (1, "VALID"))
            ],
            "flat_rates_back": lambda: [
                f(IMAGES, kernel, 1, "VALID", dilations=[1, 2, 3, 1]) for f in (nn.conv2d,)
            ],
            "thin_back": lambda: back(
                lambda x, w: nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "SAME"), IMAGES, kernel
            ),
            "thin_rates": lambda: nn.depthwise_conv2d(IMAGES, kernel, ones, "VALID", [2, 1], "own"),
            "cubes": lambda: [cube(), cube(s=(1, 2, 1, 2, 1), m="VALID")],
            "cubes_back": lambda: back(
                lambda x, w: nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"), CUBES, deep
            ),
            "cubes_strides": lambda: cube(s=(1, 1, 1, 1)),
            "cubes_batch": lambda: cube(s=(2, 1, 1, 1, 1)),
            "cubes_none": lambda: cube(s=(1, 0, 1, 1, 1)),
            "cubes_rank": lambda: cube(x=CUBES[0]),
            "cubes_filter": lambda: cube(w=deep[0]),
            "cubes_depth": lambda: cube(x=CUBES[..., :1]),
            "cubes_rates": lambda: cube(dilations=[1, 2, 1, 1, 1]),
            "cubes_rates_four": lambda: cube(dilations=[1, 1, 1, 1]),
            "cubes_rates_batch": lambda: cube(dilations=[2, 1, 1, 1, 1]),
            "cubes_first": lambda: cube(data_format="NCDHW"),
            "cubes_static": lambda: raw.Conv3D(
                input=CUBES, filter=deep, strides=[1] * 4, padding="SAME"
            ),
            "fat": lambda: [fat(), fat(s=(1, 2, 1, 1), r=(1, 1, 2, 1), m="VALID")],
            "fat_back": lambda: tf.gradients(
                nn.dilation2d(tf.constant(IMAGES), tf.constant(kernel[..., 0]), ones, ones, "SAME")
                ** 2,
                [tf.get_default_graph().get_tensor_by_name(f"Const{n}:0") for n in ("", "_1")],
            ),
            "fat_strides": lambda: fat(s=(1, 1, 1, 1, 1)),
            "fat_rates": lambda: fat(r=(1, 1, 1, 1, 1)),
            "fat_batch": lambda: fat(s=(2, 1, 1, 1)),
            "fat_rates_batch": lambda: fat(r=(1, 1, 1, 2)),
            "fat_rank": lambda: fat(x=IMAGES[0]),
            "fat_filter": lambda: fat(w=kernel),
            "fat_depth": lambda: fat(x=IMAGES[..., :2]),
            "thinner": lambda: [tf.nn.erosion2d(IMAGES, kernel[..., 0], ones, ones, "SAME", "own")],
            "thinner_format": lambda: tf.compat.v2.nn.erosion2d(
                IMAGES, kernel[..., 0], ones, "SAME", "NCHW", ones
            ),
            "any": lambda: [
                nn.convolution(x, w, m, s, r)
                for x, w, s, r in (
                    (IMAGES[0], kernel[0], [2], None),
                    (IMAGES, kernel, None, [2, 1]),
                    (CUBES, deep, [1, 2, 1], None),
                    (IMAGES[0], kernel[0], None, [2]),
                )
                for m in ("SAME", "VALID")
            ],
            "any_format": lambda: nn.convolution(IMAGES, kernel, "SAME", data_format="HWNC"),
            "any_format_cubes": lambda: nn.convolution(CUBES, deep, "SAME", data_format="DHWNC"),
            "any_both": lambda: nn.convolution(IMAGES, kernel, "SAME", [2, 1], [2, 1]),
            "any_zero": lambda: nn.convolution(IMAGES, kernel, "SAME", dilation_rate=[0, 1]),
            "any_rank": lambda: nn.convolution(IMAGES[0], kernel, "SAME"),
            "any_channels": lambda: nn.convolution(IMAGES[..., :2], kernel, "SAME"),
            "any_unknown": lambda: nn.convolution(
                tf.placeholder_with_default(IMAGES, [None] * 4),
                tf.placeholder_with_default(kernel, [None] * 4),
                "SAME",
                dilation_rate=[2, 2],
            ),
            "atrous": lambda: [
                nn.atrous_conv2d(IMAGES, kernel, r, m, "own")
                for r in (1, 2)
                for m in ("SAME", "VALID")
            ],
            "atrous_zero": lambda: nn.atrous_conv2d(IMAGES, kernel, 0, "SAME"),
            "line": lambda: [
                nn.conv1d(IMAGES[0], kernel[0], s, m, name="own")
                for s in (1, [2])
                for m in ("SAME", "VALID")
            ],
            "line_format": lambda: nn.conv1d(IMAGES[0], kernel[0], 1, "SAME", data_format="CNW"),
            "line_back": lambda: nn.conv1d_transpose(
                IMAGES[0], np.ones([2, 4, 3], "f"), [4, 8, 4], 2, "SAME", name="own"
            ),
            "back": lambda: [
                nn.conv2d_transpose(
                    IMAGES,
                    np.ones([2, 2, 1, 3], "f"),
                    [1, 8, 4, 1],
                    [1, 2, 1, 1],
                    "SAME",
                    name="own",
                ),
                nn.conv3d_transpose(CUBES, deep, [1, 2, 8, 3, 2], [1, 1, 2, 1, 1], "SAME"),
            ],
            "back_shape": lambda: nn.conv2d_transpose(
                IMAGES, np.ones([2, 2, 1, 3], "f"), [1, 9, 4, 1], [1, 2, 1, 1], "SAME"
            ),
            "separate": lambda: nn.separable_conv2d(
                IMAGES, kernel, np.ones([1, 1, 6, 2], "f"), ones, "SAME", [1, 1], "own"
            ),
            "separate_point": lambda: nn.separable_conv2d(
                IMAGES, kernel, np.ones([2, 1, 6, 2], "f"), ones, "SAME"
            ),
        },
        graph=False,
    )
