"""Reference variables; the error texts are TensorFlow 1.15.5's."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.graph.opdef import raw


def variable(session, value, **options):
    created = tf.Variable(value, **options)
    session.run(created.initializer)
    return created


@pytest.mark.parametrize("op", ["VariableV2", "Variable"])
@pytest.mark.parametrize("dims", [[0], [0, 2], [2, 0]])
@pytest.mark.parametrize("dtype", [tf.float32, tf.string, tf.bfloat16])
def test_empty_variable_counts_as_initialized(session, op, dims, dtype):
    ref = getattr(raw, op)(shape=dims, dtype=dtype)
    assert session.run(raw.IsVariableInitialized(ref))
    read = session.run(ref)
    assert read.shape == tuple(dims) and read.dtype == dtype.as_numpy_dtype


def test_empty_variable_needs_no_initializer(session, tmp_path):
    empty = tf.Variable(tf.zeros([0, 3]))
    tf.Variable(tf.zeros([2]), name="other")
    assert session.run(tf.report_uninitialized_variables()).tolist() == [b"other"]
    assert session.run(empty.assign_add(tf.ones([0, 3]))).shape == (0, 3)
    scattered = tf.scatter_update(empty, tf.zeros([0], tf.int32), tf.ones([0, 3]))
    assert session.run(scattered).shape == (0, 3)
    saver = tf.train.Saver([empty])
    saver.restore(session, saver.save(session, str(tmp_path / "model")))
    assert session.run(tf.assign(empty, tf.ones([2, 3]), validate_shape=False)).shape == (2, 3)
    resource = tf.Variable(tf.zeros([0]), use_resource=True)
    assert not session.run(resource.is_initialized())


def test_empty_variable_on_gpu():
    with tf.Graph().as_default(), fake_gpus():
        with tf.device("/gpu:1"):
            v = tf.Variable(tf.zeros([0, 3]))
            doubled = v * 2.0
        with tf.Session() as session:
            for _ in range(4):
                assert session.run(doubled).shape == (0, 3)


@pytest.mark.parametrize("op", ["VariableV2", "Variable"])
def test_partial_shape_is_refused(session, op):
    ref = getattr(raw, op)(shape=[None, 0], dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Shape \[\?,0\] is not fully"):
        session.run(ref)


def test_assign_copies_value(session):
    v = variable(session, np.zeros(3, "f"))
    fed = np.ones(3, "f")
    value = tf.placeholder(tf.float32, [3])
    session.run(v.assign(value), {value: fed})
    fed[:] = 7
    before = session.run(v)
    session.run(v.assign_add([1.0, 1.0, 1.0]))
    assert session.run(v).tolist() == [2.0] * 3
    assert before.tolist() == [1.0] * 3


def test_assign_without_shape_validation(session):
    v = variable(session, [1.0, 2.0])
    session.run(tf.assign(v, [[9.0]], validate_shape=False))
    assert session.run(v.op.outputs[0]).tolist() == [[9.0]]


@pytest.mark.parametrize("value", ["text", [True, False], np.array([1 + 2j]), np.float16(1.5)])
def test_values_of_every_dtype(session, value):
    actual = session.run(variable(session, value).assign(value))
    expected = np.asarray(value)
    assert np.array_equal(actual, expected if expected.dtype.kind != "U" else b"text")


def test_temporary_variables_are_local_to_a_run(session):
    temporary = raw.TemporaryVariable(shape=[2], dtype=tf.float32)
    total = raw.AssignAdd(raw.Assign(temporary, [1.0, 2.0]), [1.0, 1.0])
    value = raw.DestroyTemporaryVariable(total, var_name=temporary.op.name)
    assert session.run(value).tolist() == session.run(value).tolist() == [2.0, 3.0]


def test_temporary_variable_is_destroyed_once(session):
    temporary = raw.TemporaryVariable(shape=[1], dtype=tf.float32, var_name="t")
    assigned = raw.Assign(temporary, [1.0])
    first = raw.DestroyTemporaryVariable(assigned, var_name="t")
    with tf.control_dependencies([first]):
        second = raw.DestroyTemporaryVariable(assigned, var_name="t")
    assert session.run(first) == [1.0]
    with pytest.raises(tf.errors.NotFoundError, match="__per_step_.*/t/.*does not exist"):
        session.run(second)


def test_temporary_variable_alone(session):
    temporary = raw.TemporaryVariable(shape=[0], dtype=tf.float32)
    assert session.run(tf.size(temporary)) == 0


def test_temporary_variable_names_are_unique(session):
    def made(after):
        with tf.control_dependencies(after):
            temporary = raw.TemporaryVariable(shape=[1], dtype=tf.float32, var_name="q")
        return raw.Assign(temporary, [1.0])

    first = made([])
    second = made([first])
    with pytest.raises(
        tf.errors.AlreadyExistsError,
        match="Resource __per_step_./q/N10tensorflow19TemporaryVariableOp6TmpVarE",
    ):
        session.run([first, second])
    assert session.run(first) == [1.0]  # a step begins again
    with tf.control_dependencies([raw.DestroyTemporaryVariable(first, var_name="q")]):
        third = raw.Assign(raw.TemporaryVariable(shape=[1], dtype=tf.float32, var_name="q"), [3.0])
    assert session.run(third) == [3.0]


def test_temporary_variable_in_loop_is_created_once(session):
    def body(i):
        temporary = raw.TemporaryVariable(shape=[], dtype=tf.int32, var_name="q")
        return [i + 1 + 0 * raw.Assign(temporary, i)]

    with pytest.raises(tf.errors.AlreadyExistsError, match=r"^Resource __per_step_\d+/q/\S*TmpVar"):
        session.run(tf.while_loop(lambda i: i < 3, body, [0]))


def test_static_shapes(session):
    v = tf.Variable([[1.0, 2.0]])
    loose = tf.Variable(tf.placeholder(tf.float32), validate_shape=False)
    assert tf.assign(v, [[3.0, 4.0]]).shape == [1, 2]
    assert tf.assign(loose, [3.0], validate_shape=False).shape == [1]
    assert loose.shape.ndims is None
    assert raw.Variable(shape=[], dtype=tf.float32).shape.ndims is None


def at_construction():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="v")
    s = tf.Variable(1.0, name="s")
    yield lambda: tf.assign(v, [1.0]), ValueError, "Shapes must be equal rank, but are 2 and 1 for"
    yield lambda: tf.assign_add(s, [1.0]), ValueError, "Shapes must be equal rank, but are 0 and 1"
    yield (
        lambda: tf.count_up_to(s, 3),
        TypeError,
        "Value passed to parameter 'ref' has DataType float32 not in list of allowed values: int32",
    )
    yield (
        lambda: raw.Assign(tf.constant(1.0), 2.0),
        TypeError,
        "'Assign' Op requires that input 'ref' be a mutable tensor (e.g.: a tf.Variable)",
    )
    yield lambda: v.assign(["a"]), TypeError, "Expected float32, got 'a' of type 'str' instead."
    yield (
        lambda: tf.count_up_to(tf.Variable([1]), 3),
        ValueError,
        "Shape must be rank 0 but is rank 1 for 'CountUpTo_1' (op: 'CountUpTo')",
    )


def test_errors_at_construction():
    with tf.Graph().as_default():
        for case, kind, text in at_construction():
            with pytest.raises(kind) as caught:
                case()
            assert text in str(caught.value)


@pytest.mark.parametrize(
    ("op", "text"),
    [
        (
            lambda v, x: tf.assign(v, x),
            "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]",
        ),
        (lambda v, x: tf.assign_add(v, x), "Parameters and update must be the same size"),
        (lambda v, x: tf.assign_sub(v, x), "Parameters and update must be the same size"),
    ],
)
def test_failing_op_has_no_effect(session, op, text):
    v = variable(session, [1.0, 2.0], name="v")
    x = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(op(v, x), {x: [1.0, 2.0, 3.0]})
    assert str(caught.value).startswith(text)
    assert session.run(v).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_concurrent_updates_and_reads_are_atomic(session, use_resource):
    v = variable(session, np.zeros(10_000, "f"), use_resource=use_resource)
    add, one = v.assign_add(tf.ones([10_000])).op, tf.scatter_add(v, [0], [0.0]).op
    torn = []

    def write():
        for _ in range(100):
            session.run(add)
            session.run(one)

    def read():
        for _ in range(200):
            value = session.run(v)
            torn.extend(value[value != value[0]])

    threads = [threading.Thread(target=f) for f in (write, write, write, write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not torn
    assert set(session.run(v)) == {400.0}
