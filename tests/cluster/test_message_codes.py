"""Message authentication on TCP lines: tampering in transit closes the line."""

import contextlib
import hmac
import socket

import pytest

import tfmini as tf
from tests.cluster.line_messages import messages
from tests.cluster.tasks import cluster_of
from tests.cluster.test_direct_channel import _served
from tfmini._src.cluster import security
from tfmini._src.cluster.direct_channel import REPLY, REQUEST, FramedConnection
from tfmini._src.cluster.direct_sockets import (
    OPEN_CONNECTION,
    TCP_TRANSPORT,
    UNIX_TRANSPORT,
    connect_offer,
    parse_offer,
)
from tfmini._src.cluster.grpc_channel import Channel
from tfmini._src.cluster.message_codes import (
    SIZE,
    MessageAuthenticator,
    caller_codes,
    server_codes,
)

SECRET = bytes(range(16))


@pytest.fixture
def token():
    before = security._set
    security.secure(token="word")
    yield "word"
    security._set = before


def test_code_covers_sequence_number_and_bytes():
    key = hmac.digest(b"word", b"tfmini caller" + SECRET, "sha256")
    sent, _ = caller_codes("word", SECRET)
    for i in range(3):
        said = i.to_bytes(8, "little") + b"head" + b"bytes"
        assert sent.next_code([b"head", b"bytes"]) == hmac.digest(key, said, "sha256")[:16]


def test_codes_depend_on_token_secret_and_role():
    code = MessageAuthenticator("word", SECRET, b"tfmini caller").next_code([b"a"])
    for other in (
        MessageAuthenticator("other", SECRET, b"tfmini caller"),
        MessageAuthenticator("word", SECRET[::-1], b"tfmini caller"),
        MessageAuthenticator("word", SECRET, b"tfmini server"),
    ):
        assert not other.verify(code, [b"a"])
    _, received = server_codes("word", SECRET)
    assert not received.verify(code[:-1], [b"a"])
    sent, received = caller_codes("word", SECRET)[0], server_codes("word", SECRET)[1]
    assert received.verify(sent.next_code([b"a"]), [b"a"])


def between(change):
    """The messages received of three when an attacker on the path modifies segments."""
    left, middle = socket.socketpair()
    other, right = socket.socketpair()
    sender = FramedConnection(left, caller_codes("word", SECRET))
    pieces = []
    for i in range(3):
        sender.send(REQUEST, i, b"/a/m", [b"bytes", b"%d" % i])
        pieces.append(middle.recv(1000))
    other.sendall(b"".join(change(pieces)))
    other.shutdown(socket.SHUT_WR)
    receiver = FramedConnection(right, server_codes("word", SECRET))
    result = [data for _, _, _, data in messages(receiver)]
    receiver.close()
    sender.close()
    for each in (middle, other):
        each.close()
    return result


def flipped(piece, at):
    return piece[:at] + bytes([piece[at] ^ 1]) + piece[at + 1 :]


ALL = [b"bytes0", b"bytes1", b"bytes2"]
CHANGES = {
    "nothing": (lambda a, b, c: [a, b, c], ALL),
    "a byte": (lambda a, b, c: [a, flipped(b, -SIZE - 1), c], ALL[:1]),
    "the number of the call": (lambda a, b, c: [a, flipped(b, 8), c], ALL[:1]),
    "the kind": (lambda a, b, c: [flipped(a, 16), b, c], []),
    "the name": (lambda a, b, c: [flipped(a, 19), b, c], []),
    "the code": (lambda a, b, c: [a, b, flipped(c, -1)], ALL[:2]),
    "repeated": (lambda a, b, c: [a, a, b, c], ALL[:1]),
    "left out": (lambda a, b, c: [b, c], []),
    "the order": (lambda a, b, c: [a, c, b], ALL[:1]),
    "cut": (lambda a, b, c: [a, b, c[:-3]], ALL[:2]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_tampered_messages_are_rejected(name):
    change, arrives = CHANGES[name]
    assert between(lambda pieces: change(*pieces)) == arrives


def offered(service, way):
    """A service's connection offer over gRPC."""
    with contextlib.closing(Channel(f"127.0.0.1:{service.port}")) as channel:
        return parse_offer(channel.call(OPEN_CONNECTION, way, 60))


def test_tcp_connection_is_authenticated(token, monkeypatch):
    monkeypatch.setenv("TFMINI_SHARED_MEMORY", "0")
    with _served("TCP") as (service, channel, methods):
        assert channel.call("/a/twice", b"ab", 60) == b"abab"
        assert methods.calls.get(timeout=60) == "DirectCall"
        large = bytes(channel._connection.max_request_size)
        assert channel.call("/a/twice", large, 60) == large * 2
        offer = offered(service, TCP_TRANSPORT)
        assert offer.is_authenticated
        line = FramedConnection(
            connect_offer(offer, channel.address), caller_codes(token, offer.secret)
        )
        line.send(REQUEST, 5, b"/a/twice", [b"a"])
        assert next(messages(line)) == (REPLY, 5, "", b"aa")
        line.close()
        offer = offered(service, TCP_TRANSPORT)
        line = FramedConnection(
            connect_offer(offer, channel.address)
        )  # as a peer without the token would
        for i in range(2):  # the beginning of the second message is read as the first one's code
            line.send(REQUEST, i, b"/a/twice", [bytes(100)])
        assert list(messages(line)) == []
        line.close()


def test_unix_connection_is_not_authenticated(token):
    with _served("Unix") as (service, channel, _):
        assert not offered(service, UNIX_TRANSPORT).is_authenticated
        assert channel._connection._connection._codes is None


def test_token_requires_authenticated_connection(token, monkeypatch):
    monkeypatch.setenv("TFMINI_SHARED_MEMORY", "0")
    with _served("") as (_, channel, _):
        reply = channel.call(OPEN_CONNECTION, TCP_TRANSPORT, 60)
        assert reply.endswith(b"\x30\x01")
        channel._accept((), reply[:-1] + b"\0", None)
        assert channel._connection is None


def test_cluster_with_token():
    names = {"TFMINI_TOKEN": "word", "TFMINI_SHARED_MEMORY": "0"}
    before = security._set
    security.secure(token="word")
    try:
        with cluster_of({"ps": 1, "worker": 1}, variables=names) as tasks:
            with tf.device("/job:ps/task:0"):
                ones = tf.ones([1000, 1000]) * tf.placeholder(tf.float32, [], "x")
            with tf.device("/job:worker/task:0"):
                total = tf.reduce_sum(ones)
            with tf.Session(tasks["worker", 0].target) as session:
                result = [session.run(total, {"x:0": i}) for i in range(20)]
        assert result == [1e6 * i for i in range(20)]
    finally:
        security._set = before
