"""Arrays joined and gathered: gradients of slices, unknown ranks, arguments of raw ops."""

import numpy as np

from tests.conformance.scenes import unknown

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5


def _slices(tf, parts):
    return [
        [x.values, x.indices, x.dense_shape] if isinstance(x, tf.IndexedSlices) else x
        for x in parts
    ]


def gradients_of_slices(tf, stage):
    """Gradients through a gather are IndexedSlices."""
    v = lambda n, k=4: tf.constant(np.arange(n * k, dtype="f").reshape(n, k))  # noqa: E731

    def through(join, inputs, places=(3, 0, 1, 3)):
        joined = join(inputs)
        got = tf.gather(joined, list(places))
        return _slices(tf, tf.gradients(got * tf.range(1.0, 5.0)[:, None], inputs))

    stage.each(
        {
            "axis_fed": lambda: through(
                lambda x: tf.concat(x, tf.placeholder_with_default(0, [])), [v(2), v(3)]
            ),
            "rank_unknown": lambda: through(
                lambda x: tf.concat(x, -2),
                [tf.placeholder_with_default(np.ones([2, 4], "f"), None), v(3)],
            ),
        },
        graph="sum",
    )


def joined_by_raw_ops(tf, stage):
    u, raw = unknown(tf), tf.raw_ops
    join = lambda axis, *x: raw.ConcatV2(values=list(x), axis=axis)  # noqa: E731
    p = tf.placeholder
    parallel = lambda shape, *x: raw.ParallelConcat(values=list(x), shape=shape)  # noqa: E731
    stage.each(
        {
            "axis_before": lambda: join(u(-3), u(X), u(X)),
            "scalars_static": lambda: join(0, 1.0, 2.0),
            "parallel_fed": lambda: tf.parallel_stack([p(tf.float32, [None])]),
            "parallel_unknown": lambda: tf.parallel_stack([p(tf.float32)]),
            "parallel_two": lambda: parallel([4, 4], X[:2], X[:2]),
            "parallel_half": lambda: parallel([2, None], X[:1], X[:1]),
            "parallel_input": lambda: parallel([2, 4], X[:1], p(tf.float32, [1, None])),
            "stack_no_list": lambda: tf.stack(tf.constant(X), 1),
            "sizes_two_rest": lambda: raw.SplitV(
                value=u(X), size_splits=u([-1, -1]), axis=0, num_split=2
            ),
        },
        graph=False,
    )


def taken_by_raw_ops(tf, stage):
    u, raw = unknown(tf), tf.raw_ops
    p = tf.placeholder
    take = lambda x, i, a=0, **k: raw.GatherV2(params=u(x), indices=u(i), axis=u(a), **k)  # noqa: E731
    i = [[0, 1], [1, 0]]
    cube = np.arange(12).reshape(2, 2, 3)
    points = lambda x, i: raw.GatherNd(params=u(x), indices=u(i))  # noqa: E731
    reverse = raw.ReverseSequence
    roll = lambda x, s, a: raw.Roll(input=u(x), shift=u(s), axis=u(a))  # noqa: E731
    scatter = lambda i, v, s: raw.ScatterNd(indices=u(i), updates=u(v), shape=u(s))  # noqa: E731
    change = raw.TensorScatterUpdate
    stage.each(
        {
            "old_scalar": lambda: raw.Gather(params=u(1.0), indices=u(0)),
            "axis_before": lambda: take(X, [0], -3),
            "batches": lambda: [
                take(cube, i, a, batch_dims=b)
                for a, b in ((1, 1), (2, 1), (1, 0), (2, 2), (2, -1), (-1, 1))
            ],
            "batches_rank": lambda: take(X[0], i, 0, batch_dims=1),
            "batches_axis": lambda: take(cube, i, 0, batch_dims=1),
            "batch_unknown": lambda: tf.batch_gather(X, p(tf.int32)),
            "batch_scalar": lambda: tf.batch_gather(X, 0),
            "points_scalar": lambda: points(X, 1),
            "points_of_scalar": lambda: points(1.0, [[0]]),
            "points_batch_fed": lambda: tf.gather_nd(
                cube, i, batch_dims=tf.placeholder_with_default(1, [])
            ),
            "sequences_rank": lambda: reverse(input=u(X), seq_lengths=u([[1]]), seq_dim=1),
            "sequences_axis": lambda: reverse(input=u(X), seq_lengths=u([1, 5, 1]), seq_dim=2),
            "reversed_many": lambda: raw.Reverse(tensor=p(tf.int32), dims=[True] * 9),
            "reversed_axes": lambda: raw.ReverseV2(tensor=p(tf.int32, [1] * 9), axis=[0]),
            "rolled_scalar": lambda: roll(1.0, 1, 0),
            "rolled_shift": lambda: roll(X, [[1]], 0),
            "rolled_axis": lambda: roll(X, 1, [[0]]),
            "scattered_scalar": lambda: scatter(1, [1.0], [3]),
            "changed_far": lambda: change(tensor=u(X), indices=u([[3]]), updates=u(X[:1])),
        },
        graph=False,
    )
