"""Arrays, segments, sorting and reductions: options that programs seldom give, gradients of slices, what is refused."""

import numpy as np

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def made_by_counting(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "range_floats": lambda: tf.range(ph(0.5, []), ph(-0.5, []), 0.25),
            "grid_option": lambda: tf.meshgrid([1], sparse=True),
        }
    )


def taken_apart(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "split_unknown": lambda: tf.split(X, ph([1, 3], [None])),
            "reverse_twice": lambda: tf.reverse(X, [1, -1]),
            "sequences_same": lambda: tf.reverse_sequence(X, [1, 2, 3, 1], 1, batch_axis=1),
        }
    )


def padded_and_folded(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "symmetric_far": lambda: tf.pad(ph(X, None), ph([[4, 1], [0, 3]], [2, 2]), "SYMMETRIC"),
            "negative": lambda: tf.pad(X, ph([[-1, 0], [0, 0]], [2, 2])),
            "other": lambda: tf.pad(X, [[0, 0], [0, 0]], "wrap"),
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
