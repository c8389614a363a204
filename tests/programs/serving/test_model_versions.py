"""Versions added, removed and failing while a model serves."""

import signal
import socket
import threading

import pytest

from tests.programs.serving import served
from tests.support import waiting


@pytest.fixture
def directory(tmp_path):
    served.line(tmp_path / "1", 1)
    return tmp_path


@pytest.fixture
def server(directory):
    with served.serving(directory, "--name", "line", "--watch", "0.05") as running:
        yield running


def slope(server, path="line"):
    status, answer = server.post(f"{path}:predict", {"instances": [[1, 0]]})
    assert status == 200, answer
    return answer["predictions"][0]["y"][0]


def test_new_version_takes_over_without_lost_requests(server, directory):
    answers, ended = [], threading.Event()

    def ask():
        while not ended.is_set():
            answers.append(slope(server))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    waiting.until(lambda: len(answers) > 20)
    served.line(directory / "2", 2)
    waiting.until(lambda: answers[-1] == 2)
    served.line(directory / "10", 10)  # in numeric, not alphabetical order
    waiting.until(lambda: answers[-1] == 10)
    served.remove(directory / "10")
    waiting.until(lambda: answers[-1] == 2)
    ended.set()
    for thread in threads:
        thread.join()
    assert set(answers) == {1.0, 2.0, 10.0}
    waiting.until(lambda: server.states("line") == {10: "END", 2: "AVAILABLE", 1: "END"})
    assert server.post("line/versions/1:predict", {"instances": [[1, 0]]})[0] == 404


def test_failed_version_keeps_the_old_one(server, directory):
    broken = directory / "2"
    broken.mkdir()
    waiting.until(lambda: server.states("line") == {2: "END", 1: "AVAILABLE"})
    _, answer = server.get("line/versions/2")
    status = answer["model_version_status"][0]["status"]
    assert status["error_code"] != "OK"
    assert "SavedModel file does not exist at: line/2/" in status["error_message"]
    assert str(directory) not in status["error_message"]
    assert slope(server) == 1
    broken.rmdir()
    served.line(broken, 2)  # the folder has other files now
    waiting.until(lambda: server.states("line") == {2: "AVAILABLE", 1: "END"})
    assert slope(server) == 2


def test_last_version_is_removed_and_replaced(server, directory):
    served.remove(directory / "1")
    waiting.until(lambda: server.states("line") == {1: "END"})
    assert server.post("line:predict", {"instances": [[1, 0]]}) == (
        404,
        {"error": "Servable not found for request: Latest(line)"},
    )
    assert server.ask("GET", "/healthz") == (503, "loading")
    served.line(directory / "1", 4)
    waiting.until(server.is_ready)
    assert slope(server) == 4


def test_sigterm_finishes_pending_requests(directory):
    body = b'{"instances": [[1, 0]]}'
    with served.serving(directory, "--name", "line") as server:
        host, port = server.rest.split(":")
        with socket.create_connection((host, int(port)), 60) as client:
            lines = (
                "POST /v1/models/line:predict HTTP/1.1",
                "Host: here",
                f"Content-Length: {len(body)}",
                "Expect: 100-continue",
            )
            client.sendall("\r\n".join([*lines, "", ""]).encode())
            assert client.recv(1000).startswith(b"HTTP/1.1 100 ")  # it reads the body
            server.process.send_signal(signal.SIGTERM)
            waiting.until(lambda: not server.is_ready())
            client.sendall(body)
            with client.makefile("rb") as answer:
                text = answer.read().decode()
        assert text.startswith("HTTP/1.1 200 ") and text.endswith("}")
        assert server.process.wait(60) == 0
