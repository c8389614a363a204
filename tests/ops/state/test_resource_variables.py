"""Resource variable ops; the error texts are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw

MATRIX = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def variable(session, value=MATRIX, **options):
    created = tf.Variable(value, use_resource=True, **options)
    session.run(created.initializer)
    return created


def test_read_is_ordered_by_control_dependencies(session):
    v = variable(session, 1.0)
    before = v.read_value()
    with tf.control_dependencies([before]):
        write = v.assign_add(1.0, read_value=False)
    with tf.control_dependencies([write]):
        after = v.read_value()
    assert session.run([before, after]) == [1.0, 2.0]


def test_handles_of_one_name_share_a_variable(session):
    first = raw.VarHandleOp(dtype=tf.float32, shape=[], shared_name="same")
    second = raw.VarHandleOp(dtype=tf.float32, shape=[], shared_name="same")
    session.run(raw.AssignVariableOp(first, 3.0))
    assert session.run(raw.ReadVariableOp(second, tf.float32)) == 3.0
    handle = session.partial_run(session.partial_run_setup([first]), first)
    assert handle.dtype == [("resource", "u1")]
    assert handle.tolist() == session.run(second).tolist()


def test_assign_may_change_dynamic_shape(session):
    v = variable(session, [1.0, 2.0])
    x = tf.placeholder(tf.float32)
    assert session.run(v.assign(x), {x: [1.0, 2.0, 3.0]}).tolist() == [1.0, 2.0, 3.0]
    assert session.run(raw.VariableShape(v.handle)).tolist() == [3]


def test_static_shapes(session):
    v = variable(session)
    assert v.value().shape == [3, 2]
    assert v.sparse_read([[0, 1]]).shape == [1, 2, 2]
    assert v.gather_nd([[0, 1]]).shape == [1]
    assert v.gather_nd([[2]]).shape == [1, 2]
    assert raw.VariableShape(v.handle).shape == [2]
    assert raw.ReadVariableOp(tf.identity(v.handle), tf.float32).shape == [3, 2]
    fed = tf.placeholder(tf.resource)
    assert raw.ReadVariableOp(fed, tf.float32).shape.ndims is None
    hidden = tf.placeholder_with_default(v.handle, [])
    assert raw.ReadVariableOp(hidden, tf.string).shape.ndims is None
    keys = [raw.MutableHashTableV2(tf.string, tf.float32)]
    keys.append(raw.MutableDenseHashTableV2([b"a", b"b"], [b"", b""], tf.float32))
    assert [raw.ReadVariableOp(each, tf.string).shape.as_list() for each in keys] == [[], [2]]


def test_gradients_of_reads_and_gathers(session):
    v = variable(session)
    read, rows, points, slices = tf.gradients(
        [
            tf.reduce_sum(v * v),
            tf.reduce_sum(v.sparse_read([2, 0, 2]) * 3.0),
        ],
        [v, v, v, v],
    )
    total = session.run(tf.convert_to_tensor(read))
    expected = 2 * np.array(MATRIX)
    expected[[0, 2]] += [[3.0, 3.0], [6.0, 6.0]]
    np.testing.assert_allclose(total, expected)


def test_gather_gradient_is_indexed_slices(session):
    v = variable(session)
    (rows,) = tf.gradients(v.sparse_read([2, 0, 2]) * 3.0, [v.handle])
    assert isinstance(rows, tf.IndexedSlices)
    values, indices, shape = session.run([rows.values, rows.indices, rows.dense_shape])
    assert indices.tolist() == [2, 0, 2]
    assert values.tolist() == [[3.0, 3.0]] * 3
    assert shape.tolist() == [3, 2]
    (points,) = tf.gradients(v.gather_nd([[2, 0], [2, 0]]), [v.handle])
    assert session.run(points).tolist() == [[0.0, 0.0], [0.0, 0.0], [2.0, 0.0]]
    (slices,) = tf.gradients(v.gather_nd([[1]]), [v.handle])
    assert isinstance(slices, tf.IndexedSlices)


NOT_THERE = "Resource localhost/v/N10tensorflow3VarE does not exist."


def test_uninitialized_read_is_refused(session):
    variable(session, name="another")
    v = tf.Variable(MATRIX, use_resource=True, name="v")
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        session.run(v)
    assert str(caught.value).startswith(
        "Error while reading resource variable v from Container: localhost. This could mean that "
        "the "
        f"variable was uninitialized. Not found: {NOT_THERE}\n\t [[node v/Read/ReadVariableOp"
    )


def test_destroyed_variable_is_uninitialized(session):
    variable(session, name="another")
    v = variable(session, name="v")
    session.run(raw.DestroyResourceOp(v.handle))
    assert not session.run(tf.is_variable_initialized(v))


def test_errors_at_run_time(session):
    v = variable(session, 3)
    with pytest.raises(tf.errors.OutOfRangeError, match="^Reached limit of 0"):
        session.run(v.count_up_to(0))


def test_errors_at_construction(session):
    v = variable(session)
    with pytest.raises(ValueError, match=r"Shapes \(3, 2\) and \(1,\) are incompatible"):
        v.assign([1.0])
    with pytest.raises(ValueError, match="Shapes must be equal rank, but are 2 and 1 for"):
        v.assign_add([1.0])


def test_gather_gradient_through_identities(session):
    v = tf.get_variable("v", [20], use_resource=True)

    @tf.custom_gradient
    def passed(handle):
        return tf.identity(handle), lambda grad: grad

    rows = tf.raw_ops.ResourceGather(resource=passed(v.handle), indices=[1, 2], dtype=tf.float32)
    assert rows.shape.as_list() == [2]
    (grad,) = tf.gradients(rows, v.handle)
    assert grad.dense_shape.op.type == "Const"
    session.run(v.initializer)
    assert session.run(grad).dense_shape.tolist() == [20]
