"""Ragged tensors made, told about, made dense, squeezed, tiled, joined, broadcast."""

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
        "cached": lambda: [
            cached().value_rowids(),
            cached().nrows(),
            cached().nrows(tf.int32),
            cached().row_lengths(),
            cached().with_values(tf.constant([5.0, 6.0])).row_lengths(),
        ],
        "cached_cast": lambda: [
            getattr(cached().with_row_splits_dtype(tf.int32), f)()
            for f in ("row_lengths", "value_rowids", "nrows", "row_starts", "row_limits")
        ],
        "lengths_cached": lambda: R.from_row_lengths([1, 2], [2, 0]).row_lengths(name="own"),
        "lengths_cast": lambda: R.from_row_lengths([1, 2], [2, 0]).with_row_splits_dtype("int32"),
        "lengths": lambda: [deep().row_lengths(i) for i in (0, 1, 2, -1)],
        "lengths_inside": lambda: pairs().row_lengths(2),
        "terms": lambda: [
            getattr(deep(), f)(name="own")
            for f in ("value_rowids", "nested_value_rowids", "nrows", "row_starts", "row_limits")
        ],
        "nested": lambda: [deep().nested_row_lengths("own"), deep().nested_row_splits],
        "bounds": lambda: [
            pairs().bounding_shape(axis=a, out_type=tf.int32, name="own")
            for a in (None, 0, 1, 2, [2, 1])
        ],
        "bounds_of_none": lambda: make([[], []]).bounding_shape(),
        "flat": lambda: deep().with_flat_values(tf.constant(list("abcdef"))),
        "cast_deep": lambda: deep().with_row_splits_dtype(tf.int32),
        "of_arrays": lambda: R.from_row_splits([1, 2], np.array([0, 2], np.int32)),
        "of_int64": lambda: R.from_row_splits([1, 2], np.array([0, 2])),
        "of_ragged": lambda: R.from_row_lengths(rows(), [1, 2]),
        "of_ragged_int32": lambda: R.from_row_lengths(rows(), tf.constant([1, 2])),
        "of_ragged_floats": lambda: R.from_row_lengths(rows(), tf.constant([1.0, 2.0])),
        "starts_of_none": lambda: R.from_row_starts([1, 2], np.zeros([0], np.int64)),
        "limits_of_none": lambda: R.from_row_limits(np.zeros([0], "f"), np.zeros([0], np.int64)),
        "limits_falling": lambda: R.from_row_limits([1, 2], ph([2, 1, 2], [3])),
        "starts_falling": lambda: R.from_row_starts([1, 2], ph([0, 2, 1], [3])),
        "ids_of_none": lambda: R.from_value_rowids(np.zeros([0], "f"), np.zeros([0], np.int64)),
        "ids_fed": lambda: R.from_value_rowids([1, 2], ph(np.array([0, 2]), [2])),
        "ids_of_other_number": lambda: R.from_value_rowids([1, 2], [0]),
        "ids_of_rows": lambda: ids(nrows=[3]),
        "segments": lambda: [
            tf.ragged.segment_ids_to_row_splits([0, 0, 3]),
            tf.ragged.segment_ids_to_row_splits(tf.constant([0, 1], tf.int64)),
            tf.ragged.segment_ids_to_row_splits([0, 3], 2),
            tf.ragged.segment_ids_to_row_splits(np.zeros([0], np.int32)),
        ],
        "segments_rank": lambda: tf.ragged.segment_ids_to_row_splits([[0]]),
        "segments_number": lambda: tf.ragged.segment_ids_to_row_splits([0], [1]),
        "ids_of_splits": lambda: [
            tf.ragged.row_splits_to_segment_ids(np.array([0, 2, 2, 3], np.int32)),
            tf.ragged.row_splits_to_segment_ids([0]),
            tf.ragged.row_splits_to_segment_ids([0, 1], out_type=tf.int32),
        ],
        "ids_of_matrix": lambda: tf.ragged.row_splits_to_segment_ids([[0, 1]]),
        "range": lambda: [
            tf.ragged.range([0.5, 2], [2, 0.5], [0.5, -1]),
            tf.ragged.range(tf.constant(3, tf.int64)),
            tf.ragged.range([5, 0], 2, [-2, 1], dtype=tf.float64),
            tf.ragged.range(np.array([2**62]), np.array([2**62 + 3]), 2),
            tf.ragged.range([0], [-3], 1),
        ],
        "range_sizes": lambda: tf.ragged.range(ph([0, 1], [None]), ph([1], [None])),
        "range_static_sizes": lambda: tf.ragged.range([0, 1], [1, 2, 3]),
        "range_matrix": lambda: tf.ragged.range([[1]]),
        "range_matrix_fed": lambda: tf.ragged.range(ph([[1]], None)),
        "range_zero": lambda: tf.ragged.range([0, 1], 3, ph([1, 0], [2])),
        "placeholders": lambda: [
            str(tf.ragged.placeholder(tf.int32, 2, [3], "own").shape),
            str(tf.ragged.placeholder(tf.int32, 1).shape),
            str(tf.ragged.placeholder(tf.float64, 0).shape),
        ],
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
        "constants_deep_rank": lambda: make([[1]], ragged_rank=2),
        "constants_inner": lambda: make([[[1, 2]]], inner_shape=(3,)),
        "constants_depths": lambda: make([[[1]], [2]], ragged_rank=1),
        "constants_dtype": lambda: make([[1.5]], tf.int32),
        "constants_mixed": lambda: make([[1, "a"]]),
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
        "default": lambda: dense(rows(), 7),
        "wide": lambda: dense(deep(), 7, [4, 3, 4]),
        "narrow": lambda: dense(deep(), 7, [2, 1, None]),
        "of_tensor": lambda: dense(rows(), shape=ph([4, -1], [2])),
        "rank": lambda: dense(rows(), shape=ph([4, -1, 2], [None])),
        "inside": lambda: dense(pairs(), shape=[3, 2, 2]),
        "inside_other": lambda: dense(pairs(), shape=[3, 2, 3]),
        "inside_fed": lambda: dense(pairs(), shape=ph([3, 2, 3], [None])),
        "wide_ids": lambda: dense(nested_ids(), 9, [None, 2, 3]),
        "op_none": lambda: op([[0, 0]], ["ROW_SPLITS"], values=np.zeros([0], np.int32)),
        "op_other": lambda: op([[0, 2, 3]], ["LIMITS"]),
        "from_tensor": lambda: module.from_tensor([[1, 2], [3, 0]], None, 0, name="own"),
        "from_tensor_lengths": lambda: module.from_tensor([[1, 2], [3, 0]], [2, 1]),
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
        "dense_default_shape": lambda: deep().to_tensor([1]),
        "dense_default_dtype": lambda: rows().to_tensor(1.5),
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
        "inner": lambda: squeeze(ones(), 2),
        "inner_of_list": lambda: squeeze(ones(), [-1], "own"),
        "outer": lambda: squeeze(make([[[1, 2], [3]]]), [0]),
        "all": lambda: squeeze(make([[[5]]]), [0, 1, 2]),
        "uniform": lambda: squeeze(tf.RaggedTensor.from_row_splits([[1], [2]], [0, 2, 2]), 2),
        "uniform_and_ragged": lambda: squeeze(
            tf.RaggedTensor.from_row_splits([[[1]], [[2]]], [0, 1, 2]), (1, 2)
        ),
        "not_one": lambda: squeeze(deep(), 2).flat_values,
        "of_none": lambda: squeeze(ones()),
        "of_text": lambda: squeeze(ones(), "a"),
        "of_floats": lambda: squeeze(ones(), [1.0]),
        "far": lambda: squeeze(ones(), 3),
        "both_names": lambda: squeeze(ones(), axis=2, squeeze_dims=[2]),
        "expanded": lambda: [tf.expand_dims(pairs(), i) for i in (1, 2, -1)],
        "expanded_old_name": lambda: tf.expand_dims(rows(), dim=1),
        "expanded_far": lambda: tf.expand_dims(rows(), 4),
        "expanded_text": lambda: tf.expand_dims(rows(), "a"),
        "hot": lambda: hot(rows(), 4, 5.0, -1.0),
        "hot_inside": lambda: hot(pairs(), 3, axis=-1, name="own"),
        "hot_axis": lambda: hot(deep(), 3, axis=1),
        "hot_far": lambda: hot(rows(), 3, axis=3),
        "size": lambda: [tf.size(deep(), out_type=tf.int64), tf.size(pairs(), "own")],
        "tiled": lambda: [tf.tile(deep(), m) for m in ([1, 2, 1], [2, 1, 3], [1, 1, 1], [0, 2, 2])],
        "tiled_fed": lambda: tf.tile(deep(), ph([2, 2, 2], [None]), "own"),
        "tiled_fed_deeper": lambda: tf.tile(make([[[[1, 2], [3]]], [[]]]), ph([1, 2, 1, 2], [4])),
        "tiled_pairs": lambda: tf.tile(pairs(), [2, 2, 2]),
        "tiled_floats": lambda: tf.tile(rows(), [1.0, 2.0]),
        "tiled_scalar": lambda: tf.tile(rows(), 2),
        "tiled_few": lambda: tf.tile(rows(), [2]),
        "joined_inside": lambda: tf.concat([deep(), deep()], 2, "own"),
        "joined_depths": lambda: tf.concat([deep(), tf.ones([3, 1, 2], tf.int32)], 1),
        "joined_uniform": lambda: tf.concat([pairs(), pairs()], 2),
        "joined_dense_rows": lambda: tf.concat([[[1, 2]], rows(), [[3, 4]]], 0),
        "joined_other_rows": lambda: tf.concat([rows(), rows([1])], 1),
        "joined_other_lengths": lambda: tf.concat([deep(), make([[[1]], [], []])], 2),
        "joined_one": lambda: tf.concat([rows()], 0),
        "joined_alone": lambda: tf.concat(rows(), 0),
        "joined_nothing": lambda: tf.ragged.stack([]),
        "joined_far": lambda: tf.concat([rows(), rows()], 2),
        "joined_axis": lambda: tf.concat([rows(), rows()], "a"),
        "stacked": lambda: [tf.stack([rows(), rows()], i) for i in (-1, -3)],
        "stacked_one": lambda: [tf.ragged.stack([rows()], 1), tf.ragged.stack(rows())],
        "stacked_dense": lambda: [
            tf.ragged.stack([[[1, 2]], [[3, 4]]], i, name="own") for i in (0, 1, 2)
        ],
        "stacked_vectors": lambda: tf.ragged.stack([[1, 2], [3]]),
        "stacked_deep": lambda: tf.stack([deep(), deep()], 2),
    }
    _each(tf, stage, cases)


def of_dynamic_shapes(tf, stage):
    ph, make = tf.placeholder_with_default, tf.ragged.constant
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
        "of_tensors": lambda: [parts(Shape.from_tensor(x())) for x in (rows, deep, pairs)],
        "of_dense": lambda: parts(Shape.from_tensor(tf.ones([2, 3]))),
        "of_dtype": lambda: parts(Shape.from_tensor(rows(), tf.int32)),
        "of_shapes": lambda: parts(Shape([2, int64(1, 2)], [4], tf.int32)),
        "sizes_of_int32": lambda: parts(sizes([tf.constant(2), tf.constant([1, 2])])),
        "sizes_of_dense": lambda: parts(sizes([2, 3])),
        "sizes_uniform_inside": lambda: parts(sizes([2, 2, [1, 2, 0, 1], 3])),
        "sizes_of_rank": lambda: sizes([2, ph([1], None)]),
        "told": lambda: [
            (s.rank, s.num_partitioned_dimensions, s.num_inner_dimensions, s.dim_size_dtype.name)
            for s in (sizes([2, [1, 2], 3]), sizes([]), unknown(), Shape.from_tensor(deep()))
        ],
        "cast": lambda: [
            parts(sizes([2, [1, 2], 3]).with_dim_size_dtype(k)) for k in (tf.int32, tf.int64)
        ],
        "ranked": lambda: [
            parts(s.broadcast_to_rank(4)) for s in (sizes([2, [1, 2], 3]), sizes([2, 3]))
        ],
        "ranked_same": lambda: sizes([2]).broadcast_to_rank(1).rank,
        "ranked_unknown": lambda: unknown().broadcast_to_rank(3),
        "outer": lambda: wider(sizes([1, [2], 3]), 0, 4),
        "outer_same": lambda: wider(sizes([2, [1, 2], 3]), 0, 2),
        "outer_to_one": lambda: wider(sizes([2, [1, 2], 3]), 0, 1),
        "outer_ragged": lambda: wider(sizes([2, 1, [1, 2], 3]), 1, int64(2, 0)),
        "outer_deep": lambda: wider(sizes([1, 2, 2, [1, 2, 0, 1], 3]), 0, 2),
        "ragged": lambda: wider(sizes([2, [1, 2], 3]), 1, int64(1, 2)),
        "ragged_to_one": lambda: wider(sizes([2, [1, 2], 3]), 1, 1),
        "ragged_wrong": lambda: wider(sizes([2, [1, 2], 3]), 1, int64(2, 2)),
        "ragged_number": lambda: wider(sizes([2, [1, 2], 3]), 1, 2),
        "inner": lambda: wider(sizes([2, [1, 2], 1]), 2, 5),
        "inner_wrong": lambda: wider(sizes([2, [1, 2], 3]), 2, 5),
        "inner_ragged": lambda: wider(sizes([2, 1, 3]), 1, int64(2, 0)),
        "inner_ragged_deep": lambda: wider(sizes([2, 3, 1]), 2, int64(2, 0, 1, 1, 1, 1)),
        "inner_ragged_first": lambda: wider(sizes([1, 3]), 0, int64(2)),
        "lengths_rank": lambda: wider(sizes([1, 3]), 1, ph([2], None)),
        "lengths_matrix": lambda: wider(sizes([1, 3]), 1, [[2]]),
        "lengths_floats": lambda: wider(sizes([1, 3]), 1, 2.0),
        "slices": lambda: [
            sizes([2, 2, [1, 2, 0, 1], 3]).num_slices_in_dimension(i) for i in (-1, 0, 1, 2, 3)
        ],
        "both": lambda: parts(module.broadcast_dynamic_shape(sizes([2, 1]), sizes([2, [1, 2]]))),
        "both_unknown": lambda: module.broadcast_dynamic_shape(unknown(), sizes([2])),
        "both_other": lambda: module.broadcast_dynamic_shape(sizes([2]), [2]),
        "to_dense": lambda: to([[1], [2]], sizes([2, 3])),
        "to_dense_kept": lambda: to([[1], [2]], sizes([2, 3]), False),
        "to_dense_of_ragged": lambda: to(rows(), sizes([3, 2])),
        "to_no_shape": lambda: to(rows(), [3, 2]),
        "to_rows": lambda: [to(x, sizes([2, [2, 1]])) for x in (5, [5], [[5], [6]], [[5]])],
        "to_rows_kept": lambda: to([[5], [6]], sizes([2, [2, 1], 1]), False),
        "to_pairs": lambda: [to(x, sizes([2, [2, 1], 2])) for x in ([7, 8], [[[7, 8]], [[9, 0]]])],
        "to_deep": lambda: [to(x, sizes([2, 2, [1, 2, 0, 1]])) for x in (3, [[[1], [2]]])],
        "to_deeper": lambda: to(make([[1, 2], [3]]), sizes([2, 2, [2, 1, 2, 1]])),
        "to_ragged_twice": lambda: to([[[1]], [[2]]], sizes([2, [2, 1], [1, 2, 3]])),
        "to_same": lambda: to(rows(), Shape.from_tensor(rows())),
        "to_int32": lambda: to(rows(), sizes([tf.constant(3), tf.constant([2, 0, 1])])),
        "to_fewer": lambda: to([[[1]]], sizes([2, [2, 1]])),
        "to_unknown": lambda: to(ph(1, None), sizes([2, [2, 1]])),
        "to_more": lambda: to(rows([1]), sizes([3, [1, 1, 1]])),
        "to_others": lambda: to(rows(), sizes([3, [1, 1, 1]])),
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
