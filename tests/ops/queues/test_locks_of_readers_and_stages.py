"""A step that is cancelled changes what it changes alone."""

from types import SimpleNamespace

from tests.support.waiting import waits_for
from tfmini._src.ops.queues.shared_reader import SharedReader
from tfmini._src.ops.queues.staging_resource import WaitingRoom


def test_a_reader_notes_the_work_it_waits_for():
    reader = SharedReader(None, "reader")
    request = SimpleNamespace(queue=SimpleNamespace(dequeue=lambda: "work"), is_withdrawn=False)
    assert waits_for(reader._lock, lambda: reader._wait(request))
    assert reader._arriving == "work"


def test_a_reader_serves_until_nobody_waits():
    """A step that comes while it looks whether there is another is not left behind."""
    reader = SharedReader(None, "reader")
    reader._is_busy = True
    assert waits_for(reader._lock, reader._serve)
    assert not reader._is_busy


def test_a_staging_area_forgets_who_waited():
    room = WaitingRoom()
    attempt = room.submit(lambda: None)
    assert waits_for(room._lock, lambda: room._withdraw(attempt))
    assert attempt.is_ended and not room._waiting
