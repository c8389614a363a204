"""Partial runs: repetition, order, and errors with TensorFlow 1.15.5's texts."""

import pytest

import tfmini as tf


@pytest.fixture
def tensors(session):
    a, b = tf.placeholder(tf.float32, [], name="a"), tf.placeholder(tf.float32, [2], name="b")
    return a, b, tf.add(a, 1.0, name="c"), tf.multiply(b, 2.0, name="d")


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
def test_invalid_setup(session, tensors, fetches, feeds, kind, text):
    with pytest.raises(kind, match=text):
        session.partial_run_setup(fetches, feeds)


def test_targets_cannot_be_fetched_by_partial_run(session, tensors):
    a, b, c, d = tensors
    handle = session.partial_run_setup([c, c.op], [a])
    with pytest.raises(RuntimeError, match=r"^partial_run\(\) requires empty target_list.$"):
        session.partial_run(handle, c.op, {a: 1})
    assert session.partial_run(handle, c, {a: 1}) == 2.0
