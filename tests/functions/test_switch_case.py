"""`tf.switch_case`: graphs, values and errors as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf


def test_only_selected_branch_runs():
    ran = []

    def record(value, number):
        return tf.py_func(lambda v: ran.append(number) or v, [value], tf.float32)

    index, x = tf.placeholder(tf.int32, []), tf.constant([1.0, 2.0])
    y = tf.switch_case(
        index, [lambda: record(x, 0), lambda: record(x * 10, 1)], default=lambda: record(-x, 2)
    )
    assert [(op.name, op.type) for op in tf.get_default_graph().get_operations()[2:]] == [
        ("switch_case/indexed_case", "Case"),
        ("switch_case/indexed_case/Identity", "Identity"),
    ]
    assert tf.get_default_graph().get_all_collection_keys() == tf.get_collection("no", "(") == []
    with tf.Session() as session:
        result = [session.run(y, {index: n}).tolist() for n in (0, 1, 2, -1)]
    assert result == [[1, 2], [10, 20], [-1, -2], [-1, -2]]
    assert ran == [0, 1, 2, 2]


def test_structures_and_gradients():
    index, x, w = tf.placeholder(tf.int32, []), tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    first, more = tf.switch_case(index, {1: lambda: (x * w, {"a": w}), 0: lambda: (w, {"a": x})})
    gradients = tf.gradients(first, [x, w])
    with tf.Session() as session:
        assert session.run(more, {index: 0})["a"].tolist() == [1, 2]
        np.testing.assert_array_equal(session.run(gradients, {index: 1}), [[3, 4], [1, 2]])
        np.testing.assert_array_equal(session.run(gradients, {index: 0}), [[0, 0], [1, 1]])


def test_branches_may_return_operations():
    v = tf.Variable(0, use_resource=True)
    done = tf.switch_case(tf.constant(1), [tf.no_op, lambda: v.assign(7).op])
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(done) == 1 and session.run(v) == 7


def test_branch_tensors_are_not_shared():
    created = []

    def first():
        created.append(tf.constant(1.0, name="own"))
        return created[0]

    with pytest.raises(ValueError, match="Tensor own:0 in branch 0 is accessed from branch 1."):
        tf.switch_case(tf.constant(0), [first, lambda: created[0] + 1.0])


def test_conditional_branch_tensors_are_not_shared():
    retained = [tf.constant(1.0)]

    def first():
        retained[0] = tf.identity(retained[0], name="made")
        return retained[0]

    def choose(cond):
        retained[0] = tf.constant(1.0)
        return cond(first, lambda: tf.identity(retained[0]))

    with pytest.raises(ValueError, match="^Tensor made:0 in branch 0 is accessed from branch 1.$"):
        choose(lambda *branches: tf.switch_case(tf.constant(0), list(branches)))

    @tf.function(autograph=False)
    def conditional():
        return choose(lambda *branches: tf.cond(tf.constant(True), *branches))

    with pytest.raises(ValueError, match="Tensor made:0 in true_fn is accessed from false_fn."):
        conditional()


def test_slices_and_tensor_are_incompatible():
    @tf.function(autograph=False)
    def conditional():
        slices = tf.IndexedSlices(tf.constant([10]), tf.constant([0]))
        tf.cond(tf.constant(True), lambda: slices, lambda: slices.values)

    with pytest.raises(TypeError, match="^Cannot reconcile tf.cond 0-th outputs:\n  branches ret"):
        conditional()


def test_concrete_functions_as_branches():
    x = tf.constant(3.0)
    branches = [tf.function(lambda v, n=n: v * n).get_concrete_function(x) for n in (2.0, 5.0)]
    y = tf.raw_ops.Case(branch_index=1, input=[x], Tout=[tf.float32], branches=branches)
    with tf.Session() as session:
        assert session.run(y) == [15.0]
