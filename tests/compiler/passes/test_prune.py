"""prune: keeps only required nodes, cut at the feeds, in execution order."""

import pytest

import tfmini as tf
from tests.executor.programs import kinds, names, pruned


def test_unneeded_nodes_are_pruned():
    a = tf.constant(1.0, name="a")
    b = tf.exp(a, name="b")
    tf.sin(a, name="other")
    assert names(pruned(b)) == ["a", "b"]


def test_feeds_cut_dependencies():
    a = tf.constant(1.0, name="a")
    b = tf.exp(a, name="b")
    c = tf.sin(b, name="c")
    program = pruned(c, feeds=[b])
    assert names(program) == ["c"]
    assert program.feeds == (0,) and program.nodes[0].inputs == (0,)


def test_one_output_fed_other_computed():
    parts = tf.split(tf.constant([1.0, 2.0], name="whole"), 2)
    program = pruned(parts[0] + parts[1], feeds=[parts[1]])
    assert kinds(program) == ["Const", "Const", "Split", "AddV2"]
    assert program.nodes[-1].inputs == (program.nodes[2].outputs[0], 0)


def test_targets_and_control_inputs_are_kept():
    v = tf.Variable(1.0, name="v")
    with tf.control_dependencies([v.assign_add(1.0)]):
        last = tf.no_op(name="last")
    program = pruned(targets=[last])
    assert names(program)[-2:] == ["AssignAdd", "last"]
    assert program.nodes[-1].controls == (program.nodes[-2],)


def test_fed_placeholder_is_not_a_control_input():
    x = tf.placeholder(tf.float32, [], name="x")
    z = tf.constant(2.0, name="z")
    with tf.control_dependencies([x, z]):
        y = tf.constant(1.0, name="y")
    assert names(pruned(y, feeds=[x, z])) == ["z", "y"]  # only a placeholder is not run


def test_nodes_run_in_creation_order():
    v = tf.Variable(1.0, name="v")
    read = v + 0.0
    update = v.assign(5.0)
    ran = names(pruned(update, read))
    assert ran.index("add") < ran.index("Assign")


def test_edge_to_later_node_determines_order(graph):
    first = tf.no_op(name="first")
    second = tf.no_op(name="second")
    first._add_control_input(second)
    assert names(pruned(targets=[first])) == ["second", "first"]


def test_cycle_is_rejected(graph):
    first = tf.no_op(name="first")
    second = tf.no_op(name="second")
    first._add_control_input(second)
    second._add_control_input(first)
    with pytest.raises(tf.errors.InvalidArgumentError, match="contains a cycle"):
        pruned(targets=[first])


def test_reference_is_read_after_control_inputs():
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.control_dependencies([v.assign([5.0, 6.0])]):
        after = v * 1.0
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(after).tolist() == [5.0, 6.0]


def test_fetched_reference_is_read_last():
    v = tf.Variable(1.0, name="v")
    add = v.assign_add(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([v, add]) == [2.0, 2.0]
