"""Hostile clients of `tfmini serve`: one coroutine per attack, which raises AssertionError for a wrong answer."""

import asyncio
import collections
import contextlib
import json
import os
import random
import shutil
import sys
import tempfile
import time

import grpc

from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import PREDICTION
from tfmini._src.base import proto
from tfmini._src.programs.serving.messages import MESSAGES

FOREVER = 1 << 60
PREDICT = f"/{PREDICTION}/Predict"


class Target:
    """A server under attack: its addresses and the folder of its model `line`; its other model is `counter`."""

    def __init__(self, rest, grpc_address, folder):
        self.host, port = rest.rsplit(":", 1)
        self.port, self.grpc, self.folder = int(port), grpc_address, folder

    @contextlib.asynccontextmanager
    async def connected(self):
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


def head(path, size, *more):
    lines = (f"POST /v1/models/{path} HTTP/1.1", "Host: here", f"Content-Length: {size}", *more)
    return "\r\n".join([*lines, "", ""]).encode()


async def response(reader):
    """Status and body of the next response, and whether the connection stays open.

    0, b"" and False if the server closes it instead.
    """
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        sizes = [line.split(b":")[1] for line in lines if line.startswith(b"content-length")]
        body = await reader.readexactly(int(sizes[0]))
        return int(lines[0].split()[1]), body, b"connection: close" not in lines
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, b"", False


async def answered(reader):
    """Status and body of the next response; 0 and b"" if the server closes the connection instead."""
    return (await response(reader))[:2]


async def posted(target, path, body, *more):
    async with target.connected() as (reader, writer):
        with contextlib.suppress(ConnectionError):
            writer.write(head(path, len(body), *more) + body)
            await writer.drain()
        return await answered(reader)


async def step_over_the_limit(target, random):
    status, body = await posted(target, "counter:predict", b'{"inputs": %d}' % FOREVER)
    assert status in (503, 504), (status, body)


async def step_over_a_deadline(target, random):
    request = MESSAGES["PredictRequest"]()
    request.model_spec.name = "counter"
    number = proto.TensorProto(dtype=proto.DataType.Value("DT_INT64"), int64_val=[FOREVER])
    number.tensor_shape.SetInParent()
    request.inputs["number"].CopyFrom(number)
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        predict = channel.unary_unary(PREDICT)
        with contextlib.suppress(grpc.aio.AioRpcError):
            await predict(request.SerializeToString(), timeout=random.uniform(0.05, 1))
            raise AssertionError("a step without end has a result")


async def client_that_leaves(target, random):
    async with target.connected() as (_, writer):
        body = b'{"inputs": %d}' % FOREVER
        writer.write(head("counter:predict", len(body)) + body)
        await asyncio.sleep(random.uniform(0, 0.5))


async def large_head(target, random):
    size = random.choice([1 << 17, 1 << 20, 8 << 20])
    status, body = await posted(target, "line:predict", b"{}", "X-Large: " + "x" * size)
    assert status in (0, 431, 503), (status, body)


async def silent_client(target, random):
    """Says nothing, or half a head; it is refused at the latest after 15 seconds."""
    begin = head("line:predict", 40)
    async with target.connected() as (reader, writer):
        writer.write(begin[: random.choice([0, 1, len(begin) // 2, len(begin) - 1])])
        patience = random.choice([0.2, 3, 25])
        with contextlib.suppress(asyncio.TimeoutError):
            status, body = await asyncio.wait_for(answered(reader), patience)
            assert status in (0, 408, 503), (status, body)
            return
        assert patience < 20, "a silent connection stays open"


async def slow_body(target, random):
    body = json.dumps({"instances": [[1.0, 2.0]]}).encode()
    async with target.connected() as (reader, writer):
        writer.write(head("line:predict", len(body)))
        with contextlib.suppress(ConnectionError):
            for byte in body[: random.randrange(len(body))]:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(random.uniform(0, 0.2))


async def large_body(target, random):
    row = b"[1.5,-2.25],"
    rows = random.choice([1 << 20, 60_000_000]) // len(row)
    body = b'{"instances":[' + row * rows + b"[0,0]]}"
    status, answer = await posted(target, "line:predict", body)
    assert status in (200, 413, 429, 503, 504), (status, answer[:200])


async def malformed_body(target, random):
    body = random.choice(
        [
            *(b"", b"{", b"[" * 100_000, b'{"instances": 1e999}', b'{"instances": [[1], [1, 2]]}'),
            *(b'{"inputs": {"y": 1}}', b'{"instances": ["x"]}', b"\xff\xfe", b"null", b'"x"'),
            *(b'{"signature_name": 7, "instances": []}', b'{"instances": [{"b64": "!"}]}'),
            random.randbytes(random.randrange(1, 5000)),
        ]
    )
    status, answer = await posted(target, "line:predict", body)
    assert status in (400, 503), (status, body[:60], answer[:200])


async def malformed_head(target, random):
    async with target.connected() as (reader, writer):
        writer.write(random.randbytes(random.randrange(1, 300)) + b"\r\n\r\n")
        status, answer = await asyncio.wait_for(answered(reader), 30)
        assert status in (0, 400, 408, 503), (status, answer)


async def malformed_message(target, random):
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        predict = channel.unary_unary(PREDICT)
        with contextlib.suppress(grpc.aio.AioRpcError):
            await predict(random.randbytes(random.randrange(1, 5000)), timeout=30)
            raise AssertionError("random bytes have a result")


async def version_with_a_pipe(target, random):
    """A version that cannot be opened, which is gone a little later."""
    part = tempfile.mkdtemp(prefix="part.", dir=target.folder)
    os.mkfifo(os.path.join(part, "saved_model.pb"))
    version = os.path.join(target.folder, str(random.randrange(10**6, 10**9)))
    os.rename(part, version)
    await asyncio.sleep(random.uniform(0, 1))
    shutil.rmtree(version)


async def new_version(target, random):
    """The same model again, which replaces the one that serves."""
    numbers = sorted(int(name) for name in os.listdir(target.folder) if name.isdecimal())
    good = [number for number in numbers if number < 10**6]
    copy = os.path.join(target.folder, f"copy.{random.getrandbits(40)}")
    shutil.copytree(os.path.join(target.folder, str(good[-1])), copy)
    with contextlib.suppress(OSError):  # another one was faster
        os.rename(copy, os.path.join(target.folder, str(good[-1] + 1)))
    for number in good[:-3]:
        with contextlib.suppress(OSError):
            served.remove(os.path.join(target.folder, str(number)))


SLOW = {silent_client: 5, slow_body: 1}
# Relative frequency of each.
QUICK = {
    **{malformed_body: 40, malformed_head: 15, malformed_message: 15, large_head: 5},
    **{client_that_leaves: 8, step_over_a_deadline: 8, step_over_the_limit: 2},
    **{large_body: 0.3, version_with_a_pipe: 1, new_version: 1},
}


async def attack(target, random, seconds, rate, slow, only=()):
    """Attacks for a while; returns how many there were and what was wrong.

    Args:
      target: the server.
      random: chooses.
      seconds: how long.
      rate: quick attacks a second.
      slow: clients that are slow or silent meanwhile, one after the other on each of so many connections.
      only: names of the quick attacks, by default all.
    """
    count, invalid, running = collections.Counter(), [], set()
    chosen = {each: n for each, n in QUICK.items() if not only or each.__name__ in only}

    async def one(attacks):
        (each,) = random.choices([*attacks], [*attacks.values()])
        count[each.__name__] += 1
        try:
            await each(target, random)
        except Exception as error:
            invalid.append(f"{each.__name__}: {type(error).__name__}: {error}")

    async def slowly():
        while True:
            await one(SLOW)

    end = time.monotonic() + seconds
    running |= {asyncio.create_task(slowly()) for _ in range(slow)}
    while (left := end - time.monotonic()) > 0:
        quick = asyncio.create_task(one(chosen))
        running.add(quick)
        quick.add_done_callback(running.discard)
        await asyncio.sleep(min(left, random.expovariate(rate)))
    left = set(running)
    while left:  # before Python 3.12 `wait_for` may drop a cancellation
        for each in left:
            each.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)
    return count, invalid


def main(rest, grpc_address, folder, seconds, rate, slow, seed, *only):
    """Attacks a server: prints a line when ready, waits for a line, then prints the results as JSON."""
    target = Target(rest, grpc_address, folder)
    print("ready", flush=True)
    sys.stdin.readline()
    chooser, numbers = random.Random(int(seed)), (float(seconds), float(rate), int(slow))
    print(json.dumps(asyncio.run(attack(target, chooser, *numbers, only))))


if __name__ == "__main__":
    main(*sys.argv[1:])
