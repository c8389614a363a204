"""Functions cancelled by another thread, or called too late."""

import threading

import pytest

import tfmini as tf
from tfmini._src.session.eager.cancellation_manager import CancellationManager
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture
def dequeue():
    """A manager, a queue, and a cancelable function that dequeues an item."""
    with tf.Graph().as_default(), eager_mode():
        queue = tf.FIFOQueue(1, tf.int32)
        manager = CancellationManager()
        function = tf.function(lambda: queue.dequeue(), autograph=False)
        yield manager, queue, manager.get_cancelable_function(function.get_concrete_function())


def test_cancelled_before(dequeue):
    manager, _, take = dequeue
    manager.start_cancel()
    with pytest.raises(tf.errors.CancelledError, match="cancelled"):
        take()


def test_cancelled_while_blocked(dequeue):
    manager, _, take = dequeue
    timer = threading.Timer(0.3, manager.start_cancel)
    timer.start()
    with pytest.raises(tf.errors.CancelledError, match="cancelled"):
        take()
    timer.join()


def test_cancelled_after(dequeue):
    manager, queue, take = dequeue
    queue.enqueue(37)
    assert take().numpy() == 37
    manager.start_cancel()
    assert manager.is_cancelled
