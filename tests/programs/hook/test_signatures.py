"""Functions of tf.compat.v2 are made of those of tf, not of what is deprecated of them."""

import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda nn, x: nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0]), "fractional_max_pool"),
        (lambda nn, x: nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0]), "fractional_avg_pool"),
        (lambda nn, x: nn.softmax(x, -2), "softmax"),
    ],
)
def test_they_do_not_warn(monkeypatch, caplog, graph, call, name):
    monkeypatch.setattr(deprecation, "_warned", set())
    call(tf.compat.v2.nn, tf.ones([1, 4, 4, 1]))
    assert not caplog.messages
    assert "DEPRECATED" not in getattr(tf.compat.v2.nn, name).__doc__
    assert "DEPRECATED" in getattr(tf.nn, name).__doc__
