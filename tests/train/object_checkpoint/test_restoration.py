"""Restoring optimizer slots before the optimizer creates them."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")
optimizers = pytest.mark.parametrize("kind", [tf.train.AdamOptimizer, tf.keras.optimizers.Adam])


def saved(kind, directory):
    """The path of a checkpoint after one step with the gradient 2, and objects to restore it to."""
    trained = tf.train.Checkpoint(v=tf.Variable([1.0]), optimizer=kind(0.1))
    trained.optimizer.apply_gradients([(tf.constant([2.0]), trained.v)])
    return trained.save(str(directory / "c")), tf.train.Checkpoint(
        v=tf.Variable([5.0]), optimizer=kind(0.1)
    )


@optimizers
def test_slots_are_restored_before_training(kind, tmp_path):
    path, objects = saved(kind, tmp_path)
    objects.restore(path).expect_partial()
    moment = objects.optimizer.get_slot(objects.v, "m")
    np.testing.assert_allclose(moment.numpy(), [0.2], rtol=1e-6)  # (1 - 0.9) * 2
    assert len(objects.optimizer.variables()) == 2
    repeated = objects.save(str(tmp_path / "again"))
    key = "v/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE"
    np.testing.assert_allclose(tf.train.load_variable(repeated, key), [0.2], rtol=1e-6)
    objects.optimizer.apply_gradients([(tf.constant([0.0]), objects.v)])
    assert objects.optimizer.get_slot(objects.v, "m") is moment
    np.testing.assert_allclose(moment.numpy(), [0.18], rtol=1e-6)


def variable_at(address, kind):
    """A variable at the address of a freed one; elsewhere if that was reused."""
    blanks = [kind.__new__(kind)]
    while id(blanks[-1]) != address and len(blanks) < 10_000:
        blanks.append(kind.__new__(kind))
    blanks[-1].__init__([7.0])
    return blanks[-1]


@optimizers
def test_custom_creator_defers_slot_until_variable(kind, tmp_path):
    path, objects = saved(kind, tmp_path)
    created = []

    def creator(next_creator, **kwargs):
        created.append(kwargs["name"])
        return next_creator(**kwargs)

    with tf.variable_creator_scope(creator):
        objects.restore(path).expect_partial()
    assert created == ["save_counter"]
    optimizer, address = objects.optimizer, id(objects.v)
    del objects
    other = variable_at(address, type(tf.Variable(0.0)))
    optimizer.apply_gradients([(tf.constant([0.0]), other)])
    np.testing.assert_array_equal(optimizer.get_slot(other, "m").numpy(), [0.0])


@optimizers
def test_deferred_slot_is_restored_on_creation(kind, tmp_path):
    path, objects = saved(kind, tmp_path)
    with tf.variable_creator_scope(lambda next_creator, **kwargs: next_creator(**kwargs)):
        objects.restore(path).expect_partial()
    objects.optimizer.apply_gradients([(tf.constant([0.0]), objects.v)])
    moment = objects.optimizer.get_slot(objects.v, "m")
    np.testing.assert_allclose(moment.numpy(), [0.18], rtol=1e-6)  # 0.9 * 0.2
