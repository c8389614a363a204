"""Coordinated thread shutdown."""

import threading

import pytest

import tfmini as tf


def test_join_raises_exception_with_original_traceback():
    coordinator = tf.train.Coordinator()

    def fails():
        with coordinator.stop_on_exception():
            raise KeyError("mine")

    thread = threading.Thread(target=fails)
    coordinator.register_thread(thread)
    thread.start()
    with pytest.raises(KeyError, match="mine") as caught:
        coordinator.join()
    assert caught.traceback[-1].name == "fails"
    assert coordinator.should_stop() and coordinator.joined
    with pytest.raises(KeyError, match="'mine'"):
        coordinator.raise_requested_exception()


def test_exception_after_join_is_raised():
    """TensorFlow fails while raising it."""
    coordinator = tf.train.Coordinator()
    coordinator.join()
    with pytest.raises(TypeError, match="after it was joined"):
        coordinator.request_stop(TypeError("after it was joined"))


def test_exit_is_raised_by_join():
    coordinator = tf.train.Coordinator()
    with coordinator.stop_on_exception():
        raise SystemExit(3)
    assert coordinator.should_stop()
    with pytest.raises(SystemExit, match="3"):
        coordinator.join()


@pytest.mark.parametrize(
    "ex", [(None, None, None), (1, 2), ValueError("handled by nobody"), "text", 5]
)
def test_invalid_exc_info_is_refused(ex):
    """TensorFlow fails while formatting its message."""
    coordinator = tf.train.Coordinator()
    with pytest.raises(TypeError, match="not all arguments converted during string formatting\n"):
        coordinator.request_stop(ex)
    assert not coordinator.should_stop()


def test_invalid_exc_info_value_fails_in_join():
    coordinator = tf.train.Coordinator()
    coordinator.request_stop((ValueError, "no exception", None))
    with pytest.raises(AttributeError, match="'str' object has no attribute '__traceback__'"):
        coordinator.join()


def test_exception_being_handled_takes_precedence():
    coordinator = tf.train.Coordinator()
    try:
        raise KeyError("handled")
    except KeyError:
        coordinator.request_stop("given")
    with pytest.raises(KeyError, match="handled"):
        coordinator.join()


def test_live_threads_time_out():
    coordinator, end = tf.train.Coordinator(), threading.Event()
    thread = threading.Thread(target=end.wait, name="endless", daemon=True)
    thread.start()
    try:
        coordinator.request_stop()
        with pytest.raises(RuntimeError, match="threads still running: endless"):
            coordinator.join([thread], stop_grace_period_secs=0.05)
        coordinator.join([thread], stop_grace_period_secs=0.05, ignore_live_threads=True)
    finally:
        end.set()
        thread.join()
