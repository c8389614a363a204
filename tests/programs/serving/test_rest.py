"""The REST API: answers and statuses as in TensorFlow Serving's documentation."""

import base64
import http.client
import socket

import pytest

from tests.programs.serving import served


@pytest.mark.parametrize(
    "path, gradient",
    [("line", 3), ("line/versions/1", 2), ("line/versions/12", 3), ("line/labels/stable", 2)],
)
def test_predict_rows(server, path, gradient):
    status, answer = server.post(f"{path}:predict", {"instances": [[1, 0.5], [0.1, 0.0]]})
    assert status == 200
    first, second = answer["predictions"]
    assert first == {"y": [gradient + 0.5], "twice": [2 * gradient + 1.0]}
    assert second["y"] == [pytest.approx(0.1 * gradient)]


def test_predict_columns(server):
    status, answer = server.post("line:predict", {"inputs": {"x": [[1, 2], [3, 4]]}})
    assert (status, answer) == (200, {"outputs": {"y": [[5.0], [13.0]], "twice": [[10.0], [26.0]]}})
    _, plain = server.post("line:predict", {"inputs": [[1, 2], [3, 4]]})
    assert plain == answer


def test_predict_named_rows_and_bytes(server):
    raw = base64.b64encode(b"\xff\x00").decode()
    body = {"instances": [{"text": "aé", "number": 4}, {"text": {"b64": raw}, "number": 1}]}
    status, answer = server.post("kinds:predict", body)
    assert status == 400  # invalid UTF-8 has no form in JSON, except for names that end in _bytes
    assert answer["error"].startswith("Output upper is not UTF-8")
    body["instances"][1]["text"] = {"b64": base64.b64encode(b"bc").decode()}
    status, answer = server.post("kinds:predict", body)
    assert status == 200
    encoded = [base64.b64encode(each).decode() for each in ("aé".encode(), b"bc")]
    assert answer["predictions"] == [
        {
            "upper": "Aé",
            "raw_bytes": {"b64": encoded[0]},
            "next": 5,
            "is_even": True,
            "third": 4 / 3,
        },
        {
            "upper": "BC",
            "raw_bytes": {"b64": encoded[1]},
            "next": 2,
            "is_even": False,
            "third": 1 / 3,
        },
    ]


def test_predict_named_signature(server):
    body = {"signature_name": "total", "inputs": [1, 2, 39]}
    assert server.post("kinds:predict", body) == (200, {"outputs": 42})


def test_predict_short_floats_and_nan(server):
    _, answer = server.post("line:predict", {"inputs": [[0.1, 0.0]]})
    assert answer["outputs"]["twice"] == [[0.6]]  # not 0.6000000238418579
    status, text = server.ask("POST", "/v1/models/line:predict", b'{"instances": [[NaN, 1]]}')
    assert (status, text) == (200, '{"predictions":[{"twice":[NaN],"y":[NaN]}]}')


def test_classify(server):
    body = {"examples": [{"x": [0.25, 0.5]}, {"x": [1.0, 2.0], "shift": 3}]}
    answer = {"results": [[["iris", 0.25], ["rose", 0.5]], [["iris", 4.0], ["rose", 5.0]]]}
    assert server.post("flowers:classify", body) == (200, answer)
    body = {"signature_name": "scores", "context": {"shift": [2]}, "examples": [{"x": [0.5, 1.0]}]}
    assert server.post("flowers:classify", body) == (200, {"results": [[["", 2.5], ["", 3.0]]]})


def test_regress(server):
    body = {"signature_name": "value", "examples": [{"x": [0.25, 0.5]}, {"x": [1.0, 2.5]}]}
    assert server.post("flowers:regress", body) == (200, {"results": [0.75, 3.5]})


def test_status(server):
    available = {"state": "AVAILABLE", "status": {"error_code": "OK", "error_message": ""}}
    statuses = [{"version": "12", **available}, {"version": "1", **available}]
    assert server.get("line") == (200, {"model_version_status": statuses})
    assert server.get("line/versions/1") == (200, {"model_version_status": statuses[1:]})
    assert server.get("line/labels/stable") == (200, {"model_version_status": statuses[1:]})


def test_metadata(server):
    status, answer = server.get("line/versions/1/metadata")
    assert status == 200
    assert answer["model_spec"] == {"name": "line", "signature_name": "", "version": "1"}
    signature = answer["metadata"]["signature_def"]["signature_def"]["serving_default"]
    assert signature["method_name"] == "tensorflow/serving/predict"
    assert signature["inputs"]["x"] == {
        "name": "x:0",
        "dtype": "DT_FLOAT",
        "tensor_shape": {
            "dim": [{"size": "-1", "name": ""}, {"size": "2", "name": ""}],
            "unknown_rank": False,
        },
    }


WRONG = {
    "no_json": ("line:predict", b"{", 400, "JSON Parse error: "),
    "a_list": ("line:predict", [], 400, r"JSON Value: \[\] Is not object"),
    "empty": ("line:predict", {}, 400, "Missing 'inputs' or 'instances' key"),
    "both": ("line:predict", {"inputs": 1, "instances": [1]}, 400, "JSON Value: .* only one of"),
    "no_rows": ("line:predict", {"instances": []}, 400, "No values in 'instances' array"),
    "one_row": ("line:predict", {"instances": 3}, 400, "JSON Value: 3 Expecting 'instances' to be"),
    "no_name": (
        "line:predict",
        {"signature_name": 1},
        400,
        "JSON Value: .* must be a string value",
    ),
    "signature": (
        "line:predict",
        {"signature_name": "other", "inputs": 1},
        400,
        'Serving signature name: "other" not found in signature def',
    ),
    "text": (
        "line:predict",
        {"inputs": [["a", 1]]},
        400,
        'JSON Value: \\["a", 1\\] is not of expected type: float32',
    ),
    "bool": ("line:predict", {"inputs": True}, 400, "JSON Value: true is not of expected type"),
    "precision": (
        "line:predict",
        {"inputs": [[16777217, 0]]},
        400,
        "Cannot convert JSON value: .* to float32 without loss of precision",
    ),
    "lengths": (
        "line:predict",
        {"inputs": [[1, 2], [3]]},
        400,
        "JSON Value: \\[\\[1, 2\\], \\[3\\]\\] is not a tensor of float32: lists at the same level",
    ),
    "shape": (
        "line:predict",
        {"inputs": [1, 2]},
        400,
        r"input x is expected to have shape \(\?, 2\) but \(2,\) is provided",
    ),
    "keys": (
        "kinds:predict",
        {"instances": [{"text": "a"}]},
        400,
        "Failed to process element: 0 of 'instances' list.* keys must be equal to: number,text",
    ),
    "mixed": (
        "kinds:predict",
        {"instances": [{"text": "a", "number": 1}, 3]},
        400,
        "Expecting object but got list at item 1 of input list",
    ),
    "plain": ("kinds:predict", {"inputs": [1]}, 400, "inputs is a plain value/list, but"),
    "missing": (
        "kinds:predict",
        {"inputs": {"text": ["a"]}},
        400,
        "Missing named input: number in 'inputs' object.",
    ),
    "fraction": (
        "kinds:predict",
        {"inputs": {"text": ["a"], "number": [1.5]}},
        400,
        "JSON Value: 1.5 is not of expected type: int64",
    ),
    "base64": (
        "kinds:predict",
        {"inputs": {"text": [{"b64": "a"}], "number": [1]}},
        400,
        "Unable to base64 decode",
    ),
    "step": (
        "kinds:predict",
        {"inputs": {"text": ["a"], "number": [-1]}},
        400,
        r"assertion failed: (.|\n)*\[\[\{\{node assert_non_negative",
    ),
    "batch_sizes": (
        "kinds:predict",
        {"signature_name": "total", "instances": [1]},
        400,
        "Outputs have inconsistent batch sizes: total ",
    ),
    "classify": (
        "line:classify",
        {"examples": [{}]},
        400,
        "Expected classification signature method_name to be tensorflow/serving/classify. Was: ",
    ),
    "regress": (
        "flowers:regress",
        {"examples": [{}]},
        400,
        "Expected regression signature method_name to be tensorflow/serving/regress. Was: ",
    ),
    "no_examples": ("flowers:classify", {}, 400, "JSON Value: {} Expecting 'examples' to be"),
    "feature": (
        "flowers:classify",
        {"examples": [{"x": [1, 0.5]}]},
        400,
        "Feature: x has elements of mixed or unsupported types",
    ),
    "example": (
        "flowers:classify",
        {"examples": [{"shift": 1}]},
        400,
        r"Name: <unknown>, Feature: x \(data type: float\) is required but could not be found",
    ),
    "model": (
        "other:predict",
        {"inputs": 1},
        404,
        r"Servable not found for request: Latest\(other\)",
    ),
    "version": (
        "line/versions/2:predict",
        {"inputs": 1},
        404,
        r"Servable not found for request: Specific\(line, 2\)",
    ),
    "label": (
        "line/labels/canary:predict",
        {"inputs": 1},
        400,
        "Unrecognized servable version label: canary",
    ),
    "method": ("line:explain", {}, 400, "Malformed request: POST /v1/models/line:explain"),
    "dtype_of_classes": (
        "flowers:classify",
        {"signature_name": "numbers", "examples": [{"x": [1.0, 2.0]}]},
        400,
        "Expected classes Tensor of DT_STRING. Got: DT_INT32",
    ),
    "label_in_latin_1": (
        "flowers:classify",
        {"signature_name": "latin", "examples": [{"x": [1.0, 2.0]}]},
        400,
        "A label is not UTF-8: ",
    ),
    "dtype_of_values": (
        "flowers:regress",
        {"signature_name": "text", "examples": [{"x": [1.0, 2.0]}]},
        400,
        "Expected output Tensor of DT_FLOAT.  Got: DT_STRING",
    ),
    "number": ("line/versions/x:predict", {}, 400, "Malformed request: POST /v1/models/line/v"),
    "large_number": (
        "line/versions/9223372036854775808:predict",
        {},
        400,
        "Failed to convert version: 9223372036854775808 to numeric.$",
    ),
    "many_digits": (
        f"line/versions/{'9' * 5000}:predict",
        {},
        400,
        "Failed to convert version: 99",
    ),
    "largest_number": ("line/versions/9223372036854775807:predict", {}, 404, "Servable not found"),
    "large": ("line:predict", b"[" * 200_000, 413, "The request exceeds 104857 bytes"),
}


@pytest.mark.parametrize("path, body, status, text", WRONG.values(), ids=WRONG)
def test_invalid_requests(server, path, body, status, text):
    result, answer = server.post(path, body)
    assert result == status
    assert list(answer) == ["error"]
    served.assert_matches(text, answer["error"])


@pytest.mark.parametrize(
    "path, status, text",
    [
        ("/v1/models/other", 404, "Could not find any versions of model other"),
        ("/v1/models/line/versions/3", 404, "Could not find version 3 of model line"),
        ("/v1/models/other/metadata", 404, r"Servable not found for request: Latest\(other\)"),
        ("/v1/models", 400, "Malformed request: GET /v1/models"),
        ("/v1/models/line:predict", 400, "Malformed request: GET /v1/models/line:predict"),
        ("/v1/models/line/", 400, "Malformed request: GET /v1/models/line/"),
        ("/", 404, "Malformed request: GET /"),
    ],
)
def test_invalid_queries(server, path, status, text):
    result, answer = server.ask("GET", path)
    assert result == status
    served.assert_matches('{"error":"' + text, answer)


def test_disconnected_and_stalled_clients(server):
    host, port = server.rest.split(":")
    head = b"POST /v1/models/line:predict HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
    with socket.create_connection((host, int(port))) as client:
        client.sendall(head)
    with socket.create_connection((host, int(port)), 60) as client:
        client.sendall(head)
        answer = http.client.HTTPResponse(client)
        answer.begin()
        result = answer.status, answer.read().decode()
    assert result == (504, '{"error":"The request sent no data for 10 s"}')
    _, text = server.ask("GET", "/monitoring/prometheus/metrics")
    name = ":tensorflow:serving:request_count"
    assert f'{name}{{model_name="line",status="CANCELLED"}} 1' in text
    assert f'{name}{{model_name="line",status="DEADLINE_EXCEEDED"}} 1' in text


@pytest.mark.parametrize("path", ["/monitoring/prometheus/metrics", "/metrics"])
def test_metrics(server, path):
    server.post("line:predict", {"inputs": [[1, 2]]})
    server.post("line:predict", {"inputs": "a"})
    server.post("unknown:predict", {"inputs": "a"})
    status, text = server.ask("GET", path)
    assert status == 200
    lines = text.splitlines()
    assert "# TYPE :tensorflow:serving:request_count counter" in lines
    names = {each.split("}")[0] for each in lines}
    name = ":tensorflow:serving:request_count{"
    assert name + 'model_name="line",status="OK"' in names
    assert name + 'model_name="line",status="INVALID_ARGUMENT"' in names
    assert name + 'model_name="",status="NOT_FOUND"' in names  # a client cannot create time series
    label = '{model_name="line",API="predict",entrypoint="REST"'
    buckets = [
        each
        for each in lines
        if each.startswith(f":tensorflow:serving:request_latency_bucket{label}")
    ]
    counts = [int(each.split()[-1]) for each in buckets]
    assert len(counts) == 34 and counts == sorted(counts)
    assert f":tensorflow:serving:request_latency_count{label}}} {counts[-1]}" in lines
