"""The state of a session."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("use_it", [False, True])
def test_a_reference_variable_makes_the_container(use_it):
    with tf.Graph().as_default(), tf.Session() as session:
        v, r = tf.Variable(1.0), tf.Variable(1.0, name="r", use_resource=True)
        if use_it:
            session.run(tf.is_variable_initialized(v))
        wanted = (
            "Not found: Resource localhost/r/N10tensorflow3VarE does not exist."
            if use_it
            else "Not found: Container localhost does not exist. (Could not find resource: localhost/r)"
        )
        with pytest.raises(tf.errors.FailedPreconditionError) as failure:
            session.run(r)
        assert wanted in failure.value.message


def test_what_shares_a_variables_memory_does_not_change():
    with tf.Graph().as_default(), tf.Session() as session:
        drawn = tf.Variable(tf.random_normal([40, 50], seed=1))
        session.run(drawn.initializer)
        before = session.run(drawn)
        rows = drawn[:3]
        with tf.control_dependencies([rows]):
            added = tf.assign_add(drawn, tf.ones([40, 50]))
        with tf.control_dependencies([added]):
            after = rows * 1
        assert (session.run(after) == before[:3]).all()
        assert (session.run(drawn) == before + 1).all()
