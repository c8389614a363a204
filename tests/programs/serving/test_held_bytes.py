"""The limit on the total size of requests in memory."""

import asyncio
import contextlib
import json

import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.programs.serving.attacks import Target, head, posted
from tfmini._src.programs.serving.held_bytes import RequestByteLimit

FULL = "^Requests in progress hold 7 bytes; this server's limit is 8$"


def test_bytes_are_counted_until_request_ends():
    held = RequestByteLimit(8)
    with held.request() as first, held.request() as second:
        first(3)
        second(4)
        with pytest.raises(tf.errors.UnavailableError, match=FULL):
            first(2)
        first(1)
    with held.request() as third:
        third(8)


def test_requests_over_byte_limit_are_refused(tmp_path):
    """Incomplete bodies hold their bytes until their clients disconnect."""
    served.line(tmp_path / "line" / "1", 2)
    body = json.dumps({"instances": [[1.0, 2.0]]}).encode()

    async def run(server):
        target = Target(server.rest, server.grpc, str(tmp_path))
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(4):
                _, writer = await stack.enter_async_context(target.connected())
                writer.write(head("line:predict", 100_000) + b" " * 99_999)
            while (answer := await posted(target, "line:predict", b" " * 60_000))[0] != 503:
                await asyncio.sleep(0.01)  # they have not arrived yet
            return answer[1], await posted(target, "line:predict", body)

    with served.serving(tmp_path / "line", "--max-request", 0.1) as server:
        text, small = asyncio.run(run(server))
    assert b" bytes; this server's limit is 419428" in text
    assert small[0] == 200
