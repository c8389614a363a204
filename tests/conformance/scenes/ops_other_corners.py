"""Sparse tensors, queues, ragged tensors and random numbers where other scenes do not look."""

import numpy as np

from tests.conformance.scenes import unknown


def sparse_corners(tf, stage):
    s, fed = tf.sparse, unknown(tf)
    c = tf.constant
    a = lambda k=tf.float32: tf.SparseTensor([[0, 0], [1, 2]], tf.cast([1.0, 2.0], k), [2, 3])  # noqa: E731

    def free(x):
        return tf.SparseTensor(
            fed(np.array([[0, 0], [1, 2]])), fed(np.array([1.0, 2.0], "f")), fed(np.array([2, 3]))
        )

    none = lambda: tf.SparseTensor(np.zeros([0, 2], "i8"), np.zeros([0], "f"), [0, 3])  # noqa: E731
    newer = tf.compat.v2.sparse
    table = np.arange(8, dtype="f").reshape(4, 2)
    ids = lambda *i: tf.SparseTensor([[0, 0], [0, 1], [1, 0]], list(i), [2, 2])  # noqa: E731
    stage.each(
        {
            "split_no_input": lambda: s.split(num_split=2, axis=1),
            "split_no_count": lambda: s.split(sp_input=a(), axis=1),
            "split_old": lambda: tf.sparse_split(sp_input=a(), num_split=3, split_dim=1),
            "split_axis_fed": lambda: s.split(sp_input=free(0), num_split=2, axis=fed(np.int64(1))),
            "split_many": lambda: s.split(sp_input=free(0), num_split=4, axis=1),
            "concat_old": lambda: tf.sparse_concat(
                0, [a(), tf.SparseTensor([[0, 4]], [5.0], [1, 5])], expand_nonconcat_dim=True
            ),
            "concat_old_axis": lambda: tf.sparse_concat(None, [a(), a()], concat_dim=1),
            "concat_ranks": lambda: s.concat(
                0,
                [
                    free(0),
                    tf.SparseTensor(
                        fed(np.zeros([1, 3], "i8")), c([1.0]), fed(np.array([1, 1, 1]))
                    ),
                ],
            ),
            "concat_unordered": lambda: s.concat(1, [a(), a(), a()]),
            "add_free": lambda: s.add(free(0), free(0)),
            "add_ranks": lambda: s.add(
                free(0),
                tf.SparseTensor(fed(np.zeros([1, 3], "i8")), c([1.0]), fed(np.array([1, 1, 1]))),
            ),
            "add_shapes": lambda: s.add(
                free(0), tf.SparseTensor([[0, 0]], [1.0], fed(np.array([2, 4])))
            ),
            "add_threshold": lambda: s.add(a(), a(), threshold=fed(np.array([1.0], "f"))),
            "add_complex": lambda: s.add(a(tf.complex64), a(tf.complex64), 3.0),
            "add_static": lambda: s.add(a(), tf.SparseTensor([[0, 0]], [1.0], [2, 4])),
            "add_value": lambda: s.add(
                tf.SparseTensorValue([[0, 0]], np.float32([1]), [2, 3]), a()
            ),
            "filled_none": lambda: s.fill_empty_rows(none(), 0.0),
            "filled_vector": lambda: tf.raw_ops.SparseFillEmptyRows(
                indices=[[0, 0]],
                values=[1.0],
                dense_shape=fed(np.array([2, 3])),
                default_value=fed(np.array([1.0], "f")),
            ),
            "filled_no_rows": lambda: tf.raw_ops.SparseFillEmptyRows(
                indices=fed(np.array([[0, 0]])),
                values=[1.0],
                dense_shape=fed(np.array([0, 3])),
                default_value=1.0,
            ),
            "filled_grad": lambda: tf.raw_ops.SparseFillEmptyRowsGrad(
                reverse_index_map=[2, 0], grad_values=[1.0, 2.0, 4.0]
            ),
            "filled_grad_far": lambda: tf.raw_ops.SparseFillEmptyRowsGrad(
                reverse_index_map=fed(np.array([3])), grad_values=[1.0, 2.0, 4.0]
            ),
            "filled_grad_below": lambda: tf.raw_ops.SparseFillEmptyRowsGrad(
                reverse_index_map=fed(np.array([0, -1])), grad_values=[1.0, 2.0, 4.0]
            ),
            "divided_words": lambda: tf.SparseTensor([[0]], ["a"], [1]) / "b",
            "divided_ints": lambda: a(tf.int32) / 2,
            "divided_half": lambda: a(tf.float16) / 2.0,
            "times_fed": lambda: free(0) * fed(np.float32(3)),
            "sums_both": lambda: tf.sparse_reduce_sum(a(), 1, reduction_axes=[0]),
            "sums_free": lambda: [tf.sparse_reduce_sum(free(0)), tf.sparse_reduce_max(free(0))],
            "sums_axes": lambda: tf.sparse_reduce_sum(free(0), fed(np.array([[0]], "i"))),
            "sums_new": lambda: [
                newer.reduce_sum(a(), 1, True, name="own"),
                newer.reduce_max(a(), 0),
            ],
            "sums_new_sparse": lambda: [
                newer.reduce_sum(a(), 1, output_is_sparse=True),
                newer.reduce_max(a(), [0, 1], True, True),
            ],
            "merge_no_tensor": lambda: s.merge(3, a(), [4]),
            "merge_size": lambda: s.merge([ids(1, 0, 3)], ids(5, 6, 7), ["x"]),
            "merge_ids": lambda: s.merge(
                tf.SparseTensor([[0, 0]], tf.constant([3]), [1, 1]),
                tf.SparseTensor([[0, 0]], [1.0], [1, 1]),
                c(9),
            ),
            "softmax_vector": lambda: s.softmax(
                tf.SparseTensor(fed(np.array([[0]])), c([1.0]), fed(np.array([2])))
            ),
            "softmax_unsorted": lambda: s.softmax(
                tf.SparseTensor([[1, 2], [0, 0], [1, 0]], [1.0, 2.0, 3.0], [2, 3])
            ),
            "reshape_negative": lambda: s.reshape(free(0), fed(np.array([-2, 3]))),
            "reshape_same": lambda: s.reshape(a(), [2, 3]),
            "reshape_matrix": lambda: s.reshape(free(0), fed(np.array([[2, 3]]))),
            "eye_float": lambda: s.eye(2.0),
            "eye_fed": lambda: s.eye(c(3), tf.constant(2, tf.int64)),
            "matmul_rank": lambda: s.sparse_dense_matmul(free(0), fed(np.float32([1.0]))),
            "matmul_far": lambda: s.sparse_dense_matmul(
                tf.SparseTensor([[2, 0]], [1.0], [2, 3]), np.ones([3, 1], "f")
            ),
            "matmul_int": lambda: s.sparse_dense_matmul(a(tf.int32), np.ones([3, 2], "i")),
            "matmul_b": lambda: s.sparse_dense_matmul(
                a(tf.complex64), (np.ones([2, 3]) * 1j).astype("F"), adjoint_b=True
            ),
            "weights_double": lambda: tf.nn.embedding_lookup_sparse(
                table,
                ids(1, 0, 3),
                tf.SparseTensor(
                    [[0, 0], [0, 1], [1, 0]], tf.constant([0.5, 1.0, 2.0], tf.float64), [2, 2]
                ),
                combiner="mean",
            ),
            "partitioned": lambda: tf.nn.embedding_lookup_sparse(
                tf.get_variable("t", initializer=table, partitioner=tf.fixed_size_partitioner(2)),
                ids(1, 0, 3),
                None,
                combiner="sum",
            ),
            "retain_rank": lambda: s.retain(a(), [[True, False]]),
            "indicator_sized": lambda: s.to_indicator(ids(1, 0, 3), fed(np.int32(4))),
            "from_dense": lambda: [
                s.from_dense([[0, 3], [4, 0]], "own"),
                s.from_dense(["", "a"]),
                s.from_dense([False, True]),
            ],
        },
        graph="sum",
    )


def queue_corners(tf, stage):
    q, raw, fed = tf.FIFOQueue, tf.raw_ops, unknown(tf)
    f, i = tf.float32, tf.int32
    stage.attempts(
        lambda: q(3, f, tf.TensorShape([2])).shapes,
        lambda: q(3, [f, i], tf.TensorShape([])).shapes,
        lambda: q(3, f, 5),
        lambda: q(3, f, [[None]]),
        lambda: q(3, f, [None]),
        lambda: q(3, [f, i], [[]]),
        lambda: q(3, [f, i], names=["a"]),
        lambda: q(3, [f, i], names=["a", "b"]).enqueue([1.0, 2]),
        lambda: q(3, [f, i]).enqueue({"a": 1.0}),
        lambda: q(3, [f, i], names=["a", "b"]).enqueue({"a": 1.0}),
        lambda: q(3, [f, i], names=["a", "b"]).names,
        lambda: q(3, [f, i]).enqueue([1.0]),
        lambda: q(3, f, [[2]]).enqueue([[1.0]]),
        lambda: q(3, f, [[2]]).dequeue_many(fed(2)).shape,
        lambda: q(3, f, [[2]]).dequeue_many(4).shape,
        lambda: q(3, f, [[2]]).dequeue_up_to(4).shape,
        lambda: q(3, f).dequeue_many(2).shape,
        lambda: tf.PaddingFIFOQueue(3, [f, i], [[None]]),
        lambda: tf.PaddingFIFOQueue(3, f, [[None, 2]]).dequeue_many(2).shape,
        lambda: tf.QueueBase.from_list(0, []),
        lambda: tf.QueueBase.from_list(0, [q(3, f), 3]),
        lambda: tf.QueueBase.from_list(0, [q(3, f), q(3, i)]),
        lambda: tf.QueueBase.from_list(0, [q(3, f, names=["a"]), q(3, f, names=["b"])]),
        lambda: [
            str(x) for x in tf.QueueBase.from_list(0, [q(3, f, [[2]]), q(3, f, [[3]])]).shapes
        ],
        lambda: [str(x) for x in tf.QueueBase.from_list(0, [q(3, f, [[2]]), q(3, f)]).shapes],
        lambda: tf.RandomShuffleQueue(3, 1, f, [[]], None, 7, "shared", "own").name,
        lambda: tf.PriorityQueue(3, f, [[]]).dtypes,
        lambda: tf.PriorityQueue(3, f, []),
        lambda: [
            q(3, f).size("s").name,
            q(3, f).is_closed("c").name,
            q(3, f).close(True, "x").name,
        ],
    )
    with tf.Session() as session:
        run = lambda x: stage.attempt(lambda: session.run(x() if callable(x) else x))  # noqa: E731
        one = q(2, [f, i], [[2], []], name="one")
        free = q(2, [f, i], name="free")
        run(lambda: one.enqueue([fed(np.float32([1.0])), 1]))
        run(lambda: one.enqueue_many([fed(np.float32([1.0])), fed([1])]))
        run(lambda: one.enqueue_many([fed(np.float32([[1.0, 2.0]])), fed([1, 2])]))
        run(lambda: one.enqueue_many([fed(np.float32([[1.0, 2.0]])), fed(np.int32(1))]))
        run(lambda: one.enqueue_many([np.zeros([0, 2], "f"), np.zeros([0], "i")]))
        run(lambda: free.dequeue_many(1))
        run(lambda: one.dequeue_many(fed(-1)))
        run(lambda: one.dequeue_many(0))
        run(lambda: one.dequeue_up_to(fed(-1)))
        handle = raw.FIFOQueueV2(component_types=[f], shapes=[[]], capacity=2, shared_name="s")
        run(lambda: raw.QueueSizeV2(handle=handle))
        for given in (
            {"component_types": [i], "shapes": [[]], "capacity": 2},
            {"component_types": [f], "shapes": [[]], "capacity": 3},
        ):
            again = raw.FIFOQueueV2(shared_name="s", **given)
            run(
                lambda again=again: [raw.QueueSizeV2(handle=handle), raw.QueueSizeV2(handle=again)][
                    1
                ]
            )
        padded = raw.PaddingFIFOQueueV2(component_types=[f], shapes=[[None]], shared_name="s")
        run(lambda: raw.QueueSizeV2(handle=padded))
        shuffled = raw.RandomShuffleQueueV2(
            component_types=[f], shapes=[[]], shared_name="r", seed=1, min_after_dequeue=1
        )
        run(lambda: raw.QueueSizeV2(handle=shuffled))
        for given in ({"seed": 2, "min_after_dequeue": 1}, {"seed": 1}):
            other = raw.RandomShuffleQueueV2(
                component_types=[f], shapes=[[]], shared_name="r", **given
            )
            run(lambda other=other: raw.QueueSizeV2(handle=other))
        run(lambda: raw.QueueEnqueueV2(handle=handle, components=[1]))
        run(lambda: raw.QueueEnqueueV2(handle=handle, components=[1.0], timeout_ms=5))
        run(lambda: raw.QueueDequeueV2(handle=handle, component_types=[i]))
        run(lambda: raw.QueueDequeueManyV2(handle=handle, n=1, component_types=[i]))
        run(lambda: raw.QueueSizeV2(handle=handle))


def ragged_corners(tf, stage):
    R, rc = tf.RaggedTensor, tf.ragged.constant
    spec = tf.RaggedTensorSpec
    stage.attempts(
        lambda: spec([None, None], tf.int32, 1),
        lambda: spec([None, None, 3], tf.int32, 1, tf.int32)._to_legacy_output_shapes(),
        lambda: spec(None, tf.int32),
        lambda: spec(None, tf.int32, 1),
        lambda: spec([2, None], tf.int32, 1.5),
        lambda: spec([2, None], tf.int32, 2),
        lambda: spec([2, None], tf.int32).is_compatible_with(rc([[1], [2, 3]])),
        lambda: spec([2, None], tf.int32).is_compatible_with(rc([[1.0], [2.0]])),
        lambda: spec.from_value(rc([[1], [2]])),
        lambda: spec([2, None], tf.int32) == spec([2, None], tf.int32),
        lambda: hash(spec([2, None], tf.int32)) == hash(spec([2, None], tf.int32)),
        lambda: spec([2, None], tf.int32).most_specific_compatible_type(spec([3, None], tf.int32)),
        lambda: spec([2, 3], tf.int32, 0)._component_specs,
        lambda: spec([2, None, None], tf.int32)._component_specs,
        lambda: tf.convert_to_tensor(rc([[1]])),
        lambda: R.from_row_splits([1, 2], [0, 2]).consumers(),
        lambda: R([1, 2], [0, 2]),
        lambda: rc([[1], [2, 3]])[0, 0, 0],
        lambda: rc([[1], [2, 3]])[..., tf.newaxis].shape,
        lambda: tf.ragged.constant([], ragged_rank=2, inner_shape=(3,)).shape,
        lambda: tf.ragged.constant([], ragged_rank=1, inner_shape=(2,)),
        lambda: tf.ragged.constant([[]], ragged_rank=1, inner_shape=(2,)),
        lambda: tf.ragged.constant([[[]]], ragged_rank=1, inner_shape=()),
        lambda: tf.ragged.constant([[[]]], ragged_rank=0, inner_shape=()),
        lambda: tf.ragged.constant([[1]], ragged_rank=1, inner_shape=(1,)),
        lambda: tf.ragged.constant([[1], []], ragged_rank=0),
        lambda: tf.ragged.constant([1, [2]]),
        lambda: tf.ragged.constant([[[1]], []], ragged_rank=-1),
        lambda: tf.ragged.constant(3, ragged_rank=1),
        lambda: tf.ragged.constant(3, inner_shape=(2,)),
        lambda: tf.ragged.constant([], inner_shape=(0, 2)).shape,
        lambda: tf.ragged.constant([[], []], inner_shape=(2,)).shape,
        lambda: tf.ragged.constant_value([[1], []], np.int8, 1, (), "int32"),
        lambda: tf.ragged.constant_value([], ragged_rank=1),
        lambda: tf.ragged.constant_value([[]], tf.float32, inner_shape=(2,)),
        lambda: tf.ragged.constant(rc([[1]])),
        lambda: tf.ragged.placeholder(tf.int32, 2, [3], "own").shape,
        lambda: tf.ragged.placeholder(tf.int32, 0, [3], "own"),
        lambda: tf.ragged.placeholder(tf.int32, 1, name="p").row_splits.name,
    )


def draws_of_none(tf, stage):
    choose = tf.random.categorical
    stage.each(
        {
            "none": lambda: [
                choose(np.zeros([0, 3], "f"), 2, k) for k in (None, tf.int32, tf.int64)
            ],
            "no_samples": lambda: [choose([[0.0, 1.0]], 0, k) for k in (tf.int32, tf.int64)],
            "stateless_none": lambda: [
                tf.random.stateless_categorical(np.zeros([0, 3], "f"), 2, [1, 2], k)
                for k in (tf.int32, tf.int64)
            ],
            "gamma_none": lambda: [
                tf.random_gamma([0], [1.0, 2.0]),
                tf.random_gamma([2], np.zeros([0]), dtype=tf.float64),
            ],
            "poisson_none": lambda: [
                tf.random_poisson([1.0], [0], k) for k in (tf.int32, tf.float64)
            ],
            "shapes": lambda: [
                str(tf.random_gamma(tf.placeholder_with_default([2], [None]), [1.0]).shape),
                str(tf.random_poisson([[1.0]], [2, 3]).shape),
                str(choose(tf.placeholder_with_default([[1.0]], [None, None]), 4).shape),
                str(tf.random_uniform(tf.placeholder_with_default([2], [None])).shape),
            ],
        },
        graph="sum",
    )


def names_of_shards(tf, stage):
    fed, raw = unknown(tf), tf.raw_ops
    name, two = tf.constant("a/b"), tf.constant([1, 2])
    stage.attempts(
        lambda: stage.run(lambda: raw.ShardedFilename(basename=name, shard=1, num_shards=12345)),
        lambda: stage.run(lambda: raw.ShardedFilespec(basename=name, num_shards=123456)),
        lambda: raw.ShardedFilename(basename=["a"], shard=1, num_shards=2),
        lambda: raw.ShardedFilename(basename=name, shard=two, num_shards=2),
        lambda: raw.ShardedFilename(basename=name, shard=1, num_shards=two),
        lambda: raw.ShardedFilespec(basename=["a"], num_shards=2),
        lambda: raw.ShardedFilespec(basename=name, num_shards=two),
        lambda: stage.run(lambda: raw.ShardedFilespec(basename=fed(np.array(["a"])), num_shards=2)),
        lambda: stage.run(
            lambda: raw.ShardedFilename(basename=name, shard=fed(np.array([1])), num_shards=2)
        ),
    )
