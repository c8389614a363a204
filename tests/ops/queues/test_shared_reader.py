"""A reader shared across steps."""

from types import SimpleNamespace

from tests.support.waiting import waits_for
from tfmini._src.ops.queues.shared_reader import SharedReader


def test_wait_notes_arriving_work():
    reader = SharedReader(None, "reader")
    request = SimpleNamespace(queue=SimpleNamespace(dequeue=lambda: "work"), is_withdrawn=False)
    assert waits_for(reader._lock, lambda: reader._wait(request))
    assert reader._arriving == "work"


def test_serve_ends_when_no_step_waits():
    """A step that arrives during the check for waiting steps is served too."""
    reader = SharedReader(None, "reader")
    reader._is_busy = True
    assert waits_for(reader._lock, reader._serve)
    assert not reader._is_busy
