"""Limits on a client's data and connections before its request is read."""

import asyncio

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from tfmini._src.programs.serving import http_protocol
from tfmini._src.programs.serving.http_protocol import HttpProtocol

GET = b"GET /healthz HTTP/1.1\r\nhost: a\r\n"


class Transport(asyncio.Transport):
    """Records written data."""

    def __init__(self):
        super().__init__()
        self.writes, self.is_closed, self.is_aborted = [], False, False
        self.unsent = iter(())

    def get_write_buffer_size(self):
        return next(self.unsent)

    def abort(self):
        self.is_aborted = True

    @property
    def written(self):
        return b"".join(self.writes)

    def write(self, data):
        self.writes.append(data)

    def close(self):
        self.is_closed = True

    def is_closing(self):
        return self.is_closed

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


async def answered(scope, receive, send):
    size = 0
    while (message := await receive()).get("more_body"):
        size += len(message["body"])
    size += len(message["body"])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{size} bytes".encode()})


def connected(state, most=10, application=answered, **limits):
    config = Config(application, ws="none", log_level="critical", access_log=False)
    protocol = HttpProtocol(
        config=config, server_state=state, app_state={}, max_connections=most, **limits
    )
    transport = Transport()
    protocol.connection_made(transport)
    return protocol, transport


def answer_to(*parts, pause=0.0, application=answered, **limits):
    """A connection's output after these parts, and whether it is closed."""

    async def run():
        protocol, transport = connected(ServerState(), application=application, **limits)
        for part in parts:
            if part:
                protocol.data_received(part)
            await asyncio.sleep(pause)
        for _ in range(10):
            await asyncio.sleep(0)
        closed, written = transport.is_closed, transport.written.decode()
        protocol.connection_lost(None)
        return written, closed

    return asyncio.run(run())


def test_connection_is_kept_alive():
    written, closed = answer_to(
        GET + b"\r\n", b"POST / HTTP/1.1\r\ncontent-le", b"ngth: 3\r\n\r\na", b"bc"
    )
    assert written.count("200 OK") == 2 and "0 bytes" in written and "3 bytes" in written
    assert not closed


@pytest.mark.parametrize("most, closes", [(None, False), (2, True), (3, False)])
def test_connection_closes_after_request_limit(most, closes):
    written, closed = answer_to(GET + b"\r\n", GET + b"\r\n", max_requests=most)
    first, second = written.split("HTTP/1.1 200 OK")[1:]
    assert "connection: close" not in first and ("connection: close" in second) == closes
    assert closed == closes


@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize(
    "method, bodies",
    [("GET", [b"a"]), ("GET", [b"a", b"", b"b"]), ("GET", [b""]), ("HEAD", [b"a"])],
)
def test_head_and_first_body_part_share_one_write(method, bodies, closes):
    async def application(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        size = (b"content-length", b"%d" % sum(map(len, bodies)))
        await send({"type": "http.response.start", "status": 200, "headers": [size]})
        for index, body in enumerate(bodies, 1):
            more = index < len(bodies)
            await send({"type": "http.response.body", "body": body, "more_body": more})

    head = b"%s / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\n" % method.encode()
    head += b"connection: close\r\n\r\n" if closes else b"\r\n"

    async def run():
        protocol, transport = connected(ServerState(), application=application)
        for _ in range(1 if closes else 2):
            protocol.data_received(head)
            for _ in range(10):
                await asyncio.sleep(0)
        is_closed = transport.is_closed
        protocol.connection_lost(None)
        return transport, is_closed

    transport, is_closed = asyncio.run(run())
    assert is_closed == closes
    close = b"connection: close\r\n" if closes else b""
    first, *others = [b""] if method == "HEAD" else bodies
    shown = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n%s\r\n" % (sum(map(len, bodies)), close)
    one = [b"HTTP/1.1 100 Continue\r\n\r\n", shown + first, *others]
    assert transport.writes == one * (1 if closes else 2)


def test_disconnect_notifies_application():
    async def run():
        gone = asyncio.Event()

        async def application(scope, receive, send):
            scope["extensions"]["when_gone"] = gone.set
            await gone.wait()
            scope["extensions"]["when_gone"] = None

        protocol, _ = connected(ServerState(), application=application)
        protocol.data_received(b"POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\na")
        await asyncio.sleep(0)
        assert not gone.is_set()
        protocol.connection_lost(None)
        await asyncio.wait_for(gone.wait(), 60)

    asyncio.run(run())


LINE = b"x-filler: " + b"y" * 90 + b"\r\n"  # 102 bytes


@pytest.mark.parametrize(
    "parts",
    [
        [GET] + [LINE] * 650,  # never ends
        [GET + LINE * 650 + b"\r\n"],  # ends in the same part
        [GET, LINE * 650 + b"\r\n" + LINE],
        [b"GET /" + b"a" * 70_000],
        [GET + b"x: " + b"y" * 70_000],
        [GET + b"\r\n", GET, LINE * 650],  # the second head on a connection
    ],
)
def test_oversized_head_is_refused(parts):
    written, closed = answer_to(*parts)
    assert closed and written.count("HTTP/1.1 431 Request Header Fields Too Large\r\n") == 1
    assert written.endswith("\r\n\r\n")


CHUNKED = b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"


@pytest.mark.parametrize(
    "trailers", [[LINE] * 2000, [b"x: "] + [b"y" * 30_000] * 4, [LINE * 300] * 4]
)
def test_trailers_have_the_same_limit(trailers):
    written, closed = answer_to(CHUNKED, *trailers)
    assert closed and written.count("HTTP/1.1") <= 1


def test_short_trailers_are_discarded():
    written, closed = answer_to(CHUNKED, LINE, LINE + b"\r\n", GET + b"\r\n")
    assert "3 bytes" in written and written.count("200 OK") == 2 and not closed


async def answered_early(scope, receive, send):
    await send({"type": "http.response.start", "status": 400, "headers": []})
    await send({"type": "http.response.body", "body": b"early"})


def test_early_answer_keeps_connection_open(monkeypatch):
    monkeypatch.setattr(http_protocol, "MAX_HEAD_SECONDS", 0.05)
    head = b"POST / HTTP/1.1\r\ncontent-length: 200000\r\n\r\n"
    parts = [head, b"b" * 100_000, b"b" * 100_000, *[b""] * 10, GET, b"\r\n"]
    written, closed = answer_to(*parts, pause=0.01, application=answered_early)
    assert written.count("400 Bad Request") == 2 and not closed


def test_slow_pipelined_head_does_not_answer_current_request(monkeypatch):
    monkeypatch.setattr(http_protocol, "MAX_HEAD_SECONDS", 0.02)

    async def slow(scope, receive, send):
        await asyncio.sleep(0.2)
        await answered(scope, receive, send)

    written, closed = answer_to(GET + b"\r\n" + GET, pause=0.3, application=slow)
    assert written.startswith("HTTP/1.1 200 OK") and not closed


def test_large_body_does_not_count_towards_head_limit():
    body = b"b" * 200_000
    head = b"POST / HTTP/1.1\r\ncontent-length: 200000\r\n" + LINE * 600 + b"\r\n"
    written, closed = answer_to(head + body[:100_000], body[100_000:])
    assert "200 OK" in written and "200000 bytes" in written and not closed


@pytest.mark.parametrize(
    "parts",
    [
        [b""] * 5,  # nothing
        [b"\r\n"] * 5,
        [GET] + [b"x: y\r\n"] * 5,
        [GET + b"\r\n", b"\r\n", b"\r\n", b"\r\n", b"\r\n"],
    ],
)
def test_slow_head_times_out(parts, monkeypatch):
    monkeypatch.setattr(http_protocol, "MAX_HEAD_SECONDS", 0.05)
    written, closed = answer_to(*parts, b"", pause=0.02)
    assert closed and written.endswith(
        "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )


def test_connections_over_limit_are_refused():
    async def run():
        state = ServerState()
        first, _ = connected(state, most=1)
        second, refused = connected(state, most=1)
        second.data_received(GET + b"\r\n")
        second.connection_lost(None)
        first.connection_lost(None)
        third, taken = connected(state, most=1)
        third.data_received(GET + b"\r\n")
        for _ in range(10):
            await asyncio.sleep(0)
        stays = not taken.is_closed
        third.connection_lost(None)
        return refused, taken, stays

    refused, taken, stays = asyncio.run(run())
    assert refused.is_closed and refused.written.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert refused.written.count(b"HTTP/1.1") == 1
    assert stays and b"200 OK" in taken.written


@pytest.mark.parametrize("sizes", [[100, 100], [100, 90, 80, 80]])
def test_stalled_client_is_disconnected(sizes, monkeypatch):
    monkeypatch.setattr(http_protocol, "_MAX_STALL", 0.01)

    async def run():
        protocol, transport = connected(ServerState())
        # Each check reads the size once, and again if it has decreased.
        looks = [sizes[0], *(each for size in sizes[1:-1] for each in (size, size)), sizes[-1]]
        transport.unsent = iter(looks)
        protocol.pause_writing()
        while not transport.is_aborted:
            await asyncio.sleep(0.01)
        assert not list(transport.unsent)
        protocol.connection_lost(None)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_resumed_client_stays_connected(monkeypatch):
    monkeypatch.setattr(http_protocol, "_MAX_STALL", 0.01)

    async def run():
        protocol, transport = connected(ServerState())
        for _ in range(2):
            transport.unsent = iter([100])
            protocol.pause_writing()
            protocol.resume_writing()
        await asyncio.sleep(0.05)
        assert not transport.is_aborted
        protocol.connection_lost(None)

    asyncio.run(run())


@pytest.mark.parametrize("has_asked", [False, True])
def test_pending_request_is_answered_at_shutdown(monkeypatch, has_asked):
    monkeypatch.setattr(http_protocol, "_LAST_REQUEST", 0.05)

    async def run(asks):
        protocol, transport = connected(ServerState())
        if has_asked:
            protocol.data_received(GET + b"\r\n")
            await asyncio.sleep(0.01)
        protocol.shutdown()
        assert not transport.is_closed
        before = len(transport.written)
        if asks:
            protocol.data_received(GET + b"\r\n")
            await asyncio.sleep(0.01)
            assert transport.is_closed
        else:
            await asyncio.sleep(0.2)
        protocol.connection_lost(None)
        return transport.is_closed, transport.written[before:]

    is_closed, written = asyncio.run(run(True))
    assert is_closed and b"connection: close" in written and b"0 bytes" in written
    assert asyncio.run(run(False)) == (True, b"")


def test_active_request_is_the_last_at_shutdown():
    async def late(scope, receive, send):
        await asyncio.sleep(0.05)
        await answered(scope, receive, send)

    async def run():
        protocol, transport = connected(ServerState(), application=late)
        protocol.data_received(GET + b"\r\n")
        await asyncio.sleep(0.01)
        protocol.shutdown()
        await asyncio.sleep(0.2)
        protocol.connection_lost(None)
        return transport.is_closed, transport.written

    is_closed, written = asyncio.run(run())
    assert is_closed and b"connection: close" in written and b"0 bytes" in written
