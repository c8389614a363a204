"""Checkpoints in eager mode, object-based and name-based."""

import numpy as np
import pytest

import tfmini as tf
import tfmini.contrib.eager as tfe

pytestmark = pytest.mark.usefixtures("eager")


@pytest.fixture
def prefix(tmp_path):
    return str(tmp_path / "c")


@pytest.mark.parametrize("last, expected", [(1, 13), (0, 12)])
@pytest.mark.parametrize("held_last", [0, 1])
def test_last_restoration_wins(prefix, last, expected, held_last):
    root = tf.train.Checkpoint(v=tf.Variable(12.0))
    paths = [root.save(prefix)]
    root.v.assign(13.0)
    paths.append(root.save(prefix))
    roots, v = [tf.train.Checkpoint(), tf.train.Checkpoint()], tf.Variable(0.0)
    statuses = [created.restore(paths[n]) for created, n in zip(roots, (1 - last, last))]
    for number in (1 - held_last, held_last):
        roots[number].v = v
    assert v.numpy() == expected
    assert all(status.assert_consumed() for status in statuses)


def test_later_restoration_survives_initialization(prefix):
    path = tf.train.Checkpoint(v=tf.Variable(12.0)).save(prefix)
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        first = tf.train.Checkpoint(v=v).restore(None)
        tf.train.Checkpoint(v=v).restore(path).run_restore_ops(session)
        first.initialize_or_restore(session)
        assert session.run(v) == 12.0


def test_last_restoration_wins_for_nested_objects(prefix):
    inner = tf.train.Checkpoint(v=tf.Variable(12.0))
    path = tf.train.Checkpoint(inner=inner).save(prefix)
    with tf.Graph().as_default(), tf.Session() as session:
        root = tf.train.Checkpoint()
        earlier, later = [root.restore(path).expect_partial() for _ in range(2)]
        root.inner = tf.train.Checkpoint()
        root.inner.v = tf.Variable(0.0, use_resource=True)
        session.run(root.inner.v.initializer)
        for status, expected in ((earlier, 0.0), (later, 12.0)):
            status.initialize_or_restore(session)
            assert session.run(root.inner.v) == expected


def test_missing_keras_slot_is_an_error():
    with pytest.raises(KeyError, match="weight"):
        tf.keras.optimizers.Adam().get_slot(tf.Variable(1.0, name="weight"), "m")


def test_mismatches_are_reported(prefix):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).save(prefix)
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.b"):
        tf.train.Checkpoint(a=tf.Variable(0.0)).restore(path).assert_consumed()
    with pytest.raises(AssertionError, match="Some Python objects were not bound"):
        tf.train.Checkpoint(c=tf.Variable(0.0)).restore(path).assert_existing_objects_matched()


def test_graph_restores_eager_checkpoint(prefix):
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0], name="v")).save(prefix)
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", [2], use_resource=True)
        tf.train.Checkpoint(v=v).restore(path).assert_consumed().run_restore_ops()
        np.testing.assert_array_equal(session.run(v), [1, 2])


def test_python_state(prefix):
    class State(tf.train.experimental.PythonState):
        text = b"before"

        def serialize(self):
            return self.text

        def deserialize(self, string_value):
            self.text = string_value

    state = State()
    checkpoint = tf.train.Checkpoint(state=state)
    path = checkpoint.save(prefix)
    state.text = b"after"
    checkpoint.restore(path).assert_consumed()
    assert state.text == b"before"
    state.text = b"later"
    assert checkpoint.restore(checkpoint.save(prefix)) and state.text == b"later"


def test_unsupported_saver_calls(prefix):
    with pytest.raises(RuntimeError, match="`var_list` must specify a list or dict"):
        tf.train.Saver()
    with pytest.raises(RuntimeError, match="Use save/restore instead of build in eager mode."):
        tf.train.Saver([tf.Variable(1.0)]).build()
    same = [tf.Variable(1.0, name="v"), tf.Variable(2.0, name="v")]
    with pytest.raises(ValueError, match="Two different ResourceVariable objects with the same"):
        tfe.Saver(same).save(prefix)
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="tfe.Saver can only be used"):
        tfe.Saver([])


def test_restore_variables_on_create(prefix):
    path = tfe.Saver([tf.Variable([1.0, 2.0], name="v")]).save(prefix)
    with tfe.restore_variables_on_create(path):
        np.testing.assert_array_equal(tfe.Variable([0.0, 0.0], name="v").numpy(), [1, 2])
        np.testing.assert_array_equal(tf.Variable([5.0, 5.0], name="v").numpy(), [5, 5])
        with pytest.raises(tf.errors.NotFoundError, match="w not found in checkpoint"):
            tf.Variable(0.0, name="w")
    with tfe.restore_variables_on_create(path, lambda name: name[0]):
        np.testing.assert_array_equal(tf.Variable([0.0, 0.0], name="vv").numpy(), [1, 2])
    with tfe.restore_variables_on_create(None):
        assert tf.Variable(4.0, name="w").numpy() == 4
    with pytest.raises(ValueError, match="map_func must be callable."):
        with tfe.restore_variables_on_create(path, "v"):
            pass


def test_optimizer_variables():
    v, optimizer = tf.Variable(1.0, name="v"), tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(lambda: v * v)
    assert [slot.name for slot in tfe.get_optimizer_variables(optimizer)] == ["v/Momentum:0"]


def test_function_writes_on_every_call(prefix):
    root = tf.train.Checkpoint(v=tf.Variable(1.0))
    write = tf.function(lambda: root.write(prefix))
    for value in (3.0, 5.0):
        root.v.assign(value)
        assert write().numpy() == prefix.encode()
        root.v.assign(0.0)
        root.restore(prefix)
        assert root.v.numpy() == value
    with pytest.raises(NotImplementedError, match="from a function is not supported"):
        tf.function(lambda: root.save(prefix))()
