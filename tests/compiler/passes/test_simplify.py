"""simplify: folds constants, drops identities, shares equal nodes; side effects stay."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


def test_constants_are_folded():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.reshape(x, tf.stack([tf.constant(2) * 3, -1]))
    assert kinds(lowered(y, feeds=[x])) == ["const", "Reshape"]


def test_static_shapes_are_folded():
    x = tf.placeholder(tf.float32, [4, 3])
    facts = [tf.raw_ops.Shape(input=x), tf.raw_ops.Size(input=x), tf.raw_ops.Rank(input=x)]
    assert kinds(lowered(*facts, feeds=[x])) == ["const"] * 3
    with tf.Session() as session:
        shape, size, rank = session.run(facts, {x: np.zeros([4, 3])})
    assert shape.tolist() == [4, 3] and (size, rank) == (12, 2)


def test_sparse_sizes_are_folded():
    words, ids = tf.placeholder(tf.string, [4, 2]), tf.placeholder(tf.int64, [4, 3])
    crossed = tf.sparse.cross_hashed([words, ids], 10)
    column = tf.sparse.reshape(crossed, tf.stack([crossed.dense_shape[0], -1]))
    assert kinds(lowered(column.dense_shape[0] + 1, feeds=[words, ids])) == ["const"]
    with tf.Session() as session:
        feeds = {words: np.full((4, 2), "a", object), ids: np.zeros((4, 3))}
        assert session.run([crossed.dense_shape[0], column.dense_shape[0]], feeds) == [4, 4]
        assert session.run(column.dense_shape[1], feeds) == 6


def test_feeds_are_not_folded():
    a = tf.constant(2.0)
    b = a * 3.0
    with tf.Session() as session:
        assert session.run([a, b], {a: 5.0}) == [5.0, 15.0]
        assert session.run([a, b]) == [2.0, 6.0]


def test_large_constants_are_not_folded():
    x, wide = tf.placeholder(tf.float32, []), tf.fill([2000, 2000], 1.0)  # 16 MB
    assert "Fill" in kinds(lowered(wide * x, feeds=[x]))
    total = tf.reduce_sum(wide)
    assert kinds(lowered(total)) == ["const"]
    with tf.Session() as session:
        assert session.run([total, total * x], {x: 0.5}) == [4e6, 2e6]


def test_identities_are_removed_and_equal_nodes_merged():
    x = tf.placeholder(tf.float32, [3])
    same = [tf.exp(tf.identity(x)), tf.exp(x), tf.stop_gradient(tf.exp(x))]
    assert kinds(lowered(tf.add_n(same), feeds=[x])) == ["Exp", "AddN"]


def test_multiplications_by_one_are_removed():
    x = tf.placeholder(tf.float32, [3])
    assert kinds(lowered(tf.exp(x * 1.0), tf.exp(1.0 * x), feeds=[x])) == ["Exp"]
    others = [x * 2.0, x * [[1.0, 1.0, 1.0]], x / 1.0]  # the second has another shape
    ops = [kind for kind in kinds(lowered(*others, feeds=[x])) if kind != "const"]
    assert ops == ["Mul", "Mul", "RealDiv"]
    with tf.Session() as session:
        fed = np.array([-0.0, np.inf, 3.0], np.float32)
        result = session.run(x * 1.0, {x: fed})
        assert result.tobytes() == fed.tobytes() and not np.shares_memory(result, fed)


def test_different_attrs_are_not_merged():
    x = tf.placeholder(tf.float32, [3, 3])
    program = lowered(tf.matmul(x, x), tf.matmul(x, x, transpose_b=True), feeds=[x])
    assert kinds(program) == ["MatMul", "MatMul"]


def test_random_ops_and_writes_are_not_merged():
    v = tf.Variable(0.0)
    draws = [tf.random_uniform([2], seed=1), tf.random_uniform([2], seed=1)]
    writes = [v.assign_add(1.0), v.assign_add(1.0)]
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(writes)
        assert session.run(v) == 2.0
        result = session.run(draws)
    assert result[0].tolist() == result[1].tolist()
    assert kinds(lowered(*draws)).count("RandomUniform") == 2


def test_reads_are_not_merged_across_write():
    v = tf.Variable(1.0, use_resource=True)
    before = v.read_value()
    with tf.control_dependencies([before]):
        write = v.assign_add(1.0, read_value=False)
    with tf.control_dependencies([write]):
        after = v.read_value()
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([before, after]) == [1.0, 2.0]


def test_constant_error_is_raised_by_run():
    bad = tf.floordiv(tf.constant([1, 2]), tf.constant([1, 0]), name="bad")
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(bad)
    assert caught.value.op is bad.op


def test_control_inputs_of_folded_nodes_still_run():
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign_add(1.0)]):
        constant = tf.constant(3.0) * 2.0
        passed = tf.identity(constant)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(passed) == 6.0
        assert session.run(v) == 2.0
        session.run(tf.group(passed))
        assert session.run(v) == 3.0


def test_equal_small_constants_are_merged():
    """So are the nodes that read them, unless dtypes or signs of zero differ."""
    x = tf.placeholder(tf.float32, [3, 4])
    sums = [tf.reduce_sum(x, tf.constant([0])), tf.reduce_sum(x, tf.constant([0]))]
    assert kinds(lowered(*sums, feeds=[x])).count("Sum") == 1
    zeros = [tf.constant(0.0), tf.constant(-0.0), tf.constant(0)]
    with tf.Session() as session:
        plus, minus, whole = session.run([1.0 / zeros[0], 1.0 / zeros[1], zeros[2]])
    assert (plus, minus) == (np.inf, -np.inf) and whole.dtype == np.int32


@pytest.mark.parametrize("chosen, factor", [(True, 2.0), (False, 3.0)])
def test_equal_nodes_of_different_branches_are_kept(chosen, factor):
    with tf.Graph().as_default(), tf.Session() as session:
        x, which = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.bool, [])
        y = tf.cond(which, lambda: tf.sin(x) * 2.0, lambda: tf.sin(x) * 3.0)
        inputs = np.array([0.5, 1.0, 2.0], "f")
        result = session.run(y, {x: inputs, which: chosen})
    np.testing.assert_allclose(result, np.sin(inputs) * factor, rtol=1e-6)
