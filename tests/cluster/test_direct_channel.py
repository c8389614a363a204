"""Calls between tasks over Unix and TCP sockets: setup, replies, cancellation, loss, and authentication."""

import errno
import os
import signal
import socket
import threading
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from time import monotonic, sleep

import pytest

import tfmini as tf
from tests.cluster.line_messages import messages
from tests.support.waiting import until
from tfmini._src.cluster import direct_server, direct_sockets, grpc_channel, grpc_server
from tfmini._src.cluster.direct_channel import (
    CANCEL,
    REPLY,
    REQUEST,
    CallingConnection,
    FramedConnection,
)
from tfmini._src.cluster.direct_server import DirectServer
from tfmini._src.cluster.direct_sockets import (
    OPEN_CONNECTION,
    TCP_TRANSPORT,
    UNIX_TRANSPORT,
    Offer,
    connect_offer,
    parse_offer,
    supports_unix_sockets,
)
from tfmini._src.cluster.free_ports import free_ports
from tfmini._src.cluster.grpc_channel import Channel
from tfmini._src.cluster.grpc_server import Service, error_status

pytestmark = pytest.mark.skipif(
    not supports_unix_sockets(), reason="this system has no such sockets"
)

KINDS = pytest.mark.parametrize("kind", ["Unix", "TCP"])


class Methods:
    """Methods that report how they were called."""

    def __init__(self):
        self.calls = SimpleQueue()
        self.ended = SimpleQueue()
        self.go_on = threading.Event()

    def twice(self, request, call):
        self.calls.put(type(call).__name__)
        return request * 2

    def wait(self, request, call):
        if not call.add_callback(lambda: self.ended.put("ended")):
            self.ended.put("ended")  # before it has started
        self.calls.put("waits")
        self.go_on.wait(60)
        return b""

    def fail(self, request, call):
        raise tf.errors.NotFoundError(None, None, "Not there")

    def later(self, request, call, then):
        then([b"one ", b"later"], None)

    def waiting(self, request, call, then):
        call.add_callback(lambda: self.ended.put("ended"))
        self.calls.put(then)


@pytest.fixture
def served(monkeypatch):
    """`served(kind)`: a service, and a channel to it over a line of that kind."""

    def begin(kind=""):
        monkeypatch.setenv("TFMINI_SHARED_MEMORY", "0" if kind == "TCP" else "1")
        return _served(kind)

    return begin


@contextmanager
def _served(line):
    methods = Methods()
    table = {f"/a/{name}": getattr(methods, name) for name in ("twice", "wait", "fail")}
    (port,) = free_ports(1)
    late = {"/a/later": methods.later, "/a/waiting": methods.waiting}
    service = Service(f"127.0.0.1:{port}", table, late)
    service.start()
    channel = Channel(f"127.0.0.1:{port}")
    try:
        assert channel.call("/a/twice", b"a", 60, waits=True) == b"aa"
        methods.calls.get(timeout=60)
        if line:
            channel.request_connection()
            while channel._connection is None:
                channel.call("/a/twice", b"", 60)
                methods.calls.get(timeout=60)
            family = socket.AF_UNIX if line == "Unix" else socket.AF_INET
            assert channel._connection._connection._socket.family == family
        yield service, channel, methods
    finally:
        methods.go_on.set()
        channel.close()
        service.stop()


def begun(channel, name, request=b""):
    """A pending call: its canceller, and the queue that receives its outcome."""
    ended = SimpleQueue()
    return channel.begin(name, request, lambda reply, error: ended.put((reply, error))), ended


@KINDS
def test_batched_call_is_flushed(served, kind):
    """Both arrive in one segment; `flush` sends a call that no other follows."""
    with served(kind) as (_, channel, _):
        sent, ended = [], SimpleQueue()
        framed = channel._connection._connection
        send = framed._send_some
        framed._send_some = lambda pieces: sent.append(b"".join(map(bytes, pieces))) or send(pieces)

        def then(reply, error):
            ended.put((reply, error))

        channel.begin("/a/twice", b"first", then, is_held=True)
        assert not sent
        channel.begin("/a/twice", b"second", then)
        assert {ended.get(timeout=60) for _ in range(2)} == {
            (b"firstfirst", None),
            (b"secondsecond", None),
        }
        (both,) = sent
        assert both.index(b"first") < both.index(b"second")
        channel.begin("/a/twice", b"third", then, is_held=True)
        assert len(sent) == 1
        channel.flush()
        assert ended.get(timeout=60) == (b"thirdthird", None)
        channel.flush()
        assert len(sent) == 2
        cancel = channel.begin("/a/wait", b"", then, is_held=True)
        cancel()  # a call and its end
        assert isinstance(ended.get(timeout=60)[1], tf.errors.CancelledError)
        cancel()  # after its end
        assert len(sent) == 3 and ended.empty()


@KINDS
def test_calls_over_direct_channel(served, kind):
    with served(kind) as (_, channel, methods):
        assert channel.call("/a/twice", b"ab", 60) == b"abab"
        assert methods.calls.get(timeout=60) == "DirectCall"
        ended = SimpleQueue()
        channel.begin("/a/twice", b"c", lambda *reply: ended.put(reply), timeout=60)
        assert ended.get(timeout=60) == (b"cc", None)
        assert methods.calls.get(timeout=60) == "DirectCall"
        large = b"x" * (2 << 20)  # a request sent through gRPC
        assert channel.call("/a/twice", large, 60) == large * 2
        assert methods.calls.get(timeout=60) != "DirectCall"
        most = bytes(channel._connection.max_request_size)
        replies = [begun(channel, "/a/twice", most)[1] for _ in range(8)]
        assert all(ended.get(timeout=60)[0] == most * 2 for ended in replies)
        assert channel.call("/a/later", b"") == b"one later"
        with pytest.raises(tf.errors.NotFoundError, match="Not there"):
            channel.call("/a/fail", b"")
        with pytest.raises(tf.errors.UnimplementedError, match="No method /a/other"):
            channel.call("/a/other", b"")


@KINDS
def test_cancelled_and_timed_out_calls(served, kind):
    with served(kind) as (_, channel, methods):
        cancel, ended = begun(channel, "/a/wait")
        assert methods.calls.get(timeout=60) == "waits"
        cancel()
        reply, error = ended.get(timeout=60)
        assert reply is None and isinstance(error, tf.errors.CancelledError)
        assert methods.ended.get(timeout=60) == "ended"
        with pytest.raises(tf.errors.DeadlineExceededError, match="Deadline Exceeded"):
            channel.call("/a/wait", b"", 0.05)
        assert methods.ended.get(timeout=60) == "ended"


@KINDS
def test_lost_connection_fails_calls(served, kind):
    with served(kind) as (_, channel, methods):
        _, ended = begun(channel, "/a/wait")
        assert methods.calls.get(timeout=60) == "waits"
        channel._connection.close()
        _, error = ended.get(timeout=60)
        assert isinstance(error, tf.errors.UnavailableError) and channel.address in error.message
        assert methods.ended.get(timeout=60) == "ended"
        assert channel._connection is None
        assert channel.call("/a/twice", b"a", 60) == b"aa"
        assert methods.calls.get(timeout=60) != "DirectCall"


@KINDS
def test_repeated_connection_losses_fall_back_to_grpc(served, kind, monkeypatch):
    """A middlebox that supports only gRPC closes each one; calls then use gRPC."""
    asked = TCP_TRANSPORT if kind == "TCP" else UNIX_TRANSPORT

    def lose():
        channel._accept((), channel.call(OPEN_CONNECTION, asked, 60), None)
        while (line := channel._connection) is None:
            sleep(0.01)
        line.close()
        while channel._connection is line:
            sleep(0.01)

    with served() as (_, channel, methods):
        with monkeypatch.context() as patched:
            patched.setattr(grpc_channel, "_EARLY_LOSS_SECONDS", 0.0)
            for _ in range(4):  # long-serving ones
                lose()
        for _ in range(3):
            lose()
        channel._accept((), channel.call(OPEN_CONNECTION, asked, 60), None)
        assert channel._connection is None
        assert channel.call("/a/twice", b"a", 60) == b"aa"
        assert methods.calls.get(timeout=60) != "DirectCall"


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_child_closes_connections():
    """Otherwise a killed process would seem alive as long as its forked children."""
    own, other = socket.socketpair()
    line = CallingConnection(FramedConnection(own), 100, lambda line: None)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            refused = line.begin("/a/twice", b"", lambda kind, data: None) is None
            os.write(writing, b"refused" if refused else b"taken")
            signal.pause()
        finally:
            os._exit(1)
    try:
        assert os.read(reading, 10) == b"refused"
        line.begin("/a/twice", b"a", lambda kind, data: None)  # the parent's continues
        other.settimeout(60)
        assert b"/a/twicea" in other.recv(100)
        own.close()  # without notice, as the system does when a process is killed
        assert other.recv(100) == b""
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        other.close()
        os.close(reading)
        os.close(writing)


def stranger_to(offer):
    """An unauthenticated connection to a line's listening socket."""
    if offer.name:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(offer.name)
    else:
        connection = socket.create_connection(("127.0.0.1", offer.direct_port))
    connection.settimeout(60)
    return connection


@KINDS
def test_unauthorized_callers_are_rejected(served, kind, monkeypatch):
    asked = TCP_TRANSPORT if kind == "TCP" else UNIX_TRANSPORT
    with served() as (service, channel, methods):
        offer = parse_offer(channel.call(OPEN_CONNECTION, asked, 60))
        assert offer.port == service.port and offer.max_request_size > 1000
        assert bool(offer.name) != bool(offer.direct_port)
        for shown in (bytes(16), offer.secret[:9]):  # another secret, and a truncated one
            with stranger_to(offer) as stranger:
                stranger.sendall(shown)
                stranger.shutdown(socket.SHUT_WR)
                assert stranger.recv(10) == b""
        line = FramedConnection(connect_offer(offer, channel.address))
        line.send(REQUEST, 5, b"/a/twice", [b"a", b"b"])
        came = messages(line)
        assert next(came) == (REPLY, 5, "", b"abab")
        assert connect_offer(offer, channel.address) is None  # a secret is valid once
        with suppress(OSError):
            line.send(
                REQUEST, 6, b"", [bytes(offer.max_request_size + 1000)]
            )  # too large: closes the line
        assert list(came) == []
        line.close()
        # The port reveals a proxy in between: no line.
        channel.address = "127.0.0.1:1"
        channel._accept((), channel.call(OPEN_CONNECTION, asked, 60), None)
        assert channel._connection is None
        monkeypatch.setenv("TFMINI_LINES", "0")
        assert channel.call(OPEN_CONNECTION, asked, 60) == b""
        monkeypatch.delenv("TFMINI_LINES")
        monkeypatch.setenv("TFMINI_SHARED_MEMORY", "0")
        assert (channel.call(OPEN_CONNECTION, asked, 60) == b"") == (kind == "Unix")


def test_closed_channel_opens_no_connection(served):
    with served() as (_, channel, _):
        channel.close()
        channel._open_connection(Offer(b"", b"", 1, 1), (TCP_TRANSPORT,))
        channel._is_closed = False  # as another thread saw it earlier
        channel._open_connection(Offer(b"", b"", 1, 1), (TCP_TRANSPORT,))
        assert channel._connection is None


def _says_something_else(server):
    with server.accept()[0] as one:
        one.sendall(bytes(16))


def test_failed_connection_attempts_return_none(served, monkeypatch):
    nobody = free_ports(1)[0]
    assert connect_offer(Offer(b"\0tfmini-none", b"", 1, 1), "127.0.0.1:1") is None
    assert connect_offer(Offer(b"", b"", 1, 1, nobody), "127.0.0.1:1") is None
    assert connect_offer(Offer(b"", b"", 1, 1), "127.0.0.1:1") is None  # from a peer without TCP
    # Another server has that port here: one that answers differently, or not at all.
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(60)
        monkeypatch.setattr(direct_sockets, "_CONNECT_SECONDS", 0.3)
        offer = Offer(b"", bytes(16), 1, 1, other.getsockname()[1])
        assert connect_offer(offer, "127.0.0.1:1") is None
        monkeypatch.setattr(direct_sockets, "_CONNECT_SECONDS", 60)
        other.accept()[0].close()
        answering = threading.Thread(target=_says_something_else, args=(other,))
        answering.start()
        assert connect_offer(offer, "127.0.0.1:1") is None
        answering.join(60)
    # Another host's Unix socket does not exist here: the line uses TCP.
    opened = direct_sockets.connect_offer
    monkeypatch.setattr(
        grpc_channel, "connect_offer", lambda offer, at: None if offer.name else opened(offer, at)
    )
    with served() as (_, channel, _):
        channel.request_connection()
        while channel._connection is None:
            channel.call("/a/twice", b"", 60)
        assert channel._connection._connection._socket.family == socket.AF_INET


def test_unverified_connections_are_limited(served, monkeypatch):
    monkeypatch.setattr(direct_server, "_MAX_UNVERIFIED", 2)
    with served() as (_, channel, _):
        offer = parse_offer(channel.call(OPEN_CONNECTION, TCP_TRANSPORT, 60))
        silent = [stranger_to(offer) for _ in range(3)]
        assert silent[0].recv(10) == b""  # the first was evicted by the third
        result = connect_offer(
            parse_offer(channel.call(OPEN_CONNECTION, TCP_TRANSPORT, 60)), channel.address
        )
        assert result is not None
        assert silent[1].recv(10) == b""
        for each in (result, *silent):
            each.close()


@pytest.mark.parametrize("kind", ["", "Unix"], ids=["gRPC", "a line"])
def test_blocked_calls_hold_no_threads(served, kind, monkeypatch):
    monkeypatch.setattr(grpc_server, "_IDLE_SECONDS", 0.1)
    with served(kind) as (_, channel, methods):
        before, outcomes = threading.active_count(), SimpleQueue()
        cancels = [
            channel.begin("/a/waiting", b"", lambda *outcome: outcomes.put(outcome))
            for _ in range(200)
        ]
        thens = [methods.calls.get(timeout=60) for _ in cancels]
        until(lambda: threading.active_count() < before + 30)
        thens[0]([b"a ", b"reply"], None)
        assert outcomes.get(timeout=60) == (b"a reply", None)
        thens[1](None, tf.errors.NotFoundError(None, None, "Not there"))
        assert isinstance(outcomes.get(timeout=60)[1], tf.errors.NotFoundError)
        for cancel in cancels:  # including completed ones, in any order
            cancel()
        for _ in cancels:
            assert methods.ended.get(timeout=60) == "ended"


def test_burst_of_calls_is_accepted(served, monkeypatch):
    """gRPC's server cancels calls by default if more than 1,000 are pending."""
    may_take, submit = threading.Event(), grpc_server.Threads.submit

    def later(*args, **kwargs):
        may_take.wait(60)
        return submit(*args, **kwargs)

    with served() as (_, channel, methods):
        monkeypatch.setattr(grpc_server.Threads, "submit", later)
        outcomes = SimpleQueue()
        for _ in range(2500):
            channel.begin("/a/waiting", b"", lambda *outcome: outcomes.put(outcome))
        sleep(1.0)  # the order of arrival
        may_take.set()
        for _ in range(2500):
            methods.calls.get(timeout=60)([b"reply"], None)
        assert {outcomes.get(timeout=60) for _ in range(2500)} == {(b"reply", None)}


def test_exhausted_descriptors_pause_accepting():
    """It retries after a pause, without busy waiting."""
    server = DirectServer({}, {}, lambda *_: None, error_status, host="127.0.0.1")
    full = Full()
    waiting = threading.Thread(target=server._accept, args=(full,))
    begin = monotonic()
    waiting.start()
    until(lambda: full.asked > 4)
    assert monotonic() - begin > 4 * direct_server._PAUSE_SECONDS
    assert waiting.is_alive()
    server.close()
    waiting.join(60)
    assert not waiting.is_alive()


def _cannot_start(thread):
    raise RuntimeError("can't start new thread")


def test_exhausted_threads_reject_connection(served, monkeypatch):
    with served("TCP") as (_, channel, _):
        other = Channel(channel.address)
        offer = parse_offer(other.call(OPEN_CONNECTION, TCP_TRANSPORT, 60))
        other.close()
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", _cannot_start)
            assert connect_offer(offer, channel.address) is None
        connection = connect_offer(offer, channel.address)  # threads exist again
        assert connection is not None
        connection.close()


class Full:
    """A socket that cannot accept connections."""

    asked = 0

    def accept(self):
        self.asked += 1
        raise OSError(errno.EMFILE, "Too many open files")


def test_tls_server_offers_no_tcp_connection():
    server = DirectServer({}, {}, lambda *_: None, error_status, host="")
    assert server.open(TCP_TRANSPORT, 1) == b""
    assert server.open(b"another way", 1) == b""
    server.close()


def test_call_racing_with_connection_loss_fails():
    """It fails with the pending calls, or is rejected."""
    own, other = socket.socketpair()
    lost = threading.Event()
    line = CallingConnection(FramedConnection(own), 100, lambda line: lost.set())

    class Slow(dict):
        def __setitem__(self, call_id, then):
            other.close()
            lost.wait(0.2)
            super().__setitem__(call_id, then)

    line._calls, ended = Slow(), SimpleQueue()
    line.listen()
    line.begin("/a/twice", b"a", lambda kind, data: ended.put(kind))
    assert ended.get(timeout=60) == CANCEL
    until(lambda: line._is_lost)
    assert line.begin("/a/twice", b"a", lambda kind, data: None) is None
