"""slice_matmul: computes only those columns of a product that are read."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


def factors(transpose):
    a = tf.placeholder(tf.float32, [2, 3])
    b = tf.placeholder(tf.float32, [7, 3] if transpose else [3, 7])
    return a, b, tf.matmul(a, b, transpose_b=transpose)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize(
    ("begin", "size"), [([0, 2], [2, 4]), ([0, 0], [-1, 5]), ([0, 3], [2, -1])]
)
def test_slice_of_product_computes_fewer_columns(transpose, begin, size):
    a, b, product = factors(transpose)
    taken = tf.slice(product, begin, size)
    program = lowered(taken, feeds=[a, b])
    assert kinds(program) == ["const", "const", "Slice", "MatMul"]
    assert program.slots[program.nodes[2].outputs[0]].dims[0 if transpose else 1] == taken.shape[1]
    rng = np.random.RandomState(3)
    feed = {t: rng.rand(*t.shape.as_list()) for t in (a, b)}
    with tf.Session() as session:
        got = session.run(taken, feed)
    whole = feed[a] @ (feed[b].T if transpose else feed[b])
    first, count = begin[1], size[1]
    expected = whole[:, first:] if count == -1 else whole[:, first : first + count]
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_shared_product_is_kept():
    a, b, product = factors(True)
    taken = tf.slice(product, [0, 2], [2, 4])
    for others in ([product], [product * 2.0], [tf.slice(product, [0, 0], [2, 2])]):
        ops = kinds(lowered(taken, *others, feeds=[a, b]))
        assert ops.index("MatMul") < ops.index("Slice")


def test_row_or_dynamic_slices_are_kept():
    a, b, product = factors(True)
    size = tf.placeholder(tf.int32, [2])
    for taken in (tf.slice(product, [1, 0], [1, 7]), tf.slice(product, [0, 1], size)):
        ops = kinds(lowered(taken, feeds=[a, b, size]))
        assert ops.index("MatMul") < ops.index("Slice")


def test_out_of_range_slice_raises_op_error():
    a, b, product = factors(True)
    begin = tf.placeholder_with_default([0, 5], [2])
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match="Expected size"),
    ):
        session.run(tf.slice(product, begin, [2, 4]), {a: np.ones([2, 3]), b: np.ones([7, 3])})


def test_variable_is_read_before_update():
    """Before the update that depends on the product."""
    v = tf.Variable(np.ones([7, 3], "f"))
    a = tf.placeholder(tf.float32, [2, 3])
    taken = tf.slice(tf.matmul(a, v, transpose_b=True), [0, 2], [2, 4])
    with tf.control_dependencies([taken]):
        update = v.assign_add(np.ones([7, 3], "f"))
    with tf.Session() as session:
        session.run(v.initializer)
        for step in (1.0, 2.0):
            got, _ = session.run([taken, update.op], {a: np.ones([2, 3])})
            assert (got == 3 * step).all()


def test_state_gradient_skips_input_gradient():
    x = tf.placeholder(tf.float32, [2, 3])
    h = tf.tanh(tf.Variable(tf.ones([2, 4])))
    w = tf.Variable(tf.ones([7, 5]))
    product = tf.matmul(tf.concat([x, h], 1), w)
    (slope,) = tf.gradients(product, h)
    program = lowered(slope, feeds=[x])
    ops = kinds(program)
    assert ops.index("Slice") < ops.index("MatMul")
    assert program.slots[program.nodes[ops.index("MatMul")].outputs[0]].dims == (2, 4)


def test_dynamic_row_count():
    """The joined matrices have the same number of rows, whatever a run feeds."""
    x = tf.placeholder(tf.float32, [None, 3])
    h = tf.tanh(tf.matmul(x, tf.Variable(tf.ones([3, 4]))))
    w = tf.Variable(tf.ones([7, 5]))
    product = tf.matmul(tf.concat([x, h], 1), w)
    (slope,) = tf.gradients(tf.sin(product), h)
    program = lowered(slope, feeds=[x])
    ops = kinds(program)
    assert ops.count("Slice") == 1 and "ConcatOffset" not in ops
    last = [node for node in program.nodes if node.opdef.name == "MatMul"][-1]
    assert program.slots[last.outputs[0]].dims[1] == 4
    value = np.sin(np.arange(6.0)).reshape(2, 3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got = session.run(slope, {x: value})
    h = np.tanh(value @ np.ones((3, 4)))
    sums = np.concatenate([value, h], axis=1) @ np.ones((7, 5))
    np.testing.assert_allclose(got, np.cos(sums) @ np.ones((5, 4)), rtol=1e-4)


def test_slice_of_possibly_fewer_rows_is_kept():
    a = tf.placeholder(tf.float32, [None, 3])
    other = tf.placeholder(tf.float32, [None, 4])
    product = tf.matmul(a, tf.ones([3, 7]))
    taken = tf.slice(product, [0, 2], tf.shape(other))
    ops = kinds(lowered(taken, feeds=[a, other]))
    assert ops.index("MatMul") < ops.index("Slice")
    with tf.Session() as session:
        got = session.run(taken, {a: np.ones([5, 3]), other: np.ones([2, 4])})
    assert got.tolist() == [[3.0] * 4] * 2
