"""The access log: one line of JSON per request, over REST and gRPC."""

import contextlib
import datetime
import json
import re

import grpc
import pytest

from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import called, field
from tests.support import waiting
from tfmini._src.programs.cli import main
from tfmini._src.programs.serving.access_log import AccessLog, set_fields

FIELDS = (
    *("time", "interface", "peer", "method", "model", "version", "signature", "status"),
    *("request_bytes", "response_bytes", "milliseconds"),
)


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def shown(line, *names):
    return tuple(line[name] for name in names)


def test_every_request_is_logged(tmp_path):
    served.kinds(str(tmp_path / "kinds" / "5"))
    path = tmp_path / "access.log"
    path.write_text("{}\n")  # appended to
    total = {"signature_name": "total", "inputs": [1, 2]}
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=1)
    with served.serving(tmp_path / "kinds", "--access-log", path, "--workers", 2) as server:
        assert server.post("kinds:predict", total)[0] == 200
        server.post("kinds/versions/7:predict", total)
        server.get("kinds/metadata")
        server.ask("GET", "/none")
        server.ask("GET", "/monitoring/prometheus/metrics")
        spec = field(1, field(1, b"kinds"))
        response = called(server, "/tensorflow.serving.ModelService/GetModelStatus", spec)
        with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
            called(
                server, "/tensorflow.serving.PredictionService/Predict", field(1, field(1, b"o"))
            )
        called(server, "/grpc.health.v1.Health/Check", b"")
        waiting.until(lambda: len(lines_of(path)) >= 7)
        assert server.end() == 0
    _, *lines = lines_of(path)
    assert all(tuple(line) == FIELDS for line in lines)
    names = "interface", "method", "model", "version", "signature", "status"
    by_request = {shown(line, *names): line for line in lines}  # two workers: in any order
    assert len(lines) == len(by_request)
    assert set(by_request) == {
        ("REST", "predict", "kinds", 5, "total", 200),
        ("REST", "predict", "kinds", None, "", 404),
        ("REST", "metadata", "kinds", 5, "", 200),
        ("REST", "", "", None, "", 404),
        ("gRPC", "GetModelStatus", "kinds", None, "", "OK"),
        ("gRPC", "Predict", "o", None, "", "NOT_FOUND"),
    }
    first = by_request["REST", "predict", "kinds", 5, "total", 200]
    status = by_request["gRPC", "GetModelStatus", "kinds", None, "", "OK"]
    assert shown(first, "request_bytes", "response_bytes") == (
        len(json.dumps(total)),
        len('{"outputs":3}'),
    )
    assert shown(status, "request_bytes", "response_bytes") == (len(spec), len(response))
    assert all(line["peer"].startswith("127.0.0.1:") for line in lines)
    assert all(0 < line["milliseconds"] < 60_000 for line in lines)
    for line in lines:
        assert datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00")) > begin


def test_stdout_log_follows_startup_lines(tmp_path):
    served.flowers(str(tmp_path / "flowers" / "7"))
    with served.serving(tmp_path / "flowers", "--access-log") as server:
        body = {"examples": [{"x": [0.25, 0.5]}]}
        assert server.post("flowers:classify", body)[0] == 200
        output = server.process.stdout
        assert output.readline() == f"serving flowers from {tmp_path}/flowers\n"
        signatures = "latin, numbers, scores, serving_default, text, value"
        assert output.readline() == f"ready: flowers 7 ({signatures})\n"
        line = json.loads(output.readline())
        assert shown(line, "method", "version", "signature", "status") == (
            *("classify", 7, "serving_default", 200),
        )


@pytest.mark.parametrize(
    "options, peer",
    [
        ((), r"127.0.0.1:\d+"),
        (("--proxies", "10.0.0.0/8"), r"127.0.0.1:\d+"),
        (("--proxies", "::1, 127.0.0.0/8"), "192.0.2.7"),
    ],
)
def test_client_behind_trusted_proxy(tmp_path, options, peer):
    """Only for trusted proxies, ignoring addresses that the client itself has prepended."""
    served.line(tmp_path / "1", 1)
    headers = {"X-Forwarded-For": "198.51.100.9, 192.0.2.7"}
    with served.serving(tmp_path, "--name", "line", "--access-log", *options) as server:
        assert server.ask("GET", "/v1/models/line", headers=headers)[0] == 200
        lines = [server.process.stdout.readline() for _ in range(3)]
        assert re.fullmatch(peer, json.loads(lines[-1])["peer"])


def test_disconnected_client_is_logged(capsys):
    async def application(scope, receive, send):
        set_fields(method="predict", model="m")
        raise ConnectionResetError("gone")

    log = AccessLog("-").log_application(application)
    scope = {"type": "http", "path": "/v1/models/m:predict", "client": None}
    with contextlib.suppress(ConnectionResetError):
        log(scope, None, None).send(None)
    line = json.loads(capsys.readouterr().out)
    assert shown(line, "model", "status", "peer") == ("m", 499, "")
    set_fields(model="outside of a request")  # changes nothing


def test_disabled_log_does_not_wrap_application():
    def application():
        raise NotImplementedError

    assert AccessLog("").log_application(application) is application


def test_unwritable_log_file(tmp_path, capsys):
    served.line(tmp_path / "1", 1)
    assert main(["serve", str(tmp_path), "--access-log", str(tmp_path / "none" / "log")]) == 1
    assert f"No such file or directory: '{tmp_path}/none/log'" in capsys.readouterr().err
