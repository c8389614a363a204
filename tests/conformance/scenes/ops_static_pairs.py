"""Static shape inference of binary ops for unknown ranks and sizes, and contradictions."""

from tests.conformance.scenes.ops_static import Inputs

PAIRS = (None, [], [None], [3], [2, None], [1, 3], [2, None, 3])


def cut_and_joined(tf, stage):
    raw, its = tf.raw_ops, Inputs(tf, stage)
    fed = lambda *s: tf.placeholder(tf.int32, list(s))  # noqa: E731
    one = lambda: tf.placeholder(tf.int32, [])  # noqa: E731
    slots = ([None], [4], [None, 5], [3, 5], None)
    its.all(
        {
            "new": lambda x: x[tf.newaxis, ..., tf.newaxis],
            "new_inside": lambda x: x[:, None, 1:],
            "many": lambda x: x[0, 0, 0],
            "mirrored_back_fed": lambda x: raw.MirrorPadGrad(
                input=x, paddings=fed(2, 2), mode="REFLECT"
            ),
            "default": lambda x: tf.placeholder_with_default(x, [3, None]),
        },
        slots,
    )
    its.all(
        {
            "concat_fed": lambda x, y: tf.concat([x, y], one()),
            "select": lambda x, y: raw.Select(condition=[True, False], x=x, y=y),
            "select_any": lambda x, y: tf.where(tf.placeholder(tf.bool), x, y),
            "select_v2": lambda x, y: tf.compat.v2.where([[True], [False]], x, y),
            "set_diag": tf.matrix_set_diag,
            "stitched": lambda x, y: tf.dynamic_stitch([[0, 2], 1], [x, y]),
            "lower": lambda x, y: raw.LowerBound(sorted_inputs=x, values=y),
            "scattered": lambda x, y: raw.TensorScatterAdd(
                tensor=x, indices=fed(None, 1), updates=y
            ),
            "added_at": lambda x, y: raw.ScatterNdNonAliasingAdd(
                input=x, indices=[[0], [1]], updates=y
            ),
            "of_points": lambda x, y: tf.scatter_nd(tf.cast(x, tf.int32), y, [4, 3]),
            "of_points_fed": lambda x, y: tf.scatter_nd(tf.cast(x, tf.int32), y, fed(None)),
            "sets": lambda x, y: tf.sets.union(tf.cast(x, tf.int32), tf.cast(y, tf.int32)).indices,
        },
        PAIRS,
        (None, [None], [3], [2, 3], [2, None, 3]),
    )
    its.each(
        {
            "space": lambda x: tf.linspace(0.0, x, 4),
            "eyes": lambda x: tf.eye(2, batch_shape=tf.cast(x, tf.int32)),
            "args": lambda x: raw.BroadcastArgs(s0=tf.cast(x, tf.int32), s1=[1, 2]),
            "unravelled": lambda x: tf.unravel_index(tf.cast(x, tf.int32), [3, 4]),
            "empty": lambda x: raw.Empty(shape=tf.cast(x, tf.int32), dtype=tf.float32),
        },
        *[[s] for s in (None, [], [None], [2], [2, 3])],
    )


def computed(tf, stage):
    raw, m, its = tf.raw_ops, tf.math, Inputs(tf, stage)
    fed = lambda *s: tf.placeholder(tf.int32, list(s))  # noqa: E731
    whole = lambda x: tf.cast(x, tf.int32)  # noqa: E731
    its.all(
        {
            "add": tf.add,
            "power": tf.pow,
            "less": tf.less,
            "equal": tf.equal,
            "equal_or_not": lambda x, y: raw.Equal(x=x, y=y, incompatible_shape_error=False),
            "zeta": m.zeta,
            "complex": tf.complex,
            "next": m.nextafter,
            "args": lambda x, y: raw.BroadcastGradientArgs(s0=whole(x), s1=whole(y)),
            "relu_grad": lambda x, y: raw.ReluGrad(gradients=x, features=y),
            "clipped": lambda x, y: tf.clip_by_value(x, y, 2.0),
            "accumulated": lambda x, y: tf.accumulate_n([x, y, tf.zeros([2, 3])]),
            "segments": lambda x, y: m.segment_max(x, whole(y)),
            "unsorted_fed": lambda x, y: m.unsorted_segment_min(x, whole(y), fed()),
            "weighted": lambda x, y: tf.losses.compute_weighted_loss(x, y, reduction="none"),
        },
        PAIRS,
        (None, [], [None], [3], [2, 1], [2, None, 3]),
    )
    its.each(
        {"equal_or_not": lambda x, y: raw.Equal(x=x, y=y, incompatible_shape_error=False)},
        *[([2, 3], [3, None]), ([None, 3], [2, 2]), ([3, 2], [None, 3]), ([1, 2], [None, 3])],
        *[
            ([4], [4]),
            ([None], [None]),
            ([3], [4]),
            ([2, None], [2]),
            ([None], [2, None]),
            (None, [4]),
        ],
    )
    axes = {"none": None, "first": 0, "last": [-1], "two": [0, 1], "far": 2, "empty": []}
    its.all(
        {
            **{
                f"sum_{n}_{k}": lambda x, a=a, k=k: tf.reduce_sum(x, a, k)
                for n, a in axes.items()
                for k in (False, True)
            },
            "sum_any": lambda x: tf.reduce_max(x, fed(None)),
            "logsum": lambda x: tf.reduce_logsumexp(x, 1),
            "logsum_all": tf.reduce_logsumexp,
            "std": lambda x: m.reduce_std(x, 0, True),
            "norm": lambda x: m.reduce_euclidean_norm(x, -1),
            "nonzero": lambda x: m.count_nonzero(x, 0, dtype=tf.int8),
            "any": lambda x: tf.reduce_any(x > 0, 1),
            "argmin": lambda x: tf.argmin(x, output_type=tf.int32),
            "argmax_fed": lambda x: tf.argmax(x, fed()),
            "nth": lambda x: raw.NthElement(input=x, n=2),
            "sorted": lambda x: tf.sort(x, 0),
            "cumsum": lambda x: tf.cumsum(x, 1),
            "in_top": lambda x: tf.nn.in_top_k(x, [1, 0], 1),
            "in_top_old": lambda x: raw.InTopK(predictions=x, targets=fed(None), k=1),
            "bins": lambda x: m.bincount(whole(x), minlength=3),
            "bins_op": lambda x: raw.Bincount(arr=whole(x), size=fed(), weights=[]),
            "widths": lambda x: tf.histogram_fixed_width(x, [0.0, 1.0], 4),
            "widths_ends": lambda x: raw.HistogramFixedWidth(values=[1.0], value_range=x, nbins=2),
            "buckets": lambda x: raw.Bucketize(input=x, boundaries=[1.0]),
            "packed": lambda x: raw.CompareAndBitpack(input=x, threshold=1.0),
            "moments": lambda x: tf.nn.moments(x, [0]),
            "statistics": lambda x: tf.nn.sufficient_statistics(x, [0])[:3],
            "weighted": lambda x: tf.nn.weighted_moments(x, [0], 2.0, keepdims=True),
            "normalized": lambda x: tf.nn.l2_normalize(x, 0),
            "beta": m.lbeta,
            "scaled": lambda x: tf.scalar_mul(x, tf.zeros([2])),
            "confusion": lambda x: m.confusion_matrix(whole(x), [1, 0], 2),
            "clip_norm": lambda x: tf.clip_by_norm(x, 1.0, [0]),
            "fraction": tf.nn.zero_fraction,
        },
        PAIRS,
    )
