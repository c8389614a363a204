"""Sockets of direct lines between tasks."""

import signal
import socket

import pytest

from tests.cluster.line_messages import messages
from tfmini._src.cluster.direct_channel import REPLY, REQUEST, FramedConnection
from tfmini._src.cluster.direct_sockets import (
    supports_unix_sockets,
)

pytestmark = pytest.mark.skipif(
    not supports_unix_sockets(), reason="this system has no such sockets"
)


def test_send_to_closed_peer_raises_no_sigpipe():
    """A program may use SIGPIPE's default action, which terminates the process."""
    seen = []
    before = signal.signal(signal.SIGPIPE, lambda *_: seen.append("a signal"))
    try:
        left, right = socket.socketpair()
        right.close()
        with pytest.raises(OSError, match="Broken pipe"):
            FramedConnection(left).send(REQUEST, 1, b"m", [b"data"])
        left.close()
    finally:
        signal.signal(signal.SIGPIPE, before)
    assert not seen


def test_unread_messages():
    left, right = (FramedConnection(each) for each in socket.socketpair())
    sent = [bytes([n]) * (300_000 + n) for n in range(5)]
    for i, data in enumerate(sent):  # more than the socket buffers; no send blocks
        left.send(REQUEST, i, b"m", [data[:7], b"", data[7:]])
        right.send(REPLY, i, b"", [bytes([n]) for n in range(100)])
    result = messages(right)
    assert [next(result) for _ in sent] == [(REQUEST, n, "m", d) for n, d in enumerate(sent)]
    other = messages(left)
    assert [next(other)[3] for _ in sent] == [bytes(range(100))] * 5
    left.close()
    assert list(result) == []
    right.close()


def test_small_message_follows_large_message_over_tcp():
    """Readiness of a large message is reported once much of it has arrived; the next message's as usual."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        own = socket.create_connection(listener.getsockname())
        sender, receiver = FramedConnection(own), FramedConnection(listener.accept()[0])
    result = messages(receiver)
    for data in (bytes(5_000_000), b"small", bytes(3_000_000), b""):
        sender.send(REQUEST, 1, b"m", [data])
        assert next(result).data == data
    sender.close()
    assert list(result) == []
