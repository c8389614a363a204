"""Endless steps: later requests are served, and SIGTERM ends the server."""

import contextlib
import http.client
import json
import os
import signal
import socket
import struct
import time

import grpc
import pytest

from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import field
from tests.support import waiting

DT_INT64 = 9
FOREVER = 1 << 60
THREADS = 2


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    directory = tmp_path_factory.mktemp("models") / "counter"
    served.counter(str(directory))
    with served.serving(directory, "--threads", THREADS, "--timeout", 1) as running:
        yield running


def count(server, number):
    return server.post("counter:predict", {"inputs": number})


def test_timed_out_steps_release_their_threads(server):
    for _ in range(2 * THREADS):
        status, answer = count(server, FOREVER)
        assert (status, answer) == (504, {"error": "The request took longer than 1 s"})
    assert count(server, 7) == (200, {"outputs": 7})


def test_client_disconnect_cancels_step(server):
    host, port = server.rest.rsplit(":", 1)
    body = json.dumps({"inputs": FOREVER})
    for _ in range(2 * THREADS):
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        connection.request("POST", "/v1/models/counter:predict", body)
        connection.close()
    assert count(server, 8) == (200, {"outputs": 8})


def test_grpc_deadline_cancels_step(server):
    number = field(1, DT_INT64) + field(4, struct.pack("<q", FOREVER))  # tensor_content
    request = field(1, field(1, b"counter")) + field(2, field(1, b"number") + field(2, number))
    with grpc.insecure_channel(server.grpc) as channel:
        predict = channel.unary_unary("/tensorflow.serving.PredictionService/Predict")
        for _ in range(2 * THREADS):
            with pytest.raises(grpc.RpcError, match="DEADLINE_EXCEEDED"):
                predict(request, timeout=0.3)
    assert count(server, 9) == (200, {"outputs": 9})


def test_sigterm_ends_server_with_endless_step(tmp_path):
    served.counter(str(tmp_path / "counter"))
    with served.serving(tmp_path / "counter", "--threads", 1, "--timeout", 2) as server:
        host, port = server.rest.rsplit(":", 1)
        busy = http.client.HTTPConnection(host, int(port), timeout=60)
        with contextlib.closing(busy):
            busy.request("POST", "/v1/models/counter:predict", json.dumps({"inputs": FOREVER}))
            begin = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0
            assert time.monotonic() - begin < 30  # otherwise it would be waiting for the step


def test_version_with_fifo_is_refused(tmp_path):
    for name, number in (("a", 1), ("b", 1)):
        (tmp_path / name).mkdir()
        served.line(tmp_path / name / str(number), 2)
    config = tmp_path / "models.config"
    models = "".join(
        f'config {{ name: "{name}" base_path: "{tmp_path}/{name}" }}' for name in ("a", "b")
    )
    config.write_text(f"model_config_list {{ {models} }}")
    with served.serving("--config", config, "--watch", 0.1) as server:
        (tmp_path / "a.part").mkdir()
        os.mkfifo(tmp_path / "a.part" / "saved_model.pb")
        os.rename(tmp_path / "a.part", tmp_path / "a" / "2")
        served.line(tmp_path / "b" / "2", 3)
        waiting.until(lambda: server.states("b").get(2) == "AVAILABLE")
        waiting.until(lambda: server.states("a").get(2) == "END")
        _, answer = server.get("a/versions/2")
        (version,) = answer["model_version_status"]
        assert version["status"]["error_code"] == "FAILED_PRECONDITION"
        assert version["status"]["error_message"].endswith("saved_model.pb is not a regular file")
        assert server.end() == 0


def test_silent_connections_do_not_block_service(tmp_path):
    served.line(tmp_path / "line", 2)
    with served.serving(tmp_path / "line", "--max-connections", 5) as server:
        host, port = server.rest.rsplit(":", 1)
        with contextlib.ExitStack() as stack:
            silent = [
                stack.enter_context(socket.create_connection((host, int(port)), 60))
                for _ in range(20)
            ]
            refused = 0
            for each in silent[6:]:
                refused += each.recv(100).startswith(b"HTTP/1.1 503 ")
            assert refused == len(silent[6:])
        waiting.until(lambda: server.ask("GET", "/healthz")[0] == 200)
