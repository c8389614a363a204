"""Ragged tensors created, inspected, densified, squeezed, tiled, joined, broadcast."""

import numpy as np

from tests.conformance.scenes.ops_ragged import _each, _internal, _samples


def constructed(tf, stage):
    ph, R, make, Value = (
        (
            tf.placeholder_with_default,
            tf.RaggedTensor,
            tf.ragged.constant,
            tf.ragged.RaggedTensorValue,
        )
        if hasattr(tf.ragged, "RaggedTensorValue")
        else (
            tf.placeholder_with_default,
            tf.RaggedTensor,
            tf.ragged.constant,
            tf.compat.v1.ragged.RaggedTensorValue,
        )
    )
    rows, deep, pairs, words = _samples(tf)
    one, splits = tf.constant([1, 2]), tf.constant([0, 2])
    ids = lambda **k: R.from_value_rowids([1, 2], [0, 1], **k)  # noqa: E731
    v = tf.ragged.constant_value
    stage.attempts(
        lambda: R(one, [0, 2], internal=True),
        lambda: R([1, 2], splits, internal=True),
        lambda: R(one, tf.constant([0.0, 2.0]), internal=True),
        lambda: R(one, tf.constant(0), internal=True),
        lambda: R(one, splits, cached_nrows=3, internal=True),
        lambda: R(one, splits, cached_value_rowids=tf.constant([0, 0], tf.int16), internal=True),
        lambda: R(rows(), splits, internal=True),
        lambda: R.from_nested_row_splits([1], tf.constant([[0, 1]])),
        lambda: R.from_nested_row_lengths([1], tf.constant([[1]])),
        lambda: R.from_nested_value_rowids([1], tf.constant([[0]])),
        lambda: R.from_nested_value_rowids([1], [[0]], tf.constant([1])),
        lambda: R.from_tensor([[1]], ragged_rank="a"),
        lambda: R.from_row_lengths([1], [1], validate="yes"),
        lambda: R.from_row_starts([1], [0], validate=2),
        lambda: R.from_row_limits([1], [1], validate=2),
        lambda: bool(rows()),
        lambda: rows().with_values(tf.constant([1])),
        lambda: rows().with_values(tf.constant(1)),
        lambda: deep().with_values(make([[1], [2], [3]], row_splits_dtype=tf.int32)),
        lambda: rows().row_lengths(-3),
        lambda: rows().row_lengths("a"),
        lambda: tf.convert_to_tensor(rows()),
        lambda: tf.ragged.constant([[1]], row_splits_dtype=tf.float32),
        lambda: Value([1], np.array([0, 1])),
        lambda: Value(np.array([1]), [0, 1]),
        lambda: Value(np.array([1]), np.array([[0, 1]])),
        lambda: Value(Value(np.array([1]), np.array([0, 1])), np.array([0, 1], np.int32)),
        lambda: [str(v([[1, 2], []])), repr(v([[1.5, 2], []])), v([[[1]], []]).to_list()],
    )
    cached = lambda: ids(nrows=3)  # noqa: E731
    cases = {
        "cached_cast": lambda: [
            getattr(cached().with_row_splits_dtype(tf.int32), f)()
            for f in ("row_lengths", "value_rowids", "nrows", "row_starts", "row_limits")
        ],
        "lengths_cached": lambda: R.from_row_lengths([1, 2], [2, 0]).row_lengths(name="own"),
        "lengths": lambda: [deep().row_lengths(i) for i in (0, 1, 2, -1)],
        "lengths_inside": lambda: pairs().row_lengths(2),
        "terms": lambda: [
            getattr(deep(), f)(name="own")
            for f in ("value_rowids", "nested_value_rowids", "nrows", "row_starts", "row_limits")
        ],
        "bounds": lambda: [
            pairs().bounding_shape(axis=a, out_type=tf.int32, name="own")
            for a in (None, 0, 1, 2, [2, 1])
        ],
        "bounds_of_none": lambda: make([[], []]).bounding_shape(),
        "flat": lambda: deep().with_flat_values(tf.constant(list("abcdef"))),
        "cast_deep": lambda: deep().with_row_splits_dtype(tf.int32),
        "of_arrays": lambda: R.from_row_splits([1, 2], np.array([0, 2], np.int32)),
        "of_ragged_int32": lambda: R.from_row_lengths(rows(), tf.constant([1, 2])),
        "of_ragged_floats": lambda: R.from_row_lengths(rows(), tf.constant([1.0, 2.0])),
        "starts_of_none": lambda: R.from_row_starts([1, 2], np.zeros([0], np.int64)),
        "limits_falling": lambda: R.from_row_limits([1, 2], ph([2, 1, 2], [3])),
        "starts_falling": lambda: R.from_row_starts([1, 2], ph([0, 2, 1], [3])),
        "ids_of_none": lambda: R.from_value_rowids(np.zeros([0], "f"), np.zeros([0], np.int64)),
        "segments": lambda: [
            tf.ragged.segment_ids_to_row_splits([0, 0, 3]),
            tf.ragged.segment_ids_to_row_splits(tf.constant([0, 1], tf.int64)),
            tf.ragged.segment_ids_to_row_splits([0, 3], 2),
            tf.ragged.segment_ids_to_row_splits(np.zeros([0], np.int32)),
        ],
        "ids_of_splits": lambda: [
            tf.ragged.row_splits_to_segment_ids(np.array([0, 2, 2, 3], np.int32)),
            tf.ragged.row_splits_to_segment_ids([0]),
            tf.ragged.row_splits_to_segment_ids([0, 1], out_type=tf.int32),
        ],
        "range": lambda: [
            tf.ragged.range([0.5, 2], [2, 0.5], [0.5, -1]),
            tf.ragged.range(tf.constant(3, tf.int64)),
            tf.ragged.range([5, 0], 2, [-2, 1], dtype=tf.float64),
            tf.ragged.range(np.array([2**62]), np.array([2**62 + 3]), 2),
            tf.ragged.range([0], [-3], 1),
        ],
        "range_matrix": lambda: tf.ragged.range([[1]]),
        "range_matrix_fed": lambda: tf.ragged.range(ph([[1]], None)),
        "constants": lambda: [
            make([[1, 2], [3]], tf.float64),
            make(((1,), (2, 3)), dtype=tf.int64),
            make(np.array([[1, 2], [3, 4]])),
            make([np.array([1, 2]), np.array([], np.int64)]),
            make([[[], [1]], []]),
            make([[], [[]]], tf.string),
            make([[[1, 2], [3, 4]], []], inner_shape=(2,)),
            make([[[1, 2]], []], ragged_rank=1),
            make([[], []], ragged_rank=1, inner_shape=(2,), dtype=tf.float32),
            make([], ragged_rank=2, dtype=tf.float32),
        ],
    }
    _each(tf, stage, cases)
    fed = tf.ragged.placeholder(tf.int32, 2, name="fed")
    with tf.Session() as session:
        stage.attempts(lambda: session.run(fed + 1, {fed: v([[[1, 2], []], []])}).to_list())


def made_dense(tf, stage):
    ph, make, R = tf.placeholder_with_default, tf.ragged.constant, tf.RaggedTensor
    rows, deep, pairs, words = _samples(tf)
    module = _internal(tf, "ragged_conversion_ops", "ragged_to_tensor")
    dense = module.ragged_to_dense
    ids = lambda: R.from_value_rowids([1, 2, 3], [0, 2, 2], 5)  # noqa: E731
    nested_ids = lambda: R.from_nested_value_rowids([1, 2, 3], [[0, 1], [0, 0, 1]])  # noqa: E731

    def op(partitions, kinds, values=(1, 2, 3), shape=-1, default=0):
        return tf.raw_ops.RaggedTensorToTensor(
            shape=shape,
            values=tf.constant(values),
            default_value=default,
            row_partition_tensors=[tf.constant(p, tf.int64) for p in partitions],
            row_partition_types=kinds,
        )

    cases = {
        "plain": lambda: [dense(x()) for x in (rows, deep, pairs, words, ids, nested_ids)],
        "wide": lambda: dense(deep(), 7, [4, 3, 4]),
        "rank": lambda: dense(rows(), shape=ph([4, -1, 2], [None])),
        "inside_other": lambda: dense(pairs(), shape=[3, 2, 3]),
        "inside_fed": lambda: dense(pairs(), shape=ph([3, 2, 3], [None])),
        "wide_ids": lambda: dense(nested_ids(), 9, [None, 2, 3]),
        "op_none": lambda: op([[0, 0]], ["ROW_SPLITS"], values=np.zeros([0], np.int32)),
        "op_other": lambda: op([[0, 2, 3]], ["LIMITS"]),
        "from_tensor": lambda: module.from_tensor([[1, 2], [3, 0]], None, 0, name="own"),
        "from_tensor_ragged": lambda: module.from_tensor(rows()),
        "to_tensor": lambda: [module.to_tensor(rows(), 5, "own"), module.to_tensor(tf.ones([1]))],
        "to_sparse": lambda: module.to_sparse(rows(), "own"),
        "from_sparse": lambda: module.from_sparse(
            tf.SparseTensor([[0, 0], [1, 0]], [1, 2], [2, 3])
        ),
        "of_no_rows": lambda: R.from_sparse(
            tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros([0], "f"), [2, 3])
        ),
        "sparse_of_pairs": lambda: [pairs().to_sparse(), make([[], []]).to_sparse()],
        "dense_of_none": lambda: [
            make([[], []], tf.int32).to_tensor(),
            make([], ragged_rank=1).to_tensor(),
        ],
    }
    _each(tf, stage, cases)
    sparse = tf.raw_ops.RaggedTensorToSparse
    splits = [[], [1, 3], [0, 2], [0, 3]]
    given = [[tf.constant(s, tf.int64)] for s in splits]
    given.append([tf.constant([0, 1], tf.int64), tf.constant([0, 1, 3], tf.int64)])
    with tf.Session() as session:
        for nested in given:
            made = sparse(rt_nested_splits=nested, rt_dense_values=[1, 2, 3])
            stage.attempt(session.run, tuple(made))
        for indices in ([[0, 0], [0, 2]], [[0, 1], [1, 0]], [[0, 0], [1, 1]], [[0, 0], [2, 0]]):
            made = R.from_sparse(tf.SparseTensor(indices, [1, 2], [3, 3]))
            try:
                stage.say(session.run(made))
            except tf.errors.InvalidArgumentError as error:
                stage.say(error.message.split("\n")[0])


def variants(tf, stage):
    R, make = tf.RaggedTensor, tf.ragged.constant
    rows, deep, pairs, words = _samples(tf)
    to, of = tf.raw_ops.RaggedTensorToVariant, tf.raw_ops.RaggedTensorFromVariant

    def back(ragged, batched, inner, outer, values=tf.int32, splits=tf.int64, part=None):
        encoded = to(
            rt_nested_splits=ragged.nested_row_splits,
            rt_dense_values=ragged.flat_values,
            batched_input=batched,
        )
        if part is not None:
            encoded = encoded[part]
        made = of(
            encoded_ragged=encoded,
            input_ragged_rank=inner,
            output_ragged_rank=outer,
            Tvalues=values,
            Tsplits=splits,
        )
        return [*made[0], made[1]]

    def kept(ragged):
        variant = ragged._to_variant(batched_input=True, name="own")
        back = R._from_variant(variant, ragged.dtype, ragged.ragged_rank)
        return [str(variant.shape), back]

    cases = {
        "whole": lambda: [back(deep(), False, 2, 2), back(rows(), False, -1, 1)],
        "rows": lambda: [back(deep(), True, 1, 2), back(rows(), True, 0, 1)],
        "pairs": lambda: back(pairs(), True, 0, 1),
        "words": lambda: back(words(), True, 0, 1, tf.string),
        "ranks": lambda: back(deep(), True, 2, 2),
        "encoded_rank": lambda: back(deep(), False, 1, 1),
        "values": lambda: back(rows(), False, 1, 1, tf.float32),
        "splits": lambda: back(rows(), False, 1, 1, splits=tf.int32),
        "kept": lambda: kept(make([[[1]], [[2, 3], []]]))[1:],
    }
    _each(tf, stage, cases)


def squeezed_and_tiled(tf, stage):
    ph, make = tf.placeholder_with_default, tf.ragged.constant
    rows, deep, pairs, _ = _samples(tf)
    ones = lambda: make([[[1], [2]], [[3]]])  # noqa: E731
    squeeze, hot = tf.squeeze, tf.one_hot
    cases = {
        "outer": lambda: squeeze(make([[[1, 2], [3]]]), [0]),
        "all": lambda: squeeze(make([[[5]]]), [0, 1, 2]),
        "uniform_and_ragged": lambda: squeeze(
            tf.RaggedTensor.from_row_splits([[[1]], [[2]]], [0, 1, 2]), (1, 2)
        ),
        "not_one": lambda: squeeze(deep(), 2).flat_values,
        "of_none": lambda: squeeze(ones()),
        "of_text": lambda: squeeze(ones(), "a"),
        "of_floats": lambda: squeeze(ones(), [1.0]),
        "expanded_old_name": lambda: tf.expand_dims(rows(), dim=1),
        "hot": lambda: hot(rows(), 4, 5.0, -1.0),
        "hot_inside": lambda: hot(pairs(), 3, axis=-1, name="own"),
        "hot_axis": lambda: hot(deep(), 3, axis=1),
        "size": lambda: [tf.size(deep(), out_type=tf.int64), tf.size(pairs(), "own")],
        "tiled": lambda: [tf.tile(deep(), m) for m in ([1, 2, 1], [2, 1, 3], [1, 1, 1], [0, 2, 2])],
        "tiled_fed_deeper": lambda: tf.tile(make([[[[1, 2], [3]]], [[]]]), ph([1, 2, 1, 2], [4])),
        "tiled_floats": lambda: tf.tile(rows(), [1.0, 2.0]),
        "joined_depths": lambda: tf.concat([deep(), tf.ones([3, 1, 2], tf.int32)], 1),
        "joined_uniform": lambda: tf.concat([pairs(), pairs()], 2),
        "joined_other_rows": lambda: tf.concat([rows(), rows([1])], 1),
        "joined_nothing": lambda: tf.ragged.stack([]),
        "stacked_one": lambda: [tf.ragged.stack([rows()], 1), tf.ragged.stack(rows())],
        "stacked_dense": lambda: [
            tf.ragged.stack([[[1, 2]], [[3, 4]]], i, name="own") for i in (0, 1, 2)
        ],
        "stacked_deep": lambda: tf.stack([deep(), deep()], 2),
    }
    _each(tf, stage, cases)


def of_dynamic_shapes(tf, stage):
    ph = tf.placeholder_with_default
    rows, deep, pairs, _ = _samples(tf)
    module = _internal(tf, "ragged_tensor_shape", "ragged_tensor_shape")
    Shape = module.RaggedTensorDynamicShape
    sizes, to = Shape.from_dim_sizes, module.broadcast_to

    def parts(shape):
        return [*shape.partitioned_dim_sizes, shape.inner_dim_sizes]

    def wider(shape, axis, lengths):
        return parts(shape.broadcast_dimension(axis, lengths))

    unknown = lambda: Shape([], ph([2, 2], [None]))  # noqa: E731
    int64 = lambda *v: tf.constant(list(v), tf.int64)  # noqa: E731
    cases = {
        "of_dtype": lambda: parts(Shape.from_tensor(rows(), tf.int32)),
        "told": lambda: [
            (s.rank, s.num_partitioned_dimensions, s.num_inner_dimensions, s.dim_size_dtype.name)
            for s in (sizes([2, [1, 2], 3]), sizes([]), unknown(), Shape.from_tensor(deep()))
        ],
        "cast": lambda: [
            parts(sizes([2, [1, 2], 3]).with_dim_size_dtype(k)) for k in (tf.int32, tf.int64)
        ],
        "ranked_unknown": lambda: unknown().broadcast_to_rank(3),
        "outer_ragged": lambda: wider(sizes([2, 1, [1, 2], 3]), 1, int64(2, 0)),
        "inner_wrong": lambda: wider(sizes([2, [1, 2], 3]), 2, 5),
        "inner_ragged_first": lambda: wider(sizes([1, 3]), 0, int64(2)),
        "lengths_rank": lambda: wider(sizes([1, 3]), 1, ph([2], None)),
        "lengths_matrix": lambda: wider(sizes([1, 3]), 1, [[2]]),
        "lengths_floats": lambda: wider(sizes([1, 3]), 1, 2.0),
        "both_unknown": lambda: module.broadcast_dynamic_shape(unknown(), sizes([2])),
        "both_other": lambda: module.broadcast_dynamic_shape(sizes([2]), [2]),
        "to_dense": lambda: to([[1], [2]], sizes([2, 3])),
        "to_dense_kept": lambda: to([[1], [2]], sizes([2, 3]), False),
        "to_dense_of_ragged": lambda: to(rows(), sizes([3, 2])),
        "to_no_shape": lambda: to(rows(), [3, 2]),
        "to_rows_kept": lambda: to([[5], [6]], sizes([2, [2, 1], 1]), False),
        "to_deep": lambda: [to(x, sizes([2, 2, [1, 2, 0, 1]])) for x in (3, [[[1], [2]]])],
        "to_int32": lambda: to(rows(), sizes([tf.constant(3), tf.constant([2, 0, 1])])),
        "to_fewer": lambda: to([[[1]]], sizes([2, [2, 1]])),
        "to_unknown": lambda: to(ph(1, None), sizes([2, [2, 1]])),
        "to_more_ragged": lambda: to(deep(), sizes([3, [2, 0, 1], 3])),
    }
    _each(tf, stage, cases)
    stage.attempts(
        lambda: repr(Shape([], [2])),
        lambda: Shape(2, [2]),
        lambda: Shape([2, [1, 1]], 2),
        lambda: sizes([2, [1, 2]]).dimension_size(2),
        lambda: unknown().is_ragged(7),
    )
