"""Line threads: few for many peers, and an additional one when work takes long."""

import os
import socket
import struct
import threading
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue

import pytest

from tests.support.waiting import until
from tfmini._src.cluster import direct_poller
from tfmini._src.cluster.direct_channel import REPLY, REQUEST, CallingConnection, FramedConnection
from tfmini._src.cluster.direct_poller import poller
from tfmini._src.cluster.direct_server import DirectServer
from tfmini._src.cluster.direct_sockets import (
    TCP_TRANSPORT,
    UNIX_TRANSPORT,
    connect_offer,
    parse_offer,
    supports_unix_sockets,
)
from tfmini._src.cluster.grpc_server import error_status

pytestmark = pytest.mark.skipif(
    not supports_unix_sockets(), reason="this system has no such sockets"
)


@pytest.fixture
def peers():
    """`peers(work)`: a line to a peer that runs `work` on each message."""
    with ExitStack() as stack:

        def make(work):
            ends = [FramedConnection(each) for each in socket.socketpair()]
            for end in ends:
                stack.callback(end.close)
            ends[0].listen(lambda message: partial(work, message), lambda: None)
            return ends[1]

        yield make


def lines():
    """The line threads."""
    return [each for each in threading.enumerate() if each.name == "tfmini connections"]


@pytest.mark.parametrize("asked", [UNIX_TRANSPORT, TCP_TRANSPORT], ids=["Unix", "TCP"])
def test_many_peers_share_few_threads(asked):
    def echo(request, call, then):
        then([request * 2], None)

    server = DirectServer({}, {"/a/twice": echo}, lambda *_: None, error_status, host="127.0.0.1")
    before, ended = set(threading.enumerate()), SimpleQueue()
    with ExitStack() as stack:
        stack.callback(server.close)
        callers = []
        for _ in range(150):
            offer = parse_offer(server.open(asked, 1))
            framed = FramedConnection(connect_offer(offer, "127.0.0.1:1"))
            callers.append(CallingConnection(framed, offer.max_request_size, lambda line: None))
            stack.callback(framed.close)
            callers[-1].listen()
        for _ in range(3):
            for each in callers:
                each.begin("/a/twice", b"ab", lambda *reply: ended.put(reply))
            assert {ended.get(timeout=60) for _ in callers} == {(REPLY, b"abab")}
        # Threads that accept, poll and watch, and additional pollers if a busy machine has delayed one: not one per
        # peer.
        until(lambda: len(set(threading.enumerate()) - before) < 30)


def test_slow_handlers_block_no_others(peers):
    came, go_on, done = SimpleQueue(), threading.Event(), SimpleQueue()

    def wait(message):
        came.put("waits")
        go_on.wait(60)
        done.put(message.data)

    slow, quick = peers(wait), peers(lambda message: done.put(message.data))
    for index in (1, 2):  # two block at a time
        slow.send(REQUEST, index, b"m", [b"slow"])
    for _ in range(2):
        assert came.get(timeout=60) == "waits"
    for index in range(5):
        quick.send(REQUEST, index, b"m", [bytes([index])])
        assert done.get(timeout=60) == bytes([index])
    go_on.set()
    assert [done.get(timeout=60) for _ in range(2)] == [b"slow"] * 2


def test_messages_are_handled_in_order():
    """A cancellation finds its call, and the end of a line all pending calls, even those queued for execution."""
    taken, go_on = SimpleQueue(), threading.Event()

    def take(message):
        taken.put(message.call_id)
        return lambda: go_on.wait(60)

    own, other = (FramedConnection(each) for each in socket.socketpair())
    try:
        own.listen(take, lambda: taken.put("lost"))
        for i in range(5):
            other.send(REQUEST, i, b"m", [b""])
            assert taken.get(timeout=60) == i
        other.close()
        assert taken.get(timeout=60) == "lost"
    finally:
        go_on.set()
        own.close()


@pytest.mark.parametrize("size", [1 << 63, 1 << 60])
def test_oversized_message_closes_only_its_connection(peers, size):
    lost, came = SimpleQueue(), SimpleQueue()
    left, right = socket.socketpair()
    with right:
        own = FramedConnection(left)
        own.listen(lambda message: None, lambda: lost.put("lost"))
        right.sendall(struct.pack("<QQBB", size, 1, REPLY, 0))
        assert lost.get(timeout=60) == "lost"
        own.close()
    peers(lambda message: came.put(message.data)).send(REQUEST, 1, b"m", [b"a"])
    assert came.get(timeout=60) == b"a"


def test_idle_threads_exit(peers, monkeypatch):
    monkeypatch.setattr(direct_poller, "_IDLE_SECONDS", 0.05)
    came, go_on = SimpleQueue(), threading.Event()

    def wait(message):
        came.put("waits")
        go_on.wait(60)

    slow = peers(wait)
    for i in range(4):
        slow.send(REQUEST, i, b"m", [b""])
        assert came.get(timeout=60) == "waits"
    assert len(lines()) > 4
    go_on.set()
    until(lambda: len(lines()) <= 4)
    slow.send(REQUEST, 5, b"m", [b""])
    assert came.get(timeout=60) == "waits"


def test_handler_exception_ends_no_thread(peers, monkeypatch):
    failures, came = SimpleQueue(), SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", failures.put)

    def fail(message):
        came.put(message.call_id)
        raise ValueError("a mistake")

    other = peers(fail)
    for i in range(3):
        other.send(REQUEST, i, b"m", [b""])
        assert came.get(timeout=60) == i
        assert str(failures.get(timeout=60).exc_value) == "a mistake"


def test_call_soon_runs_on_poller_thread(peers):
    called = SimpleQueue()
    line = poller()
    peers(lambda message: None)  # it polls
    line.call_soon(lambda: line.call_soon(lambda: called.put(threading.current_thread().name)))
    assert called.get(timeout=60) == "tfmini connections"


def test_socket_reuses_closed_descriptor():
    """As in a program that closes all file descriptors but its own."""
    came = SimpleQueue()
    closed, far = socket.socketpair()
    own, other = socket.socketpair()
    with far, other:
        FramedConnection(closed).listen(lambda message: None, lambda: None)
        number = closed.fileno()
        closed.close()
        os.dup2(own.fileno(), number)
        own.close()
        framed = FramedConnection(socket.socket(fileno=number))
        framed.listen(lambda message: partial(came.put, message.data), lambda: None)
        FramedConnection(other).send(REQUEST, 1, b"m", [b"a"])
        assert came.get(timeout=60) == b"a"
        framed.close()
