"""Edge cases of sparse tensors, queues, ragged tensors and random numbers."""

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

    newer = tf.compat.v2.sparse
    ids = lambda *i: tf.SparseTensor([[0, 0], [0, 1], [1, 0]], list(i), [2, 2])  # noqa: E731
    stage.each(
        {
            "concat_ranks": lambda: s.concat(
                0,
                [
                    free(0),
                    tf.SparseTensor(
                        fed(np.zeros([1, 3], "i8")), c([1.0]), fed(np.array([1, 1, 1]))
                    ),
                ],
            ),
            "add_ranks": lambda: s.add(
                free(0),
                tf.SparseTensor(fed(np.zeros([1, 3], "i8")), c([1.0]), fed(np.array([1, 1, 1]))),
            ),
            "add_threshold": lambda: s.add(a(), a(), threshold=fed(np.array([1.0], "f"))),
            "add_complex": lambda: s.add(a(tf.complex64), a(tf.complex64), 3.0),
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
            "filled_grad_far": lambda: tf.raw_ops.SparseFillEmptyRowsGrad(
                reverse_index_map=fed(np.array([3])), grad_values=[1.0, 2.0, 4.0]
            ),
            "divided_half": lambda: a(tf.float16) / 2.0,
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
            "softmax_vector": lambda: s.softmax(
                tf.SparseTensor(fed(np.array([[0]])), c([1.0]), fed(np.array([2])))
            ),
            "eye_fed": lambda: s.eye(c(3), tf.constant(2, tf.int64)),
            "matmul_int": lambda: s.sparse_dense_matmul(a(tf.int32), np.ones([3, 2], "i")),
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
        lambda: tf.QueueBase.from_list(0, [q(3, f, names=["a"]), q(3, f, names=["b"])]),
        lambda: [
            str(x) for x in tf.QueueBase.from_list(0, [q(3, f, [[2]]), q(3, f, [[3]])]).shapes
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
        lambda: spec([2, None], tf.int32, 1.5),
        lambda: spec([2, 3], tf.int32, 0)._component_specs,
        lambda: R([1, 2], [0, 2]),
        lambda: rc([[1], [2, 3]])[0, 0, 0],
        lambda: tf.ragged.constant([[[]]], ragged_rank=1, inner_shape=()),
        lambda: tf.ragged.constant([[1], []], ragged_rank=0),
        lambda: tf.ragged.constant_value([[1], []], np.int8, 1, (), "int32"),
    )
