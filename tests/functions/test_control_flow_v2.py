"""Conditions and loops as function calls (control flow v2); side effects that no result depends on.

The values are TensorFlow 1.15.5's.
"""

import pytest

import tfmini as tf
from tfmini._src.functions.control_flow_v2 import with_control_flow_v2
from tfmini._src.session.eager.enable import eager_mode
from tfmini.compat.python.framework.function import Defun
from tfmini.compat.python.ops import functional_ops


@pytest.fixture(autouse=True)
def _in_a_graph_with_functions():
    with tf.Graph().as_default(), with_control_flow_v2():
        yield


def value_after(fetch, variable):
    """A variable's value after a step."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(fetch)
        return session.run(variable)


def resource(value):
    return tf.Variable(value, use_resource=True)


def branch_with_effects(v):
    """The results of a branch that changes a variable three times, of which one change is needed."""

    def branch():
        v.assign_add(10)
        with tf.control_dependencies([v.assign_add(100)]):
            return tf.constant(1)

    return branch


def test_graph_runs_required_branch_effects():
    v = resource(0)
    result = tf.cond(tf.constant(True), branch_with_effects(v), lambda: 0)
    assert value_after(result, v) == 100


def test_trace_names_the_conditional():
    x, metadata = tf.placeholder(tf.float32, []), tf.RunMetadata()
    result = tf.cond(x > 0.0, lambda: x + 1.0, lambda: x * 2.0, name="chosen")
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    with tf.Session() as session:
        session.run(result, {x: 1.0}, options=options, run_metadata=metadata)
    names = [node.node_name for dev in metadata.step_stats.dev_stats for node in dev.node_stats]
    assert sorted(names) == ["Greater", "chosen", "chosen/then/add_0"]


def test_function_runs_all_branch_effects():
    v = resource(0)
    called = tf.function(lambda: tf.cond(tf.constant(True), branch_with_effects(v), lambda: 0))
    assert value_after(called(), v) == 110


def test_graph_loop_runs_required_effects():
    v = resource(0)

    def body(i):
        v.assign_add(10)
        with tf.control_dependencies([v.assign_add(100)]):
            return i + 1

    assert value_after(tf.while_loop(lambda i: i < 3, body, [0]), v) == 300


def test_unoptimized_call_runs_all_effects():
    v = resource(1.0)

    @Defun()
    def add():
        v.assign_add(10.0)

    assert value_after(functional_ops.partitioned_call(add.captured_inputs, add), v) == 11


def test_shape_invariants_may_be_specs():
    x = tf.constant([1])
    _, result = tf.while_loop(
        lambda i, _: i < 2,
        lambda i, x: (i + 1, tf.stack([x, x])),
        [0, x],
        [tf.TensorSpec([], tf.int32), tf.TensorSpec(None, tf.int32)],
    )
    assert result.shape.dims is None
    with tf.Session() as session:
        assert session.run(tf.shape(result)).tolist() == [2, 2, 1]


def test_ragged_rows_may_grow_in_loop():
    x = tf.ragged.constant([[1, 2], [3]])
    _, result = tf.while_loop(
        lambda i, _: i < 1, lambda i, x: (i + 1, tf.concat([x, x], axis=1)), [0, x]
    )
    assert result.values.shape.as_list() == [None]
    with tf.Session() as session:
        assert session.run(result).to_list() == [[1, 2, 1, 2], [3, 3]]
    with pytest.raises(ValueError, match="has shape"):
        tf.while_loop(lambda i, _: i < 1, lambda i, x: (i + 1, tf.concat([x, x], axis=0)), [0, x])


def test_slice_indices_widen_to_int64():
    values = tf.constant([10])

    def slices(change, dtype):
        indices = tf.constant([0], dtype)
        return lambda: tf.IndexedSlices(values + change, indices)

    result = tf.cond(tf.constant(True), slices(1, tf.int32), slices(-1, tf.int64))
    assert result.indices.dtype is tf.int64
    with tf.Session() as session:
        assert session.run([result.values, result.indices]) == [[11], [0]]


def test_eager_mode():
    with eager_mode():
        section = tf.CriticalSection()
        v = tf.contrib.eager.Variable(1.0)
        assert section.execute(lambda: v.assign_add(2.0)).numpy() == 3
        assert section.execute(lambda: None) is None
        # Each wrapped function stores its variables by name.
        for _ in range(2):
            created = tf.wrap_function(
                lambda: tf.get_variable("v", [], initializer=tf.ones_initializer()), []
            )
            assert created().numpy() == 1


def test_outer_control_dependencies_apply_to_whole_node():
    """The node of a condition, a loop or a call waits for it, whether it uses its results or not."""
    v = resource(1)
    added = v.assign_add(1)

    def waits(x=0):
        with tf.control_dependencies([added]):
            return tf.constant(1) + x

    chosen = tf.cond(tf.placeholder_with_default(True, None), waits, lambda: 2)
    assert value_after(chosen, v) == 2
    assert value_after(tf.switch_case(tf.constant(0), [waits, lambda: 2]), v) == 2
    assert value_after(tf.while_loop(lambda i: i < 3, waits, [0]), v) == 2
    assert value_after(tf.function(waits)(), v) == 2
    assert value_after(tf.function(lambda: tf.function(waits)())(), v) == 2


def test_loop_variable_keeps_dtype():
    text = "Loop var Const:0 enters the loop with type <dtype: 'float32'> but has type <dtype: 'float16'> after 1 iter"
    with pytest.raises(TypeError, match=text):
        tf.while_loop(lambda x: x < 10.0, lambda x: tf.cast(x, tf.float16), [tf.constant(1.0)])
