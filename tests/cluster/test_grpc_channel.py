"""gRPC channels over slow connections."""

import queue
import socket
import sys
import threading
from contextlib import closing, suppress
from time import sleep

import grpc
import pytest

import tfmini as tf
from tfmini._src.cluster import grpc_channel
from tfmini._src.cluster.grpc_channel import Channel
from tfmini._src.cluster.grpc_server import Service

SLOW_SECONDS = 0.25


def _passed_on(source, target):
    with suppress(OSError):
        while data := source.recv(4096):
            target.sendall(data)


def test_slow_connection_is_awaited():
    """For a distant or busy host: repeated aborted attempts would never connect."""
    service = Service("127.0.0.1:0", {"/test/Twice": lambda request, call: request * 2})
    service.start()
    connections = []

    def accept(listener):
        with suppress(OSError):
            while True:
                connections.append(listener.accept()[0])
                threading.Thread(target=serve, args=connections[-1:], daemon=True).start()

    def serve(found):
        sleep(SLOW_SECONDS)
        with found, socket.create_connection(("127.0.0.1", service.port)) as server:
            threading.Thread(target=_passed_on, args=(found, server), daemon=True).start()
            _passed_on(server, found)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        with closing(Channel(f"127.0.0.1:{listener.getsockname()[1]}")) as channel:
            assert channel.call("/test/Twice", b"ab", 60, waits=True) == b"abab"
        listener.shutdown(socket.SHUT_RDWR)
    service.stop()
    assert len(connections) == 1


class Failed:
    """A gRPC error."""

    def __init__(self, code, details):
        self.status, self.text = code, details

    def code(self):
        return self.status

    def details(self):
        return self.text


@pytest.mark.parametrize(
    "code, details, kind, text",
    [
        (grpc.StatusCode.UNAVAILABLE, None, "UnavailableError", "Socket closed (host:1)"),
        (grpc.StatusCode.UNAVAILABLE, "gone", "UnavailableError", "gone (host:1)"),
        (grpc.StatusCode.UNAVAILABLE, "at host:1", "UnavailableError", "at host:1"),
        (grpc.StatusCode.NOT_FOUND, None, "NotFoundError", ""),
        (grpc.StatusCode.CANCELLED, "x", "CancelledError", "x"),
        (grpc.StatusCode.UNAUTHENTICATED, "who", "UnauthenticatedError", "who"),
        (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "Received message larger than max (40 vs. 30)",
            "ResourceExhaustedError",
            "A message of 40 bytes exceeds the limit of the server at host:1, 30 (TFMINI_LIMITS=message)",
        ),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "memory", "ResourceExhaustedError", "memory"),
    ],
)
def test_grpc_errors_are_translated(code, details, kind, text):
    error = grpc_channel.call_error(Failed(code, details), "host:1")
    assert (type(error).__name__, error.message) == (kind, text)


@pytest.mark.parametrize("code", [0, 17, 99, -1])
def test_unknown_codes_become_unknown_errors(code):
    error = grpc_channel.error_from(code, "text")
    assert isinstance(error, tf.errors.UnknownError)
    assert (error.message, error.error_code) == ("text", code)


def test_each_code_has_an_error_class():
    for code in range(1, 17):
        error = grpc_channel.error_from(code, "text")
        assert error.error_code == code and error.message == "text"
        assert type(error) is tf.errors.exception_type_from_error_code(code)


def test_channels_are_cached_by_task():
    channels = grpc_channel.Channels({"/job:ps/task:0": "127.0.0.1:1"})
    first = channels.channel_to("/job:ps/task:0")
    assert first is channels.channel_to("/job:ps/task:0") and first.address == "127.0.0.1:1"
    assert "/job:ps/task:0" in channels and "/job:ps/task:1" not in channels
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="^The cluster has no task /job:ps/task:1$"
    ):
        channels.channel_to("/job:ps/task:1")
    channels.add({"/job:ps/task:0": "127.0.0.1:1", "/job:ps/task:1": "127.0.0.1:2"})
    assert channels.channel_to("/job:ps/task:0") is first
    channels.add({"/job:ps/task:0": "127.0.0.1:3"})
    second = channels.channel_to("/job:ps/task:0")
    assert second is not first and second.address == "127.0.0.1:3"
    assert channels.channel_to("/job:ps/task:1").address == "127.0.0.1:2"
    channels.close()
    first.close()
    assert channels.channel_to("/job:ps/task:0") is not second
    channels.close()


def test_blocking_reply():
    ended, cancelled = queue.SimpleQueue(), []
    ended.put((b"reply", None))
    assert grpc_channel._reply_in_time(ended, cancelled.append, 60) == b"reply"
    ended.put((None, KeyError("mine")))
    with pytest.raises(KeyError, match="mine"):
        grpc_channel._reply_in_time(ended, lambda: cancelled.append(1), None)
    assert cancelled == []
    with pytest.raises(tf.errors.DeadlineExceededError, match="^Deadline Exceeded$"):
        grpc_channel._reply_in_time(ended, lambda: cancelled.append(2), 0.001)

    class Interrupted:
        def get(self, timeout):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        grpc_channel._reply_in_time(Interrupted(), lambda: cancelled.append(3), None)
    assert cancelled == [2, 3]


def test_missing_grpc_is_explained(monkeypatch):
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"need grpcio: pip install 'tfmini-runtime\[cluster\]' "
    ):
        grpc_channel.grpc()
