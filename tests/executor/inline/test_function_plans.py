"""A session's functions: bound and compiled once, under a lock."""

import pytest

import tfmini as tf
from tests.support.held_locks import waits_for


@pytest.fixture
def doubled(session):
    """The function of a session in which a dataset has called it."""
    dataset = tf.data.Dataset.range(3).map(lambda n: n * 2)
    assert session.run(tf.data.make_one_shot_iterator(dataset).get_next()) == 0
    made = [called for each in session._functions._plans.values() for called in each]
    (result,) = [called for called in made if not called.stateful_ops]
    return result


def test_function_compiles_once_under_lock(doubled):
    states = {}
    run = doubled.bind_owner(states, None)
    assert doubled.bind_owner(states, None) == run and run([4]) == (8,) and not states
    assert waits_for(doubled._lock, lambda: doubled.bind_owner(states, None))
    assert waits_for(doubled._lock, doubled.batched_call)


def test_function_binds_once_under_lock(session, doubled):
    functions = session._functions
    node = tf.no_op()
    node.graph._functions[doubled.called.name] = doubled._function

    def bind():
        return functions.bind(node, doubled.called, session._resources)

    assert bind() is doubled
    assert waits_for(functions._lock, bind)
