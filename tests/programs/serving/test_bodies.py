"""Large JSON bodies: parsed in another process, a few at a time."""

import asyncio
import contextlib
import json
import os
import signal

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.programs.serving import json_processes, json_tensors
from tfmini._src.programs.serving.bodies import Bodies
from tfmini._src.programs.serving.json_processes import JsonProcesses
from tfmini._src.programs.serving.steps import Steps


def blanks():
    """Enough spaces to make a body large."""
    return b" " * json_processes.MIN_OFFLOADED_BYTES


@contextlib.asynccontextmanager
async def parsing():
    steps, processes = Steps(1, 10, 60), JsonProcesses()
    try:
        yield Bodies(steps, processes)
    finally:
        await processes.close()
        steps.close()


def refuse(body):
    raise AssertionError("a large body is parsed in the process that answers requests")


def read(*requests):
    """The result of parsing a padded body, for dtypes or (if None) as examples; or the error's text."""

    async def run():
        result = []
        async with parsing() as created:
            for text, dtypes in requests:
                try:
                    async with created.parse(blanks() + text) as body:
                        actual = await (body.examples() if dtypes is None else body.inputs(dtypes))
                        result.append((body.signature, actual))
                except tf.errors.OpError as error:
                    result.append(f"{type(error).__name__}: {error.message}")
        return result

    return asyncio.run(asyncio.wait_for(run(), 60))


def test_large_body_is_parsed_by_worker_process(monkeypatch):
    monkeypatch.setattr(json_tensors, "parse", refuse)
    kinds = {"x": tf.bfloat16, "s": tf.string}
    rows = b'{"signature_name": "z", "instances": [{"x": 0.5, "s": "a"}, {"s": {"b64": "/w"}, "x": 2}]}'
    by_row, by_column, examples = read(
        (rows, kinds),
        (b'{"inputs": {"x": [[1, 2], [3, 4]]}}', {"x": tf.int64}),
        (b'{"examples": [{"v": 7}], "signature_name": "c"}', None),
    )
    signature, (inputs, has_instances) = by_row
    assert (signature, has_instances) == ("z", True)
    assert inputs["x"].dtype == tf.bfloat16.as_numpy_dtype and inputs["x"].tolist() == [0.5, 2]
    assert inputs["s"].dtype == object and inputs["s"].tolist() == [b"a", b"\xff"]
    signature, (inputs, has_instances) = by_column
    assert (signature, has_instances) == ("", False)
    assert inputs["x"].dtype == np.int64 and inputs["x"].tolist() == [[1, 2], [3, 4]]
    assert inputs["x"].flags.writeable
    signature, (example,) = examples
    assert signature == "c"
    assert tf.train.Example.FromString(example).features.feature["v"].int64_list.value == [7]


def test_large_and_small_bodies_raise_the_same_errors():
    x = {"x": tf.float32}
    at = len(blanks()) + 1
    refused = "InvalidArgumentError: "
    assert read(
        (b"{", x),
        (b'{"inputs": ["a"]}', x),
        (b"[]", x),
        (b'{"inputs": [1]}', {"x": tf.complex64}),
        (b'{"examples": 3}', None),
        (b'{"inputs": [1]}', x),
    )[:-1] == [
        f"{refused}JSON Parse error: Expecting property name enclosed in double quotes: line 1 "
        f"column {at + 1} (char {at})",
        f'{refused}JSON Value: "a" is not of expected type: float32',
        f"{refused}JSON Value: [] Is not object",
        "UnimplementedError: Conversion of JSON Value: [1] to type: complex64",
        f"{refused}JSON Value: "
        "{\"examples\": 3} Expecting 'examples' to be a list/array of objects",
    ]


def test_large_numeric_body_is_parsed_in_process(monkeypatch):
    """Unless they do not fit the model's dtype: that process finds the error."""
    body = b'{"inputs": [1, 2], "signature_name": "s"}'
    processes = []
    started = json_processes.JsonProcesses.process
    monkeypatch.setattr(
        json_processes.JsonProcesses,
        "process",
        lambda *given: processes.append(1) or started(*given),
    )
    for given in (body, body.replace(b"inputs", b"instances")):
        ((signature, (inputs, has_instances)),) = read((given, {"x": tf.float32}))
        assert (signature, inputs["x"].tolist()) == ("s", [1, 2])
        assert has_instances == (given != body)
        assert inputs["x"].dtype == np.float32 and not processes
    refused = "InvalidArgumentError: JSON Value: "
    assert read((body, {"x": tf.bool}), (body, None)) == [
        f"{refused}1 is not of expected type: bool",
        f'{refused}{{"inputs": [1, 2], "signature_name": "s"}} Expecting \'examples\' to be a list/array of objects',
    ]
    assert len(processes) == 2


def test_large_bodies_share_worker_processes():
    async def run():
        async def one(created, index):
            async with created.parse(blanks() + b'{"inputs": {"x": [%d]}}' % index) as body:
                inputs, _ = await body.inputs({"x": tf.int32})
                return inputs["x"].item()

        async with parsing() as created:
            result = await asyncio.gather(*(one(created, index) for index in range(12)))
            return result, len(created._processes._idle)

    result, processes = asyncio.run(asyncio.wait_for(run(), 60))
    assert result == list(range(12))
    assert 1 <= processes <= json_processes._MAX_PROCESSES


def test_killed_or_abandoned_worker_is_replaced():
    async def run():
        text = blanks() + b'{"inputs": {"x": [1]}}'
        async with parsing() as created:
            async with created.parse(text) as body:
                await body.inputs({"x": tf.int32})
            pid = created._processes._idle[0].pid
            with pytest.raises(tf.errors.ResourceExhaustedError, match="large JSON died"):
                async with created.parse(text) as body:
                    assert not created._processes._idle
                    os.kill(pid, signal.SIGKILL)
                    await body.inputs({"x": tf.int32})
            with pytest.raises(KeyError, match="of the caller"):
                async with created.parse(text):
                    raise KeyError("of the caller")
            assert not created._processes._idle  # the one waiting for dtypes is no longer useful
            async with created.parse(text) as body:
                inputs, _ = await body.inputs({"x": tf.int32})
            assert created._processes._idle[0].pid != pid
            return inputs["x"].tolist()

    assert asyncio.run(asyncio.wait_for(run(), 60)) == [1]


def test_byte_budget_is_granted_in_order():
    """A request for all of it waits for earlier ones, and later ones wait too: none starves."""
    began = []

    async def take(room, name, size, end):
        async with room.reserve(size):
            began.append(name)
            await end.wait()

    async def run():
        room, ends = json_processes.ByteBudget(10), {name: asyncio.Event() for name in "abcd"}
        sizes = {"a": 4, "b": 6, "c": 99, "d": 1}
        tasks = [asyncio.create_task(take(room, n, sizes[n], ends[n])) for n in "abcd"]
        steps = []
        for ended in ("", "a", "b", "c", "d"):
            if ended:
                ends[ended].set()
            await asyncio.sleep(0.01)
            steps.append("".join(began))
        await asyncio.gather(*tasks)
        return steps

    assert asyncio.run(run()) == ["ab", "ab", "abc", "abcd", "abcd"]


def test_server_parses_large_bodies_concurrently(tmp_path):
    served.kinds(str(tmp_path / "kinds"))
    body = {"signature_name": "total", "inputs": {"number": [7] * 600_000}}
    text = json.dumps(body).encode()
    assert len(text) > json_processes.MIN_OFFLOADED_BYTES
    with served.serving(tmp_path / "kinds", "--workers", 2) as server:
        for _ in range(3):
            assert server.post("kinds:predict", text) == (200, {"outputs": 4_200_000})
        assert server.post("kinds:predict", text[:-2])[0] == 400
