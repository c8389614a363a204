"""The polling interval of `SessionManager` for a model that others initialize."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.monitored import session_manager


@pytest.mark.parametrize(
    "longest, waits",
    [(3, [0.5, 1.0, 2.0, 3, 3]), (0.1, [0.1] * 5), (30, [0.5, 1.0, 2.0, 4.0, 8.0])],
)
def test_polling_backs_off(graph, monkeypatch, longest, waits):
    names = iter([["v"]] * 5 + [[]])
    asked = tf.py_func(lambda: np.array(next(names), object), [], tf.string)
    waited = []
    monkeypatch.setattr(session_manager.time, "sleep", waited.append)
    manager = tf.train.SessionManager(ready_op=asked, recovery_wait_secs=longest)
    manager.wait_for_session("").close()
    assert waited == waits
