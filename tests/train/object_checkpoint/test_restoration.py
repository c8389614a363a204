"""What a checkpoint has for objects that are gone when its turn comes."""

import numpy as np
import pytest

import tfmini as tf


def variable_in_the_place_of(number):
    """A variable at the address of one that is freed, if the allocator gives it back soon."""
    made = []
    while len(made) < 100 and (not made or id(made[-1]) != number):
        made.append(tf.Variable([7.0]))
    return made[-1]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("kind", [tf.train.AdamOptimizer, tf.keras.optimizers.Adam])
def test_a_slot_waits_for_its_own_variable(kind, tmp_path):
    saved = tf.train.Checkpoint(v=tf.Variable([1.0]), optimizer=kind(0.1))
    saved.optimizer.apply_gradients([(tf.constant([2.0]), saved.v)])
    path = saved.save(str(tmp_path / "c"))
    restored = tf.train.Checkpoint(v=tf.Variable([5.0]), optimizer=kind(0.1))
    restored.restore(path).expect_partial()
    optimizer, number = restored.optimizer, id(restored.v)
    del restored
    other = variable_in_the_place_of(number)
    optimizer.apply_gradients([(tf.constant([0.0]), other)])
    np.testing.assert_array_equal(optimizer.get_slot(other, "m").numpy(), [0.0])
