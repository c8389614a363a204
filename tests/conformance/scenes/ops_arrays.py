"""Arrays, segments, sorting and reductions: options that programs seldom give, gradients of slices, what is refused."""

import numpy as np

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def made_by_counting(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "range_empty": lambda: [tf.range(3, 3, -1), tf.range(ph(3, []), 3, ph(-1, []))],
            "range_down": lambda: tf.range(1.0, -1.0, -0.75),
            "range_types": lambda: tf.range(0, 3, tf.constant(1, tf.int64)),
            "range_wrong": lambda: tf.range(ph(3, []), ph(1, []), 1),
            "range_nothing": lambda: tf.range(ph(3, []), ph(1, []), ph(0, [])),
            "range_floats": lambda: tf.range(ph(0.5, []), ph(-0.5, []), 0.25),
            "range_vector": lambda: tf.range([1, 2]),
            "one_hot_values": lambda: tf.one_hot([[0, 2], [1, -1]], 3, 5.0, -1.0, axis=1),
            "one_hot_strings": lambda: tf.one_hot([0, 3], 2, b"yes", b"no"),
            "one_hot_dtype": lambda: tf.one_hot([0], 2, on_value=1.0, dtype=tf.int32),
            "one_hot_types": lambda: tf.one_hot([0], 2, 1.0, 1),
            "one_hot_axis": lambda: tf.one_hot([0], 2, axis=3),
            "one_hot_depth": lambda: tf.one_hot([0, 1], ph(-1, [])),
            "mask": lambda: tf.sequence_mask([[1, 0], [3, 2]], dtype=tf.int32, name="own"),
            "mask_longer": lambda: tf.sequence_mask([1, 3], 5, tf.float32),
            "mask_shorter": lambda: tf.sequence_mask([1, 3], ph(2, [])),
            "mask_vector": lambda: tf.sequence_mask([1, 3], [2]),
            "mask_scalar": lambda: tf.sequence_mask(2, 3),
            "grid": lambda: tf.meshgrid([1, 2], [3, 4, 5], indexing="ij"),
            "grid_xy": lambda: tf.meshgrid([1, 2], [3, 4, 5], [6]),
            "grid_other": lambda: tf.meshgrid([1], indexing="yx"),
            "grid_option": lambda: tf.meshgrid([1], sparse=True),
            "linspace": lambda: [tf.linspace(1.0, 2.0, ph(1, [])), tf.linspace(0.0, 1.0, 4)],
            "eye": lambda: tf.eye(2, 3, [2], tf.int32, "own"),
            "eye_fed": lambda: tf.eye(ph(2, []), batch_shape=ph([1, 2], [2])),
            "fill": lambda: [tf.fill(ph([2, 0], [2]), "a"), tf.fill([2], True)],
            "zeros": lambda: [tf.zeros(ph(3, [])), tf.ones([2], tf.string)],
            "zeros_like": lambda: tf.zeros_like(ph([1.0], [None]), tf.int64, "own", False),
            "ones_like": lambda: tf.ones_like([[1, 2]], tf.bool, optimize=False),
        }
    )


def taken_apart(tf, stage):
    ph = tf.placeholder_with_default
    x = lambda: ph(X, [None, None])  # noqa: E731
    stage.each(
        {
            "split": lambda: tf.split(x(), ph([1, 3], [2]), 1, num=2),
            "split_rest": lambda: tf.split(X, [1, -1, 2], 1),
            "split_uneven": lambda: tf.split(x(), 5, 1),
            "split_unknown": lambda: tf.split(X, ph([1, 3], [None])),
            "unstack": lambda: tf.unstack(x(), 4, -1, "own"),
            "unstack_more": lambda: tf.unstack(x(), 5, -1),
            "stack": lambda: tf.stack([x(), x() + 1], -1),
            "stack_wrong": lambda: tf.stack([x(), ph([[1.0]], [None, None])]),
            "tile": lambda: tf.tile(x()[:2, :2], ph([0, 2], [2])),
            "reverse": lambda: [tf.reverse(x(), [-1]), tf.reverse(X, [0, 1])],
            "reverse_twice": lambda: tf.reverse(X, [1, -1]),
            "sequences": lambda: tf.reverse_sequence(X, [1, 4, 0], seq_axis=1, batch_axis=0),
            "sequences_long": lambda: tf.reverse_sequence(x(), ph([1, 5, 0], [3]), 1),
            "sequences_few": lambda: tf.reverse_sequence(X, [1, 2], 1),
            "sequences_same": lambda: tf.reverse_sequence(X, [1, 2, 3, 1], 1, batch_axis=1),
            "roll": lambda: tf.roll(X, [1, -1], [0, 1], "own"),
            "roll_more": lambda: tf.roll(X, ph([1, 1], [None]), ph([1], [None])),
            "gather_axis": lambda: tf.gather(x(), [[1, 0]], axis=-1),
            "gather_batch": lambda: tf.gather(X, [[0], [1], [3]], axis=1, batch_dims=1),
            "gather_too_far": lambda: tf.gather(x(), ph([0, 3], [2])),
            "gather_nd_batch": lambda: tf.gather_nd(X, [[[0]], [[1]], [[3]]], batch_dims=1),
            "gather_nd_wrong": lambda: tf.gather_nd(x(), ph([[0, 4]], [None, None])),
            "batch_gather": lambda: tf.batch_gather(X, [[0, 1], [1, 0], [3, 3]]),
            "boolean_mask": lambda: tf.boolean_mask(X, [True, False, True, True], axis=1),
            "boolean_mask_few": lambda: tf.boolean_mask(X, [True, False]),
            "boolean_mask_scalar": lambda: tf.boolean_mask(X, True),
            "boolean_mask_unknown": lambda: tf.boolean_mask(X, ph(X > 0, None)),
            "masked": lambda: tf.boolean_mask(X[None], X > 0, axis=1),
            "where_one": lambda: tf.where(X > 0, X),
            "where_v2": lambda: tf.where_v2(X > 0, X, 0.0),
            "slice": lambda: tf.slice(x(), [1, 0], [-1, 2]),
            "slice_wrong": lambda: tf.slice(x(), ph([1, 3], [2]), [2, 2]),
            "strided_new": lambda: tf.strided_slice(
                X, [0, 0], [1, 1], new_axis_mask=1, shrink_axis_mask=2
            ),
            "strided_var": lambda: tf.strided_slice(X, [0], [1], ellipsis_mask=3),
        }
    )


def padded_and_folded(tf, stage):
    ph = tf.placeholder_with_default
    images = np.arange(32, dtype="f").reshape(2, 4, 4, 1)
    stage.each(
        {
            "constant": lambda: tf.pad(ph(X, [None, 4]), [[1, 0], [0, 2]], constant_values=7),
            "of_integers": lambda: tf.pad([1, 2], [[1, 1]], constant_values=tf.constant(7)),
            "reflect_far": lambda: tf.pad(
                ph(X, [None, 4]), ph([[3, 1], [0, 3]], [2, 2]), "REFLECT"
            ),
            "symmetric_far": lambda: tf.pad(ph(X, None), ph([[4, 1], [0, 3]], [2, 2]), "SYMMETRIC"),
            "negative": lambda: tf.pad(X, ph([[-1, 0], [0, 0]], [2, 2])),
            "other": lambda: tf.pad(X, [[0, 0], [0, 0]], "wrap"),
            "space": lambda: tf.space_to_batch(images, [[0, 2], [1, 1]], 2),
            "space_wrong": lambda: tf.space_to_batch(images, [[0, 1], [1, 1]], 2),
            "batch_wrong": lambda: tf.batch_to_space(images, [[1, 0], [0, 2]], 2),
            "depth": lambda: tf.space_to_depth(images, 2, "own"),
            "depth_wrong": lambda: tf.space_to_depth(images, 3),
            "from_depth": lambda: tf.depth_to_space(images.reshape(2, 2, 2, 4), 2),
            "from_depth_few": lambda: tf.depth_to_space(images, 2),
            "patches": lambda: tf.image.extract_image_patches(
                images, [1, 2, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], "SAME"
            ),
            "paddings": lambda: tf.required_space_to_batch_paddings([5, 7], [2, 3]),
            "paddings_base": lambda: tf.required_space_to_batch_paddings(
                ph([5, 7], [2]), [2, 3], [[1, 0], [0, 2]], "own"
            ),
            "broadcast_wrong": lambda: tf.broadcast_to([1, 2], [3]),
            "repeat": lambda: [tf.repeat(X, [1, 0, 2], 0), tf.repeat([[1, 2]], 2)],
            "repeat_fed": lambda: tf.repeat(X, ph([1, 0, 2, 1], [None]), -1, "own"),
        }
    )


def segments_and_sets(tf, stage):
    ph = tf.placeholder_with_default
    ids = lambda *i: ph(list(i), [None])  # noqa: E731
    math = tf.math
    names = "segment_sum segment_mean segment_prod segment_min segment_max".split()
    cases = {f"{n}_gap": lambda n=n: getattr(math, n)(X, [0, 0, 2]) for n in names}
    cases.update({f"{n}_falls": lambda n=n: getattr(math, n)(X, ids(1, 0, 2)) for n in names[:2]})
    unsorted = [f"unsorted_{n}" for n in [*names, "segment_sqrt_n"]]
    for n in unsorted:
        cases[n] = lambda n=n: getattr(math, n)(X, [3, -1, 0], 4)
        cases[n + "_far"] = lambda n=n: getattr(math, n)(X, ids(0, 4, 1), 4)
        cases[n + "_int"] = lambda n=n: getattr(math, n)(X.astype("i"), [1, 1, -1], ph(3, []))
    for n in ("sum", "mean", "sqrt_n"):
        f = getattr(tf.sparse, "segment_" + n)
        cases[n] = lambda f=f: f(X, [2, 0, 0], [0, 0, 3], num_segments=5, name="own")
        cases[n + "_gap"] = lambda f=f: f(X, ids(2, 0), ids(0, 2))
        cases[n + "_far"] = lambda f=f: f(X, ids(2, 3), ids(0, 1))
        cases[n + "_few"] = lambda f=f: f(X, ids(2, 0), ids(0, 2), num_segments=ph(2, []))
    a, b = [[1, 2, 3], [4, 5, 6]], [[3, 2, 9], [6, 6, 0]]
    stage.each(
        {
            **cases,
            "sorted": lambda: tf.sort(X, 0, "DESCENDING", "own"),
            "sort_other": lambda: tf.sort(X, direction="UP"),
            "sort_axis": lambda: tf.sort(X, axis=2),
            "argsort": lambda: [
                tf.argsort([2, 1, 2, 0], direction="DESCENDING"),
                tf.argsort(-X, 0),
            ],
            "top_k": lambda: tf.math.top_k(X, ph(2, [])),
            "top_k_far": lambda: tf.math.top_k(X, ph(5, [])),
            "nth": lambda: tf.contrib.nn.nth_element(X, 1, reverse=True),
            "nth_far": lambda: tf.contrib.nn.nth_element(ph(X, None), ph(4, [])),
            "unique": lambda: tf.unique([5, 5, 1], tf.int64, "own"),
            "unique_of": lambda: tf.unique(ph([[1, 2]], None)),
            "counted": lambda: tf.unique_with_counts(["b", "a", "b"], tf.int64),
            "unlisted": lambda: tf.setdiff1d([1, 2, 1, 3], [2, 4], tf.int64, "own"),
            "sets": lambda: [f(a, b).values for f in (tf.sets.intersection, tf.sets.union)],
            "difference": lambda: tf.sets.difference(a, b, aminusb=False),
            "size": lambda: tf.sets.size(tf.sets.union(a, b), validate_indices=False),
            "sets_wrong": lambda: tf.sets.intersection(a, [[1]]),
            "sets_types": lambda: tf.sets.union(a, [[1.0], [2.0]]),
            "sets_flat": lambda: tf.sets.union([1], [2]),
            "search": lambda: tf.searchsorted(
                [[1, 3], [2, 4]], [[3, 9], [2, 2]], "right", tf.int64
            ),
            "search_other": lambda: tf.searchsorted([1, 3], [3], "middle"),
            "search_rows": lambda: tf.searchsorted(
                ph([[1, 3], [2, 4]], [None, 2]), ph([[1]], [None, 1])
            ),
            "partition": lambda: tf.dynamic_partition(X, [1, 0, 1], 3, "own"),
            "partition_far": lambda: tf.dynamic_partition(X, ids(1, 0, 3), 3),
            "stitched": lambda: tf.dynamic_stitch([[1], [0, 1]], [[[1.0]], [[2.0], [3.0]]]),
            "stitched_negative": lambda: tf.dynamic_stitch([ids(-1, 0)], [ids(1, 2)]),
            "stitched_more": lambda: tf.dynamic_stitch([[0]], [[1.0], [2.0]]),
            "counts": lambda: tf.math.bincount(ids(1, -1, 3)),
            "counts_weights": lambda: tf.math.bincount(ids(1, 1, 3), [0.5, 1.0, 2.0], 2, 3),
            "histogram": lambda: tf.histogram_fixed_width(X, [-3.0, 3.0], 3, tf.int64, "own"),
            "histogram_none": lambda: tf.histogram_fixed_width(X, [3.0, 3.0], 3),
            "cumulated": lambda: tf.cumsum(X, ph(0, []), True, True, "own"),
            "cumulated_axis": lambda: tf.cumsum(X, ph(2, [])),
            "accumulated": lambda: tf.accumulate_n([X, X], [3, 4], tf.float32, "own"),
            "accumulated_other": lambda: tf.accumulate_n([X, X[:2]]),
            "arg": lambda: [tf.argmax(X, ph(-1, [])), tf.argmin(X * 0, 0, output_type=tf.int32)],
            "arg_far": lambda: tf.argmax(ph(X, None), ph(2, [])),
            "matrix": lambda: tf.math.confusion_matrix([0, 1], [[1], [1]], weights=[2, 3]),
            "matrix_small": lambda: tf.math.confusion_matrix(ids(0, 2), ids(1, 1), 2),
            "matrix_negative": lambda: tf.math.confusion_matrix(ids(0, 1), ids(-1, 1)),
            "matrix_weights": lambda: tf.math.confusion_matrix([0, 1], [1, 1], weights=[1.0]),
        },
        graph="sum",
    )


def gradients(tf, stage):
    x = lambda: tf.placeholder_with_default(X, [3, 4], name="x")  # noqa: E731
    functions = {
        "stitched": lambda x: tf.gather(tf.dynamic_stitch([[1], [0, 2]], [x[:1], x[1:]]), [2, 0]),
        "partitioned": lambda x: tf.dynamic_partition(x, [1, 0, 1], 2)[1] ** 2,
        "gathered": lambda x: tf.gather(x, [[1, 1]], axis=1),
        "gathered_nd": lambda x: tf.gather_nd(x, [[0, 1], [0, 1]]),
        "rolled": lambda x: tf.roll(x, 1, 1) * x,
        "reversed": lambda x: tf.reverse(x, [1]) * x,
        "padded": lambda x: tf.pad(x, [[1, 1], [2, 0]], "SYMMETRIC") ** 2,
        "tiled": lambda x: tf.tile(x, [2, 1]) ** 2,
        "repeated": lambda x: tf.repeat(x, [1, 2, 0], 0) ** 2,
        "sorted": lambda x: tf.sort(x, 0) * X,
        "masked": lambda x: tf.boolean_mask(x, X > 0) ** 2,
        "strided": lambda x: x[::-2, 1:3] ** 2,
        "shrunk": lambda x: x[1, tf.newaxis, ..., 2] ** 2,
        "multiplied": lambda x: tf.cumprod(x, 1, exclusive=True),
        "means": lambda x: tf.sparse.segment_mean(x, [2, 0, 2], [0, 0, 1]) ** 2,
        "roots": lambda x: tf.sparse.segment_sqrt_n(x, [2, 0, 2], [0, 0, 1]) ** 2,
        "products": lambda x: tf.math.unsorted_segment_prod(x - 0.5, [0, 1, 0], 2),
        "least": lambda x: tf.math.unsorted_segment_min(x * 0.0, [0, 1, 0], 2),
        "most": lambda x: tf.math.segment_max(x, [0, 0, 1]) ** 2,
        "broadcast": lambda x: tf.broadcast_to(x, [2, 3, 4]) ** 2,
        "norm": lambda x: tf.norm(x, 1, 0),
        "clipped": lambda x: tf.clip_by_value(x, -2.0, x * 0 + 2.0),
        "clipped_by_norm": lambda x: tf.clip_by_norm(x, 1.0, 0),
        "clipped_by_average": lambda x: tf.clip_by_average_norm(x, 0.1),
        "euclid": lambda x: tf.math.reduce_euclidean_norm(x, 1),
        "deviation": lambda x: tf.math.reduce_std(x, 1),
        "product": lambda x: tf.reduce_prod(x, [0, 1], keepdims=True),
        "extremes": lambda x: tf.reduce_max(tf.floor(x / 2), 1),
        "logsum": lambda x: tf.reduce_logsumexp(x, 0),
    }

    def of(function):
        given = x()
        y = function(given)
        return tf.gradients(y, given)[0], tf.hessians(tf.reduce_sum(y), given)[0]

    def first(function):
        given = x()
        return tf.gradients(function(given), given)

    twice = {"rolled", "reversed", "padded", "reflected", "deviation"}
    stage.each(
        {
            name: lambda f=f, name=name: (of if name in twice else first)(f)
            for name, f in functions.items()
        },
        graph="sum",
    )
