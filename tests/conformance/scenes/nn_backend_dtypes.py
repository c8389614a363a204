"""Keras's backend: values of variables and placeholders, functions with options and repeated calls."""

import numpy as np

from tests.conformance.scenes import eager_mode


def values(tf, stage):
    """Variables, constants and placeholders created from values."""
    k = tf.keras.backend

    def told(v):
        return [
            *(str(v.dtype), str(v.shape), v.op.name, getattr(v, "_keras_shape", None)),
            *(k.is_sparse(v), k.int_shape(v)),
            *(k.count_params(v) if v.shape.is_fully_defined() else None,),
        ]

    stage.attempts(
        lambda: told(k.variable(np.ones([2, 3]), "float64", "first")),
        lambda: told(k.variable(tf.ones([2]), name="second", constraint=tf.nn.relu)),
        lambda: told(k.variable([[1, 2]], dtype="int32")),
        lambda: told(k.variable(3)),
        lambda: k.eval(k.variable([[1, 2]], dtype=tf.int64)),
        lambda: told(k.constant([[1, 2]])),
        lambda: told(k.constant(2, "int32", (2, 2), "filled")),
        lambda: k.eval(k.constant(2, shape=[2], dtype="float64")),
        lambda: told(k.zeros((2, 3), name="zeros")),
        lambda: told(k.ones((2,), "float16")),
        lambda: told(k.ones((2, None), name="unknown")),
        lambda: told(k.eye(2, name="eye")),
        lambda: k.eval(k.eye(2, "int32")),
        lambda: told(k.placeholder((2, None), name="fed")),
        lambda: told(k.placeholder(ndim=3, dtype="int32")),
        lambda: told(k.placeholder((), ndim=1)),
        lambda: told(k.placeholder((3,), ndim=1, name="both")),
        lambda: k.placeholder((2, 2), sparse=True, ragged=True),
        lambda: str(k.placeholder((2, 2), sparse=True, dtype="float64", name="sparse")),
        lambda: str(k.placeholder((2, None, 3), ragged=True, name="ragged")),
        lambda: str(k.placeholder((2, None, None), ragged=True, dtype="int64")),
        lambda: k.eval(k.random_uniform_variable((2,), 1, 2, "float64", "drawn", seed=3)),
        lambda: k.eval(k.random_normal_variable((2,), 1, 2, "float16", "normal", seed=3)),
        lambda: k.eval(k.random_uniform_variable((2,), 1, 2)),
        lambda: k.eval(k.random_normal_variable((2,), 1, 2)),
        lambda: k.eval(tf.SparseTensor([[0, 1]], [2.0], [1, 2])),
        lambda: (k.get_value(3), k.get_value(k.constant(3)), k.get_value(k.variable([3.0]))),
        lambda: k.batch_get_value([k.variable(1.0), k.constant([2.0]), k.variable([3], "int32")]),
        lambda: k.batch_get_value([]),
        lambda: k.cast_to_floatx([1, 2]).dtype.name,
        lambda: k.cast_to_floatx(np.float64(1.5)).dtype.name,
    )
    v, w = k.variable([1.0, 2.0], name="v"), k.variable([1], "int64", name="w")
    stage.attempts(
        lambda: (k.set_value(v, [3, 4]), k.set_value(v, np.array([5.0, 6.0])), k.get_value(v)),
        lambda: (k.batch_set_value([(v, [7, 8]), (w, [9])]), k.batch_get_value([v, w])),
        lambda: k.set_value(v, [1.0, 2.0, 3.0]),
        lambda: (k.batch_set_value([]), k.batch_get_value((v, w))),
        lambda: k.eval(k.update(v, [1.0, 1.0])),
        lambda: [k.eval(k.update_add(v, 2.0)), k.eval(k.update_sub(v, [1.0, 0.0])), k.eval(v)],
        lambda: [k.eval(k.moving_average_update(v, [0.0, 4.0], 0.5)), k.eval(v)],
        lambda: [k.eval(k.moving_average_update(v, [0.0, 4.0], 0.5)), k.eval(v)],
    )
    floatx, epsilon = k.floatx(), k.epsilon()
    try:
        k.set_floatx("float64")
        k.set_epsilon(0.25)
        stage.attempts(
            lambda: told(k.variable([1.0])),
            lambda: told(k.constant([1.0])),
            lambda: told(k.zeros((2,))),
            lambda: told(k.placeholder((2,))),
            lambda: k.eval(k.random_uniform([2], seed=1)),
            lambda: k.eval(k.random_normal([2], seed=1)),
            lambda: k.eval(k.truncated_normal([2], seed=1)),
            lambda: k.eval(k.random_binomial([3], 0.5, seed=1)),
            lambda: k.eval(k.mean(tf.constant([True, False]))),
            lambda: k.eval(k.binary_crossentropy(k.constant([0.0]), k.constant([0.0]))),
            lambda: k.eval(k.relu(k.constant([0.5, 2.0]), threshold=1.0)),
            lambda: k.eval(
                tf.keras.layers.Dense(1, kernel_initializer="ones")(k.constant([[2.0]]))
            ),
            lambda: (k.cast_to_floatx([1]).dtype.name, k.epsilon(), k.floatx()),
        )
    finally:
        k.set_floatx(floatx)
        k.set_epsilon(epsilon)


def called(tf, stage):
    """`K.function`: structures, feeds that are tensors or None, updates, run options, repeated calls."""
    k = tf.keras.backend
    x, y = k.placeholder((None,), name="x"), k.placeholder((None,), dtype="int32", name="y")
    z = tf.placeholder_with_default([5.0], [1], name="z")
    v, w = k.variable([1.0], name="v"), k.variable([0.0], name="w")
    doubled, more = x * 2.0, y + 1
    both = k.function([x, y], [doubled, more])
    stage.attempts(
        lambda: both([[1, 2], [3.7, 4]]),
        lambda: both(([1, 2], [3, 4])),
        lambda: both([np.array([1]), np.array([2])]),
        lambda: both([tf.constant([1.0]), [2]]),
        lambda: both([tf.constant([1]), tf.constant([2.5])]),
        lambda: both([tf.constant([1.0]), [2]]),
        lambda: both([v, [2]]),
        lambda: both([[1.0], [1], [2]]),
        lambda: (both.name, [t.name for t in both.inputs], [t.name for t in both.outputs]),
        lambda: k.function(x, doubled)([[1.0]]),
        lambda: k.function(x, doubled)([1.0, 2.0]),
        lambda: k.function([x], {"a": doubled, "b": [x, v]})([[1.0]]),
        lambda: k.function([x], (doubled,))([[1.0]]),
        lambda: k.function((x, y), [doubled, more])(([1.0], [2])),
        lambda: k.function({"x": x, "y": y}, [doubled, more])({"x": [1.0], "y": [2]}),
        lambda: k.function([z], [z + 1.0])([None]),
        lambda: k.function([z], [z + 1.0])([[1.0]]),
        lambda: k.function([], [v])([]),
        lambda: k.function([x], [tf.reduce_sum(x)])([np.array([1.0, 2.0])]),
        lambda: type(k.function([x], [tf.reduce_sum(x)])([np.ones([2])])[0]).__name__,
        lambda: k.function([x], [doubled], name="mine").name,
        lambda: k.function([x], [doubled], [3])([[1.0]]),
    )
    counting = k.function([x], [v + 0.0], updates=[(v, v + x), w.assign_add([1.0])])
    stage.attempts(
        lambda: [counting([[2.0]]), k.get_value(v), k.get_value(w)],
        lambda: [counting([[2.0]]), k.get_value(v), k.get_value(w)],
        lambda: (counting.updates_op.name, counting.fetches, counting.feed_dict),
    )
    seen = []
    beside = k.function([x], [doubled], fetches=[v * 2.0, w], feed_dict={z: [3.0]})
    beside.fetch_callbacks[beside.fetches[0]] = seen.append
    stage.attempts(
        lambda: beside([[1.0]]),
        lambda: seen,
        lambda: (beside.feed_dict.update({z: [4.0]}), beside([[2.0]]), seen),
        lambda: (beside.fetches.append(z * 1.0), beside([[2.0]])),
        lambda: beside.fetch_callbacks.update({beside.fetches[-1]: seen.append}),
        lambda: (beside([[2.0]]), seen),
        lambda: k.function([x], [doubled], fetches=v * 3.0).fetches[0].op.type,
        lambda: k.function([x], [doubled], feed_dict={z: [1.0]}, unknown=3),
        lambda: k.function([x], [doubled], inputs=3),
    )
    metadata = tf.RunMetadata()
    traced = k.function(
        [x],
        [doubled],
        options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
        run_metadata=metadata,
    )
    stage.attempts(lambda: traced([np.ones([2])]), lambda: len(metadata.step_stats.dev_stats) > 0)
    sparse = k.placeholder((2, 2), sparse=True, name="sparse")
    given = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    stage.attempts(
        lambda: k.function([sparse], [tf.sparse.to_dense(sparse)])([given]),
        lambda: k.function(sparse, tf.sparse.to_dense(sparse))(given),
        lambda: k.function([sparse], [sparse])([given]),
        lambda: k.function([sparse, x], [k.to_dense(sparse), doubled])([given, [1.0]]),
    )
    with eager_mode(tf):
        a, b = k.placeholder((None,), name="a"), k.placeholder((None,), dtype="int32", name="b")
        state = tf.Variable([1.0])
        stage.attempts(
            lambda: k.function([a, b], [a * 2.0, b + 1])([[1, 2], [3, 4]]),
            lambda: k.function([a], a * 2.0, name="mine")([[1.0]]),
            lambda: k.function([a], {"y": a * 2.0})([tf.constant([1])]),
            lambda: k.function([a, b], [a * 2.0])([[1.0], None]),
            lambda: k.function([a], [a], updates=3),
            lambda: k.function([a], [a], fetches=[a]),
            lambda: (k.function([a], [a + 1.0], updates=[(state, a)])([[5.0]]), state.numpy()),
        )
