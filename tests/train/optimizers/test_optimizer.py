"""Optimizer: computing and applying gradients, slots, the global step, constraints, errors."""

import numpy as np
import pytest

import tfmini as tf

GD = tf.train.GradientDescentOptimizer


def message_of(kind, function, *args, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    return str(caught.value)


def started():
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def test_all_trainable_variables_by_default():
    v, w = tf.Variable(1.0), tf.Variable(2.0, use_resource=True)
    fixed = tf.Variable(3.0, trainable=False)
    pairs = GD(0.1).compute_gradients(v * w * fixed)
    assert [variable for _, variable in pairs] == [v, w]
    step = GD(0.1).apply_gradients(pairs)
    assert step.type == "NoOp" and step.name == "GradientDescent"
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [step]
    with started() as session:
        session.run(step)
        np.testing.assert_allclose(session.run([v, w, fixed]), [0.4, 1.7, 3.0], rtol=1e-6)


class Signed(tf.train.Optimizer):
    """A user-defined optimizer."""

    def __init__(self):
        super().__init__(False, "Signed")

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "seen", self._name)

    def _apply_dense(self, grad, var):
        seen = self.get_slot(var, "seen")
        return tf.group(seen.assign_add(tf.abs(grad)), var.assign_sub(tf.sign(grad)))


def test_custom_optimizer():
    v = tf.Variable([1.0, -1.0], name="v")
    optimizer = Signed()
    step = optimizer.minimize(tf.reduce_sum(v * [5.0, -5.0]))
    with started() as session:
        session.run(step)
        assert session.run([v, optimizer.get_slot(v, "seen")])[0].tolist() == [0.0, 0.0]
    resource = tf.Variable(1.0, use_resource=True)
    with pytest.raises(
        NotImplementedError, match="^Signed has no dense update of resource variables$"
    ):
        optimizer.minimize(resource * 2.0, var_list=[resource])


def test_partitioned_variables_are_rejected():
    parts = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2))
    loss = tf.reduce_sum(parts)
    message = message_of(AttributeError, GD(0.1).minimize, loss, var_list=[parts])
    assert message == "'PartitionedVariable' object has no attribute 'op'"
