"""Rare uses: inner dimensions of ragged tensors, repeated scatters of wide rows, rejected sizes."""

import numpy as np

from tests.conformance.scenes.ops_ragged import _each, _samples


def ragged_tensors(tf, stage):
    rows, deep, pairs, _ = _samples(tf)
    R, make, cube = tf.RaggedTensor, tf.ragged.constant, np.arange(12).reshape(3, 2, 2)
    raw = tf.raw_ops
    both = lambda: R.from_row_splits([[1, 0], [0, 0], [1, 1]], [0, 2, 2, 3])  # noqa: E731
    fed_rows = lambda: R.from_row_splits(  # noqa: E731
        tf.placeholder_with_default([[1.0, 2], [3, 4], [5, 6]], None), [0, 2, 3]
    )
    cases = {
        "points_of_dense": lambda: tf.gather_nd(cube, make([[[0, 1], [2, 0]], []], ragged_rank=1)),
        "batches_inside": lambda: tf.batch_gather(pairs(), both()),
        "rows_counted": lambda: [
            deep().bounding_shape(axis=0),
            rows().bounding_shape(axis=0, out_type=tf.int32),
            R.from_row_splits([1.0], [0, 1, 1, 1, 1]).bounding_shape(0),
        ],
        "cut_to_lengths": lambda: R.from_tensor(cube, lengths=([1, 0, 2], [2, 1, 0])),
        "keys_too_many": lambda: rows()[..., :, :, :],
        "other_dtype": lambda: tf.convert_to_tensor(rows(), tf.string),
        "negative_axis_expanded": lambda: tf.expand_dims(fed_rows(), -1),
        "axis_of_unknown_rank": lambda: [
            tf.concat([fed_rows(), fed_rows()], 1),
            tf.reduce_sum(fed_rows(), 1),
            tf.expand_dims(fed_rows(), 1),
        ],
        "from_variants": lambda: R._from_variant(rows()._to_variant(), tf.int32, 2, 2),
        "from_variants_of_rank": lambda: R._from_variant(rows()._to_variant(), tf.int32, 3, 1),
        "from_variants_at_run": lambda: raw.RaggedTensorFromVariant(
            encoded_ragged=tf.placeholder_with_default(rows()._to_variant(), None),
            input_ragged_rank=1,
            output_ragged_rank=2,
            Tvalues=tf.int32,
            Tsplits=tf.int64,
        ),
    }
    _each(tf, stage, cases)


def numbers(tf, stage):
    ph, raw = tf.placeholder_with_default, tf.raw_ops
    fed = lambda x: ph(x, None)  # noqa: E731
    wide = np.arange(3 * 700, dtype="f").reshape(3, 700) / 64
    shifted = np.sin(np.arange(5 * 700)).astype("f").reshape(5, 700)

    def scattered(how, resource=False):
        def run():
            var = tf.get_variable("v", initializer=wide + 1, use_resource=resource)
            with tf.control_dependencies([var.initializer]):
                changed = getattr(tf, "scatter_" + how)(var, [2, 0, 2, 0, 1], shifted + 2)
            return [tf.reduce_sum(changed, 1), changed[:, 1], changed[:, -1]]

        return run

    def crossed():
        return raw.SparseCross(
            indices=[fed(np.array([[0, 0], [1, 0]]))],
            values=[fed(["a", "b"])],
            shapes=[fed(np.array([2, 1]))],
            dense_inputs=[fed([["c"], ["d"]])],
            hashed_output=False,
            num_buckets=0,
            hash_key=1,
            out_type=tf.string,
            internal_type=tf.string,
        )

    cases = {
        **{"scatter_" + how: scattered(how) for how in ("add", "sub", "mul", "div", "min", "max")},
        **{"by_resource_" + how: scattered(how, True) for how in ("add", "sub", "mul", "max")},
        "crossed": crossed,
        "infinite": lambda: tf.self_adjoint_eig(fed(np.array([[np.inf, 0], [0, 1]], "f"))),
        "points_of_scalar": lambda: tf.tensor_scatter_add(fed(1.0), fed([[0]]), fed([1.0])),
    }
    stage.each(cases, graph=False)
