"""`tf.function`, `tf.wrap_function` and `defun` in graph mode: graphs, values and errors as in TensorFlow 1.15.5."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.errors import InaccessibleTensorError


def nodes(graph):
    return [(op.name, op.type, len(op.outputs)) for op in graph.get_operations()]


def test_calls_are_nodes_sharing_a_body(graph, session):
    traced = []

    @tf.function
    def scaled(x, k=2):
        traced.append(k)
        return x * k

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y, z, again = scaled(x), scaled(x, k=3), scaled(x + 1)
    assert traced == [2, 3] and y.shape.as_list() == [None, 3]
    (dx,) = tf.gradients(y, x)
    assert nodes(graph) == [
        ("x", "Placeholder", 1),
        (
            "PartitionedCall",
            "PartitionedCall",
            3,
        ),  # intermediates for the gradient are returned too
        ("PartitionedCall_1", "PartitionedCall", 1),
        ("add/y", "Const", 1),
        ("add", "AddV2", 1),
        ("PartitionedCall_2", "PartitionedCall", 1),
        ("gradients/Shape", "Shape", 1),
        ("gradients/grad_ys_0", "Const", 1),
        ("gradients/Fill", "Fill", 1),
        ("gradients/PartitionedCall_grad/PartitionedCall", "PartitionedCall", 1),
    ]
    found = session.run([y, z, again, dx], {x: np.ones((1, 3))})
    np.testing.assert_array_equal(found, np.ones((4, 1, 3)) * [[[2]], [[3]], [[4]], [[2]]])


def test_inner_and_outer_variables(session):
    total = tf.get_variable("total", [2], initializer=tf.ones_initializer(), use_resource=True)
    own = []

    @tf.function
    def step(x):
        if not own:
            own.append(tf.Variable(3.0, name="own"))
        total.assign_add(x)
        return {"sum": total * x + own[0], "rest": (x, None)}

    found = step(tf.constant([1.0, 2.0]))
    assert [v.op.name for v in tf.global_variables()] == ["total", "own"]
    assert found["sum"].op.type == "StatefulPartitionedCall" and found["rest"][1] is None
    gradients = tf.gradients(found["sum"], [total, own[0]])
    session.run(tf.global_variables_initializer())
    value, (of_total, of_own) = session.run([found["sum"], gradients])
    np.testing.assert_array_equal(value, [5, 9])
    np.testing.assert_array_equal(of_total, [1, 2])
    assert of_own == 2.0
    assert list(session.run(total)) == [2, 3]
    concrete = step.get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert concrete.variables == [total, own[0]] == concrete.trainable_variables


def test_gradient_reuses_forward_random_numbers(session):
    @tf.function
    def dropped(x):
        return tf.nn.dropout(x, rate=0.5, seed=4)

    x = tf.ones([1000])
    y = dropped(x)
    value, gradient = session.run([y, tf.gradients(y, x)[0]])
    np.testing.assert_array_equal(value, gradient)
    assert 300 < np.count_nonzero(value) < 700


def test_gathered_rows_and_second_order_gradients(session):
    table = tf.get_variable("table", [5, 2], use_resource=True)

    @tf.function
    def cubes(rows):
        return tf.reduce_sum(tf.gather(table, rows) ** 3)

    y = cubes(tf.constant([1, 1, 3]))
    (slices,) = tf.gradients(y, table)
    assert isinstance(slices, tf.IndexedSlices)
    session.run(table.initializer)
    found, values = session.run([slices, table])
    dense = np.zeros((5, 2))
    np.add.at(dense, found.indices, found.values)
    expected = np.zeros((5, 2))
    for row in (1, 1, 3):
        expected[row] += 3 * values[row] ** 2
    np.testing.assert_allclose(dense, expected, rtol=1e-5)

    @tf.function
    def cube(x):
        return x * x * x

    x = tf.constant(2.0)
    (first,) = tf.gradients(cube(x), x)
    assert session.run(tf.gradients(first, x)) == [12.0]


def test_inner_conditionals_and_loops(session):
    @tf.function
    def power(x, n):
        _, result = tf.while_loop(lambda i, r: i < n, lambda i, r: (i + 1, r * x), [0, 1.0])
        return tf.cond(n > 2, lambda: result, lambda: -result)

    x = tf.placeholder(tf.float64, [])

    @tf.function
    def chosen(x):
        return tf.cond(x > 0, lambda: x * x, lambda: 3 * x)

    assert session.run(power(tf.constant(3.0), tf.constant(4))) == 81.0
    y = chosen(x)
    (dx,) = tf.gradients(y, x)
    for at in (2.0, -2.0):
        expected = (session.run(y, {x: at + 1e-5}) - session.run(y, {x: at - 1e-5})) / 2e-5
        np.testing.assert_allclose(session.run(dx, {x: at}), expected, rtol=1e-5)


def test_loop_gradient_runs_effects_once(session):
    """y = x v^3, and the effects of the loop happen once."""
    v = tf.get_variable("v", initializer=1.5, use_resource=True)
    count = tf.get_variable("count", initializer=0.0, use_resource=True)

    @tf.function
    def power(x):
        for _ in tf.range(3):
            count.assign_add(1.0)
            x = x * v
        return x

    x = tf.constant(2.0)
    y = power(x)
    first = tf.gradients(y, [x, v])
    second = tf.gradients(first[1], [x, v])
    session.run(tf.global_variables_initializer())
    found = session.run([y, *first, *second])
    np.testing.assert_allclose(found, [2 * 1.5**3, 1.5**3, 6 * 1.5**2, 3 * 1.5**2, 12 * 1.5])
    assert session.run(count) == 3.0


def test_gradient_added_after_run_requires_new_session(session):
    """Which the session does not see any more, another one does."""

    @tf.function
    def square(x):
        return x * x

    x = tf.constant(5.0)
    y = square(x)
    assert session.run(y) == 25.0
    gradient = tf.gradients(y, x)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="^Node 'gradients/PartitionedCall_grad/PartitionedCall': Connecting to invalid output 1 of source node "
        "PartitionedCall which has 1 outputs.",
    ):
        session.run(gradient)
    with tf.Session() as another:
        assert another.run(gradient) == [10.0]


def test_methods_are_traced_per_object(session):
    class Model:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def scaled(self, x):
            return x * self.factor

    models = [Model(2.0), Model(5.0)]
    assert session.run([m.scaled(tf.constant(3.0)) for m in models]) == [6.0, 15.0]
    kept = weakref.ref(models.pop())
    gc.collect()
    assert kept() is None


def test_variables_are_created_by_first_trace_only(session):
    made = []

    @tf.function
    def scaled(x, late):
        if late and not made:
            made.append(tf.Variable(2.0))
        return x * made[0] if made else x

    assert session.run(scaled(tf.constant(3.0), False)) == 3.0
    with pytest.raises(ValueError, match="^Creating variables on a non-first call to a function"):
        scaled(tf.constant(3.0), True)


def test_concrete_function_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    first = total.get_concrete_function()
    total([1.0, 2.0]), total(np.zeros(7))
    assert total.get_concrete_function() is first
    assert [t.name for t in first.inputs] == ["x:0"] and first.output_shapes.as_list() == []
    with pytest.raises(ValueError, match="Python inputs incompatible with input_signature"):
        total([[1.0]])
    with pytest.raises(ValueError, match="must be Tensors or tf.TensorSpec objects"):
        total.get_concrete_function(1.0)


def test_experimental_relax_shapes():
    traced = []

    @tf.function(experimental_relax_shapes=True)
    def same(x):
        traced.append(x.shape.as_list())
        return x

    for size in (2, 3, 4, 5, 2):
        same(tf.zeros([size, 1]))
    same(tf.zeros([5, 2]))
    # The first trace is only for its sizes; the others keep their common dimensions.
    assert traced == [[2, 1], [3, 1], [None, 1], [None, None]]


def test_composite_arguments_and_results(session):
    @tf.function
    def doubled(x):
        return tf.SparseTensor(x.indices, x.values * 2, x.dense_shape), 3

    found, number = doubled(tf.SparseTensor([[1]], [4.0], [3]))
    values = session.run([found, number])
    assert (list(values[0].values), values[1]) == ([8.0], 3)


def test_contrib_and_internal_names(session):
    assert tf.contrib.eager.function is tf.function
    added = tf.contrib.eager.defun(lambda x: x + 1)
    assert session.run(added(1)) == 2
    assert not tf.contrib.eager.executing_eagerly()
    with pytest.raises(
        ValueError, match=r"^tf.enable_eager_execution must be called at program startup\.$"
    ):
        tf.contrib.eager.enable_eager_execution()


def test_inner_gradients_of_outer_tensors(session):
    x1, x2 = tf.constant(1.0), tf.constant(2.0)
    x3 = x1 * x2
    v = tf.Variable(3.0, use_resource=True)

    @tf.function
    def outer():
        y = tf.identity(x1)

        @tf.function
        def inner():
            values = [tf.identity(y), tf.identity(x2), tf.identity(x3), x1, v * 5.0]
            return tf.gradients(values, [x1, x2, v])

        return inner()

    session.run(v.initializer)
    assert session.run(outer()) == [4.0, 2.0, 5.0]


def test_default_graph_variables_are_thread_local():
    code = (
        "import tfmini as tf\n"
        "f = tf.contrib.eager.defun(lambda: tf.get_variable('w', [2]) * 2.0)\n"
        "f()\n"
        "print([v.name for v in tf.global_variables()])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "['w:0']\n", done.stderr


def test_function_without_result_returns_its_node(session):
    total = tf.get_variable("total", initializer=1.0, use_resource=True)

    @tf.function
    def add(x):
        total.assign_add(x)
        total.assign(total * 2.0)

    node = add(tf.constant(2.0))
    assert (node.name, node.type) == ("PartitionedFunctionCall", "StatefulPartitionedCall")
    session.run(total.initializer)
    assert session.run(node) is None
    assert session.run(total) == 6.0


def test_ragged_signatures():
    spec = tf.RaggedTensorSpec([2, None], tf.int32)
    with tf.Graph().as_default():
        f = tf.function(lambda x: x, input_signature=[spec])
        f(tf.ragged.constant([[1, 2], [3]]))
        with pytest.raises(ValueError, match="^Python inputs incompatible with input_signature"):
            f(tf.ragged.constant([[1], [2], [3]]))
        for other in ([[1.0], []], [[[1]], [[2]]]):
            with pytest.raises(ValueError, match="^Structure of .* does not match input_signature"):
                f(tf.ragged.constant(other))


def test_loop_tensors_are_inaccessible_outside():
    @tf.function
    def f(x):
        rows = []
        for t in tf.range(3):
            rows.append(x[t])
        return rows

    message = "cannot be accessed here: it is defined in another function or code block"
    with pytest.raises(InaccessibleTensorError, match=message):
        f(tf.zeros([3, 2]))
