"""Reductions, scans, ranks and counts: empty arrays, NaN, ties, every dtype, gradients; errors."""

import numpy as np

from tests.conformance.scenes import made_node, unknown

KINDS = ("float16", "float32", "float64")
X = np.array([[3.0, np.nan, -1.0], [np.nan, np.nan, np.nan], [2.0, 2.0, -np.inf]])


def _slopes(tf, function, x, y):
    x, y = tf.constant(x), tf.constant(y)
    return [g for g in tf.gradients(function(x, y), [x, y]) if g is not None]


def reduced(tf, stage):
    u, raw, m = unknown(tf), tf.raw_ops, tf.math
    names = "sum mean prod max min".split()
    find = lambda n: getattr(tf, "reduce_" + n, None) or getattr(m, "reduce_" + n)  # noqa: E731
    op = {n: getattr(raw, n.capitalize()) for n in names}
    every = [*names, "logsumexp", "euclidean_norm", "variance", "std"]
    cube = np.arange(24.0).reshape(2, 3, 4) - 11

    def slopes(n, axis, data=cube, keepdims=False, fed=False):
        x = u(data) if fed else tf.constant(data)
        y = find(n)(x, axis, keepdims)
        return tf.gradients(y**2, x)

    kinds = "uint8 int8 uint16 int16 int32 int64 float16 complex64".split()
    large = np.ones([3, 70, 90], "f") * np.arange(90, dtype="f")
    stage.each(
        {
            **{
                f"{n}_nan": lambda n=n: [
                    find(n)(X.astype(k), a) for k in KINDS for a in (0, 1, None)
                ]
                for n in every
            },
            **{
                f"{n}_axes": lambda n=n: [
                    find(n)(cube, a, k)
                    for a in (0, [1], [0, 2], [-1, -2], [], [2, 1, 0], np.int64(1))
                    for k in (False, True)
                ]
                for n in every
            },
            **{
                f"{n}_none": lambda n=n: [find(n)(np.zeros([2, 0, 3]), a) for a in (0, 1, None)]
                for n in every
            },
            **{
                f"{n}_kinds": lambda n=n: [
                    find(n)(np.array([[7, 2], [100, 3]], k), 0)
                    for k in (kinds if n in ("sum", "mean", "prod") else kinds[:-1])
                ]
                for n in names
            },
            **{
                f"{n}_slopes": lambda n=n: (
                    [slopes(n, a) for a in (0, [1, 2], None, [])]
                    + [slopes(n, [-1], fed=True, keepdims=True)]
                )
                for n in every
                if n != "euclidean_norm"
            },
            **{f"{n}_fed": lambda n=n: find(n)(u(cube), u([0, 1])) for n in names},
            **{
                f"{n}_large": lambda n=n: [
                    find(n)(large[:, :, 1:2] / 64 + 1, a) for a in (0, 1, 2, [0, 1], [1, 2], None)
                ]
                for n in names
            },
            "large": lambda: (
                [tf.reduce_sum(large, a)[..., :3] for a in (0, 1, [0, 1])]
                + [
                    tf.reduce_sum(large),
                    tf.reduce_mean(large, [1, 2]),
                    tf.reduce_sum(large.transpose(2, 0, 1), [0, 2]),
                ]
            ),
            "long": lambda: [
                tf.reduce_sum(np.ones([5000, 2], "f"), 0),
                tf.reduce_sum(np.ones([2, 5000], "f"), 1),
                tf.reduce_sum(np.ones([4100], "f")),
                tf.reduce_sum(np.ones(1 << 16, "e") * 0.25),
            ],
            "far": lambda: op["sum"](input=u(cube), axis=u([3])),
            "before": lambda: op["max"](input=u(cube), axis=u([-4])),
            "twice": lambda: op["sum"](input=u(cube), axis=u([0, -3])),
            "matrix": lambda: op["sum"](input=u(cube), axis=u([[0]])),
            "static_far": lambda: tf.reduce_sum(cube, 3),
            "static_twice": lambda: tf.reduce_sum(cube, [1, 1]),
            "old_names": lambda: [
                find(n)(cube, reduction_indices=[1], keep_dims=True, name="own")
                for n in [*names, "logsumexp"]
            ],
            "both_names": lambda: tf.reduce_sum(cube, 0, reduction_indices=0),
            "both_keeps": lambda: tf.reduce_sum(cube, 0, keepdims=True, keep_dims=True),
            "bools": lambda: (
                [
                    f([[True, False], [True, True]], a, k)
                    for f in (tf.reduce_all, tf.reduce_any)
                    for a in (0, 1, None)
                    for k in (False, True)
                ]
                + [f(np.zeros([0], bool)) for f in (tf.reduce_all, tf.reduce_any)]
            ),
            "bools_of_numbers": lambda: tf.reduce_all([1, 0]),
            "texts": lambda: tf.reduce_sum(["a"]),
            "join": lambda: [
                tf.reduce_join([["a", "b"], ["c", "d"]], a, separator="-")
                for a in (0, 1, None, [1, 0])
            ],
            "nonzero": lambda: (
                [
                    tf.math.count_nonzero([[0, 1], [2, 0]], a, k, tf.int32)
                    for a in (0, None)
                    for k in (True, False)
                ]
                + [
                    tf.math.count_nonzero(["", "a"]),
                    tf.math.count_nonzero([True]),
                    tf.count_nonzero(input=[0.0, np.nan], reduction_indices=[0]),
                ]
            ),
            "overflow": lambda: [
                tf.reduce_sum(np.array([127, 1], "i1")),
                tf.reduce_mean(np.array([2**31 - 1, 2**31 - 1], "i4")),
                tf.reduce_prod(np.array([2**40, 2**40], "i8")),
                tf.reduce_mean(np.full(300, 200, "u1")),
            ],
            "mean_negative": lambda: [tf.reduce_mean([-3, -4]), tf.reduce_mean([3, 4])],
            "half": lambda: [
                tf.reduce_sum(np.full([5000], 1.0, "e")),
                tf.reduce_mean(np.full([5000], 3.0, "e")),
            ],
            "shapes": lambda: [
                tf.reduce_sum(tf.placeholder(tf.float32, s), a, k).shape
                for s in ([2, None, 3], None)
                for a in (0, [1], None, tf.placeholder(tf.int32, [1]))
                for k in (False, True)
            ],
            "scanned": lambda: [
                f(cube, a, e, r)
                for f in (tf.cumsum, tf.cumprod)
                for a in (0, -1)
                for e in (False, True)
                for r in (False, True)
            ],
            "scanned_wide": lambda: [
                f(np.ones([3, 40], "f") * [[1.0], [2.0], [3.0]], 0, e, r)[:, ::20]
                for f in (tf.cumsum, tf.cumprod, m.cumulative_logsumexp)
                for e in (False, True)
                for r in (False, True)
            ],
            "scanned_kinds": lambda: [
                f(np.array([100, 3, 2], k)) for f in (tf.cumsum, tf.cumprod) for k in kinds
            ],
            "scanned_logs": lambda: [
                m.cumulative_logsumexp(np.array([0.0, -np.inf, 700.0, 1.0], k), exclusive=e)
                for k in KINDS
                for e in (False, True)
            ],
            "scanned_slopes": lambda: [
                _slopes(
                    tf,
                    lambda x, _, f=f, e=e, r=r: f(x, 1, e, r) ** 2,
                    np.arange(1.0, 7.0).reshape(2, 3),
                    [1.0],
                )
                for f in (tf.cumsum, tf.cumprod, m.cumulative_logsumexp)
                for e in (False, True)
                for r in (False, True)
            ],
            "scanned_none": lambda: [
                tf.cumsum(np.zeros([0, 2])),
                tf.cumprod(np.zeros([2, 0]), 1, True),
            ],
            "scanned_axis": lambda: tf.cumsum(u(cube), u([0])),
            "scanned_far": lambda: tf.cumsum(u(cube), u(-4)),
            "scanned_scalar": lambda: tf.cumsum(u(1.0)),
        },
        graph=False,
    )


def found_and_counted(tf, stage):
    u, raw, m = unknown(tf), tf.raw_ops, tf.math
    rows = np.array(
        [
            [1.0, 5.0, 5.0, -2.0, np.nan],
            [3.0, 3.0, -np.inf, np.inf, 0.0],
            [0.0, -0.0, 0.0, -0.0, 0.0],
        ]
    )
    i32 = lambda x: u(np.array(x, "i"))  # noqa: E731
    in_top = lambda p, t, k: raw.InTopKV2(predictions=u(np.array(p, "f")), targets=i32(t), k=i32(k))  # noqa: E731
    counted = lambda x, n, w=(): raw.Bincount(arr=i32(x), size=i32(n), weights=u(np.array(w, "f")))  # noqa: E731

    def widths(values, ends, count):
        values, ends = u(np.array(values)), u(np.array(ends))
        return raw.HistogramFixedWidth(values=values, value_range=ends, nbins=i32(count))

    points, centers = (
        np.array([[0, 0], [1, 1], [9, 8]], "f"),
        np.array([[0, 1], [8, 8], [0, -1]], "f"),
    )
    long = lambda x: u(np.array(x, "i8"))  # noqa: E731

    def near(points, centers, k):
        given = u(points), u(centers), long(k)
        return made_node(tf, "NearestNeighbors", given, [tf.int64, tf.float32])

    def spread(points, count, seed=1, retries=-1):
        given = u(points), long(count), long(seed), long(retries)
        return made_node(tf, "KmeansPlusPlusInitialization", given, [tf.float32])

    def chain(distances, seed=1):
        given = u(np.array(distances, "f")), long(seed)
        return made_node(tf, "KMC2ChainInitialization", given, [tf.int64])

    segment = "segment_sum segment_mean segment_prod segment_min segment_max".split()
    ids = lambda x, k="i": u(np.array(x, k))  # noqa: E731
    unsorted = {n: getattr(m, "unsorted_" + n) for n in [*segment, "segment_sqrt_n"]}
    data = np.arange(8.0).reshape(4, 2) - 3

    def slopes(f, *more):
        x = tf.constant(data)
        return tf.gradients(f(x, *more) ** 2, x)

    stage.each(
        {
            "top": lambda: [
                m.top_k(rows.astype(k), n, s)
                for k in KINDS
                for n in (0, 1, 3, 5)
                for s in (True, False)
            ][::3],
            "top_wide": lambda: m.top_k(np.arange(60.0).reshape(2, 30) * 7 % 11, 20),
            "top_kinds": lambda: [
                m.top_k(np.array([3, 120, 5, 120, 0], k), 3)
                for k in ("u1", "i1", "u2", "i2", "i4", "i8")
            ],
            "top_least": lambda: [
                m.top_k(np.array([v, 0, v], k), 3)
                for k, v in (("i1", -128), ("i8", -(2**63)), ("f", -np.inf))
            ],
            "top_vector": lambda: raw.TopKV2(input=u(rows), k=i32([1])),
            "top_negative": lambda: raw.TopKV2(input=u(rows), k=i32(-1)),
            "top_scalar": lambda: raw.TopKV2(input=u(1.0), k=i32(1)),
            "top_slope": lambda: [
                slopes(lambda x: m.top_k(x, 2)[0]),
                slopes(lambda x: tf.contrib.nn.nth_element(x, 1)),
            ],
            "in_top": lambda: [
                tf.nn.in_top_k(rows.astype("f"), [1, 0, 4], k, "own") for k in (0, 1, 2, 5, 9)
            ],
            "in_top_outside": lambda: in_top(rows, [5, -1, 0], 2),
            "in_top_rank": lambda: in_top(rows[0], [0], 1),
            "in_top_targets": lambda: in_top(rows, [[0]], 1),
            "in_top_count": lambda: in_top(rows, [0], 1),
            "arg": lambda: [
                f(rows.astype(k), a, output_type=t)
                for f in (tf.argmax, tf.argmin)
                for k in KINDS
                for a in (0, 1)
                for t in (tf.int32, tf.int64)
            ],
            "arg_kinds": lambda: [
                f(np.array([[3, 120], [120, 3]], k), 1)
                for f in (tf.argmax, tf.argmin)
                for k in ("u1", "i1", "i2", "i4", "i8")
            ],
            "arg_none": lambda: tf.argmax(np.zeros([2, 0]), 0),
            "arg_of_none": lambda: tf.argmax(u(np.zeros([2, 0])), 1),
            "arg_scalar": lambda: tf.argmax(u(1.0), 0),
            "arg_before": lambda: tf.argmin(u(rows), -3),
            "arg_vector": lambda: tf.argmin(u(rows), u([0])),
            "arg_both": lambda: tf.argmax(rows, 0, dimension=1),
            "arg_old": lambda: tf.argmin(rows, dimension=1),
            "sorted": lambda: (
                [tf.sort(rows[2:], direction=d) for d in ("ASCENDING", "DESCENDING")]
                + [
                    tf.argsort(rows[1:], axis=0, stable=True, name="own"),
                    tf.sort(np.array([3, -(2**31), 5], "i")),
                    tf.argsort([1, 200, 3]),
                ]
            ),
            "sorted_scalar": lambda: tf.sort(tf.constant(1.0)),
            "bins": lambda: [
                counted([1, 1, 5], 3),
                counted([1, 1, 5], 6, [0.5, 1.0, 2.0]),
                counted([], 2),
                counted([[1], [0]], 2),
            ],
            "bins_negative": lambda: counted([-1], 2),
            "bins_size": lambda: counted([1], -2),
            "bins_kinds": lambda: (
                [
                    m.bincount([1, 2, 2], dtype=k)
                    for k in (tf.int32, tf.int64, tf.float32, tf.float64)
                ]
                + [
                    m.bincount(np.zeros(0, "i"), minlength=2),
                    m.bincount([9], maxlength=3),
                    m.bincount([[3]], weights=[[2]], minlength=5),
                ]
            ),
            "widths": lambda: (
                [
                    widths(np.array([-1, 0, 1.5, 2, 5, 15], k), np.array([0, 5], k), 5)
                    for k in ("f", "d", "i", "i8")
                ]
                + [tf.histogram_fixed_width_bins([-1.0, 2.0, 9.0], [0.0, 5.0], 5, name="own")]
            ),
            "widths_range": lambda: widths([1.0], [1.0, 2.0, 3.0], 2),
            "widths_order": lambda: widths([1.0], [2.0, 1.0], 2),
            "widths_vector": lambda: widths([1.0], [1.0, 2.0], [2]),
            "widths_none": lambda: widths([1.0], [1.0, 2.0], 0),
            "widths_static": lambda: tf.histogram_fixed_width([1.0], [1.0, 2.0], 0),
            "widths_ends": lambda: tf.histogram_fixed_width([1.0], [1.0], 2),
            "buckets": lambda: (
                [
                    raw.Bucketize(input=np.array([-1, 0, 1, 9], k), boundaries=[0.0, 1.0, 1.0, 5.0])
                    for k in ("i", "i8", "f", "d")
                ]
                + [raw.Bucketize(input=[1.0], boundaries=[])]
            ),
            "buckets_order": lambda: raw.Bucketize(input=[1.0], boundaries=[1.0, 0.0]),
            "nth": lambda: [
                tf.contrib.nn.nth_element(np.array([3, 1, 2], k), 1, r)
                for k in ("u1", "i8", "e", "d")
                for r in (True, False)
            ],
            "nth_negative": lambda: raw.NthElement(input=u(rows), n=i32(-1)),
            "nth_vector": lambda: raw.NthElement(input=u(rows), n=i32([1])),
            "nth_scalar": lambda: raw.NthElement(input=u(1.0), n=i32(0)),
            "nth_static": lambda: tf.contrib.nn.nth_element(rows, 5),
            "near": lambda: [near(points, centers, k) for k in (1, 2, 9, 0)],
            "near_rank": lambda: near(points[0], centers, 1),
            "near_k": lambda: near(points, centers, [1]),
            "near_none": lambda: near(points[:0], centers, 1),
            "near_sizes": lambda: near(points, centers[:, :1], 1),
            "spread": lambda: [
                spread(points, n, s, r)
                for n, s, r in ((1, 1, -1), (2, 5, 0), (3, 9, 3), (2, 77, -1))
            ],
            "spread_many": lambda: spread(points, 4),
            "spread_none": lambda: spread(points, 0),
            "spread_of_none": lambda: spread(points[:0], 1),
            "spread_vector": lambda: spread(points, [1]),
            "chain": lambda: [chain([1.0, 0.5, 3.0, 0.1, 2.0], n) for n in range(4)],
            "chain_none": lambda: chain([]),
            "chain_matrix": lambda: chain([[1.0]]),
            **{
                n: lambda n=n: [
                    getattr(m, n)(np.array([[5, 1], [7, 2], [-3, 9]], k), np.array([0, 0, 2], t))
                    for k in ("i4", "i8", "f", "d", "e")
                    for t in ("i4", "i8")
                ]
                for n in segment
            },
            **{
                n + "_slopes": lambda n=n: slopes(getattr(m, n), [0, 0, 1, 3])
                for n in segment
                if n != "segment_prod"
            },
            **{n + "_nan": lambda n=n: getattr(m, n)(X, [0, 0, 1]) for n in segment},
            **{
                n + "_none": lambda n=n: getattr(m, n)(np.zeros([0, 2]), np.zeros(0, "i"))
                for n in segment
            },
            **{
                n + "_unsorted": lambda n=n, f=f: [
                    f(data, [[1, 0]] * 4, 3),
                    f(data, [2, 0, 2, -1], 3),
                    f(np.zeros([0, 2]), np.zeros(0, "i"), 2),
                    f(X, [1, 1, 0], 2),
                ]
                for n, f in unsorted.items()
            },
            **{
                n + "_unsorted_slopes": lambda f=f: slopes(f, [1, 0, 1, -1], 2)
                for n, f in unsorted.items()
            },
            "segments_rank": lambda: m.segment_sum(u(data), ids([[0]])),
            "segments_count": lambda: m.segment_sum(u(data), ids([0])),
            "segments_negative": lambda: m.segment_sum(u(data), ids([-1, 0, 1, 2])),
            "segments_scalar": lambda: m.segment_sum(u(1.0), ids([0])),
            "unsorted_shape": lambda: m.unsorted_segment_sum(u(data), ids([0, 1]), 2),
            "unsorted_negative": lambda: m.unsorted_segment_sum(u(data), ids([0] * 4), u(-2)),
            "unsorted_vector": lambda: m.unsorted_segment_max(u(data), ids([0] * 4), u([2])),
            "complex": lambda: [
                m.segment_sum([1j, 2.0, 3.0], [0, 0, 1]),
                m.unsorted_segment_sum([1j, 2.0], [1, 1], 2),
                m.segment_prod([1j, 2.0], [0, 0]),
            ],
            "added": lambda: [
                tf.add_n([[1.0], [2.0], [3.0]], "own"),
                tf.add_n([tf.constant(1)], "own"),
                tf.add_n((tf.constant(2),)),
                tf.add_n([tf.IndexedSlices([[1.0], [2.0]], [2, 0], [3, 1])]),
            ],
            "added_none": lambda: tf.add_n([]),
            "added_other": lambda: tf.add_n([tf.SparseTensor([[0]], [1.0], [2])]),
            "added_shapes": lambda: tf.add_n([tf.zeros([2]), tf.zeros([2]), tf.zeros([3])]),
            "added_fed": lambda: tf.add_n([u([1.0]), u([1.0, 2.0])]),
            "accumulated": lambda: [
                tf.accumulate_n([tf.constant(1)], name="own"),
                tf.accumulate_n([tf.constant(1)]),
                tf.accumulate_n([u([1.0]), u([2.0])], [1], tf.float64),
            ],
            "accumulated_none": lambda: tf.accumulate_n([]),
            "accumulated_slices": lambda: tf.accumulate_n([tf.IndexedSlices([[1.0]], [0], [1, 1])]),
            "accumulated_types": lambda: tf.accumulate_n([tf.constant(1), tf.constant(1.0)]),
            "accumulated_type": lambda: tf.accumulate_n(
                [tf.constant(1), tf.constant(2)], tensor_dtype=tf.float32
            ),
            "accumulated_shape": lambda: tf.accumulate_n([tf.constant([1, 2])], shape=[3]),
            "accumulated_fed": lambda: tf.accumulate_n([u([1.0]), u([2.0, 1.0])], [1]),
            "confusion": lambda: (
                [
                    m.confusion_matrix([0, 1, 1], [1, 1, 0], dtype=k, num_classes=3)
                    for k in (tf.int32, tf.float64, tf.int64)
                ]
                + [tf.contrib.metrics.confusion_matrix([0, 1], [1, 1])]
            ),
            "confusion_shapes": lambda: m.confusion_matrix([[0, 1]], [1]),
            "clipped": lambda: [
                tf.clip_by_value(rows, -1.0, 3.0),
                tf.clip_by_value([1, 5, 9], 2, 6, "own"),
                tf.clip_by_value([1.0], 5.0, 2.0),
            ],
            "clipped_slopes": lambda: [
                slopes(lambda x: tf.clip_by_value(x, -1.0, 2.0)),
                slopes(lambda x: tf.clip_by_norm(x, 2.0, [1])),
                slopes(lambda x: tf.clip_by_global_norm([x, x * 2], 3.0)[0][1]),
            ],
            "clipped_norms": lambda: [
                tf.clip_by_norm([3.0, 4.0], 1.0),
                tf.clip_by_norm(
                    tf.IndexedSlices(tf.constant([3.0, 4.0]), tf.constant([0, 1])), 10.0
                ).values,
                tf.global_norm([tf.constant([3.0]), None, tf.constant([[4.0]])], "own"),
                tf.clip_by_global_norm(
                    [tf.constant([3.0])], 1.0, use_norm=tf.constant(10.0), name="own"
                ),
            ],
            "moments": lambda: (
                [
                    tf.nn.moments(tf.constant(data), a, keep_dims=k)
                    for a in ([0], [0, 1])
                    for k in (False, True)
                ]
                + [
                    tf.nn.moments(tf.constant(np.full([3], 65000.0, "e")), [0]),
                    tf.nn.moments(tf.constant([1e8, 1e8 + 8]), [0]),
                ]
            ),
        },
        graph=False,
    )
