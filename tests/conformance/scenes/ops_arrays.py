"""Arrays, segments, sorting and reductions: options that programs seldom give, gradients of slices, what is refused."""

import numpy as np

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def made_by_counting(tf, stage):
    stage.each(
        {
            "grid_option": lambda: tf.meshgrid([1], sparse=True),
        }
    )


def taken_apart(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "split_unknown": lambda: tf.split(X, ph([1, 3], [None])),
            "sequences_same": lambda: tf.reverse_sequence(X, [1, 2, 3, 1], 1, batch_axis=1),
        }
    )


def padded_and_folded(tf, stage):
    ph = tf.placeholder_with_default
    stage.each(
        {
            "symmetric_far": lambda: tf.pad(ph(X, None), ph([[4, 1], [0, 3]], [2, 2]), "SYMMETRIC"),
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
            "nth": lambda: tf.contrib.nn.nth_element(X, 1, reverse=True),
            "counted": lambda: tf.unique_with_counts(["b", "a", "b"], tf.int64),
            "difference": lambda: tf.sets.difference(a, b, aminusb=False),
            "size": lambda: tf.sets.size(tf.sets.union(a, b), validate_indices=False),
            "sets_types": lambda: tf.sets.union(a, [[1.0], [2.0]]),
            "search_rows": lambda: tf.searchsorted(
                ph([[1, 3], [2, 4]], [None, 2]), ph([[1]], [None, 1])
            ),
            "matrix_negative": lambda: tf.math.confusion_matrix(ids(0, 1), ids(-1, 1)),
        },
        graph="sum",
    )
