"""Callables accept fed shapes that contradict the graph, as in TensorFlow; `run` does not."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto


def step_of(session, feeds, fetches, targets=(), trace_level="NO_TRACE"):
    return session._make_callable_from_options(
        proto.CallableOptions(
            feed=[x.name for x in feeds],
            fetch=[x.name for x in fetches],
            target=[x.name for x in targets],
            run_options={"trace_level": trace_level},
        )
    )


def test_step_follows_array_and_uses_session_variables(graph):
    x = tf.placeholder(tf.float32, [4])
    total = tf.Variable(1.0)
    y = tf.reduce_sum(tf.square(x)) * total
    size = tf.shape(x)
    grow = tf.assign_add(total, tf.reduce_sum(x))
    with tf.Session() as session:
        session.run(total.initializer)
        step = step_of(session, [x], [y, size], [grow.op])
        one = np.arange(3, dtype=np.float32)
        assert [np.asarray(found).tolist() for found in step(one)] == [5.0, [4]]
        assert session.run(total) == 4
        assert step(np.ones(4))[0] == 16
        assert session.run(total) == 8
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run(y, {x: one})


def test_traced_step_accepts_other_shapes(graph):
    x = tf.placeholder(tf.float32, [4])
    with tf.Session() as session:
        step = step_of(session, [x], [tf.reduce_sum(x)], trace_level="FULL_TRACE")
        for size in (4, 3):
            metadata = tf.RunMetadata()
            assert step(np.ones(size), run_metadata=metadata) == [size]
            (device,) = metadata.step_stats.dev_stats
            assert [node.node_name for node in device.node_stats] == ["Sum"]


def test_control_flow_accepts_other_shapes(graph):
    x = tf.placeholder(tf.float32, [3])
    _, doubled = tf.while_loop(lambda n, _: n < 3, lambda n, v: (n + 1, v * 2.0), [0, x])
    chosen = tf.cond(tf.reduce_sum(x) > 0, lambda: doubled + 1.0, lambda: doubled - 1.0)
    with tf.Session() as session:
        step = step_of(session, [x], [chosen])
        for values in ([1.0, 2.0, 3.0], [1.0, 2.0], [-1.0, -2.0, -3.0, -4.0]):
            (result,) = step(values)
            sign = 1.0 if sum(values) > 0 else -1.0
            np.testing.assert_allclose(result, 8.0 * np.array(values) + sign)


def test_incompatible_shape_raises_op_error(graph):
    x = tf.placeholder(tf.float32, [None, 4])
    product = tf.matmul(x, tf.ones([4, 2]), name="product")
    with tf.Session() as session:
        step = step_of(session, [x], [product])
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Matrix size-incompatible"
        ) as result:
            step(np.ones((3, 5)))
        assert "[[node product (defined at " in str(result.value)
        assert "test_step_copy.py" in str(result.value)
