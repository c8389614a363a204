"""Lazy creation and counting are thread-safe."""

import logging

import pytest

from tests.support.waiting import waits_for
from tfmini._src.base import logs, proto


def test_logger_is_configured_once(monkeypatch):
    created = []
    monkeypatch.setattr(logs, "_logger", None)
    monkeypatch.setattr(logs, "_set_up", lambda logger: created.append(logger) or logger)
    assert waits_for(logs._lock, logs.get_logger)
    assert logs.get_logger() is logs.get_logger() and len(created) == 1


def test_line_counts_are_locked(caplog):
    def visit():
        logs.log_first_n(logging.ERROR, "visited %d", 2, 1)

    assert waits_for(logs._lock, visit)
    for _ in range(3):
        visit()
    assert [record.getMessage() for record in caplog.records] == ["visited 1"] * 2


def test_message_loading_is_locked():
    assert waits_for(proto._lock, lambda: proto.__getattr__("NodeDef"))
    assert proto.__getattr__("NodeDef") is proto.NodeDef
    with pytest.raises(AttributeError, match="has no message or enum 'NoSuchMessage'$"):
        proto.NoSuchMessage  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute '_private'$"):
        proto._private  # noqa: B018
