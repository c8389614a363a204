"""Steps waiting for a staging area."""

from tests.support.waiting import waits_for
from tfmini._src.ops.queues.staging_resource import WaitQueue


def test_withdrawn_attempt_is_forgotten():
    queue = WaitQueue()
    attempt = queue.submit(lambda: None)
    assert waits_for(queue._lock, lambda: queue._withdraw(attempt))
    assert attempt.is_ended and not queue._waiting
