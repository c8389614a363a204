"""tf.compat.v2 functions derived from those of tf: warnings and defaults."""

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
def test_version_two_functions_do_not_warn(monkeypatch, caplog, graph, call, name):
    monkeypatch.setattr(deprecation, "_warned", set())
    call(tf.compat.v2.nn, tf.ones([1, 4, 4, 1]))
    assert not caplog.messages
    assert "DEPRECATED" not in getattr(tf.compat.v2.nn, name).__doc__
    assert "DEPRECATED" in getattr(tf.nn, name).__doc__


def test_shared_defaults_defer_to_ragged_dispatch(session):
    rows = tf.ragged.constant([[1, 2], [3]])
    assert session.run(tf.compat.v2.gather(rows, [1, 0])).to_list() == [[3], [1, 2]]
    with pytest.raises(ValueError, match=r"^axis != 0 is not supported for ragged gather yet\.$"):
        tf.compat.v2.gather(rows, [1, 0], axis=None)
