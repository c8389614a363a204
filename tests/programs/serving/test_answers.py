"""Large JSON answers: serialized in another process, and sent in parts."""

import asyncio
import json

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving import answers, json_processes, json_tensors
from tfmini._src.programs.serving.answers import Answers
from tfmini._src.programs.serving.asgi import Response
from tfmini._src.programs.serving.json_processes import JsonProcesses
from tfmini._src.programs.serving.steps import Steps

ROWS = json_processes.MIN_OFFLOADED_BYTES // 4


def refuse(*arguments):
    raise AssertionError("a large answer is written in the process that answers requests")


def written(*requests):
    """The answer's parts for each (results, by_row), or the error's text."""

    async def run():
        result, steps, processes = [], Steps(1, 10, 60), JsonProcesses()
        answers = Answers(steps, processes)
        for request in requests:
            try:
                result.append(await answers.encode(*request))
            except tf.errors.OpError as error:
                result.append(f"{type(error).__name__}: {error.message}")
        await processes.close()
        steps.close()
        return result

    return asyncio.run(asyncio.wait_for(run(), 60))


def test_large_answer_is_encoded_by_worker_process(monkeypatch):
    monkeypatch.setattr(answers, "_encode", refuse)
    monkeypatch.setattr(answers, "MIN_OFFLOADED_BYTES", answers.MIN_OFFLOADED_BYTES // 8)
    longest, rows = np.arange(ROWS, dtype=np.float32) / 4, ROWS // 8
    x, name = longest[:rows], np.full(rows, b"name", object)
    latin = np.full(rows, b"\xe9", object)
    by_row, refused, by_column, multiple = written(
        ({"x": longest}, True),
        ({"x": x, "s": latin}, False),
        ({"x": x.reshape(-1, 2)}, False),
        ({"x": x, "s": name}, True),
    )
    assert json.loads(b"".join(by_row)) == {"predictions": longest.tolist()}
    assert min(map(len, by_row[:-1])) >= 1 << 20 and len(by_row) == 3
    assert refused == (
        "InvalidArgumentError: Output s is not UTF-8; JSON returns it as base64 if its name ends in _bytes"
    )
    assert json.loads(b"".join(by_column)) == {"outputs": x.reshape(-1, 2).tolist()}
    text = b"".join(multiple)
    last = json.loads(text[text.rindex(b"{") : text.rindex(b"]")])
    assert last == {"x": (rows - 1) / 4, "s": "name"} and text.count(b"name") == rows


def test_small_answer_is_encoded_in_process(monkeypatch):
    monkeypatch.setattr(JsonProcesses, "process", refuse)
    assert written(({"x": np.float32([0.5])}, False)) == [[b'{"outputs":[0.5]}']]
    x = np.arange(ROWS - 1, dtype=np.float32)
    ((result,),) = written(({"x": x}, True))
    assert json.loads(result) == {"predictions": x.tolist()}


@pytest.mark.parametrize("parts", [[b"a"], [b"ab", b"", b"c"]])
def test_multipart_response(parts):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(Response(200, list(parts)).send(send))
    start, *bodies = sent
    assert start["status"] == 200
    headers = dict(start["headers"])
    assert headers == {
        b"content-length": str(sum(map(len, parts))).encode(),
        b"content-type": b"application/json",
    }
    assert [each["body"] for each in bodies] == parts
    assert [each["more_body"] for each in bodies] == [*[True] * (len(parts) - 1), False]


def test_server_returns_large_answers(tmp_path):
    served.line(tmp_path / "line" / "1", 2)
    rows = [[index, 1] for index in range(70_000)]
    with served.serving(tmp_path / "line") as server:
        status, answer = server.post("line:predict", {"inputs": rows})
        assert status == 200
        assert answer["outputs"]["y"] == [[2 * index + 1] for index in range(70_000)]


def test_large_and_small_answers_format_numbers_alike():
    x = np.random.RandomState(5).standard_normal(ROWS).astype(np.float32)
    ((*parts,),) = written(({"x": x}, False))
    small = json_tensors.encode(json_tensors.as_json_values("x", x[:1000]))
    assert b"".join(parts).startswith(b'{"outputs":' + small[:-1].encode() + b",")
