"""The sockets of a server."""

import dataclasses
import errno
import gc
import os
import signal
import socket
import sys
from types import SimpleNamespace

import pytest

from tfmini._src.programs.serving import server
from tfmini._src.programs.serving.http_protocol import HttpProtocol
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_nagle_algorithm_is_disabled(host):
    """asyncio disables Nagle only if a socket names its protocol: otherwise each answer is delayed by 40 ms."""
    with server._bind_socket(host, 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_port_is_shared_by_processes():
    with server._reserve_port("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert first.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT)
        assert server._address_text(first) == f"127.0.0.1:{port}"


class Started:
    """Fake Uvicorn classes that record their arguments."""

    def __init__(self, monkeypatch):
        self.notes = []
        monkeypatch.setattr(server.uvicorn, "Config", self.config)
        monkeypatch.setattr(server.uvicorn, "Server", self.server)
        monkeypatch.setattr(server, "Workers", self.workers)
        monkeypatch.setattr(server.signal, "signal", lambda *args: self.notes.append(args))

    def config(self, made, **options):
        self.factory, self.options = made, options
        return options

    def server(self, config):
        assert config is self.options
        return SimpleNamespace(run=lambda sockets: self.ran("alone", sockets))

    def workers(self, config, sockets):
        assert config is self.options
        return SimpleNamespace(run=lambda: self.ran("workers", sockets))

    def ran(self, kind, sockets):
        (self.socket,) = sockets
        self.kind, self.address = kind, self.socket.getsockname()
        _, grpc, self.folder = self.factory.args
        self.has_folder = os.path.isdir(self.folder)


@pytest.mark.parametrize(
    "descriptors, asked, most",
    [(256, 1000, (144, 48)), (None, 1000, (1000, 1000)), (4096, 7, (7, 7)), (10, 7, (1, 1))],
)
def test_connection_limit_leaves_spare_descriptors(monkeypatch, descriptors, asked, most):
    limit = server.resource.RLIM_INFINITY if descriptors is None else descriptors
    monkeypatch.setattr(server.resource, "getrlimit", lambda kind: (limit, limit))
    assert server._max_connections(Options((), max_connections=asked)) == most


@pytest.mark.parametrize(
    "workers, threads, cores, grpc, op_threads",
    [(1, 2, 8, 0, 4), (1, 4, 3, None, 1), (3, 2, 13, None, 2), (2, 1, 1, 0, 1)],
)
def test_server_configuration(monkeypatch, capsys, workers, threads, cores, grpc, op_threads):
    """Its options, its sockets, which it closes, and a folder for the workers' counters."""
    started = Started(monkeypatch)
    monkeypatch.setattr(server, "thread_count", lambda: cores)
    models = Source("line", "/models/line", 1), Source("other", "/models/other", 1)
    inputs = Options(models, threads=threads, timeout=7.5)
    server.serve(inputs, "127.0.0.1", 0, grpc, workers)
    host, port = started.address
    options, address, directory = started.factory.args
    assert started.factory.func is server.application
    assert options == dataclasses.replace(inputs, op_threads=op_threads)
    shown = "" if grpc is None else f", gRPC at {address}"
    assert capsys.readouterr().out == (
        f"REST at http://127.0.0.1:{port}{shown}\n"
        "serving line from /models/line\nserving other from /models/other\n"
    )
    assert (address == "") == (grpc is None) and (grpc is None or address != f"127.0.0.1:{port}")
    protocol = started.options.pop("http")
    assert protocol.func is HttpProtocol
    assert 1 <= protocol.keywords["max_connections"] <= inputs.max_connections
    assert protocol.keywords["max_requests"] == (None if workers == 1 else 100)
    assert started.options == {
        "factory": True,
        "workers": workers,
        "loop": "tfmini._src.programs.serving.server:EventLoop",
        "ws": "none",
        "lifespan": "on",
        "log_level": "warning",
        "access_log": False,
        "proxy_headers": False,
        "forwarded_allow_ips": "",
        "timeout_keep_alive": 60,
        "timeout_graceful_shutdown": 8,
    }
    assert started.kind == ("alone" if workers == 1 else "workers")
    assert (directory == "", started.has_folder) == (workers == 1, workers > 1)
    assert not directory or not os.path.exists(directory)
    ended = [(number, server._on_signal) for number in (signal.SIGTERM, signal.SIGINT)]
    assert started.notes == (ended if workers == 1 else [])
    assert started.socket.fileno() == -1 and server._on_signal(15, None) is None


def test_ipv6_address_is_bracketed():
    for address, shown in (
        (("::1", 80, 0, 0), "[::1]:80"),
        (("127.0.0.1", 8501), "127.0.0.1:8501"),
    ):
        assert server._address_text(SimpleNamespace(getsockname=lambda a=address: a)) == shown


def test_port_in_use_error_names_host():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"Address already in use: 127.0.0.1:{port}$") as caught:
            server._bind_socket("127.0.0.1", port)
    assert caught.value.errno == errno.EADDRINUSE
    with server._bind_socket("127.0.0.1", 0) as bound:
        assert bound.get_inheritable()
        assert bound.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_interpreter_settings_bound_request_latency(
    monkeypatch,
):
    intervals, freezes = [], []
    monkeypatch.setattr(sys, "setswitchinterval", intervals.append)
    monkeypatch.setattr(gc, "freeze", lambda: freezes.append("modules"))
    server.application(Options(()), "", "")
    assert intervals == [pytest.approx(0.0001)]
    assert freezes == ["modules"]
