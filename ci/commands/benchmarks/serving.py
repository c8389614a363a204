"""Requests per second and CPU time of `tfmini serve`, compared with TensorFlow 1.15.5 behind the same HTTP server.

usage: ci/bench serving [ROUNDS]             alternating, ROUNDS (3) times; writes ci/results/serving.md
       ci/bench serving --memory [REQUESTS]  resident memory over REQUESTS (10,000); fails if it grows

TFMINI_SERVING names the Python of `ci/reference --serving`, with TensorFlow, uvicorn and Starlette.
"""

import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
import tfmini as tf  # noqa: E402  after the path is set
from ci.commands.benchmarks.clusters import processor_seconds  # noqa: E402
from ci.commands.benchmarks.report import commit, processor  # noqa: E402
from tests.programs.onnx import models  # noqa: E402
from tests.programs.serving.served import serving  # noqa: E402

SECONDS = 3.0
CLIENTS = (1, 8, 64)
THREADS = 4
MAX_GROWTH = 1.03

# TensorFlow behind the HTTP server: rows in, rows out, one step per request on a thread.
APPLICATION = """
import asyncio, concurrent.futures, json, sys
import numpy as np, tensorflow as tf, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
session = tf.Session(graph=tf.Graph())
served = tf.saved_model.loader.load(session, ["serve"], sys.argv[1])
signature = served.signature_def["serving_default"]
((_, into),), ((_, out),) = signature.inputs.items(), signature.outputs.items()
step = session.make_callable(out.name, [into.name])
threads = concurrent.futures.ThreadPoolExecutor(int(sys.argv[3]))
async def predict(request):
    rows = np.array(json.loads(await request.body())["instances"], np.float32)
    result = await asyncio.get_event_loop().run_in_executor(threads, step, rows)
    values = result.astype("U").astype(np.float64).tolist()
    return Response(json.dumps({"predictions": values}), media_type="application/json")
async def health(request):
    return Response("ready")
routes = [Route("/v1/models/model:predict", predict, methods=["POST"]), Route("/healthz", health)]
uvicorn.run(Starlette(routes=routes), port=int(sys.argv[2]), log_level="warning", access_log=False)
"""


def small():
    x = tf.placeholder(tf.float32, [None, 20], name="x")
    return [x], tf.nn.softmax(tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 3))


SHAPES = {small: (20,), models.resnet_20: (32, 32, 3)}


async def load(port, body, clients, seconds, count=None):
    """Seconds per request of clients that send continuously, and the total seconds."""
    lines = ("POST /v1/models/model:predict HTTP/1.1", "Host: here", f"Content-Length: {len(body)}")
    request = "\r\n".join([*lines, "", ""]).encode() + body
    taken: list[float] = []
    begin = time.perf_counter()

    async def ask():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while len(taken) < count if count else time.perf_counter() < begin + seconds:
            started = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            await reader.readexactly(int(re.search(rb"content-length: (\d+)", head)[1]))
            taken.append(time.perf_counter() - started)
        writer.close()

    await asyncio.gather(*(ask() for _ in range(clients)))
    return taken, time.perf_counter() - begin


@contextlib.contextmanager
def tensorflow(directory):
    """Port and process of TensorFlow behind the HTTP server."""
    port = 18641
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("PYTHONPATH", None)
    python = os.environ.get("TFMINI_SERVING", str(ROOT / ".serving" / "bin" / "python"))
    command = [python, "-W", "ignore", "-c", APPLICATION, directory, str(port), str(THREADS)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        while subprocess.run(
            ["curl", "-sf", f"http://127.0.0.1:{port}/healthz"], stdout=subprocess.DEVNULL
        ).returncode:
            assert process.poll() is None, "TensorFlow's side has ended"
            time.sleep(0.2)
        yield port, process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def tfmini(directory, *options):
    """Port and process of `tfmini serve`."""
    with serving(directory, "--name", "model", "--threads", THREADS, *options) as server:
        yield int(server.rest.split(":")[1]), server.process


def build_body(make):
    rows = np.random.default_rng(0).standard_normal((1, *SHAPES[make])).round(4)
    return json.dumps({"instances": rows.tolist()}).encode()


def measure_model(make, rounds):
    """Rows of the table for a model."""
    with tempfile.TemporaryDirectory() as parent, contextlib.ExitStack() as stack:
        directory = os.path.join(parent, "1")
        models.save(make, directory)
        sides = {
            "TensorFlow 1.15.5": stack.enter_context(tensorflow(directory)),
            "tfmini serve": stack.enter_context(tfmini(directory)),
            "tfmini serve --batch 32": stack.enter_context(tfmini(directory, "--batch", "32")),
        }
        body = build_body(make)
        for port, _ in sides.values():
            asyncio.run(load(port, body, 4, 1.0))
        for clients in CLIENTS:
            by_side = {side: [] for side in sides}
            for _ in range(rounds):
                for side, (port, process) in sides.items():
                    begin = processor_seconds(process.pid)
                    taken, whole = asyncio.run(load(port, body, clients, SECONDS))
                    spent = (processor_seconds(process.pid) - begin) / len(taken)
                    late = float(np.quantile(taken, 0.99))
                    by_side[side].append((len(taken) / whole, 1e3 * late, 1e6 * spent))
            first = by_side["TensorFlow 1.15.5"]
            for side, values in by_side.items():
                ratio = statistics.median(a[0] / b[0] for a, b in zip(values, first))
                saved = statistics.median(b[2] / a[2] for a, b in zip(values, first))
                rate, late, spent = (statistics.median(column) for column in zip(*values))
                row = (
                    f"{make.__name__} | {clients} | {side} | {rate:,.0f} | {late:.1f} | {ratio:.2f}"
                )
                row += f" | {spent:,.0f} | {saved:.2f}"
                print(f"| {row} |", flush=True)
                yield f"| {row} |"


def resident(process):
    """Resident memory in megabytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1e3


def memory(requests):
    """Resident memory after a tenth of the requests and after all of them; whether it was stable."""
    with tempfile.TemporaryDirectory() as parent:
        directory = os.path.join(parent, "1")
        models.save(small, directory)
        with serving(directory, "--name", "model") as server:
            port = int(server.rest.split(":")[1])
            sizes = [resident(server.process)]
            for count in (requests // 10, requests - requests // 10):
                asyncio.run(load(port, build_body(small), 8, 0, count))
                sizes.append(resident(server.process))
    line = (
        "Resident memory with the small model at the start, "
        f"after {requests // 10:,} and after {requests:,} requests: "
    )
    return line + ", ".join(f"{size:.1f} MB" for size in sizes), sizes[2] < MAX_GROWTH * sizes[1]


def main(arguments):
    tf.logging.set_verbosity(tf.logging.ERROR)
    if arguments[:1] == ["--memory"]:
        text, stays = memory(int(arguments[1]) if arguments[1:] else 10_000)
        print(text)
        return int(not stays)
    rounds = int(arguments[0]) if arguments else 3
    rows = [row for make in SHAPES for row in measure_model(make, rounds)]
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "uvicorn", "httptools"))
    head = f"""# Serving compared with TensorFlow 1.15.5, {date.today()}

`ci/bench serving {rounds}` at commit {commit()}: {processor()} shared by server and clients; load average
{os.getloadavg()[0]:.1f} at the end; Python {sys.version.split()[0]}, {versions}.

Each client sends JSON requests of one row over a persistent connection, one after the other. TensorFlow is served by
uvicorn and Starlette on Python 3.7, with the same JSON and {THREADS} threads. Medians of rounds of {SECONDS:g} s, the
sides alternating. Ratios are medians of the per-round ratios, above 1 if tfmini is better: in requests per second,
and in the server's CPU time per request, which other work on the machine affects less.

| model | clients | side | requests per second | 99th percentile, ms | ratio | CPU time, µs | ratio |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
    text, _ = memory(10_000)
    target = ROOT / "ci" / "results" / "serving.md"
    target.write_text(head + "\n".join(rows) + f"\n\n{text}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
