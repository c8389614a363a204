"""Steps that wait for a staging area."""

from tests.support.waiting import waits_for
from tfmini._src.ops.queues.staging_resource import WaitingRoom


def test_withdrawn_attempt_is_forgotten():
    room = WaitingRoom()
    attempt = room.submit(lambda: None)
    assert waits_for(room._lock, lambda: room._withdraw(attempt))
    assert attempt.is_ended and not room._waiting
