"""Server shutdown: not ready from the first signal on, then no new requests, then none."""

import asyncio
import contextlib
import http.client
import json
import signal
from types import SimpleNamespace

import grpc
import pytest

from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import called, field
from tests.support import waiting
from tfmini._src.programs.serving import shutdown as shutdown_module
from tfmini._src.programs.serving.shutdown import Shutdown

FOREVER = 1 << 60
STATUS = "/tensorflow.serving.ModelService/GetModelStatus"
HEALTH = "/grpc.health.v1.Health/Check"


@contextlib.contextmanager
def busy(server):
    """A block during which an endless REST step runs."""
    host, port = server.rest.rsplit(":", 1)
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    with contextlib.closing(connection):
        connection.request("POST", "/v1/models/counter:predict", json.dumps({"inputs": FOREVER}))
        yield connection


def is_refused(server):
    try:
        called(server, STATUS, field(1, field(1, b"counter")))
    except grpc.RpcError as error:
        # gRPC cancels a call that arrives while it closes its port.
        return error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
    return False


def test_grpc_refuses_calls_while_rest_drains(tmp_path):
    served.counter(str(tmp_path / "counter"))
    with served.serving(tmp_path / "counter", "--timeout", 300) as server:
        assert not is_refused(server)
        with busy(server):
            server.process.send_signal(signal.SIGTERM)
            waiting.until(lambda: is_refused(server))
            assert server.process.poll() is None  # as long as the step runs
        assert server.process.wait(60) == 0


def test_draining_server_answers_but_is_not_ready(tmp_path):
    served.counter(str(tmp_path / "counter"))
    with served.serving(tmp_path / "counter", "--drain", 1000) as server:
        assert called(server, HEALTH, b"") == field(1, 1)
        server.process.send_signal(signal.SIGTERM)
        waiting.until(lambda: server.ask("GET", "/healthz") == (503, "ending"))
        assert called(server, HEALTH, b"") == field(1, 2)
        assert server.post("counter:predict", {"inputs": 3}) == (200, {"outputs": 3})
        assert not is_refused(server)
        assert server.end() == 0  # by a second signal, immediately


def test_workers_drain(tmp_path):
    served.counter(str(tmp_path / "counter"))
    with served.serving(tmp_path / "counter", "--drain", 2, "--workers", 2) as server:
        server.process.send_signal(signal.SIGTERM)
        waiting.until(lambda: server.ask("GET", "/healthz") == (503, "ending"))
        assert server.post("counter:predict", {"inputs": 3}) == (200, {"outputs": 3})
        assert server.process.wait(60) == 0


@pytest.mark.parametrize("drain", [0.0, 0.05])
def test_handler_runs_after_drain(monkeypatch, drain):
    """Once per signal; the remaining time counts from there."""
    notes, clock = [], SimpleNamespace(now=100.0)
    monkeypatch.setattr(shutdown_module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    service = SimpleNamespace(is_ending=False)

    async def run():
        with monkeypatch.context() as patched:
            handlers = {}
            patched.setattr(
                shutdown_module.signal, "getsignal", lambda n: lambda *g: notes.append(g)
            )
            patched.setattr(shutdown_module.signal, "signal", handlers.__setitem__)
            shutdown = Shutdown(service, drain)

        async def action():
            notes.append("acted")

        shutdown.action = action
        assert shutdown.remaining(5.0) == 5.0
        handlers[signal.SIGTERM](signal.SIGTERM, "frame")
        assert service.is_ending
        assert notes == ([] if drain else [(signal.SIGTERM, None)])
        clock.now += 1.0
        assert shutdown.remaining(5.0) == (5.0 if drain else 4.0)
        while "acted" not in notes:
            await asyncio.sleep(0.01)
        handlers[signal.SIGINT](signal.SIGINT, "frame")
        clock.now += 1.0
        await asyncio.sleep(2 * drain)  # nothing else
        return shutdown.remaining(5.0), shutdown.remaining(0.5)

    assert asyncio.run(run()) == ((4.0, 0.0) if drain else (3.0, 0.0))
    assert notes == [(signal.SIGTERM, None), "acted", (signal.SIGINT, None)]


def test_retiring_worker_stays_ready(monkeypatch):
    notes, handlers = [], {}
    monkeypatch.setattr(shutdown_module.signal, "getsignal", lambda n: lambda *g: notes.append(g))
    monkeypatch.setattr(shutdown_module.signal, "signal", handlers.__setitem__)
    service = SimpleNamespace(is_ending=False)

    async def run():
        Shutdown(service, 1000.0)
        handlers[shutdown_module.RETIRE](shutdown_module.RETIRE, "frame")
        assert not service.is_ending
        handlers[signal.SIGTERM](signal.SIGTERM, "frame")

    asyncio.run(run())
    assert service.is_ending and notes == [(signal.SIGTERM, None)] * 2
