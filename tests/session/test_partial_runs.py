"""Steps in parts: how often, in which order, and what is refused, in TensorFlow 1.15.5's words."""

import numpy as np
import pytest

import tfmini as tf


@pytest.fixture
def tensors(session):
    a, b = tf.placeholder(tf.float32, [], name="a"), tf.placeholder(tf.float32, [2], name="b")
    return a, b, tf.add(a, 1.0, name="c"), tf.multiply(b, 2.0, name="d")


def test_each_part_is_fed_and_fetched_once(session, tensors):
    a, b, c, d = tensors
    handle = session.partial_run_setup([c, d], [a, "b:0"])
    assert session.partial_run(handle, []) == []
    assert session.partial_run(handle, {"c": c}, {a: 2}) == {"c": 3.0}
    for fetch, feeds in ((c, {}), (d, {a: 3})):
        with pytest.raises(tf.errors.InvalidArgumentError, match="already been (fed|fetched)"):
            session.partial_run(handle, fetch, feeds)


def test_its_last_part_ends_it(session, tensors):
    a, b, c, d = tensors
    handle = session.partial_run_setup([c, d], [a, b])
    other = session.partial_run_setup([c], [a])
    assert handle != other
    session.partial_run(handle, c, {a: 2})
    np.testing.assert_array_equal(session.partial_run(handle, d, {b: [1, 2]}), [2, 4])
    assert session.partial_run(other, c, {a: 5}) == 6.0
    text = "Must run 'setup' before performing partial runs!"
    for ended in (handle, other, "nothing"):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.partial_run(ended, c, {a: 1})


@pytest.mark.parametrize(
    "fetches, feeds, kind, text",
    [
        (
            ["c:0"],
            [3],
            TypeError,
            "^Feed argument 3 cannot be interpreted as a Tensor: Can not convert a int",
        ),
        (["c:0"], ["a"], TypeError, "^Feed argument 'a' cannot be interpreted as a Tensor: "),
        (["c:0"], ["z:0"], TypeError, "^Feed argument 'z:0' cannot be interpreted as a Tensor: "),
        ([], ["a:0"], tf.errors.InvalidArgumentError, "^Must specify at least one target to fetch"),
        (["z:0"], ["a:0"], ValueError, "z"),
    ],
)
def test_what_cannot_be_announced(session, tensors, fetches, feeds, kind, text):
    with pytest.raises(kind, match=text):
        session.partial_run_setup(fetches, feeds)


def test_what_may_not_be_fed_is_not_announced(session, tensors):
    a, b, c, d = tensors
    session.graph.prevent_feeding(a)
    with pytest.raises(ValueError, match=r"^Tensor Tensor\(\"a:0\".* may not be fed.$"):
        session.partial_run_setup(c, [a])


def test_operations_are_announced_and_not_fetched(session, tensors):
    a, b, c, d = tensors
    handle = session.partial_run_setup([c, c.op], [a])
    with pytest.raises(RuntimeError, match=r"^partial_run\(\) requires empty target_list.$"):
        session.partial_run(handle, c.op, {a: 1})
    assert session.partial_run(handle, c, {a: 1}) == 2.0


def test_a_closed_session_has_none(session, tensors):
    a, b, c, d = tensors
    handle = session.partial_run_setup(c, [a])
    session.close()
    for call in (
        lambda: session.partial_run(handle, c, {a: 1}),
        lambda: session.partial_run_setup(c, [a]),
    ):
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
            call()
